"""Insight: ranges over all optimal strategies, prices and beliefs, against theory and against code of their own."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest

import ruse
from amounts import some
from insight_checks import NEAR, check_against_programs, check_against_vertices, insight, pair, trees
from insight_oracle import Oracle
from ruse.core.game import describe
from ruse.insight.engine import TreeInsight
from ruse.insight.model import MAY, MUST, NEVER
from ruse.insight.sides import Ratio


def ranges(found: TreeInsight, position: str) -> dict[str, tuple[Fraction, Fraction] | None]:
    return {one.move: pair(one.range) for one in found.at(position).moves}


def prices(found: TreeInsight, position: str) -> dict[str, Fraction | None]:
    return {one.move: one.price for one in found.at(position).moves}


def test_the_whole_family_of_kuhn() -> None:
    """Kuhn 1950: side 0 bets J with odds a up to 1/3, K with 3a, and calls with Q with a + 1/3."""
    found = insight(ruse.games.kuhn())
    third = Fraction(1, 3)
    assert ranges(found, "kuhn@J")["bet"] == (0, third)
    assert ranges(found, "kuhn@K")["bet"] == (0, 1)
    assert ranges(found, "kuhn@Q")["bet"] == (0, 0)
    assert ranges(found, "kuhn@Q/check/bet")["call"] == (third, 2 * third)
    assert ranges(found, "kuhn@J/check/bet")["call"] == (0, 0)
    assert ranges(found, "kuhn@K/check/bet")["call"] == (1, 1)
    assert ranges(found, "kuhn@J/check")["bet"] == (third, third)
    assert ranges(found, "kuhn@Q/bet")["call"] == (third, third)
    for position in ("kuhn@J/check", "kuhn@Q/check", "kuhn@K/check", "kuhn@J/bet", "kuhn@Q/bet", "kuhn@K/bet"):
        assert all(found is not None and found[0] == found[1] for found in ranges(found, position).values())
    first, second = found.unique()
    assert first.unique is False and first.freedom == 1 and first.plans[0] != first.plans[1]
    assert second.unique is True
    assert prices(found, "kuhn@J") == {"check": 0, "bet": Fraction(2, 9)}
    assert found.kinds("kuhn@Q", 0) == {"check": MUST, "bet": NEVER}
    assert found.kinds("kuhn@J", 0) == {"check": MAY, "bet": MAY}


def test_king_and_jack_are_bet_in_proportion_in_every_optimal_strategy_of_kuhn() -> None:
    """Not only the ends are known: any ratio of weights has a range, here a point."""
    found = insight(ruse.games.kuhn())
    ranges = found.optimal.ranges[0]

    def bet(card: str) -> int:
        number = found.places.sets[0][f"kuhn@{card}"]
        return ranges.side.sets[number][1] + found.places.names(0, number).index("bet")

    ratio = Ratio({bet("K"): Fraction(1)}, {bet("J"): Fraction(1)})
    least, greatest = ranges.least(ratio, Fraction(0)), ranges.greatest(ratio, Fraction(100))
    assert least.exact and greatest.exact and least.value == greatest.value == 3


def test_a_move_that_costs_nothing_here_may_cost_if_always_made() -> None:
    (check, bet) = insight(ruse.games.kuhn()).at("kuhn@J").moves
    assert (bet.loss, bet.price) == (0, Fraction(2, 9))
    assert (check.loss, check.price) == (0, 0)


def test_no_optimal_plan_comes_to_b_in_kubicek() -> None:
    found = insight(ruse.games.kubicek())
    assert found.kinds("kubicek", 0) == {"A": MUST, "B": NEVER}
    there = found.at("kubicek/B")
    assert all(one.range is None and one.kind is None and one.price == 0 for one in there.moves)
    assert there.to_json(("first", "second"))["moves"]["E"]["least"] is None
    assert any("reaches this position" in note for note in there.notes)
    assert [one.unique for one in found.unique()] == [True, False]


def test_ranges_are_those_of_the_vertices_of_random_games() -> None:
    checked = games = 0
    for _, game in trees(range(some(160)), 14):
        oracle = Oracle(game)
        free = [len(oracle.sequences[side]) - len(oracle.sets[side]) - 1 for side in (0, 1)]
        if max(free) <= 4 and len(oracle.leaves) <= 16:
            checked += check_against_vertices(game)
            games += 1
    assert games >= some(100) and checked >= some(500)


def test_ranges_and_prices_are_those_of_other_programs_in_random_games() -> None:
    games = 0
    for seed, game in trees(range(1000, 1000 + some(120)), 50):
        check_against_programs(insight(game), game, 1, Random(seed))
        games += 1
    assert games >= some(100)


@pytest.mark.cases(2)
@pytest.mark.parametrize(
    ("game", "most"),
    [
        (ruse.games.kuhn(), 12),
        (ruse.games.kubicek(), 5),
        (ruse.games.mini_poker(), 4),
        (ruse.games.goofspiel(4), 8),
        (ruse.games.liars_dice(3), 8),
        (ruse.games.liars_dice(4), 2),
    ],
    ids=lambda one: getattr(one, "title", ""),
)
def test_ranges_and_prices_of_known_games(game: Any, most: int) -> None:
    assert check_against_programs(insight(game), game, most, Random(0)) == most


@pytest.mark.soak
def test_leduc_with_suits_merged() -> None:
    found = insight(ruse.games.leduc())
    assert found.up_to_symmetry
    game = found.places.game
    oracle = Oracle(game, 2e-5)
    values = [oracle.most(side) for side in (0, 1)]
    positions = [(side, known) for side in (0, 1) for known in oracle.sets[side]]
    for side, known in Random(1).sample(positions, 4):
        parent, moves = oracle.sets[side][known]
        for one, move in zip(found.moves(describe(game, known), side), moves, strict=True):
            assert one.move == move and one.price is not None
            oracle.check_range(side, values[side] - 1e-9, {(*parent, (known, move)): 1}, {parent: 1}, pair(one.range))
            assert float(one.price) == pytest.approx(values[side] - oracle.most(side, known, move), abs=NEAR)
