"""The simplest optimal strategy: the one found that mixes at the fewest positions, then has the smallest denominators,
then the fewest words.

Which moves to keep at each set is a mixed program over the optimal plans (faces.py):

    minimise  the number of sets i with m[i] = 1,   x[s] <= b[s],   sum of b[s] over i <= 1 + (moves - 1) m[i],

and of its solutions one that keeps few moves, so that it reaches few positions.

Floats propose the moves, and the strategy is an exact basis among the plans that use only these. If every move at a set
costs something as a fixed habit, then every optimal strategy comes there and mixes; the number of such sets is a lower
bound. The smallest denominator within the range of odds at such a set is a lower bound on denominators.
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
from ruse.insight.sides import FormSide
from ruse.solvers.highs import INFINITY, mixed_columns

if TYPE_CHECKING:
    from ruse.insight.engine import TreeInsight

SECONDS = 10.0  # for the choice of moves
TRIES = 8  # vertices looked at, for small denominators
KEPT = 1e-7  # a larger weight keeps its sequence
FEWER = 0.25  # the cost of keeping all moves, if a mixed set costs 1


def simplest(insight: TreeInsight, side: int) -> Simplest:
    """Find the simplest optimal strategy of a side."""
    optimal, places = insight.optimal, insight.places
    own = optimal.sides[side]
    plans = [*optimal.ranges[side].known, *_proposed(optimal.ranges[side].face)]
    value = optimal.values[side]
    best = min((plan for plan in plans if own.check_optimal(plan, value)), key=lambda plan: _complexity(own, plan))
    must = [number for number in mixed_sets(own, best) if _has_to(insight, side, number)]
    count, denominator, _ = _complexity(own, best)
    positions = [places.positions[side][number] for number in must]
    least = least_denominator(move.range for position in positions for move in insight.moves(position, side))
    return Simplest(side, places.table(side, best), count, len(must), denominator, positions, least)


def mixed_sets(side: FormSide, plan: Plan) -> list[int]:
    """The sets that a plan comes to and mixes at."""
    return [
        number for number, (_, first, end) in enumerate(side.sets) if sum(1 for weight in plan[first:end] if weight) > 1
    ]


def _complexity(side: FormSide, plan: Plan) -> tuple[int, int, int]:
    """The number of mixed sets, the largest denominator of odds, and the number of positions and moves."""
    odds = [
        Fraction(plan[sequence], plan[parent])
        for parent, first, end in side.sets
        if plan[parent]
        for sequence in range(first, end)
    ]
    length = sum(1 for parent, _, _ in side.sets if plan[parent]) + sum(1 for share in odds if share)
    return len(mixed_sets(side, plan)), max((share.denominator for share in odds), default=1), length


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
    """Propose some vertices among the plans that use few moves."""
    kept = _moves_to_keep(face)
    if kept is None:
        return
    limited = face.limited(kept)
    random = Random(0)
    for turn in range(TRIES):
        cost = np.array([random.randint(-3, 3) * (turn > 0) for _ in range(limited.count)], dtype=np.int64)
        optimum = exact_optimum(limited.program(cost))
        plan = None if optimum is None else limited.plan(optimum.columns)
        if plan is not None:
            yield plan


def _moves_to_keep(face: Face) -> list[bool] | None:
    """bool[sequences]: the sequences of a plan that mixes at few sets, found in floats."""
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
        more += [(last, first_b + place + offset, -1) for offset in range(len(kept))]
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
        weights = mixed_columns(program, np.arange(first_b, total))
    if weights is None:
        return None
    return [
        allowed and float(weights[column]) > KEPT
        for allowed, column in zip(face.allowed, face.columns.tolist(), strict=True)
    ]
