"""Games played by the explorer, over HTTP."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from ruse import games
from ruse.solution.store import save
from ruse.solving.pipeline import solve
from served import Served, words


def test_a_game_with_coach_two_tabs_and_a_restart(tmp_path: Path, kuhn_file: Path) -> None:
    made = Served(tmp_path, (str(kuhn_file),))
    try:
        file = made.app.state.explorer.library.asked_for[0].source
        sent = {"game": "kuhn", "file": file, "side": "first", "seed": 3, "coach": True}
        begun = made.post("/play", 201, sent)
        page = f"/play/{begun['id']}"
        assert "Your move, Player 1" in words(made.get(page).text)
        assert made.post(page, 400, {"number": 1, "move": "dance"})["error"]
        after = made.post(page, 200, {"number": 1, "move": "bet"})
        assert "bet" in str(after["coached"])
        assert made.post(page, 409, {"number": 1, "move": "bet"})["error"]
    finally:
        made.close()
    again = Served(tmp_path, (str(kuhn_file),))
    try:
        told = again.get(f"{page}.json").json()
        assert told == after
        while not told["over"]:
            told = again.post(page, 200, {"number": told["number"], "move": told["moves"][0]})
        shown = words(again.get(page).text)
        assert "Review" in shown and ("You got" in shown or "You" in shown)
        assert len(told["review"]["moves"]) == len(told["decisions"])
    finally:
        again.close()


@pytest.mark.parametrize(
    ("number", "move", "status"), [("9", "bet", 409), ("1", "dance", 400), ("1", "", 400), ("x", "bet", 400)]
)
def test_a_refusal_keeps_the_game_on_the_page(served: Served, number: str, move: str, status: int) -> None:
    begun = served.post("/play", 201, {"game": "kuhn", "seed": 3})
    page = f"/play/{begun['id']}"
    told = served.client.post(page, data={"number": number, "move": move}, headers={"accept": "text/html"})
    assert told.status_code == status and 'role="alert"' in told.text
    assert "Your move, Player 1" in words(told.text) and 'value="bet"' in told.text


def test_a_game_whose_solution_is_gone_is_kept(tmp_path: Path) -> None:
    (tmp_path / "solutions").mkdir()
    made = Served(tmp_path)
    try:
        path = save(solve(games.nim((1, 2))), made.app.state.explorer.library.folder / "nim.mine.ruse")
        begun = made.post("/play", 201, {"game": "nim(heaps=1-2)", "seed": 3})
        path.unlink()
        page = made.get(f"/play/{begun['id']}", 410, headers={"accept": "text/html"}).text
        assert "was deleted; solve the game again" in words(page) and "this game continues" in words(page)
        link = unescape(re.search(r'href="([^"]*)">Solve it again', page)[1])  # type: ignore[index]
        assert 'value="1,2"' in made.get(link).text
        save(solve(games.nim((1, 2))), path)
        made.get(f"/play/{begun['id']}")
    finally:
        made.close()


def test_spies_are_hidden_until_the_end(served: Served) -> None:
    told = served.post("/play", 201, {"game": "resistance-5", "side": "resistance", "seed": 1})
    page = f"/play/{told['id']}"
    sent = served.client.post(page, data={"number": "1", "seat": ["a", "b"]}, headers={"accept": "text/html"})
    assert (sent.status_code, sent.headers["location"]) == (303, page)
    while True:
        told = served.get(f"{page}.json").json()
        if told["over"]:
            break
        assert "@" not in json.dumps(told) and "@" not in words(served.get(page).text)
        served.post(page, 200, {"number": told["number"], "move": told["moves"][0]})
    assert "@" in told["secret"]
    text = words(served.get(page).text)
    assert "Luck and skill" in text and "Your mistakes" in text and told["review"]["balance"]["result"] == told["gain"]


def test_the_page_of_a_game_shows_what_the_terminal_shows(served: Served) -> None:
    told: Any = served.post("/play", 201, {"game": "resistance-5", "side": "spies", "seed": 1})
    page = served.get(f"/play/{told['id']}").text
    first, second = told["position"].partition("@")[2][:2]
    assert f"You are the spies: {first} and {second}." in words(page) and "So far: " in words(page)
    assert "Some seats are secretly spies" in words(page)
    assert told["picture"]["lines"][0] == f"You are the spies: {first} and {second}."
    for head in ("mission", "seats sent", "sabotages to fail"):
        assert re.search(rf'<th scope="(col|row)"[^>]*>\s*{head}\s*</th>', page)
    assert page.count('<th scope="row" class="spy">') == 2
    morra = served.post("/play", 201, {"game": "morra", "seed": 1})
    assert "shows two fingers and guesses" in words(served.get(f"/play/{morra['id']}").text)


def test_seats_by_api_in_any_order(served: Served) -> None:
    told = served.post("/play", 201, {"game": "resistance-5", "side": "resistance", "seed": 1})
    after = served.post(f"/play/{told['id']}", 200, {"number": 1, "move": "ba"})
    assert after["decisions"] == [{"position": "resistance-5", "move": "ab"}]


def test_playing_from_a_position(served: Served) -> None:
    assert "Play from here" in served.get("/p/resistance-5/ab+/abc-").text
    assert "Play from here" not in served.get("/p/resistance-5").text
    over = served.get("/p/kuhn@Q/check/check").text
    assert "Play from the start" in over and "position=" not in over
    assert "resistance-5/ab+/abc-" in served.get("/play?game=resistance-5&side=0&position=resistance-5/ab%2B/abc-").text
    served.get("/play?game=resistance-5&side=0&position=nonsense", 404)
    sent = {"game": "resistance-5", "side": "resistance", "seed": 1, "position": "resistance-5/ab+/abc-"}
    told = served.post("/play", 201, sent)
    assert (told["position"], told["opening"], told["number"]) == (sent["position"], sent["position"], 1)
    assert "So far: ab passed, abc failed." in words(served.get(f"/play/{told['id']}").text)
    assert served.post("/play", 404, sent | {"position": "resistance-5/ab+/xyz-"})["error"]
    assert served.post("/play", 409, {"game": "kuhn", "position": "kuhn@Q/check/check"})["error"]
