"""Pages of positions that play never reaches: marked, and with quasi-perfect play where that is quick."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ruse import games
from ruse.explorer.solution_files import keep
from ruse.solving.pipeline import solve
from served import Served, words

SILLY = "liars-dice(faces=3)@1/1-1/1-2"  # to bid two threes with a one loses for sure


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("off-path")
    for game in (games.liars_dice(3), games.resistance(5), games.tic_tac_toe()):
        keep(folder / "solutions", solve(game))
    served = Served(folder, ())
    yield served
    served.close()


def test_a_page_off_the_path_shows_quasi_perfect_play(made: Served) -> None:
    told = made.get(f"/p/{SILLY}.json").json()
    assert told["advice"] == "quasi-perfect" and told["reached"] is False and told["reach"] == "0"
    odds = {option["move"]: option["odds"] for option in told["options"]}
    assert odds["2-3"] == "0" and odds["2-1"] == "1"
    assert all(option["loss"] == "0" for option in told["options"] if option["odds"] != "0")
    assert told["condition"] == "if both sides play a quasi-perfect equilibrium from here on"
    page = words(made.get(f"/p/{SILLY}").text)
    assert "The stored strategies never reach this position" in page and "quasi-perfect equilibrium" in page
    assert "Quasi-perfect play" in page and "no advice" not in page
    why = words(made.get(f"/p/{SILLY}", params={"why": "2-3"}).text)
    assert "Why not 2-3?" in why


def test_a_page_solved_again_says_so(made: Served) -> None:
    told = made.get(f"/p/{SILLY}.json", params={"resolve": "true"}).json()
    assert told["advice"] == "re-solved" and told["assumption"].startswith("re-solved from here")


def test_a_page_on_the_path_shows_what_is_stored(made: Served) -> None:
    told = made.get("/p/liars-dice(faces=3)@1.json").json()
    assert told["advice"] == "stored" and told["reached"] is True
    assert "Quasi-perfect play" not in words(made.get("/p/liars-dice(faces=3)@1").text)


def test_a_page_without_advice_says_so(made: Served) -> None:
    """The Resistance is stored by class; nobody hides anything at tic-tac-toe, where all play is best."""
    told = made.get("/p/resistance-5/ab+/cde+.json").json()
    assert told["advice"] == "none" and told["reached"] is False
    page = words(made.get("/p/resistance-5/ab+/cde+").text)
    assert "uphold the guarantee but are no advice" in page
    assert made.get("/p/tic-tac-toe/a/b.json").json()["advice"] == "best"


def test_words_part_the_path_from_the_rest(made: Served) -> None:
    told = made.get("/words/liars-dice(faces=3).json").json()
    for side in told["sides"]:
        assert len(side["off_path"]) == 90 and len(side["rules"]) == 96
    page = words(made.get("/words/liars-dice(faces=3)").text)
    assert page.count("Never reached if both sides follow these strategies (no advice)") == 2
    assert made.get("/words/resistance-5.json").json()["sides"][0]["off_path"] == []


def test_public_pages_mark_hands(made: Served) -> None:
    page = words(made.get("/public/liars-dice(faces=3)@1/2-1").text)
    assert "never reached" not in page  # every hand of the second side may hear 2-1
    page = words(made.get(f"/public/{SILLY}").text)
    assert "never reach this position" in page and "are no advice" in page
