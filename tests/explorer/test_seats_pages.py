"""Evenings in the explorer, over HTTP: the form, the page, refusals, and the same numbers as JSON."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from served import Served, words


def to_the_end(served: Served, told: dict[str, Any]) -> dict[str, Any]:
    while not told["over"]:
        told = served.post(f"/seat/{told['id']}", 200, {"number": told["number"], "move": told["acts"][0]})
    return told


def test_an_evening_from_the_form_to_the_review(served: Served) -> None:
    form = served.get("/seat").text
    assert "Sit down" in form and 'value="avalon"' in form
    begun = served.post(
        "/seat", 201, {"players": 5, "seat": "c", "side": "spies", "seed": 5, "bots": "optimal", "coach": True}
    )
    page = f"/seat/{begun['id']}"
    shown = words(served.get(page).text)
    assert "Your turn, seat c" in shown and "You are a spy. The other spy is" in shown
    assert "more than half must approve" in shown and "Approve or reject?" in shown
    assert "Hint. The plan sends" in words(served.get(f"{page}?hint=true").text)
    assert begun["number"] == 1 and begun["acts"] == ["approve", "reject"] and not begun["record"]
    after = served.post(page, 200, {"number": 1, "move": "reject"})
    assert after["coached"].startswith("reject: not planned") and "Take back reject" in words(served.get(page).text)
    assert after["history"][0][:3] == ["1.1", "a", begun["question"].split()[3]]
    back = served.post(f"{page}/back", 200, {"number": 2})
    assert back["number"] == 1 and back["history"] == []
    ended = to_the_end(served, back)
    assert ended["record"]["roles"]["c"] == "minion" and len(ended["review"]["acts"]) == len(ended["made"])
    text = words(served.get(page).text)
    assert ("You won" if ended["won"] else "You lost") in text and "were spies" in text and "Review" in text
    assert served.get(f"{page}.json").json() == {**ended, "hint": None}


def test_avalon_with_roles(served: Served) -> None:
    roles = "merlin,assassin,percival,morgana"
    begun = served.post("/seat", 201, {"game": "avalon", "players": 7, "roles": roles, "bots": "optimal", "seed": 1})
    assert "Percival" in begun["title"] and "nobody says anything" in " ".join(begun["about"])
    served.post(f"/seat/{begun['id']}/forget", 200, {})
    assert served.client.get(f"/seat/{begun['id']}").status_code == 404


def test_evenings_that_were_left_are_listed(served: Served) -> None:
    begun = served.post("/seat", 201, {"players": 6, "seat": "b", "seed": 3})
    assert served.get("/seat.json").json()["unfinished"][begun["id"]] == "6 seats, seat b"
    assert f'href="/seat/{begun["id"]}"' in served.get("/seat").text
    assert 'href="/seat"' in served.get("/play").text


@pytest.mark.parametrize(
    ("sent", "status", "reason"),
    [
        ({"seat": "z"}, 400, "expected a seat from a to e"),
        ({"players": "4"}, 400, "no official table has 4 players"),
        ({"players": "many"}, 400, "many"),
        ({"game": "chess"}, 400, "expected resistance or avalon"),
        ({"game": "avalon", "roles": "gandalf"}, 400, "gandalf"),
        ({"game": "avalon", "players": 7, "roles": "merlin,assassin,oberon", "bots": "optimal"}, 400, "Oberon"),
        ({"bots": "best"}, 400, "unknown bots"),
        ({"side": "left"}, 400, "expected a side"),
        ({"seed": "x"}, 400, "seed"),
        ({"colour": "red"}, 400, "expected only the fields"),
    ],
)
def test_what_cannot_be_seated_is_one_sentence(served: Served, sent: dict[str, Any], status: int, reason: str) -> None:
    assert re.search(reason, served.post("/seat", status, sent)["error"])
    page = served.client.post("/seat", data={k: str(v) for k, v in sent.items()}, headers={"accept": "text/html"})
    assert page.status_code == status and 'role="alert"' in page.text and "Sit down" in page.text


@pytest.mark.parametrize(
    ("number", "move", "status"), [("9", "approve", 409), ("1", "dance", 400), ("1", "", 400), ("x", "approve", 400)]
)
def test_a_refusal_keeps_the_evening_on_the_page(served: Served, number: str, move: str, status: int) -> None:
    begun = served.post("/seat", 201, {"seat": "c", "side": "good", "seed": 4})
    page = f"/seat/{begun['id']}"
    sent = {"number": number, "move": move}
    told = served.client.post(page, data=sent, headers={"accept": "text/html"})
    assert told.status_code == status and 'role="alert"' in told.text and "Your turn, seat c" in words(told.text)
    assert served.get(f"{page}.json").json()["number"] == 1
    assert served.client.post(f"{page}/back", json={"number": 1}).status_code == 409


def test_no_page_of_a_loyal_seat_shows_a_spy_before_the_end(served: Served) -> None:
    for seed in range(2):
        told = served.post("/seat", 201, {"seat": "c", "side": "good", "seed": seed, "players": 5})
        while not told["over"]:
            page = served.get(f"/seat/{told['id']}").text
            assert not re.search("minion|spy ", page) and "minion" not in json.dumps(told)
            told = served.post(f"/seat/{told['id']}", 200, {"number": told["number"], "move": told["acts"][0]})
        assert "minion" in served.get(f"/seat/{told['id']}").text
