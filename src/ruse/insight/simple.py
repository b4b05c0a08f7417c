"""The simplest optimal strategy: mixed at as few positions as can be found, then with the smallest denominators, then
with the fewest words.

Which moves to keep at each set is a mixed program over the optimal plans (faces.py):

    minimise  the number of sets i with m[i] = 1,   x[s] <= b[s],   sum of b[s] over i <= 1 + (moves - 1) m[i],

and among its answers one that keeps few moves, so that it comes to few positions, each of which takes words to tell.

Floats propose the moves, and an exact basis among the plans that keep to them is the strategy. A set where every move,
made for sure, has a price above 0 is one where every optimal strategy comes and mixes: so many are the least there are.
There its odds have a range, and the fraction of smallest denominator in it bounds the denominators from below.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import inf
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from ruse.core import clock
from ruse.forms.certificate import Plan
from ruse.insight.faces import Face, exact_optimum, written
from ruse.insight.memory import Key
from ruse.insight.model import Simplest, least_denominator
from ruse.insight.sides import Side
from ruse.solvers.highs import INFINITY
from ruse.solvers.mixed import mixed_columns

if TYPE_CHECKING:
    from ruse.insight.engine import TreeInsight

SECONDS = 10.0  # for the choice of moves
TRIES = 8  # vertices looked at, for small denominators
KEPT = 1e-7  # a weight above this is kept
FEWER = 0.25  # what all moves together cost that are kept, where a mixed set costs 1


def simplest(insight: TreeInsight, side: int) -> Simplest:
    optimal, places = insight.optimal, insight.places
    own = optimal.sides[side]
    plans = [*optimal.ranges[side].known, *_proposed(optimal.ranges[side].face)]
    value = optimal.values[side]
    best = min((plan for plan in plans if own.check_optimal(plan, value)), key=lambda plan: _complexity(own, plan))
    must = [number for number in mixed_sets(own, best) if _has_to(insight, side, number)]
    count, denominator, _ = _complexity(own, best)
    positions = [places.positions[side][number] for number in must]
    least = least_denominator(one.range for position in positions for one in insight.moves(position, side))
    return Simplest(side, places.table(side, best), count, len(must), denominator, positions, least)


def mixed_sets(side: Side, plan: Plan) -> list[int]:
    """The sets that a plan comes to and mixes at."""
    return [
        number for number, (_, first, end) in enumerate(side.sets) if sum(1 for weight in plan[first:end] if weight) > 1
    ]


def _complexity(side: Side, plan: Plan) -> tuple[int, int, int]:
    """How many sets are mixed, the largest denominator of odds, and how many positions and moves there are to tell."""
    odds = [
        Fraction(plan[sequence], plan[parent])
        for parent, first, end in side.sets
        if plan[parent]
        for sequence in range(first, end)
    ]
    told = sum(1 for parent, _, _ in side.sets if plan[parent]) + sum(1 for share in odds if share)
    return len(mixed_sets(side, plan)), max((share.denominator for share in odds), default=1), told


def _has_to(insight: TreeInsight, side: int, number: int) -> bool:
    """Whether every optimal plan comes to a set and mixes there."""
    first = insight.optimal.sides[side].sets[number][1]
    position = insight.places.positions[side][number]
    value = insight.optimal.values[side]
    for sequence, name in enumerate(insight.places.names(side, number), first):
        key = Key("always", side, position, name)
        if insight.memory.guarantee(key, lambda sequence=sequence: insight.always(side, sequence)).most >= value:  # type: ignore[misc]
            return False
    return True


def _proposed(face: Face) -> Iterator[Plan]:
    """Plans that keep to few moves: some vertices among those."""
    kept = _moves_to_keep(face)
    if kept is None:
        return
    limited = face.limited(kept)
    random = Random(0)
    for turn in range(TRIES):
        cost = np.array([random.randint(-3, 3) * (turn > 0) for _ in range(limited.count)], dtype=np.int64)
        found = exact_optimum(limited.program(cost))
        plan = None if found is None else limited.plan(found.columns)
        if plan is not None:
            yield plan


def _moves_to_keep(face: Face) -> list[bool] | None:
    """bool[sequences]: those of a plan that mixes at few sets, as floats see it."""
    side = face.side
    rows, columns, values, floats = face.entries()
    count, free = face.count, side.theirs.infosets + 1
    choices = [
        kept
        for _, first, end in side.sets
        if len(kept := [sequence for sequence in range(first, end) if face.allowed[sequence]]) > 1
    ]
    moves = [sequence for kept in choices for sequence in kept]
    if not moves:
        return list(face.allowed)
    row = side.mine.infosets + side.theirs.sequences
    first_b, first_m = count + free, count + free + len(moves)
    more: list[tuple[int, int, int]] = [(row, 0, 1)]  # x[0] = 1; then x[s] <= b[s]; then at most one, unless mixed
    for place, sequence in enumerate(moves, 1):
        more += [(row + place, int(face.columns[sequence]), -1), (row + place, first_b + place - 1, 1)]
    place = 0
    for number, kept in enumerate(choices):
        last = row + 1 + len(moves) + number
        more += [(last, first_b + place + one, -1) for one in range(len(kept))]
        more.append((last, first_m + number, len(kept) - 1))
        place += len(kept)
    extra = np.array(more)
    total = first_m + len(choices)
    tight = np.where(face.tight, 0.0, INFINITY)
    program = written(
        np.concatenate([rows, extra[:, 0]]),
        np.concatenate([columns, extra[:, 1]]),
        np.concatenate([values.astype(object), extra[:, 2].astype(object)]),
        np.concatenate([floats, extra[:, 2].astype(float)]),
        np.concatenate([np.zeros(row), [1.0], np.zeros(len(moves)), -np.ones(len(choices))]),
        np.concatenate([np.zeros(side.mine.infosets), tight, [1.0], np.full(len(moves) + len(choices), INFINITY)]),
        np.concatenate([np.zeros(first_b), np.full(len(moves), FEWER / len(moves)), np.ones(len(choices))]),
        np.concatenate([np.zeros(count), np.full(free, -INFINITY), np.zeros(total - first_b)]),
        np.concatenate([np.ones(count), np.full(free, INFINITY), np.ones(total - first_b)]),
    )
    with clock.deadline(min(SECONDS, clock.left() / 2) if clock.left() < inf else SECONDS):
        found = mixed_columns(program, np.arange(first_b, total))
    if found is None:
        return None
    return [
        allowed and float(found[column]) > KEPT
        for allowed, column in zip(face.allowed, face.columns.tolist(), strict=True)
    ]
