"""Exact bounds on the value, from any pair of plans.

Whatever plan x side 0 plays, it guarantees min over y of x' A y; whatever y side 1 plays, it concedes at
most max over x of x' A y. Both are best responses, found by one sweep up a tree in whole numbers:

    lower(x) = min_y x' A y  <=  value  <=  max_x x' A y = upper(y).

Where the two meet, the plans are optimal and the value is known, whoever proposed them.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ruse.core.arrays import Array
from ruse.core.certificate import FORM, Certificate
from ruse.core.clock import tick, timed
from ruse.core.exact import INT64, common_denominator
from ruse.forms.sequence_form import FormArrays, Treeplex

Plan = Sequence[Fraction]
PORTION = 1 << 14  # entries between two looks at the clock
ARRAY_PORTION = 1 << 20  # the same, on arrays
MANY = 2_000  # sequences or entries, that arrays are quicker for
ROUNDED = 1.001  # more than a sum of floats may lack

__all__ = ["Certificate", "Plan", "best_response", "certify", "check_plan", "gains"]


def certify(form: FormArrays, plans: tuple[Plan, Plan]) -> Certificate:
    """Both best responses, in exact arithmetic. Raises ValueError if a plan is not one."""
    wholes = [common_denominator(plan) for plan in plans]
    for tree, (whole, common) in zip(form.trees, wholes, strict=True):
        _check_whole(tree, whole, common)
    return Certificate(_value(form, 1, *wholes[0]), _value(form, 0, *wholes[1]), FORM)


def check_plan(tree: Treeplex, plan: Plan) -> None:
    """E x = e and x >= 0, or a ValueError that says where not."""
    _check_whole(tree, *common_denominator(plan))


def _check_whole(tree: Treeplex, whole: list[int], common: int) -> None:
    if len(whole) != tree.sequences or whole[0] != common:
        raise ValueError(f"expected {tree.sequences} weights, the first of them 1, got {len(whole)}")
    if len(whole) >= MANY and common < INT64 and _adds_up(tree, whole):
        return
    for number, (parent, first, end) in enumerate(timed(tree.sets())):
        part = whole[first:end]
        if sum(part) != whole[parent] or min(part) < 0:
            raise ValueError(
                f"expected weights of at least 0 that sum to {Fraction(whole[parent], common)} "
                f"at information set {number}, got {Fraction(sum(part), common)}"
            )


def _adds_up(tree: Treeplex, whole: list[int]) -> bool:
    """Check on arrays that weights add up; False also where numbers are too long for them."""
    if max(whole) > whole[0] or min(whole) < 0:
        return False
    weights = np.array(whole, dtype=np.int64)
    most = int(np.diff(tree.first).max(initial=1))
    parts = np.add.reduceat(weights, tree.first[:-1]) if tree.infosets else weights[:0]
    return whole[0] * most < INT64 and bool(np.all(parts == weights[tree.parent]))


def gains(form: FormArrays, side: int, plan: Sequence[Any]) -> list[Any]:
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


def best_response(form: FormArrays, side: int, plan: Plan) -> tuple[Fraction, list[Any]]:
    """The value of `side`'s best answer to a plan, and what each of its sequences is then worth (scaled)."""
    whole, common = common_denominator(plan)
    array = _on_arrays(form, side, whole)
    values = _one_by_one(form, side, whole) if array is None else array.tolist()
    return Fraction(values[0], form.denominator * common), values


def _value(form: FormArrays, side: int, whole: list[int], common: int) -> Fraction:
    array = _on_arrays(form, side, whole)
    value = _one_by_one(form, side, whole)[0] if array is None else int(array[0])
    return Fraction(value, form.denominator * common)


def _one_by_one(form: FormArrays, side: int, whole: list[int]) -> list[Any]:
    """What each sequence is worth in a best response."""
    values = gains(form, side, whole)
    best = max if side == 0 else min
    for parent, first, end in timed(reversed(list(form.trees[side].sets()))):
        values[parent] += best(values[first:end])
    return values


def _on_arrays(form: FormArrays, side: int, whole: list[int]) -> Array | None:
    """Compute the values of sequences in machine numbers; None for small forms and long numbers.

    What a sequence is worth is a sum over payoffs below it, each at most once: no sum is longer than that of them all,
    nor than what a best response would be worth if all payoffs were gains.
    """
    if len(form.payoffs) < MANY or form.payoffs.dtype == object:
        return None
    weight = max(max(whole), -min(whole))
    if weight >= INT64:
        return None
    plan = np.array(whole, dtype=np.int64)
    sizes = np.abs(form.payoffs.astype(float))
    if int(sizes.sum() * ROUNDED) * weight >= INT64:
        most = _answered(form, side, sizes, np.abs(plan.astype(float)), np.maximum)[0]
        if most * ROUNDED >= INT64:
            return None
    return _answered(form, side, form.payoffs, plan, np.maximum if side == 0 else np.minimum)


def _answered(form: FormArrays, side: int, payoffs: Array, plan: Array, best: np.ufunc) -> Array:
    """What each sequence is worth in a best response to a plan, in the plan's sort of numbers."""
    own, other = (form.rows, form.columns) if side == 0 else (form.columns, form.rows)
    tree = form.trees[side]
    values = np.zeros(tree.sequences, dtype=plan.dtype)
    for begin in range(0, len(own), ARRAY_PORTION):
        tick()
        part = slice(begin, begin + ARRAY_PORTION)
        np.add.at(values, own[part], payoffs[part] * plan[other[part]])
    add_best(tree, values, best)
    return values


def add_best(tree: Treeplex, values: Array, best: np.ufunc) -> None:
    """Add to what each sequence brings at its own ends what a best response brings after it."""
    for sets in reversed(tree.levels()):
        tick()
        counts = tree.first[sets + 1] - tree.first[sets]
        starts = np.cumsum(counts) - counts
        sequences = np.arange(int(counts.sum())) + np.repeat(tree.first[sets] - starts, counts)
        np.add.at(values, tree.parent[sets], best.reduceat(values[sequences], starts))
