"""A sequence form laid out for the kernels, and exact bounds from its plans at the speed of floats.

Each side has its own copy of the payoffs, row after row, as what that side itself gains: both sides then maximise.
Bounds are exact because a plan is written in whole numbers, units of 2^-k: the weight of every information set is split
without remainder, so products and best responses are sums of int64 that cannot overflow (checked beforehand).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from ruse.core.arrays import Array
from ruse.core.certificate import FORM, Certificate
from ruse.core.clock import tick
from ruse.core.exact import INT64
from ruse.forms.certificate import certify
from ruse.forms.sequence_form import FormArrays
from ruse.kernels import sweeps

Weights = tuple[Array, Array]  # float64[sequences] a side: in each information set in proportion to the odds
FEWEST_BITS, MOST_BITS = 40, 52  # of the units of a plan: more bits, less lost by rounding


@dataclass(frozen=True)
class Side:
    """One side's tree and payoffs."""

    parent: Array  # int32[infosets]
    first: Array  # int32[infosets + 1]
    start: Array  # uint32[sequences + 1]: unsigned, for then compiled code need not ask whether an index is below 0
    column: Array  # uint32[entries], sequences of the other side
    value: Array  # float64[entries], what this side gains
    whole: Array  # int64[entries] or object: the same times the form's denominator

    @property
    def sequences(self) -> int:
        return int(self.first[-1])

    def plan(self, weights: Array) -> Array:
        """The plan in floats that splits 1 in proportion to weights: float64[sequences]."""
        plan = np.empty(self.sequences)
        sweeps.normalised(self.parent, self.first, np.ascontiguousarray(weights, dtype=np.float64), plan)
        return plan

    def without_small(self, weights: Array, smallest: float) -> Array:
        """The plan without sequences that come to less than a limit, but for the largest of a set."""
        plan = np.empty(self.sequences)
        sweeps.without_small(self.parent, self.first, np.ascontiguousarray(weights, dtype=np.float64), smallest, plan)
        return plan

    def gains(self, plan: Array) -> Array:
        """What each sequence gains against the other side's plan, at its own ends: float64[sequences]."""
        values = np.empty(self.sequences)
        sweeps.gains(self.start, self.column, self.value, plan, values)
        return values


@dataclass(frozen=True)
class Certified:
    """Plans that a certificate was computed for: whole numbers, in units of 1 / plan[0]."""

    certificate: Certificate
    plans: tuple[Array, Array]  # int64[sequences] a side

    def tightened(self, other: Certified) -> Certified:
        """The better plan of each side."""
        certificate, (low, high) = self.certificate.tightened(other.certificate)
        return Certified(certificate, ((self, other)[low].plans[0], (self, other)[high].plans[1]))

    def fractions(self) -> tuple[list[Fraction], list[Fraction]]:
        nothing = Fraction(0)  # most of what is never played: one object is enough
        first, second = (
            [Fraction(whole, int(plan[0])) if whole else nothing for whole in plan.tolist()] for plan in self.plans
        )
        return first, second


class Compiled:
    """Both sides of a form."""

    def __init__(self, form: FormArrays) -> None:
        self.form = form
        floats = form.floats()
        self.sides = (
            _side(form, 0, form.rows, form.columns, floats, form.payoffs),
            _side(form, 1, form.columns, form.rows, -floats, -form.payoffs),
        )

    def bounds(self, weights: Weights) -> tuple[float, float]:
        """What the plans guarantee, in floats: quick, for use between certificates."""
        best = []
        for side in (0, 1):
            mine, other = self.sides[side], self.sides[1 - side]
            values = mine.gains(other.plan(weights[1 - side]))
            sweeps.best_response(mine.parent, mine.first, values)
            best.append(float(values[0]))
        return -best[1], best[0]

    @cached_property
    def largest(self) -> float:
        """The largest payoff at any pair of sequences, odds of chance included."""
        return float(np.abs(self.sides[0].value).max(initial=0.0))

    @cached_property
    def bits(self) -> int:
        """How fine the units of any whole plan may be for no sum to overflow; 0 where that is too coarse."""
        return self._bits((np.ones(self.sides[0].sequences), np.ones(self.sides[1].sequences)))

    def _bits(self, plans: Weights) -> int:
        """How fine the units of plans that are nowhere larger than these may be; 0 where that is too coarse."""
        if self.form.payoffs.dtype == object:
            return 0
        bits = int(np.log2(INT64) - np.log2(self._most(plans))) - 1
        return min(bits, MOST_BITS) if bits >= FEWEST_BITS else 0

    def _most(self, plans: Weights) -> float:
        """No sum on the way to a best response to these plans is larger, in the form's units."""
        most = 1.0
        for side in (0, 1):
            mine = self.sides[side]
            values = np.empty(mine.sequences)
            sweeps.gains(mine.start, mine.column, np.abs(mine.whole).astype(float), plans[1 - side], values)
            sweeps.best_response(mine.parent, mine.first, values)  # as if all payoffs were gains
            most = max(most, float(values[0]))
        return most

    def certify(self, weights: Weights) -> Certified:
        """Whole plans near some weights and their exact bounds."""
        bits = self.bits or self._bits((self.sides[0].plan(weights[0]), self.sides[1].plan(weights[1])))
        plans = self._whole_plans(weights, bits or MOST_BITS)
        if not self.bits and (not bits or self._most((plans[0].astype(float), plans[1].astype(float))) >= INT64 / 2):
            certified = Certified(Certificate(Fraction(0), Fraction(0)), plans)
            return Certified(certify(self.form, certified.fractions()), plans)
        best = []
        for side in (0, 1):
            mine = self.sides[side]
            values = np.empty(mine.sequences, dtype=np.int64)
            sweeps.gains(mine.start, mine.column, mine.whole, plans[1 - side], values)
            sweeps.best_response(mine.parent, mine.first, values)
            best.append(Fraction(int(values[0]), self.form.denominator * int(plans[1 - side][0])))
        return Certified(Certificate(-best[1], best[0], FORM), plans)

    def _whole_plans(self, weights: Weights, bits: int) -> tuple[Array, Array]:
        plans = []
        for side in (0, 1):
            mine = self.sides[side]
            plan = np.empty(mine.sequences, dtype=np.int64)
            plan[0] = 1 << bits
            finite = np.nan_to_num(np.asarray(weights[side], dtype=np.float64), nan=0.0, posinf=0.0, neginf=0.0)
            sweeps.whole_plan(mine.parent, mine.first, finite, plan)
            plans.append(plan)
        return plans[0], plans[1]


def _side(form: FormArrays, side: int, own: Array, other: Array, floats: Array, whole: Array) -> Side:
    tick()
    tree = form.trees[side]
    same = own[1:] == own[:-1]
    if not np.all((own[1:] > own[:-1]) | (same & (other[1:] >= other[:-1]))):
        order = np.lexsort((other, own))
        other, floats, whole = other[order], floats[order], whole[order]
    start = np.concatenate([[0], np.cumsum(np.bincount(own, minlength=tree.sequences))]).astype(np.uint32)
    return Side(tree.parent, tree.first, start, other.astype(np.uint32), floats, whole)
