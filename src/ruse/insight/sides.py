"""A sequence form as one side sees it, and the sweeps that prove things there: all in whole numbers.

Let G be what the side gains, so that both sides maximise. A vector c over the side's sequences is worth at most

    max over plans x of c'x,

which one sweep up its tree finds. Best answers are that for c = G y; so are all certificates of insight (model.py).
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
from ruse.forms.sequence_form import SequenceForm, Treeplex

Terms = Mapping[int, Fraction]  # a linear function of a plan, by sequence


@dataclass(frozen=True)
class Ratio:
    """n'x / d'x: the odds of a move, or a belief. Of plans x with d'x = 0 it says nothing."""

    above: Terms
    below: Terms

    def of(self, plan: Plan) -> Fraction | None:
        below = total(self.below, plan)
        return total(self.above, plan) / below if below else None

    def turned(self) -> Ratio:
        """Its negative: its least is the greatest of this one, negated."""
        return Ratio({sequence: -share for sequence, share in self.above.items()}, self.below)


def total(terms: Terms, plan: Plan) -> Fraction:
    return sum((share * plan[sequence] for sequence, share in terms.items()), Fraction(0))


class Side:
    """One side of a form: `mine` is its tree, `theirs` that of the other side."""

    def __init__(self, form: SequenceForm, side: int) -> None:
        self.form, self.side = form, side
        self.sign = 1 if side == 0 else -1
        self.mine, self.theirs = form.trees[side], form.trees[1 - side]
        self.own, self.other = (form.rows, form.columns) if side == 0 else (form.columns, form.rows)
        self.gained = self.sign * form.payoffs
        self._last: tuple[Plan, list[int], int] | None = None  # the answer that was asked about last

    @cached_property
    def sets(self) -> list[tuple[int, int, int]]:
        """(parent sequence, first sequence, end) of every information set."""
        return list(self.mine.sets())

    @cached_property
    def set_of(self) -> list[int]:
        """The information set of each sequence; -1 of the empty one."""
        found = [-1] * self.mine.sequences
        for number, (_, first, end) in enumerate(self.sets):
            found[first:end] = [number] * (end - first)
        return found

    @cached_property
    def most(self) -> int:
        """The largest gain at any pair of sequences, times the form's denominator."""
        return max((abs(int(gain)) for gain in self.gained.tolist()), default=1) or 1

    def against(self, answer: Plan) -> tuple[list[int], int]:
        """What each sequence gains at its own ends against a plan of the other side, times the number that follows."""
        last = self._last  # which another thread may replace meanwhile
        if last is None or last[0] is not answer:
            whole, common = common_denominator(answer)
            found = [self.sign * gain for gain in gains(self.form, self.side, whole)]
            self._last = last = (answer, found, self.form.denominator * common)
        return list(last[1]), last[2]

    def best(self, answer: Plan, fixed: Mapping[int, Sequence[Fraction]] | None = None) -> Fraction:
        """What the side gets at most against a plan of the other side, with odds fixed at some of its sets."""
        worth, scale = self.against(answer)
        return Fraction(swept(self.mine, worth, fixed)) / scale

    def guarantee(self, plan: Plan) -> Fraction:
        """What a plan of this side gets at least."""
        whole, common = common_denominator(plan)
        worth = [-self.sign * gain for gain in gains(self.form, 1 - self.side, whole)]
        return -Fraction(swept(self.theirs, worth)) / (self.form.denominator * common)

    def slack(self, ratio: Ratio, least: Fraction, value: Fraction, weight: Fraction, answer: Plan) -> Fraction:
        """The least of n'x - L d'x + w (v - u(x, y)) over all plans x: at least 0 where it proves L."""
        worth, scale = self.against(answer)
        terms = {0: weight * value}
        for sequence, share in ratio.above.items():
            terms[sequence] = terms.get(sequence, Fraction(0)) + share
        for sequence, share in ratio.below.items():
            terms[sequence] = terms.get(sequence, Fraction(0)) - least * share
        each = weight / scale
        common = lcm(each.denominator, *(share.denominator for share in terms.values()))
        factor = each.numerator * (common // each.denominator)
        cost = [factor * gain for gain in worth]
        for sequence, share in terms.items():
            cost[sequence] -= share.numerator * (common // share.denominator)
        return -Fraction(swept(self.mine, cost), common)

    def is_plan(self, plan: Plan) -> bool:
        """E x = e and x >= 0."""
        if plan[0] != 1 or min(plan) < 0:
            return False
        return all(sum(plan[first:end]) == plan[parent] for parent, first, end in self.sets)

    def check_optimal(self, plan: Plan, value: Fraction) -> bool:
        return self.guarantee(plan) == value


def odds_of(side: Side, sequence: int) -> Ratio:
    """The odds of the last move of a sequence."""
    return Ratio({sequence: Fraction(1)}, {side.sets[side.set_of[sequence]][0]: Fraction(1)})


def swept(tree: Treeplex, worth: list[int], fixed: Mapping[int, Sequence[Fraction]] | None = None) -> Any:
    """The most that a plan is worth, in place: what follows a sequence is added to it."""
    tick()
    for number, (parent, first, end) in reversed(list(enumerate(tree.sets()))):
        odds = None if fixed is None else fixed.get(number)
        if odds is None:
            worth[parent] += max(worth[first:end])
        else:
            worth[parent] += sum(share * one for share, one in zip(odds, worth[first:end], strict=True) if share)  # type: ignore[assignment]
    return worth[0]
