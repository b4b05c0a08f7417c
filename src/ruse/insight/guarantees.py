"""The most that a side can guarantee while it keeps some odds fixed: the price of a move, and of a rule of thumb.

    maximise over plans x that have those odds there:   min over y of u(x, y).

A plan that obeys guarantees what its best answer leaves; a plan y of the other side leaves at most what the best
obeying answer to it gets. Where the two meet, the number is proved, whoever proposed the plans.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ruse.core.clock import TimeIsUp, regardless
from ruse.core.exact import rounded, shares
from ruse.forms.certificate import Plan
from ruse.forms.sequence_form import Treeplex
from ruse.insight.sides import Side
from ruse.solvers.exact_simplex import exact_simplex
from ruse.solvers.highs import Highs, Optimum, Program, Rows, SolverError
from ruse.solvers.plans import DENOMINATORS, exact_plan, rounded_plan
from ruse.solvers.sequence_lp import sequence_lp

SIMPLE = DENOMINATORS[0]  # odds worth a try before the basis is solved in fractions
Fixed = Mapping[int, Sequence[Fraction]]  # odds at some information sets


@dataclass(frozen=True)
class Kept:
    """What can be guaranteed with fixed odds lies between what a plan guarantees and what an answer leaves."""

    lower: Fraction
    upper: Fraction
    plan: Plan
    answer: Plan  # of the other side

    @property
    def exact(self) -> bool:
        return self.lower == self.upper


def keeping(side: Side, fixed: Fixed, plans: Sequence[Plan], answers: Sequence[Plan]) -> Kept:
    """The best guarantee with odds fixed; known optimal plans of both sides, one at least, may settle it at once."""
    best: Kept | None = None
    with regardless():
        for plan in plans:
            for answer in answers:
                best = _better(side, fixed, best, obeying(side.mine, plan, fixed), answer)
    assert best is not None
    if best.exact:
        return best
    with suppress(TimeIsUp):
        for plan, answer in _candidates(side, fixed):
            best = _better(side, fixed, best, plan, answer)
            if best.exact:
                break
    return best


def obeying(tree: Treeplex, plan: Sequence[Any], fixed: Fixed) -> list[Fraction]:
    """A plan like another, but for the odds that are fixed."""
    found = [Fraction(1)] + [Fraction(0)] * (tree.sequences - 1)
    for number, (parent, first, end) in enumerate(tree.sets()):
        if found[parent]:
            odds = fixed.get(number) or shares(plan[first:end])
            found[first:end] = [found[parent] * share for share in odds]
    return found


def _better(side: Side, fixed: Fixed, best: Kept | None, plan: Plan, answer: Plan) -> Kept:
    """The tighter of two, end by end."""
    found = Kept(side.guarantee(plan), side.best(answer, fixed), plan, answer)
    if best is None:
        return found
    low = found if found.lower > best.lower else best
    high = found if found.upper < best.upper else best
    return Kept(low.lower, high.upper, low.plan, high.answer)


def _candidates(side: Side, fixed: Fixed) -> Iterator[tuple[Plan, Plan]]:
    """Plans in fractions, the simplest first: rounded, then from the exact basis, then without floats."""
    program = _program(side, fixed)
    mine, theirs, cut = side.mine, side.theirs, side.mine.infosets + 1

    def both(found: Optimum) -> tuple[Any, Any]:
        return found.columns[: mine.sequences], found.duals[cut : cut + theirs.sequences]

    highs = Highs(program)
    with suppress(SolverError):
        own, other = both(highs.run())
        yield obeying(mine, _near(side, own), fixed), rounded_plan(theirs, other, SIMPLE)
        if (exact := highs.run_exactly()) is not None:
            own, other = both(exact)
            yield obeying(mine, own, fixed), exact_plan(theirs, other)
    if (exact := exact_simplex(program)) is not None:
        own, other = both(exact)
        yield obeying(mine, own, fixed), exact_plan(theirs, other)


def _near(side: Side, weights: Any) -> list[Fraction]:
    """Odds near some weights at every set, also where the plan never comes."""
    near = [Fraction(1)] + [Fraction(0)] * (side.mine.sequences - 1)
    for _, first, end in side.sets:
        clipped = [max(0.0, float(weight)) for weight in weights[first:end]]
        whole = sum(clipped)
        near[first:end] = rounded([weight / whole for weight in clipped] if whole > 0 else clipped, SIMPLE)
    return near


def _program(side: Side, fixed: Fixed) -> Program:
    """The sequence-form LP with x[s] = odds x[parent] where they are fixed."""
    program = sequence_lp(side.form, side.side)
    upper = program.upper.copy()
    rows: list[tuple[float, float, list[int], list[int]]] = []
    for number, odds in fixed.items():
        parent, first, _ = side.sets[number]
        for sequence, share in enumerate(odds, first):
            if share == 0:
                upper[sequence] = 0
            elif share != 1:
                rows.append((0.0, 0.0, [sequence, parent], [share.denominator, -share.numerator]))
    return Program(program.cost, program.lower, upper, _joined(program.rows, Rows.of(rows)) if rows else program.rows)


def _joined(one: Rows, other: Rows) -> Rows:
    return Rows(
        np.concatenate([one.start, one.start[-1] + other.start[1:]]).astype(np.int32),
        np.concatenate([one.column, other.column]).astype(np.int32),
        np.concatenate([one.value.astype(object), other.value.astype(object)]),
        np.concatenate([one.lower, other.lower]),
        np.concatenate([one.upper, other.upper]),
        np.concatenate([one.in_floats(), other.in_floats()]),
    )
