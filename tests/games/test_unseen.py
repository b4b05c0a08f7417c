"""Unseen games: lists, the search through them, the double oracle, and the value of phantom tic-tac-toe."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ruse
from amounts import some
from golden import GOLDEN
from ruse.core import size_estimate
from ruse.core.game import GameError, RuleError
from ruse.forms.certificate import Certificate
from ruse.games import make, matrix, phantom_four_in_a_row, phantom_tic_tac_toe
from ruse.games.phantom import solve as solve_module
from ruse.games.phantom import verify as checked
from ruse.games.phantom.oracle import UnseenOracle
from ruse.games.phantom.rules import Lists, Unseen
from ruse.games.tic_tac_toe.rules import LINES
from ruse.present.rules import score_rules
from ruse.present.viewer import viewer
from ruse.solution.strategy import Solution
from ruse.solving.options import UnknownSolver
from ruse.verify import VerifyError

SMALL = [
    phantom_tic_tac_toe("2x2", 2),
    phantom_tic_tac_toe("1x5", 3),
    phantom_tic_tac_toe("1x5", 2),
    phantom_four_in_a_row("2x3", 2),
    phantom_four_in_a_row("3x2", 3),
    phantom_four_in_a_row("2x3", 3),
]
IDS = [game.title for game in SMALL]


@cache
def solved(name: str, board: str, line: int) -> Solution:
    return ruse.solve(make(name, {"board": board, "line": line}))


def everything(game: Unseen) -> list[list[int]]:
    """The whole table."""
    return [[game.outcome(first, second) for second in game.lists] for first in game.lists]


# Rules


@pytest.mark.parametrize("game", SMALL, ids=IDS)
def test_lists_are_counted_without_being_written(game: Unseen) -> None:
    lists = list(game.lists)
    assert lists == sorted(set(lists)) and len(lists) == len(game.lists)
    assert all(one in game.lists for one in lists)
    assert lists[-1] == game.lists[-1] and lists[1:3] == game.lists[1:3]
    assert lists[0][:-1] not in game.lists and lists[0][1:] + "z" not in game.lists and 3 not in game.lists
    with pytest.raises(IndexError, match="expected a number below"):
        game.lists[len(lists)]


def test_lists_past_counting() -> None:
    lists = Lists("abcdefg", 4)
    assert lists.total == 66_475_579_247_327_250_000 > len(lists)
    assert lists[lists.total - 1] == "ggggffffeeeeddddccccbbbbaaaa"


def test_the_lines_are_those_of_tic_tac_toe() -> None:
    game = phantom_tic_tac_toe()
    assert {frozenset(game.places[cell] for cell in line) for line in game.lines} == set(LINES)
    assert len(game.lists) == 362_880 and len(set(game.renamings)) == 8


@pytest.mark.parametrize(
    ("first", "second", "outcome"),
    [
        ("abcdefghi", "defabcghi", 1),  # nobody in the other's way, and the first is quicker
        ("abdefghic", "ghiabcdef", -1),
        ("abcdefghi", "bacdefghi", 1),  # a for b, c for a, and so on: first has a, c, e, g and so c, e, g
        ("ebdcighfa", "achfedbgi", 0),
    ],
)
def test_play_by_hand(first: str, second: str, outcome: int) -> None:
    assert phantom_tic_tac_toe().outcome(first, second) == outcome


@pytest.mark.parametrize("game", [*SMALL, phantom_tic_tac_toe(), phantom_four_in_a_row()], ids=lambda game: game.title)
def test_renamings_change_nothing(game: Unseen) -> None:
    lines = {frozenset(line) for line in game.lines}
    assert len(set(game.renamings)) == len(game.renamings)
    for names in game.renamings:
        assert sorted(names) == sorted(game.places)
        place = [game.places.index(name) for name in names]
        renamed = {
            frozenset(place[cell // game.room] * game.room + cell % game.room for cell in line) for line in lines
        }
        assert renamed == lines


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("phantom-tic-tac-toe", {"board": "3"}, "expected a board of rows x columns, such as 3x3"),
        ("phantom-tic-tac-toe", {"board": "6x6"}, "of 1 to 26 cells, got '6x6'"),
        ("phantom-tic-tac-toe", {"line": 4}, "expected a line of 2 to 3 stones on a board of 3x3, got 4"),
        ("phantom-4-in-a-row", {"line": 1}, "expected a line of 2 to 7 stones"),
        ("phantom-4-in-a-row", {"board": "1x30"}, "expected at most 26 columns, got 30"),
    ],
)
def test_boards_that_cannot_be(name: str, parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(GameError, match=message):
        make(name, parameters)


# Searches against brute force


@st.composite
def mixed(draw: st.DrawFn) -> tuple[Unseen, int, dict[str, Fraction]]:
    """A game, a side, and a strategy of it."""
    game = draw(st.sampled_from(SMALL))
    lists = draw(st.lists(st.integers(0, len(game.lists) - 1), min_size=1, max_size=6, unique=True))
    weights = draw(st.lists(st.integers(1, 10**20), min_size=len(lists), max_size=len(lists)))
    odds = {game.lists[one]: Fraction(weight, sum(weights)) for one, weight in zip(lists, weights, strict=True)}
    return game, draw(st.integers(0, 1)), odds


def worth(game: Unseen, side: int, answer: str, odds: dict[str, Fraction]) -> Fraction:
    """What an answer to a strategy of `side` gets."""
    pairs = (((one, answer) if side == 0 else (answer, one), share) for one, share in odds.items())
    return sum((share * game.outcome(*pair) for pair, share in pairs), Fraction(0)) * (2 * side - 1)


@settings(max_examples=some(60))
@given(mixed())
def test_the_verifier_finds_the_best_answer(given_: tuple[Unseen, int, dict[str, Fraction]]) -> None:
    game, side, odds = given_
    best = max(worth(game, side, answer, odds) for answer in game.lists)
    assert checked.guarantee(game, side, odds) == (2 * side - 1) * best
    found = checked.best_answer(game, side, odds, best - Fraction(1, 10**30))
    assert found is not None and found[0] == best == worth(game, side, found[1], odds)
    assert checked.best_answer(game, side, odds, best) is None


@settings(max_examples=some(20))
@given(st.sampled_from(SMALL), st.lists(st.integers(0, 10**6), min_size=1, max_size=5), st.integers(0, 1))
def test_rounds_have_true_bounds(game: Unseen, picked: list[int], rest: int) -> None:
    """Also where play is cut, for the side that the cut is against."""
    start = [game.lists[one % len(game.lists)] for one in picked]
    for limit in (len(game.lists[0]), len(game.lines[0]) * 2 - 1):
        cut = limit < len(game.lists[0])
        oracle = UnseenOracle(game, limit, 2 * rest - 1 if cut else 0, 10**6, (start, start))
        oracle.run()
        for side in (rest,) if cut else (0, 1):
            found = oracle.best[side]
            assert found is not None
            guarantee = checked.guarantee(game, side, found.odds())
            assert found.bound <= guarantee if side == 0 else found.bound >= guarantee


# Solutions


@pytest.mark.parametrize("game", SMALL, ids=IDS)
def test_small_games_against_the_whole_table(game: Unseen) -> None:
    table = np.array(everything(game))
    table = np.unique(np.unique(table, axis=0), axis=1)  # many lists are alike
    expected = ruse.solve(matrix("; ".join(" ".join(map(str, row)) for row in table.tolist())), "matrix").value
    solution = ruse.solve(game)
    assert solution.certificate == Certificate(expected, expected) == solution.verify()
    assert sum(solution.win.values()) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "stanza", GOLDEN["unseen"], ids=lambda stanza: f"{stanza['name']} {stanza['board']} {stanza['line']}"
)
def test_golden_values(stanza: dict[str, Any]) -> None:
    solution = solved(stanza["name"], stanza["board"], stanza["line"])
    assert solution.value == Fraction(stanza["value"])
    assert solution.verify() == solution.certificate
    win = solution.win
    assert sum(win.values()) == 1 and win["first"] - win["second"] == solution.value


def test_phantom_tic_tac_toe_against_a_long_list_of_others() -> None:
    """Its strategies as simple numbers: whatever the other plays, by the rules of one match at a time."""
    solution = solved("phantom-tic-tac-toe", "3x3", 3)
    game = solution.game
    assert isinstance(game, Unseen)
    for side in (0, 1):
        odds = dict(solution.tables[side][game.position(side)])
        assert all(odds[image] == share for one, share in odds.items() for image in game.images(one))
        for answer in game.lists[:: 362_880 // 40]:
            assert worth(game, side, answer, odds) <= (2 * side - 1) * solution.value


def test_a_strategy_that_keeps_less_is_refused() -> None:
    solution = solved("phantom-4-in-a-row", "3x3", 3)
    game, (first, second) = solution.game, solution.tables
    assert isinstance(game, Unseen)
    more = replace(solution, certificate=Certificate(solution.certificate.lower + Fraction(1, 10**12), Fraction(1)))
    with pytest.raises(VerifyError, match=r"strategy of first .* to keep to .*, got 30/73 against the list [abc]{9}"):
        more.verify()
    less = replace(solution, certificate=Certificate(Fraction(-1), Fraction(1)))
    assert less.verify() == less.certificate  # true, if not all that there is
    (one, share), *_ = first[game.position(0)].items()
    wrong = {**first[game.position(0)], one: Fraction(0), one[:-1] + "z": share}
    with pytest.raises(VerifyError, match="expected lists such as aaabbbccc"):
        replace(solution, tables=({game.position(0): wrong}, second)).verify()
    with pytest.raises(VerifyError, match="expected odds that sum to 1"):
        replace(solution, tables=({game.position(0): {one: share}}, second)).verify()
    with pytest.raises(VerifyError, match=r"expected odds at phantom-4-in-a-row\(board=3x3,line=3\) alone"):
        replace(solution, tables=({}, second)).verify()


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize(
    ("odds", "message"),
    [
        (None, "alone, got none"),
        ({}, "expected odds that sum to 1 at phantom-tic-tac-toe"),
        ({"abcd": Fraction(2)}, "got a sum of 2"),
        ({"abcd": Fraction(2), "abdc": Fraction(-1)}, "expected odds of at least 0"),
        ({"ab": Fraction(1)}, "expected lists such as abcd in .*, got 'ab'"),
        ({"abcda": Fraction(1)}, "expected lists such as abcd in .*, got 'abcda'"),
        ({"zzzz": Fraction(1)}, "expected lists such as abcd in .*, got 'zzzz'"),
    ],
)
def test_forged_odds_are_refused_in_a_sentence_wherever_they_are_read(
    odds: dict[str, Fraction] | None, message: str, side: int
) -> None:
    solution = solved("phantom-tic-tac-toe", "2x2", 2)
    tables = list(solution.tables)
    tables[side] = {} if odds is None else {solution.game.title + ("", "/?")[side]: odds}
    stored = replace(solution, tables=(tables[0], tables[1]))
    unjudged = replace(stored, options={"unjudged": True})  # whose headline says nothing of the odds
    for read in (stored.verify, stored.headline, stored.words, unjudged.words, lambda: viewer(stored)):
        with pytest.raises(VerifyError, match=message):
            read()


def test_too_many_lists_give_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut games: their bounds hold, and are verified without knowing where play was cut."""
    monkeypatch.setattr(solve_module, "MOST_TRIED", 10)
    solution = ruse.solve(phantom_four_in_a_row("3x3", 3))
    assert solution.certificate.lower < Fraction(30, 73) < solution.certificate.upper
    assert solution.certificate.lower > -Fraction(1, 10) and solution.certificate.upper < Fraction(7, 10)
    assert solution.verify() == solution.certificate
    assert solution.note == "840 lists up to symmetry are too many: play was cut after 8 stones"


def test_strategies_within_bounds_do_not_tell_who_wins() -> None:
    loose = replace(
        solved("phantom-tic-tac-toe", "2x2", 2), certificate=Certificate(Fraction(1, 2), Fraction(1), "form")
    )
    assert loose.headline() == "phantom-tic-tac-toe(board=2x2,line=2): worth between 0.5 and 1 to Player 1; not exact"
    assert loose.win == {"first": 1.0, "second": 0.0, "draw": 0.0}
    assert all(isinstance(share, float) for share in loose.to_json()["win"].values())


def test_limits() -> None:
    game = phantom_tic_tac_toe()
    short = ruse.solve(game, iterations=3)
    assert short.iterations == 3 and not short.certificate.exact
    assert short.verify() == short.certificate
    near = ruse.solve(game, "double-oracle", gap=0.2)
    assert 0 < near.certificate.gap <= 0.2 and near.iterations < 20
    quick = ruse.solve(phantom_four_in_a_row(), time=1e-9)  # one round of a game too large
    assert -1 <= quick.certificate.lower < quick.certificate.upper <= 1


def test_other_solvers_take_small_games_as_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ruse.solve(SMALL[0], "lp").value == 1 == ruse.solve(SMALL[0]).value
    assert ruse.solve(SMALL[0], "lp").verify().exact
    with monkeypatch.context() as patched, pytest.raises(GameError, match="is too large"):
        patched.setattr(size_estimate, "free_bytes", lambda: 1 << 24)
        ruse.solve(phantom_tic_tac_toe("2x3", 3), "lp")
    with pytest.raises(UnknownSolver, match="alpha-beta solves only 4-in-a-row"):
        ruse.solve(SMALL[0], "alpha-beta")


def test_strategies_in_words_score_what_they_promise() -> None:
    solution = solved("phantom-4-in-a-row", "3x3", 3)
    text = solution.words()
    assert "renamings: yes" in text and "Rename the places in one of 2 ways" in text
    assert [score.payoff for score in score_rules(solution.game, text)] == [Fraction(30, 73)] * 2
    (score,) = score_rules(solution.game, "side: second\nabcabcabc 1/2\ncccbbbaaa 1/2")
    assert score.payoff == 1
    for rule in ("abc", "abcabcabc one", "abcabcabc 1/0"):
        with pytest.raises(RuleError, match="expected"):
            score_rules(solution.game, f"side: second\n{rule}")
