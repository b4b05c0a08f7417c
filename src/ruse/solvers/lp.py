"""The sequence-form LP, solved exactly whatever the sizes of the payoffs.

HiGHS solves it in floats (`sequence_lp`), and its basis in fractions is mostly all that is needed. Floats hold sixteen
digits, so payoffs of 10^12 beside 10^-9 lead them astray; then the answer is polished (`polish`): a double oracle from
there on, whose small games are solved in as many digits as it takes. It ends because each round adds moves.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import numpy as np

from ruse.core.clock import TimeIsUp
from ruse.forms.sequence_form import FormArrays
from ruse.solvers.highs import SolverError
from ruse.solvers.plans import CertifiedPlans, why_stopped
from ruse.solvers.sequence_lp import near_lp
from ruse.solvers.spec import Task

Report = Callable[[int, float, float], None]


def run(task: Task) -> CertifiedPlans:
    def report_round(rounds: int, lower: float, upper: float) -> None:
        task.report(f"searching for exact strategies near the LP solution, round {rounds}", lower, upper)

    return lp(task.form, side=task.side, method=task.method, gap=task.gap or 0.0, report=report_round)


def lp(
    form: FormArrays,
    *,
    side: int = 0,
    method: str = "simplex",
    gap: float = 0.0,
    report: Report = lambda *_: None,
) -> CertifiedPlans:
    """Optimal plans in fractions; with a `gap`, plans as close as that are enough.

    Where the time is up or somebody interrupts, the best plans so far. `report` hears of rounds of polishing.
    """
    near: CertifiedPlans | None = None
    with suppress(SolverError):  # floats may hold none of it
        near = near_lp(form, side=side, method=method, gap=gap)
    if near is not None and near.certificate.gap <= gap:
        return near
    from ruse.forms.integer_form import Compiled  # compiled code, which is not needed otherwise
    from ruse.solvers.polish import polish

    weights = None
    if near is not None:
        first, second = (np.array([float(weight) for weight in plan]) for plan in near.plans)
        weights = first, second
    try:
        solved = polish(Compiled(form), weights, report=report)
    except (TimeIsUp, KeyboardInterrupt, SolverError) as error:
        if near is None:
            raise
        return replace(near, stopped=why_stopped(error))
    iterations = 0 if near is None else near.iterations
    if near is not None and solved.certificate.gap > near.certificate.gap:
        solved = replace(near, stopped=solved.stopped)
    return replace(solved, iterations=iterations)
