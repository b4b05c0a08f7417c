"""Run a solver by its name on a form: exact plans with their certificate, and how it came there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ruse.asked import Asked, Kept, Report
from ruse.game import Game
from ruse.sequence_form import SequenceForm
from ruse.solvers import ITERATING, SAMPLING
from ruse.solvers.lp import Solved, lp
from ruse.solvers.matrix import matrix
from ruse.writing import Odds

if TYPE_CHECKING:
    from ruse.compiled import Compiled
    from ruse.convergence import Point
    from ruse.loop import Ended
    from ruse.solvers.iterating import Iterating


def solve_form(
    small: Game, form: SequenceForm, solver: str, asked: Asked, kept: Kept, report: Report
) -> tuple[Solved, Sequence[Point]]:
    """Exact plans and their certificate, and for an iterating solver how it came there."""
    if solver in ITERATING:
        ended = iterate(small, form, solver, asked, kept, report)
        return Solved(ended.certified.fractions(), ended.certified.certificate, ended.iterations), ended.points
    if solver == "lp":
        return lp(form, side=asked.side, method=asked.method), ()
    if solver == "matrix":
        return matrix(form, side=asked.side, method=asked.method), ()
    if solver == "lemke-howson":
        from ruse.solvers.lemke_howson import lemke_howson

        return lemke_howson(form), ()
    from ruse.solvers.lcp import lcp

    return lcp(form), ()


def iterate(small: Game, form: SequenceForm, solver: str, asked: Asked, kept: Kept, report: Report) -> Ended:
    """Run an iterating solver to the limits that are asked for."""
    from ruse.compiled import Compiled
    from ruse.loop import loop

    report("compiling, which is kept for the next time", None, None)
    compiled = Compiled(form)
    run = _iterating(small, form, compiled, solver, asked)
    return loop(run, compiled, asked.limits(), kept, _about(small, solver, asked, form), report)


def sample_unjudged(small: Game, solver: str, asked: Asked, kept: Kept, report: Report) -> tuple[Ended, Odds, Odds]:
    """Sample a game that is too large to walk: strategies where the run has been, and no more than trivial bounds."""
    from ruse.loop import loop
    from ruse.sampling import Sampled, Unjudged
    from ruse.solvers.mccfr import Mccfr

    run = Sampled(Mccfr(small, sampling=SAMPLING[solver], seed=asked.seed), None)
    ended = loop(run, Unjudged(small), asked.limits(), kept, _about(small, solver, asked, None), report)
    return ended, *run.odds()


def _about(small: Game, solver: str, asked: Asked, form: SequenceForm | None) -> dict[str, Any]:
    """Which run a checkpoint is of."""
    return {
        "game": small.title,
        "parameters": dict(small.parameters),
        "solver": solver,
        "seed": asked.seed,
        "sequences": form and [tree.sequences for tree in form.trees],
        "entries": form and len(form.payoffs),
    }


def _iterating(small: Game, form: SequenceForm, compiled: Compiled, solver: str, asked: Asked) -> Iterating:
    """A run of that solver, at its beginning."""
    if solver in SAMPLING:
        from ruse.sampling import Sampled
        from ruse.solvers.mccfr import Mccfr

        return Sampled(Mccfr(small, sampling=SAMPLING[solver], seed=asked.seed), form)
    if solver == "first-order":
        from ruse.solvers.first_order import FirstOrder

        return FirstOrder(compiled)
    if solver == "pdhg":
        from ruse.solvers.pdhg import Pdhg

        return Pdhg(compiled)
    if solver == "double-oracle":
        from ruse.solvers.double_oracle import DoubleOracle

        return DoubleOracle(compiled)
    from ruse.solvers.cfr import PLANNED, VARIANTS, Cfr

    return Cfr(compiled, VARIANTS[solver], planned=asked.iterations or PLANNED)


def polished(form: SequenceForm, solved: Solved) -> Solved:
    """Exact plans near these, where they are found; else these."""
    from ruse.solvers.polish import polish

    weights = tuple(np.array([float(weight) for weight in plan]) for plan in solved.plans)
    exact = polish(form, (weights[0], weights[1]))
    return solved if exact is None else Solved(exact.plans, exact.certificate, solved.iterations)
