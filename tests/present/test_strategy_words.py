"""Strategies as a person says them: real names of moves, nothing off the path, and averages that are right."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import pytest

import ruse
from ruse.core.game import CHANCE, END, describe
from ruse.present.rules import side_rules
from ruse.present.strategy_words import MOST_LINES, say_odds, strategies_in_words
from ruse.solution.strategy import Solution
from toys import ManyPennies

KUHN = """You open: With a jack: check two times in three (2/3), otherwise bet (1/3).
You open: With a queen: always check.
You open: With a king: always bet.
You checked, and the other side bets: With a jack: always fold.
You checked, and the other side bets: With a queen: call two times in three (2/3), otherwise fold (1/3).
After a check: With a jack: check two times in three (2/3), otherwise bet (1/3).
After a check: With a queen: always check.
After a check: With a king: always bet.
Facing a bet: With a jack: always fold.
Facing a bet: With a queen: fold two times in three (2/3), otherwise call (1/3).
Facing a bet: With a king: always call.""".splitlines()


def lines(solution: Solution) -> list[str]:
    """All lines of both sides with their headings."""
    sides = strategies_in_words(solution)
    assert sides is not None
    return [f"{section.heading}: {line}" for side in sides for section in side.sections for line in section.lines]


def test_kuhn() -> None:
    assert lines(ruse.solve(ruse.games.kuhn())) == KUHN


@pytest.mark.parametrize("make", [ruse.games.leduc, lambda: ruse.games.poker(ranks=4, raises=1)])
def test_a_call_with_nothing_to_pay_is_a_check(make: Callable[[], Any]) -> None:
    for line in lines(ruse.solve(make())):
        facing = "facing" in line
        assert ("fold" in line or "call" in line) <= facing, line
        assert ("check " in line.partition(": ")[2] or " bet " in line.partition(": ")[2]) <= (not facing), line


def _plays(solution: Solution, side: int) -> Iterator[tuple[Any, dict[str, Fraction], Fraction]]:
    """What a side knows at each of its decisions, its odds, and how often play comes there: by a walk of its own."""
    game: Any = solution.game

    def walk(state: Any, weight: Fraction) -> Iterator[tuple[Any, dict[str, Fraction], Fraction]]:
        turn = game.turn(state)
        if turn == END or not weight:
            return
        moves = game.moves(state)
        if turn == CHANCE:
            shares = dict(zip(moves, game.odds(state), strict=True))
        else:
            odds = solution.strategy(turn).at(describe(game, game.knows(state, turn)))
            shares = {move: odds[game.label(move)] for move in moves}
            if turn == side:
                yield game.knows(state, turn), shares, weight
        for move, share in shares.items():
            yield from walk(game.play(state, move), weight * share)

    yield from walk(game.start(), Fraction(1))


def test_averages_are_over_all_positions_of_that_kind() -> None:
    solution = ruse.solve(ruse.games.poker(ranks=3, raises=1))
    raised: dict[bool, Fraction] = defaultdict(Fraction)
    met: dict[bool, Fraction] = defaultdict(Fraction)
    for hand, odds, weight in _plays(solution, 0):
        if len(hand.rounds) == 2 and not hand.rounds[1]:
            pair = hand.cards[0][0] == hand.public[0]
            raised[pair] += weight * odds["raise"]
            met[pair] += weight
    share = raised[True] / met[True]
    (line,) = [line for line in lines(solution) if line.startswith("Second round, you open: With a pair")]
    said = [Fraction(percent) / 100 for percent in re.findall(r"bet [^()]*\(([\d.]+)%\)", line)]
    said += [Fraction(fraction) for fraction in re.findall(r"bet [^()]*\((\d+/\d+)\)", line)]
    assert len(said) == 1 and abs(said[0] - share) < Fraction(6, 1000)
    assert (
        "on average" in line
        or share in (0, 1)
        or len({odds["raise"] for hand, odds, _ in _plays(solution, 0) if len(hand.rounds) == 2}) == 1
    )


@pytest.mark.cases(3)
@pytest.mark.parametrize(
    "make",
    [
        lambda: ruse.games.liars_dice(3),
        lambda: ruse.games.liars_dice(4),
        ruse.games.goofspiel,
        ruse.games.oshi_zumo,
        lambda: ruse.games.liars_dice(3, 2),
    ],
)
def test_every_line_is_said_of_a_position_that_play_comes_to(make: Callable[[], Any]) -> None:
    """And every such position with a choice is in some line."""
    solution = ruse.solve(make())
    sides = strategies_in_words(solution)
    assert sides is not None
    for side in (0, 1):
        headings = {section.heading for section in sides[side].sections}
        levels = [{situation.heading for situation in solution_situations(solution, side, level)} for level in range(3)]
        assert headings in levels


def solution_situations(solution: Solution, side: int, level: int) -> list[Any]:
    from ruse.core.registry import presentation

    shown = presentation(solution.game)
    found = []
    for knowledge, odds, _ in _plays(solution, side):
        situations = shown.situations(knowledge, side)
        if len(odds) > 1:
            found.append(situations[min(level, len(situations) - 1)])
    return found


def test_no_bid_off_the_path_is_advised() -> None:
    """The words page of liar's dice used to advise a bid that no strategy makes."""
    solution = ruse.solve(ruse.games.liars_dice(3))
    texts = lines(solution)
    assert not [line for line in texts if "one " in line.partition(": ")[2]]  # all opening bids are of two dice
    assert {"You open: With a 2: always bid two 2s.", "After the opening bid two 1s: With a 2: always call liar."} <= {
        *texts
    }


def test_other_rules_are_said_too() -> None:
    texts = lines(ruse.solve(ruse.games.guess_who()))
    assert "A half is rounded down: When the other side has 17 to 24 left: ask about half of yours." in texts
    assert any(line.endswith("When the other side has 2 left: ask about 1.") for line in texts)
    assert strategies_in_words(ruse.solve(ruse.games.resistance())) is None  # its rules are words already
    assert strategies_in_words(ruse.solve(ruse.games.tic_tac_toe())) is None


def test_a_game_of_ones_own_is_said_by_its_positions() -> None:
    solution = ruse.solve(ManyPennies(40))
    sides = [of.in_words for of in side_rules(solution)]
    assert all(side is not None and side.sections for side in sides)
    for side in sides:
        assert side is not None
        said = [f"{section.heading}: {line}" for section in side.sections for line in section.lines]
        assert len(said) == MOST_LINES and side.notes == ["… and 10 more lines."]
        assert said[1].endswith("tails two times in three (2/3), otherwise heads (1/3).")


def test_the_odds_of_one_position() -> None:
    game = ruse.games.leduc()
    odds = {"call": Fraction(2, 3), "raise": Fraction(1, 3)}
    assert say_odds(game, "leduc@Js", odds) == "check two times in three (2/3), otherwise bet (1/3)"
    assert say_odds(game, "leduc@Js/raise", odds) == "call two times in three (2/3), otherwise raise (1/3)"
