"""Lemke and Howson (1964) for payoff tables, in whole numbers from start to end.

With all payoffs of both sides made positive, as A and B, a strategy of side 0 is a point of x >= 0, B' x <= 1 and one
of side 1 a point of y >= 0, A y <= 1, each up to scale. Every pure strategy is a label: of the points of its own side
that never play it, and of the points of the other side to which it is a best answer. A pair of points that has all
labels is an equilibrium, or (0, 0). From there the path drops one label and goes, in one polytope and the other in
turn, along the edge that drops the label found twice, until the missing one is found. In a zero-sum game B is a
constant less A.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import chain

import numpy as np

from ruse.core import rationals
from ruse.core.arrays import Array
from ruse.core.exact import common_denominator, shares
from ruse.core.game import RuseError
from ruse.forms.certificate import certify
from ruse.forms.normal_form import mixed_plan, normal_form, strategy_counts
from ruse.forms.sequence_form import FormArrays
from ruse.solvers.pivoting import Tableau, lexicographic
from ruse.solvers.plans import CertifiedPlans
from ruse.solvers.spec import Task

LARGEST = 10_000  # entries of a table: 100 × 100 takes some ten seconds


class LabelError(RuseError):
    """A label that no pure strategy has."""


def run(task: Task) -> CertifiedPlans:
    return lemke_howson(task.form)


def lemke_howson(form: FormArrays, *, label: int = 0) -> CertifiedPlans:
    """An exact equilibrium of a payoff table, or of a small tree by way of its normal form."""
    rows, columns = strategy_counts(form)
    if rows * columns > LARGEST:
        size = f"{rationals.count(rows)} × {rationals.count(columns)}"
        raise RuseError(f"expected a normal form of at most {LARGEST:,} entries, got {size}: use lp")
    table = normal_form(form)
    first, second, pivots = solve_labels(table.payoffs, label)
    plans = (
        mixed_plan(form.trees[0], table.strategies[0], first),
        mixed_plan(form.trees[1], table.strategies[1], second),
    )
    return CertifiedPlans(plans, certify(form, plans), pivots)


def solve_labels(payoffs: list[list[Fraction]], label: int = 0) -> tuple[list[Fraction], list[Fraction], int]:
    """Optimal odds of both sides, and how many pivots found them; `label` is the one dropped first, rows come first."""
    rows, columns = len(payoffs), len(payoffs[0])
    if not 0 <= label < rows + columns:
        raise LabelError(f"expected a label from 0 to {rows + columns - 1}, got {label}")
    whole, _ = common_denominator([payoff for row in payoffs for payoff in row])
    table = np.array(whole, dtype=object).reshape(rows, columns)
    # Two tableaus; in each a label is a weight of one side or a slack of the other.
    mine, theirs = list(range(rows)), list(range(rows, rows + columns))
    polytopes = (
        Tableau(theirs.copy(), mine.copy(), (table.max() + 1 - table).T, _ones(columns)),
        Tableau(mine.copy(), theirs.copy(), table - table.min() + 1, _ones(rows)),
    )
    slacks = (theirs, mine)
    side, entering, pivots = (0 if label < rows else 1), label, 0
    while True:
        polytope = polytopes[side]
        rights = chain([polytope.right(0)], map(polytope.column, slacks[side]))
        row = int(lexicographic(polytope.column(entering), rights)[0])
        leaving = polytope.basis[row]
        polytope.exchange(row, entering)
        pivots += 1
        if leaving == label:
            return _odds(polytopes[0], mine), _odds(polytopes[1], theirs), pivots
        side, entering = 1 - side, leaving


def _ones(count: int) -> Array:
    return np.ones((count, 1), dtype=object)


def _odds(polytope: Tableau, labels: list[int]) -> list[Fraction]:
    """The weights of a point, scaled to a sum of one."""
    weights = {variable: polytope.value(row) for row, variable in enumerate(polytope.basis)}
    return shares([weights.get(label, Fraction(0)) for label in labels])
