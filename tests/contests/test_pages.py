"""Pages of contests, and what perfect opponents make of strategies."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from ruse.contests import arena
from ruse.contests.arena.page import FOUND, page
from ruse.contests.learned import load
from ruse.contests.learned_in_game import exploited
from ruse.games.guess_who.rules import nica

QUICK = ["war4", "batawaf", "flip", "morra", "nim", "phantom-4-in-a-row"]  # a second or so each


@pytest.mark.cases(3)
@pytest.mark.parametrize("name", QUICK)
def test_pages(name: str) -> None:
    found = page(name)
    text, told = found.format(), json.loads(json.dumps(found.to_json()))
    assert text.startswith(name) and found.contest.rules in text and "Exact optimum: " in text
    assert told["contest"] == name and told["paper"] == dict(found.contest.paper)
    assert found.learned is not None and found.learned.words() in text
    rate = told["against_the_baseline"]["found"]["rate"]
    assert rate > 0.5  # what was learned beats what it began with
    assert f"{100 * rate:.1f}%" in text


def test_found_strategies_say_where_they_come_from() -> None:
    assert {path.stem for path in FOUND.glob("*.ruse")} == set(arena.CONTESTS)
    for path in FOUND.glob("*.ruse"):
        learned = load(path)
        assert learned.contest == path.stem and learned.method and learned.matches > 0


def test_the_page_by_command(ruse: Any) -> None:
    assert "takes the last match loses" in ruse("games", "nim")[1]
    assert json.loads(ruse("games", "morra", "--json")[1])["exact"]["exact"] == "0"
    status, out, err = ruse("games", "checkers")
    assert (status, out) == (1, "") and err.startswith("ruse: unknown game or contest")


@pytest.mark.cases(2)
@pytest.mark.parametrize(
    ("name", "strategy", "rate"),
    [
        ("morra", "optimal", Fraction(1, 2)),
        ("morra", "baseline", Fraction(71, 132)),
        ("nim", "perfect", Fraction(1, 2)),
        ("guess-who-deter", "dichotomy", Fraction(191, 256)),
    ],
)
def test_perfect_opponents(name: str, strategy: str, rate: Fraction) -> None:
    """By hand: against even odds in Morra, a guess is right with 1/6 and the other's with 1/11, so 1/2 + 5/132."""
    contest = arena.find(name)
    found = exploited(contest, {"baseline": contest.baseline, **contest.named}[strategy])
    assert found is not None and found.rate == rate


def test_a_perfect_opponent_does_no_worse_than_the_optimum() -> None:
    """Over both seats nobody can hold a perfect opponent below a half."""
    value = 2 * nica(128, 128) - 1
    for name in ("nim", "morra"):
        contest = arena.find(name)
        found = exploited(contest, load(FOUND / f"{name}.ruse").parameters)
        assert found is not None and found.rate >= Fraction(1, 2)
    contest = arena.find("guess-who-deter")
    found = exploited(contest, contest.baseline)
    assert found is not None and found.first <= value and found.second >= -value


def test_strategies_that_draw_lots_have_no_table() -> None:
    assert exploited(arena.find("phantom-tic-tac-toe"), [0.0] * 18) is None
    assert exploited(arena.find("guess-who"), [0, 0, 0, 0, 0.5]) is None
    assert exploited(arena.find("war"), [0, 0, 0]) is None


def test_a_pure_list_of_phantom_tic_tac_toe_is_beaten_often() -> None:
    contest = arena.find("phantom-tic-tac-toe")
    found = exploited(contest, contest.named["centre"])
    if found is not None:  # a list without ties
        assert found.rate > Fraction(3, 4)
    pure = exploited(contest, [float(9 - place) for place in range(9)] * 2)
    assert pure is not None and pure.first == -1 and pure.second == 1  # whoever knows a list wins
