"""Exact bounds on the value, from any pair of plans.

Whatever plan x side 0 plays, it guarantees min over y of x' A y; whatever y side 1 plays, it concedes at
most max over x of x' A y. Both are best responses, found by one sweep up a tree in whole numbers:

    lower(x) = min_y x' A y  <=  value  <=  max_x x' A y = upper(y).

Where the two meet, the plans are optimal and the value is known, whoever proposed them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ruse.core.clock import tick, timed
from ruse.core.exact import common_denominator
from ruse.forms.sequence_form import SequenceForm, Treeplex

Plan = Sequence[Fraction]
PORTION = 1 << 14  # entries between two looks at the clock


@dataclass(frozen=True)
class Certificate:
    """The value lies between `lower`, which side 0's plan guarantees, and `upper`, which side 1's concedes."""

    lower: Fraction
    upper: Fraction

    @property
    def gap(self) -> Fraction:
        return self.upper - self.lower

    @property
    def exact(self) -> bool:
        return self.lower == self.upper


def certify(form: SequenceForm, plans: tuple[Plan, Plan]) -> Certificate:
    """Both best responses, in exact arithmetic. Raises ValueError if a plan is not one."""
    wholes = [common_denominator(plan) for plan in plans]
    for tree, (whole, common) in zip(form.trees, wholes, strict=True):
        _check_whole(tree, whole, common)
    return Certificate(_best_response(form, 1, *wholes[0])[0], _best_response(form, 0, *wholes[1])[0])


def check_plan(tree: Treeplex, plan: Plan) -> None:
    """E x = e and x >= 0, or a ValueError that says where not."""
    _check_whole(tree, *common_denominator(plan))


def _check_whole(tree: Treeplex, whole: list[int], common: int) -> None:
    if len(whole) != tree.sequences or whole[0] != common:
        raise ValueError(f"expected {tree.sequences} weights, the first of them 1, got {len(whole)}")
    for number, (parent, first, end) in enumerate(timed(tree.sets())):
        part = whole[first:end]
        if sum(part) != whole[parent] or min(part) < 0:
            raise ValueError(
                f"expected weights of at least 0 that sum to {Fraction(whole[parent], common)} "
                f"at information set {number}, got {Fraction(sum(part), common)}"
            )


def gains(form: SequenceForm, side: int, plan: Sequence[Any]) -> list[Any]:
    """What each sequence of `side` brings against the other side's plan: A y, or A' x (still to side 0)."""
    own, other = (form.rows, form.columns) if side == 0 else (form.columns, form.rows)
    totals: list[Any] = [0] * form.trees[side].sequences
    for begin in range(0, len(own), PORTION):
        tick()
        part = (column[begin : begin + PORTION].tolist() for column in (own, other, form.payoffs))
        for mine, theirs, payoff in zip(*part, strict=True):
            if weight := plan[theirs]:
                totals[mine] += payoff * weight
    return totals


def best_response(form: SequenceForm, side: int, plan: Plan) -> tuple[Fraction, list[Any]]:
    """The value of `side`'s best answer to a plan, and what each of its sequences is then worth (scaled)."""
    return _best_response(form, side, *common_denominator(plan))


def _best_response(form: SequenceForm, side: int, whole: list[int], common: int) -> tuple[Fraction, list[Any]]:
    worth = gains(form, side, whole)
    best = max if side == 0 else min
    for parent, first, end in timed(reversed(list(form.trees[side].sets()))):
        worth[parent] += best(worth[first:end])
    return Fraction(worth[0], form.denominator * common), worth
