"""The normal-form LP (Bossle 2018, §3.4): maximise the least payoff over the opponent's pure strategies.

    maximise z   subject to   sum over p of S[p] * P(p, p2) >= z for each pure p2,   sum S = 1,  S >= 0

It is the sequence-form LP of a game with one information set a side, so that solver is used. For a tree, the
mixture of pure strategies is turned back into a plan.
"""

from __future__ import annotations

from ruse.forms.certificate import certify
from ruse.forms.normal_form import as_sequence_form, mixed_plan, normal_form
from ruse.forms.sequence_form import FormArrays
from ruse.solvers.lp import lp
from ruse.solvers.plans import CertifiedPlans
from ruse.solvers.spec import Task


def run(task: Task) -> CertifiedPlans:
    return matrix(task.form, side=task.side, method=task.method)


def matrix(form: FormArrays, *, side: int = 0, method: str = "simplex") -> CertifiedPlans:
    """Solve a small game through its normal form."""
    if all(tree.infosets == 1 for tree in form.trees):  # it is one already
        return lp(form, side=side, method=method)
    table = normal_form(form)
    solved = lp(as_sequence_form(table.payoffs), side=side, method=method)
    first, second = (
        mixed_plan(tree, strategies, plan[1:])
        for tree, strategies, plan in zip(form.trees, table.strategies, solved.plans, strict=True)
    )
    return CertifiedPlans((first, second), certify(form, (first, second)), solved.iterations)
