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
    assert (told["number"], told["moves"], told["stake"]) == (1, ["fold", "call"], "1/6")
    sent: dict[str, object] = {"game": "kuhn", "position": told["position"], "number": 1, "move": "call"}
    marked: dict[str, Any] = drills.post("/drill", 200, sent)
    assert not marked["right"] and marked["cost"] == "1/6" and marked["score"]["total"]["answered"] == 1
    assert "another tab" in str(drills.post("/drill", 409, sent))
    right = drills.client.post("/drill", data={**sent, "side": "0", "number": "2", "move": "fold"}, headers=PAGE)
    assert right.status_code == 200 and "Right" in words(right.text) and "1 of 2 right" in words(right.text)
    (kept,) = [one for one in drills.get("/drills.json").json()["drills"] if one["game"] == "kuhn"]
    assert kept["side"] == "first" and kept["score"]["total"] == {"answered": 2, "right": 1, "cost": "1/6"}
    assert "kuhn as Player 1" in words(drills.get("/drills").text)


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
