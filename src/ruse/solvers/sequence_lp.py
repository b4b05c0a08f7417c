"""The sequence-form LP of Koller, Megiddo and von Stengel (1994), as in Bossle 2018, §5.2.

Fix side 0's plan x. Side 1's best response is a small LP; its dual turns the minimum into a maximum:

    maximise  q[0]   over plans x and values q,   subject to   E x = e,  x >= 0,
              and for each sequence s of side 1:   (F' q)[s] <= (A' x)[s],

where q[i] is what side 1 pays at most from its information set i on. The duals of the last rows are side
1's optimal plan, so both strategies come from one solve. From side 1's point of view the same program is
written for the game with its sides exchanged; on asymmetric games one of them can be far quicker.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ruse.forms.sequence_form import FormArrays
from ruse.solvers.highs import INFINITY, Highs, Program, Rows
from ruse.solvers.plans import DENOMINATORS, CertifiedPlans, better, exact_plan, rounded_plan


def sequence_lp(form: FormArrays, side: int = 0) -> Program:
    """The program above, written to minimise, from the point of view of `side`."""
    mine, theirs = form.trees[side], form.trees[1 - side]
    own, other = (form.rows, form.columns) if side == 0 else (form.columns, form.rows)
    sign = 1 if side == 0 else -1
    e_rows, e_columns, e_values = mine.constraints()
    f_rows, f_columns, f_values = theirs.constraints()  # used as F': a row a sequence
    plans, values = mine.sequences, theirs.infosets + 1
    rows = np.concatenate([e_rows, mine.infosets + 1 + other, mine.infosets + 1 + f_columns])
    columns = np.concatenate([e_columns, own, plans + f_rows])
    most = max(abs(payoff) for payoff in form.payoffs.tolist()) if len(form.payoffs) else 1
    entries = np.concatenate([e_values, sign * form.payoffs, -f_values])
    # HiGHS gets payoffs of at most 1; the values q are then smaller by as much, and the basis is the same.
    scaled = (sign * form.payoffs / most).astype(float)
    floats = np.concatenate([e_values, scaled, -f_values]).astype(float)
    order = np.lexsort((columns, rows))
    count = mine.infosets + 1 + theirs.sequences
    start = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=count))])
    lower = np.zeros(count)
    lower[0] = 1
    upper = np.full(count, INFINITY)
    upper[: mine.infosets + 1] = lower[: mine.infosets + 1]
    cost = np.zeros(plans + values, dtype=np.int64)
    cost[plans] = -1
    return Program(
        cost,
        np.concatenate([np.zeros(plans), np.full(values, -INFINITY)]),
        np.full(plans + values, INFINITY),
        Rows(start.astype(np.int32), columns[order].astype(np.int32), entries[order], lower, upper, floats[order]),
    )


def near_lp(form: FormArrays, *, side: int = 0, method: str = "simplex", gap: float = 0.0) -> CertifiedPlans:
    """Solve by HiGHS, then lift to fractions: by rounding, or else by solving the optimal basis exactly.

    With a `gap`, plans as close as that are enough. Where floats lose small payoffs beside large ones, the answer may
    be far from optimal, as its certificate then says.
    """
    highs = Highs(sequence_lp(form, side), method)
    optimum = highs.run()
    mine = form.trees[side]
    cut = mine.infosets + 1

    def plans_of(columns: Any, duals: Any) -> tuple[Any, Any]:
        pair = (columns[: mine.sequences], duals[cut:])
        return pair if side == 0 else (pair[1], pair[0])

    floats = plans_of(optimum.columns, optimum.duals)
    if gap:
        from ruse.forms.integer_form import Compiled  # compiled code, which is not needed otherwise

        certified = Compiled(form).certify(floats)
        if certified.certificate.gap <= gap:
            return CertifiedPlans(certified.fractions(), certified.certificate, highs.iterations)
    first, second = form.trees
    best: CertifiedPlans | None = None
    for denominator in DENOMINATORS:
        near = rounded_plan(first, floats[0], denominator), rounded_plan(second, floats[1], denominator)
        best = better(best, form, near)
        if best.certificate.exact:
            break
    else:
        exact = highs.run_exactly()
        if exact is not None:
            fractions = plans_of(exact.columns, exact.duals)
            best = better(best, form, (exact_plan(first, fractions[0]), exact_plan(second, fractions[1])))
    assert best is not None
    return replace(best, iterations=highs.iterations)
