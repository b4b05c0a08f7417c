"""The normal form: one row a pure strategy of side 0, one column a pure strategy of side 1 (Bossle 2018, §2.4).

A pure strategy names a move at every information set, reachable or not, so a small tree can have a very large
table: Kubíček's running example has 8 × 4, Bossle's Figure 2.2 has 8 strategies for 6 leaves.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import lcm, prod

import numpy as np

from ruse.core import rationals
from ruse.core.exact import integers
from ruse.core.game import GameError
from ruse.forms.sequence_form import FormArrays, Treeplex

LARGEST = 1_000_000  # entries

Pure = tuple[int, ...]  # the sequence chosen at each information set


@dataclass(frozen=True)
class NormalForm:
    strategies: tuple[list[Pure], list[Pure]]
    payoffs: list[list[Fraction]]  # what side 1 pays side 0: [row][column]


def strategy_counts(form: FormArrays) -> tuple[int, int]:
    """How many pure strategies each side has."""
    first, second = (prod(np.diff(tree.first).tolist()) for tree in form.trees)
    return first, second


def normal_form(form: FormArrays) -> NormalForm:
    """Write down the table, if it is not too large."""
    rows, columns = strategy_counts(form)
    if rows * columns > LARGEST:
        raise GameError(
            f"expected a normal form of at most {LARGEST:,} entries, "
            f"got {rationals.count(rows)} × {rationals.count(columns)}"
        )
    strategies = tuple(
        [tuple(choice) for choice in product(*(range(first, end) for _, first, end in tree.sets()))]
        for tree in form.trees
    )
    first, second = (
        [pure_plan(tree, choice) for choice in choices] for tree, choices in zip(form.trees, strategies, strict=True)
    )
    totals = [[0] * columns for _ in range(rows)]
    for x, y, payoff in zip(form.rows.tolist(), form.columns.tolist(), form.payoffs.tolist(), strict=True):
        reached = [column for column, plan in enumerate(second) if y in plan]
        for row, plan in enumerate(first):
            if x in plan:
                for column in reached:
                    totals[row][column] += payoff
    payoffs = [[Fraction(total, form.denominator) for total in row] for row in totals]
    return NormalForm((strategies[0], strategies[1]), payoffs)


def pure_plan(tree: Treeplex, choice: Pure) -> set[int]:
    """The sequences that a pure strategy ever plays."""
    played = {0}
    for (parent, _, _), chosen in zip(tree.sets(), choice, strict=True):
        if parent in played:
            played.add(chosen)
    return played


def as_sequence_form(payoffs: list[list[Fraction]]) -> FormArrays:
    """A payoff table as the sequence form of a game with one information set a side."""
    flat = [(x, y, payoff) for x, row in enumerate(payoffs, 1) for y, payoff in enumerate(row, 1) if payoff]
    denominator = lcm(*(payoff.denominator for _, _, payoff in flat))
    trees = tuple(
        Treeplex(np.zeros(1, dtype=np.int32), np.array([1, 1 + size], dtype=np.int32))
        for size in (len(payoffs), len(payoffs[0]))
    )
    return FormArrays(
        (trees[0], trees[1]),
        np.array([x for x, _, _ in flat], dtype=np.int32),
        np.array([y for _, y, _ in flat], dtype=np.int32),
        integers([payoff.numerator * (denominator // payoff.denominator) for _, _, payoff in flat]),
        denominator,
    )


def mixed_plan(tree: Treeplex, strategies: list[Pure], odds: list[Fraction]) -> list[Fraction]:
    """The plan of a mixture of pure strategies: how often each sequence is played (Kuhn 1953)."""
    plan = [Fraction(0)] * tree.sequences
    for choice, share in zip(strategies, odds, strict=True):
        if share:
            for sequence in pure_plan(tree, choice):
                plan[sequence] += share
    return plan
