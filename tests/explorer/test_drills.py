"""Drills in the pages and by the API."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from served import Served, words

PAGE = {"accept": "text/html"}


@pytest.fixture(scope="module")
def drills(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    made = Served(tmp_path_factory.mktemp("drills"))
    for position in ("kuhn@J/check/bet", "resistance-5/ab+/abc-"):
        made.get(f"/p/{position}.insight.json?time=120")  # where the drills take it from
    yield made
    made.close()


def test_a_decision_is_dealt_answered_and_counted(drills: Served) -> None:
    page = drills.get("/drill", params={"game": "kuhn", "side": "1"}, follow_redirects=True)
    assert "position=kuhn" in str(page.url) and "What do you do, Player 2?" in words(page.text)
    told = drills.get("/drill.json", params={"game": "kuhn", "side": "0", "position": "kuhn@J/check/bet"}).json()
    assert (told["number"], told["moves"], told["stake"]) == (1, ["fold", "call"], "1")
    sent: dict[str, object] = {"game": "kuhn", "position": told["position"], "number": 1, "move": "call"}
    marked: dict[str, Any] = drills.post("/drill", 200, sent)
    assert not marked["right"] and marked["cost"] == "1" and marked["score"]["total"]["answered"] == 1
    assert "another tab" in str(drills.post("/drill", 409, sent))
    right = drills.client.post("/drill", data={**sent, "side": "0", "number": "2", "move": "fold"}, headers=PAGE)
    assert right.status_code == 200 and "Right" in words(right.text) and "1 of 2 right" in words(right.text)
    (kept,) = [one for one in drills.get("/drills.json").json()["drills"] if one["game"] == "kuhn"]
    assert kept["side"] == "first" and kept["score"]["total"] == {"answered": 2, "right": 1, "cost": "1"}
    assert (kept["score"]["due"], kept["score"]["waiting"]) == (0, 1)
    page = words(drills.get("/drills").text)
    assert "kuhn as Player 1" in page and "1 comes back later." in page


def test_decisions_do_not_repeat_and_hints_count(drills: Served) -> None:
    dealt = [drills.get("/drill.json?game=kuhn&side=1").json() for _ in range(2)]
    assert dealt[0]["position"] != dealt[1]["position"] and dealt[0]["hint"] is None
    address = {"game": "kuhn", "side": "1", "position": dealt[0]["position"], "hint": "true"}
    hint = drills.get("/drill.json", params=address).json()["hint"]
    page = drills.get("/drill", params=address).text
    assert hint.startswith("Optimal play: ") and hint in words(page) and 'name="hinted" value="yes"' in page
    right = hint.split("always ")[1].split()[0].rstrip(".")
    marked: dict[str, Any] = drills.post(
        "/drill", 200, {**address, "hint": None, "number": 1, "move": right, "hinted": "yes"}
    )
    assert marked["right"] and marked["proved"] and marked["score"]["waiting"] == 1


def test_a_score_is_cleared(drills: Served) -> None:
    sent: dict[str, object] = {"game": "morra", "side": "0", "position": "morra", "number": 1}
    drills.post("/drill", 200, {**sent, "move": drills.get("/drill.json?game=morra&position=morra").json()["moves"][0]})
    (kept,) = [one for one in drills.get("/drills.json").json()["drills"] if one["game"] == "morra"]
    assert f'value="{kept["identity"]}"' in drills.get("/drills").text
    left: Any = drills.post("/drills/forget", 200, {"identity": kept["identity"], "side": kept["side"]})
    assert "morra" not in {one["game"] for one in left["drills"]}
    drills.post("/drills/forget", 400, {"identity": "../x", "side": "first"})


def test_seats_of_a_mission_are_ticked(drills: Served) -> None:
    position = "resistance-5/ab+/abc-"
    page = drills.get("/drill", params={"game": "resistance-5", "position": position})
    assert page.text.count('type="checkbox"') == 5
    fields = {"game": "resistance-5", "side": "0", "position": position, "number": "1", "seat": ["d", "e"]}
    assert "cost" in words(drills.client.post("/drill", data=fields, headers=PAGE).text)


def test_what_is_refused_leaves_the_question(drills: Served) -> None:
    number = str(drills.get("/drill.json?game=kuhn&position=kuhn@J").json()["number"])
    sent: dict[str, str] = {"game": "kuhn", "side": "0", "position": "kuhn@J", "number": number, "move": "raise"}
    page = drills.client.post("/drill", data=sent, headers=PAGE)
    assert page.status_code == 400 and "What do you do" in page.text and "raise" in page.text
    for wrong, status in (
        ({"position": "kuhn@J/check"}, 404),
        ({"position": ""}, 400),
        ({"position": "leduc@Ks"}, 404),
        ({"side": "third"}, 409),
        ({"game": "chess"}, 404),
        ({"number": ""}, 400),
        ({"luck": "1"}, 400),
    ):
        assert drills.client.post("/drill", json={**sent, "move": "bet", **wrong}).status_code == status, wrong


def test_scores_lie_beside_the_sessions(drills: Served) -> None:
    settings = drills.app.state.explorer.settings
    assert settings.drills == settings.sessions.parent / "drills"
