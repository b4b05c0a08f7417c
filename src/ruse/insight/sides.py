"""A sequence form from one side's view, and the sweeps that prove bounds there, in whole numbers.

Let G be the payoffs to the side, so that both sides maximise. For a vector c over the side's sequences, one sweep up
its tree computes

    max over plans x of c'x.

With c = G y this is the best response to y, and all certificates of insight use it (model.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

from ruse.core.clock import tick
from ruse.core.exact import common_denominator
from ruse.forms.certificate import Plan, gains
from ruse.forms.sequence_form import FormArrays, Treeplex

Terms = Mapping[int, Fraction]  # a linear function of a plan, by sequence


@dataclass(frozen=True)
class Ratio:
    """A ratio n'x / d'x: the odds of a move, or a belief. It is undefined for plans x with d'x = 0."""

    above: Terms
    below: Terms

    def of(self, plan: Plan) -> Fraction | None:
        below = total(self.below, plan)
        return total(self.above, plan) / below if below else None

    def turned(self) -> Ratio:
        """The negative ratio, whose least value is the negated greatest value of this one."""
        return Ratio({sequence: -share for sequence, share in self.above.items()}, self.below)


def total(terms: Terms, plan: Plan) -> Fraction:
    return sum((share * plan[sequence] for sequence, share in terms.items()), Fraction(0))


class FormSide:
    """One side of a form: `mine` is its tree, `theirs` that of the other side."""

    def __init__(self, form: FormArrays, side: int) -> None:
        self.form, self.side = form, side
        self.sign = 1 if side == 0 else -1
        self.mine, self.theirs = form.trees[side], form.trees[1 - side]
        self.own, self.other = (form.rows, form.columns) if side == 0 else (form.columns, form.rows)
        self.gained = self.sign * form.payoffs
        self._last: tuple[Plan, list[int], int] | None = None  # the last answer with its gains

    @cached_property
    def sets(self) -> list[tuple[int, int, int]]:
        """(parent sequence, first sequence, end) of every information set."""
        return list(self.mine.sets())

    @cached_property
    def set_of(self) -> list[int]:
        """The information set of each sequence; -1 of the empty one."""
        numbers = [-1] * self.mine.sequences
        for number, (_, first, end) in enumerate(self.sets):
            numbers[first:end] = [number] * (end - first)
        return numbers

    @cached_property
    def most(self) -> int:
        """The largest gain at any pair of sequences, times the form's denominator."""
        return max((abs(int(gain)) for gain in self.gained.tolist()), default=1) or 1

    def against(self, answer: Plan) -> tuple[list[int], int]:
        """The gain of each sequence at its own ends against a plan of the other side, scaled, and the scale."""
        last = self._last  # another thread may replace the attribute
        if last is None or last[0] is not answer:
            whole, common = common_denominator(answer)
            signed = [self.sign * gain for gain in gains(self.form, self.side, whole)]
            self._last = last = (answer, signed, self.form.denominator * common)
        return list(last[1]), last[2]

    def best(self, answer: Plan, fixed: Mapping[int, Sequence[Fraction]] | None = None) -> Fraction:
        """The most that the side gets against a plan of the other side, with odds fixed at some of its sets."""
        values, scale = self.against(answer)
        return Fraction(sweep(self.mine, values, fixed)) / scale

    def guarantee(self, plan: Plan) -> Fraction:
        """The least that a plan of this side gets."""
        whole, common = common_denominator(plan)
        values = [-self.sign * gain for gain in gains(self.form, 1 - self.side, whole)]
        return -Fraction(sweep(self.theirs, values)) / (self.form.denominator * common)

    def slack(self, ratio: Ratio, least: Fraction, value: Fraction, weight: Fraction, answer: Plan) -> Fraction:
        """The least of n'x - L d'x + w (v - u(x, y)) over all plans x: a proof of L if it is at least 0."""
        values, scale = self.against(answer)
        terms = {0: weight * value}
        for sequence, share in ratio.above.items():
            terms[sequence] = terms.get(sequence, Fraction(0)) + share
        for sequence, share in ratio.below.items():
            terms[sequence] = terms.get(sequence, Fraction(0)) - least * share
        each = weight / scale
        common = lcm(each.denominator, *(share.denominator for share in terms.values()))
        factor = each.numerator * (common // each.denominator)
        cost = [factor * gain for gain in values]
        for sequence, share in terms.items():
            cost[sequence] -= share.numerator * (common // share.denominator)
        return -Fraction(sweep(self.mine, cost), common)

    def is_plan(self, plan: Plan) -> bool:
        """Whether E x = e and x >= 0."""
        if plan[0] != 1 or min(plan) < 0:
            return False
        return all(sum(plan[first:end]) == plan[parent] for parent, first, end in self.sets)

    def check_optimal(self, plan: Plan, value: Fraction) -> bool:
        return self.guarantee(plan) == value


def odds_of(side: FormSide, sequence: int) -> Ratio:
    """The odds of the last move of a sequence."""
    return Ratio({sequence: Fraction(1)}, {side.sets[side.set_of[sequence]][0]: Fraction(1)})


def sweep(tree: Treeplex, values: list[int], fixed: Mapping[int, Sequence[Fraction]] | None = None) -> Any:
    """The greatest value of a plan; adds to each sequence, in place, the value of what follows it."""
    tick()
    for number, (parent, first, end) in reversed(list(enumerate(tree.sets()))):
        odds = None if fixed is None else fixed.get(number)
        if odds is None:
            values[parent] += max(values[first:end])
        else:
            values[parent] += sum(share * value for share, value in zip(odds, values[first:end], strict=True) if share)  # type: ignore[assignment]
    return values[0]
