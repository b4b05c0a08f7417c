"""The most that a side can guarantee with some odds fixed, for the cost of a move or of a rule of thumb.

    maximise over plans x that have those odds there:   min over y of u(x, y).

A plan with those odds guarantees its payoff against a best response. A plan y of the other side concedes at most the
payoff of the best plan with those odds against it. If both are equal, the number is proved.
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
from ruse.insight.sides import FormSide
from ruse.solvers.exact_simplex import exact_simplex
from ruse.solvers.highs import Highs, Optimum, Program, Rows, SolverError
from ruse.solvers.lp import sequence_lp
from ruse.solvers.plans import DENOMINATORS, exact_plan, rounded_plan

SIMPLE = DENOMINATORS[0]  # odds to try before the basis is solved in fractions
Fixed = Mapping[int, Sequence[Fraction]]  # odds at some information sets


@dataclass(frozen=True)
class FixedGuarantee:
    """Bounds on the best guarantee with fixed odds: the guarantee of a plan, and what an answer concedes."""

    lower: Fraction
    upper: Fraction
    plan: Plan
    answer: Plan  # of the other side

    @property
    def exact(self) -> bool:
        return self.lower == self.upper


def best_guarantee(side: FormSide, fixed: Fixed, plans: Sequence[Plan], answers: Sequence[Plan]) -> FixedGuarantee:
    """Find the best guarantee with fixed odds. Known optimal plans of both sides, at least one each, may prove it."""
    best: FixedGuarantee | None = None
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
    """A copy of a plan with some odds fixed."""
    obedient = [Fraction(1)] + [Fraction(0)] * (tree.sequences - 1)
    for number, (parent, first, end) in enumerate(tree.sets()):
        if obedient[parent]:
            odds = fixed.get(number) or shares(plan[first:end])
            obedient[first:end] = [obedient[parent] * share for share in odds]
    return obedient


def _better(side: FormSide, fixed: Fixed, best: FixedGuarantee | None, plan: Plan, answer: Plan) -> FixedGuarantee:
    """The tighter bounds of two, end by end."""
    candidate = FixedGuarantee(side.guarantee(plan), side.best(answer, fixed), plan, answer)
    if best is None:
        return candidate
    low = candidate if candidate.lower > best.lower else best
    high = candidate if candidate.upper < best.upper else best
    return FixedGuarantee(low.lower, high.upper, low.plan, high.answer)


def _candidates(side: FormSide, fixed: Fixed) -> Iterator[tuple[Plan, Plan]]:
    """Plans in fractions, the simplest first: rounded, then from the exact basis, then without floats."""
    program = _program(side, fixed)
    mine, theirs, cut = side.mine, side.theirs, side.mine.infosets + 1

    def both(optimum: Optimum) -> tuple[Any, Any]:
        return optimum.columns[: mine.sequences], optimum.duals[cut : cut + theirs.sequences]

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


def _near(side: FormSide, weights: Any) -> list[Fraction]:
    """Simple odds near some weights at every set, also where the plan never comes."""
    near = [Fraction(1)] + [Fraction(0)] * (side.mine.sequences - 1)
    for _, first, end in side.sets:
        clipped = [max(0.0, float(weight)) for weight in weights[first:end]]
        whole = sum(clipped)
        near[first:end] = rounded([weight / whole for weight in clipped] if whole > 0 else clipped, SIMPLE)
    return near


def _program(side: FormSide, fixed: Fixed) -> Program:
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


def _joined(first: Rows, other: Rows) -> Rows:
    return Rows(
        np.concatenate([first.start, first.start[-1] + other.start[1:]]).astype(np.int32),
        np.concatenate([first.column, other.column]).astype(np.int32),
        np.concatenate([first.value.astype(object), other.value.astype(object)]),
        np.concatenate([first.lower, other.lower]),
        np.concatenate([first.upper, other.upper]),
        np.concatenate([first.in_floats(), other.in_floats()]),
    )
