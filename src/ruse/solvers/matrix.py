"""The normal-form LP (Bossle 2018, §3.4): maximise the least payoff over the opponent's pure strategies.

    maximise z   subject to   sum over p of S[p] * P(p, p2) >= z for each pure p2,   sum S = 1,  S >= 0

It is the sequence-form LP of a game with one information set a side, so that solver is used. For a tree, the
mixture of pure strategies is turned back into a plan.
"""

from __future__ import annotations

from fractions import Fraction

from ruse.certificate import certify
from ruse.normal_form import as_sequence_form, mixed_plan, normal_form
from ruse.sequence_form import SequenceForm
from ruse.solvers.exact_simplex import solve_table
from ruse.solvers.lp import Solved, lp

LARGEST_EXACT = 2_500  # entries of a table, to pivot in fractions


def matrix(form: SequenceForm, *, side: int = 0, method: str = "simplex") -> Solved:
    """Solve a small game through its normal form."""
    if all(tree.infosets == 1 for tree in form.trees):  # it is one already
        return _solve_table(form, side, method)
    table = normal_form(form)
    solved = _solve_table(as_sequence_form(table.payoffs), side, method)
    first, second = (
        mixed_plan(tree, strategies, plan[1:])
        for tree, strategies, plan in zip(form.trees, table.strategies, solved.plans, strict=True)
    )
    return Solved((first, second), certify(form, (first, second)), solved.iterations)


def _solve_table(form: SequenceForm, side: int, method: str) -> Solved:
    """By HiGHS; where its tolerances hide the optimum, by pivoting in fractions."""
    solved = lp(form, side=side, method=method)
    rows, columns = (tree.sequences - 1 for tree in form.trees)
    if solved.certificate.exact or rows * columns > LARGEST_EXACT:
        return solved
    payoffs = [[Fraction(0)] * columns for _ in range(rows)]
    for x, y, payoff in zip(form.rows.tolist(), form.columns.tolist(), form.payoffs.tolist(), strict=True):
        payoffs[x - 1][y - 1] = Fraction(payoff, form.denominator)
    first, second = ([Fraction(1), *odds] for odds in solve_table(payoffs))
    return Solved((first, second), certify(form, (first, second)), solved.iterations)
