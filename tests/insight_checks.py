"""Checks of insight against code of its own (insight_oracle.py), for tests and soak."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from fuzz import growing
from fuzz.oracle import size
from fuzz.rules import Rules

import ruse
from insight_deals import facts_at
from insight_oracle import Oracle
from ruse.core.game import describe
from ruse.insight.engine import TreeInsight
from ruse.insight.model import PositionInsight, Range

NEAR = 1e-6


def insight(game: Any, **options: Any) -> TreeInsight:
    return TreeInsight(ruse.solve(game), **options)


def pair(found: Range | None) -> tuple[Fraction, Fraction] | None:
    if found is None:
        return None
    assert found.exact
    return found.least.value, found.greatest.value


def trees(seeds: range, most: int) -> Iterator[tuple[int, Any]]:
    """Random games of ordinary payoffs, and their seeds."""
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


def check_beliefs(
    oracle: Oracle, game: Any, side: int, known: Any, there: PositionInsight, values: list[float]
) -> None:
    """Where the facts are what the other side knows: its range of belief over the other side's optimal plans."""
    states, named = oracle.seen[side, known], facts_at(game, oracle, side, known)
    facts: dict[str, dict[Any, float]] = {}
    below: dict[Any, float] = {}
    for state, did, odds in states:
        for terms in (below, facts.setdefault(named[state], {})):
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
