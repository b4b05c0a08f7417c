"""The optimal plans of a side, which are a face of all its plans, and a plan in the middle of that face.

Let y be optimal for the other side, with p[i] what this side gets at most from its set i on, and let

    regret[j] = p[set of j] - p[sets after j] - (G y)[j] >= 0.

Then x is optimal, with values q for the other side's sets, exactly where (complementary slackness)

    E x = e, x >= 0,   x[j] = 0 where regret[j] > 0,   (F'q)[k] <= (G'x)[k],  equal where y[k] > 0:

So one optimal y describes all optimal x, without the value. One linear program finds a point of largest support, in x
and in the slack of those inequalities (Freund, Roundy and Todd 1985): scale x freely, and count the entries that can
reach 1. Two such points, one per side, are strictly complementary (Goldman and Tucker 1956): each sequence has a weight
or a regret. This proves which sequences are never played, without trusting the program.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ruse.core.arrays import Array
from ruse.forms.certificate import Plan
from ruse.insight.sides import FormSide, sweep
from ruse.solvers.exact_simplex import exact_simplex, is_optimum, is_small
from ruse.solvers.highs import INFINITY, Highs, Optimum, Program, Rows, SolverError


@dataclass(frozen=True)
class FacePoint:
    """An optimal plan of a side, and the rows of the other side's sequences that it leaves slack."""

    plan: Sequence[Fraction]  # of the side
    slack: Sequence[bool]  # bool[sequences of the other side]: never played by an optimal plan of that side


def point(side: FormSide, plan: Plan) -> FacePoint:
    """Combine an optimal plan with the slack that best responses to it leave."""
    values, _ = FormSide(side.form, 1 - side.side).against(plan)
    sweep(side.theirs, values)
    slack = [False] * side.theirs.sequences
    for _, first, end in side.theirs.sets():
        best = max(values[first:end])
        slack[first:end] = [value < best for value in values[first:end]]
    return FacePoint(plan, slack)


class Face:
    """The optimal plans of a side, as one optimal point of the other side describes them."""

    def __init__(self, side: FormSide, other: FacePoint, kept: Sequence[bool] | None = None) -> None:
        """Take plans that use only the `kept` sequences, if given."""
        self.side, self.other = side, other
        allowed = [True] * side.mine.sequences
        for parent, first, end in side.sets:
            allowed[first:end] = [
                allowed[parent] and not other.slack[sequence] and (kept is None or kept[sequence])
                for sequence in range(first, end)
            ]
        self.allowed = allowed
        self.tight = [weight > 0 for weight in other.plan]
        self.columns = np.cumsum(allowed) - 1  # int[sequences], where allowed
        self.count = int(np.sum(allowed))

    def entries(self) -> tuple[Array, Array, Array, Array]:
        """Rows, columns, whole values and floats: one row per set for E x = 0, then one per sequence for G'x - F'q."""
        side, allowed = self.side, np.array(self.allowed)
        e_rows, e_columns, e_values = side.mine.constraints()
        kept = (e_rows > 0) & allowed[e_columns]
        f_rows, f_columns, f_values = side.theirs.constraints()
        played = allowed[side.own]
        sets = side.mine.infosets
        rows = np.concatenate([e_rows[kept] - 1, sets + side.other[played], sets + f_columns])
        columns = np.concatenate([self.columns[e_columns[kept]], self.columns[side.own[played]], self.count + f_rows])
        values = np.concatenate([e_values[kept], side.gained[played], -f_values])
        floats = np.concatenate([e_values[kept], (side.gained[played] / side.most), -f_values]).astype(float)
        return rows, columns, values, floats

    def limited(self, kept: Sequence[bool]) -> Face:
        return Face(self.side, self.other, kept)

    def program(self, cost: Array, below: tuple[Array, Array, Array] | None = None) -> Program:
        """The program that minimises a cost, int[columns], over the plans of the face with x[0] = 1.

        With `below`, a sum of columns times whole numbers is 1 instead: it holds the columns, the numbers, and these as
        floats, which may all be smaller by a factor.
        """
        side = self.side
        rows, columns, values, floats = self.entries()
        single = np.ones(1, dtype=np.int64)
        places, whole, near = (0 * single, single, single) if below is None else below
        sets, row = side.mine.infosets, side.mine.infosets + side.theirs.sequences
        free = side.theirs.infosets + 1
        return written(
            np.concatenate([rows, np.full(len(places), row)]),
            np.concatenate([columns, places]),
            np.concatenate([values.astype(object), whole.astype(object)]),
            np.concatenate([floats, near.astype(float)]),
            np.concatenate([np.zeros(row), [1.0]]),
            np.concatenate([np.zeros(sets), np.where(self.tight, 0.0, INFINITY), [1.0]]),
            np.concatenate([cost, np.zeros(free, dtype=cost.dtype)]),
            np.concatenate([np.zeros(self.count), np.full(free, -INFINITY)]),
            np.full(self.count + free, INFINITY),
        )

    def plan(self, weights: Sequence[Fraction]) -> list[Fraction] | None:
        """The plan in proportion to weights of its columns; None if the weights give no plan."""
        whole = [Fraction(0)] * self.side.mine.sequences
        for sequence, (allowed, column) in enumerate(zip(self.allowed, self.columns.tolist(), strict=True)):
            if allowed:
                whole[sequence] = weights[column]
        if whole[0] <= 0 or min(whole) < 0:
            return None
        return [weight / whole[0] for weight in whole]

    def middle(self) -> FacePoint | None:
        """A point of largest support; None if the floats of the program were too inexact."""
        side, count = self.side, self.count
        rows, columns, values, floats = self.entries()
        sets, free = side.mine.infosets, side.theirs.infosets + 1
        loose = np.flatnonzero(~np.array(self.tight))
        doubled = columns < count  # x = w + x', both with these coefficients
        most, ones = side.most, np.ones(len(loose))
        first = count + free  # columns: x', q, then w, then what rows leave over, in two parts
        places = np.arange(len(loose))
        whole = np.concatenate(
            [
                values.astype(object),
                values[doubled].astype(object),
                np.full(len(loose), -most, dtype=object),
                np.full(len(loose), -1, dtype=object),
            ]
        )
        program = written(
            np.concatenate([rows, rows[doubled], sets + loose, sets + loose]),
            np.concatenate(
                [columns, first + columns[doubled], first + count + places, first + count + len(loose) + places]
            ),
            whole,
            np.concatenate([floats, floats[doubled], -ones, -ones]),
            np.zeros(sets + side.theirs.sequences),
            np.zeros(sets + side.theirs.sequences),
            np.concatenate([np.zeros(first), -np.ones(count + len(loose)), np.zeros(len(loose))]),
            np.concatenate([np.zeros(count), np.full(free, -INFINITY), np.zeros(count + 2 * len(loose))]),
            np.concatenate([np.full(first, INFINITY), np.ones(count + len(loose)), np.full(len(loose), INFINITY)]),
        )
        optimum = exact_optimum(program)
        if optimum is None:
            return None
        weights = optimum.columns
        plan = self.plan([weights[place] + weights[first + place] for place in range(count)])
        if plan is None:
            return None
        slack = [False] * side.theirs.sequences
        for place, row in enumerate(loose.tolist()):
            left = weights[first + count + place] * most + weights[first + count + len(loose) + place]
            if left < 0:
                return None
            slack[row] = left > 0
        return FacePoint(plan, slack)


def written(
    rows: Array,
    columns: Array,
    values: Array,
    floats: Array,
    lower: Array,
    upper: Array,
    cost: Array,
    least: Array,
    most: Array,
) -> Program:
    """Build a program from its entries in any order, the bounds of its rows, and costs and bounds of its columns."""
    order = np.lexsort((columns, rows))
    start = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(lower)))])
    return Program(
        cost.astype(np.int64) if cost.dtype != object else cost,
        least.astype(float),
        most.astype(float),
        Rows(
            start.astype(np.int32),
            columns[order].astype(np.int32),
            values[order],
            lower.astype(float),
            upper.astype(float),
            floats[order],
        ),
    )


def exact_optimum(program: Program) -> Optimum | None:
    """The optimal basis of a program in fractions; None if none is found.

    It comes from HiGHS or, if its basis is not optimal and the program is small, from a simplex method without floats.
    """
    optimum: Optimum | None = None
    highs = Highs(program)
    with suppress(SolverError):
        highs.run()
        optimum = highs.run_exactly()
    if not is_small(program) or (optimum is not None and is_optimum(program, optimum)):
        return optimum
    return exact_simplex(program) or optimum
