"""Insight: ranges over all optimal strategies, prices and beliefs, against theory and against code of their own."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest
from fuzz import growing
from fuzz.oracle import size
from fuzz.rules import Rules

import ruse
from insight_oracle import Oracle
from ruse.core.game import describe
from ruse.insight.engine import TreeInsight
from ruse.insight.model import MAY, MUST, NEVER, PositionInsight, Range
from ruse.view.tree import unseen

NEAR = 1e-6


def insight(game: Any, **options: Any) -> TreeInsight:
    return TreeInsight(ruse.solve(game), **options)


def pair(found: Range | None) -> tuple[Fraction, Fraction] | None:
    if found is None:
        return None
    assert found.exact
    return found.least.value, found.greatest.value


def ranges(found: TreeInsight, position: str) -> dict[str, tuple[Fraction, Fraction] | None]:
    return {one.move: pair(one.range) for one in found.at(position).moves}


def prices(found: TreeInsight, position: str) -> dict[str, Fraction | None]:
    return {one.move: one.price for one in found.at(position).moves}


def test_the_whole_family_of_kuhn() -> None:
    """Kuhn 1950: the first side bets J up to 1/3, K three times as often, and calls with Q 1/3 more often than that."""
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
    assert any("ever comes here" in note for note in there.notes)
    assert [one.unique for one in found.unique()] == [True, False]


def trees(seeds: range, most: int) -> Any:
    for seed in seeds:
        random = Random(seed)
        kind = random.choice(("whole", "fractions", "ties", "won-or-lost", "primes"))
        tree = growing.tree(random, random.randint(5, most), growing.PAYOFFS[kind])
        if size(tree) > 1:
            yield seed, Rules(tree)


def check_against_vertices(game: Any) -> int:
    found, oracle = insight(game), Oracle(game)
    checked = 0
    for side in (0, 1):
        value = found.value if side == 0 else -found.value
        vertices = oracle.vertices(side, value)
        assert found.unique()[side].unique == (len(vertices) == 1)
        for known, (parent, moves) in oracle.sets[side].items():
            rows = [(point[oracle.sequences[side][parent]], point) for point in vertices]
            position = describe(game, known)
            for one in found.moves(position, side):
                move = next(move for move in moves if game.label(move) == one.move)
                place = oracle.sequences[side][*parent, (known, move)]
                odds = [point[place] / weight for weight, point in rows if weight]
                assert pair(one.range) == ((min(odds), max(odds)) if odds else None)
                assert (one.price == 0) == (not odds or max(odds) == 1 or min(weight for weight, _ in rows) == 0)
                checked += 1
    return checked


def test_ranges_are_those_of_the_vertices_of_random_games() -> None:
    checked = games = 0
    for _, game in trees(range(160), 14):
        oracle = Oracle(game)
        free = [len(oracle.sequences[side]) - len(oracle.sets[side]) - 1 for side in (0, 1)]
        if max(free) <= 4 and len(oracle.leaves) <= 16:
            checked += check_against_vertices(game)
            games += 1
    assert games >= 100 and checked >= 500


def check_beliefs(
    oracle: Oracle, game: Any, side: int, known: Any, there: PositionInsight, values: list[float]
) -> None:
    """Where the facts are what the other side knows: its range of belief over the other side's optimal plans."""
    states = oracle.seen[side, known]
    facts: dict[str, dict[Any, float]] = {}
    below: dict[Any, float] = {}
    for state, did, odds in states:
        fact = unseen(game, state, side, describe(game, known), describe(game, game.knows(state, 1 - side)))
        for terms in (below, facts.setdefault(fact, {})):
            terms[did] = terms.get(did, 0.0) + float(odds)
    if set(facts) == {""}:
        assert not there.beliefs
        return
    assert {fact or "nothing yet" for fact in facts} == {one.fact for one in there.beliefs}
    for one in there.beliefs:
        above = facts["" if one.fact == "nothing yet" else one.fact]
        oracle.check_range(1 - side, values[1 - side] - 1e-9, above, below, pair(one.range))


def check_against_programs(found: TreeInsight, game: Any, most: int, random: Random) -> int:
    """Ranges, prices and beliefs at some positions, against linear programs of scipy's."""
    oracle = Oracle(game)
    values = [oracle.most(side) for side in (0, 1)]
    assert values[0] == pytest.approx(float(found.value), abs=NEAR)
    positions = [(side, known) for side in (0, 1) for known in oracle.sets[side]]
    for side, known in random.sample(positions, min(most, len(positions))):
        parent, moves = oracle.sets[side][known]
        there = found.at(describe(game, known), side)
        for one in there.moves:
            move = next(move for move in moves if game.label(move) == one.move)
            oracle.check_range(side, values[side] - 1e-9, {(*parent, (known, move)): 1}, {parent: 1}, pair(one.range))
            assert one.price is not None
            assert float(one.price) == pytest.approx(values[side] - oracle.most(side, known, move), abs=NEAR)
        check_beliefs(oracle, game, side, known, there, values)
    return min(most, len(positions))


def test_ranges_and_prices_are_those_of_other_programs_in_random_games() -> None:
    games = 0
    for seed, game in trees(range(1000, 1120), 50):
        check_against_programs(insight(game), game, 1, Random(seed))
        games += 1
    assert games >= 100


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
