"""Run a solver by its name on a form: exact plans with their certificate, and how it came there."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ruse.core import clock, size_estimate
from ruse.core.game import Game
from ruse.core.identity import identity, identity_of_form
from ruse.forms.certificate import certify
from ruse.forms.sequence_form import SequenceForm
from ruse.solution.history import Log, Point
from ruse.solvers import ITERATING, SAMPLING
from ruse.solvers.highs import SolverError
from ruse.solvers.lp import lp
from ruse.solvers.matrix import matrix
from ruse.solvers.plans import Solved, exact_plan, why_stopped
from ruse.solving.auto import choose
from ruse.solving.options import INTERRUPTED, Asked, Kept, Report
from ruse.solving.tables import Odds

if TYPE_CHECKING:
    from ruse.forms.integer_form import Compiled
    from ruse.solvers.iterating import Iterating
    from ruse.solving.iterate import Ended

NEAR = 1e-7  # a gap that rounding may close
STOPPED = {
    "interrupted": INTERRUPTED,
    "time": "the time was up before the bounds met",
    "memory": "what is left to solve exactly does not fit in memory",
}
EVEN = 1e-5  # seconds, to certify even odds: of a sequence, or of ten ends
PATIENCE = 30  # where the LP is still to come


class Outcome(NamedTuple):
    """What was found on a form, by which solver, and how."""

    solver: str
    solved: Solved
    points: Sequence[Point] = ()
    note: str = ""  # what else is worth knowing
    why: str = ""  # the solver was chosen, where that was left open

    @property
    def interrupted(self) -> bool:
        return self.note == INTERRUPTED


def solve_form(small: Game, form: SequenceForm, solver: str, asked: Asked, kept: Kept, report: Report) -> Outcome:
    """Exact plans and their certificate, by one solver or by those that `auto` tries in turn."""
    if solver == "auto":
        return _solve_in_turn(small, form, asked, kept, report)
    outcome = _solve_by(small, form, solver, asked, kept, report)
    if asked.polish and not outcome.solved.certificate.exact and not outcome.interrupted:
        outcome = _polish(form, outcome, inf, report)
    return outcome


def _solve_in_turn(small: Game, form: SequenceForm, asked: Asked, kept: Kept, report: Report) -> Outcome:
    """Try solvers until the bounds are as close as is asked for, or the time is up; keep the best."""
    iterating = kept.checkpoint is not None or asked.iterations is not None
    choice = choose(form, iterating=iterating)
    unlogged = replace(kept, log=None)  # one log for all attempts, of the best of them
    best: Outcome | None = None
    for attempt in choice.attempts:
        if best is not None and clock.left() <= 0:
            break
        limited = replace(asked, iterations=attempt.iterations or asked.iterations)
        if not iterating and limited.gap is None:
            limited = replace(limited, gap=0.0)
        try:
            outcome = _solve_by(small, form, attempt.solver, limited, unlogged, report)
        except KeyboardInterrupt:
            if best is None:
                raise
            best = best._replace(note=INTERRUPTED)
            break
        except (SolverError, clock.TimeIsUp):  # HiGHS gave up, or the time was up
            if best is None:
                raise
            break
        gap = outcome.solved.certificate.gap
        if gap > (asked.gap or 0) and not outcome.interrupted and (attempt.polish or asked.polish or gap < NEAR):
            outcome = _polish(form, outcome, inf if asked.polish else PATIENCE, report)
        if best is None or outcome.solved.certificate.gap < best.solved.certificate.gap:
            best = outcome
        if best.solved.certificate.gap <= (asked.gap or 0) or outcome.interrupted:
            break
    assert best is not None
    if kept.log is not None and best.points:
        Log(kept.log, best.points)
    return best._replace(why=choice.why)


def _solve_by(small: Game, form: SequenceForm, solver: str, asked: Asked, kept: Kept, report: Report) -> Outcome:
    if solver == "double-oracle" and asked.exactly and kept.checkpoint is None:
        return _double_oracle(form, report)
    if solver in ITERATING:
        ended = iterate(small, form, solver, asked, kept, report)
        found = Solved(ended.certified.fractions(), ended.certified.certificate, ended.iterations)
        return Outcome(solver, found, ended.points, INTERRUPTED * (ended.reason == "interrupted"))
    if solver == "lp":

        def tell(rounds: int, lower: float, upper: float) -> None:
            report(f"round {rounds} of a search for exact strategies near those of the LP", lower, upper)

        found = lp(form, side=asked.side, method=asked.method, gap=asked.gap or 0.0, report=tell)
        return Outcome(solver, found, note=STOPPED.get(found.stopped, ""))
    if solver == "matrix":
        found = matrix(form, side=asked.side, method=asked.method)
        return Outcome(solver, found, note=STOPPED.get(found.stopped, ""))
    if solver == "lemke-howson":
        from ruse.solvers.lemke_howson import lemke_howson

        return Outcome(solver, lemke_howson(form))
    return _lcp(small, form, asked, report)


def even(form: SequenceForm, solver: str) -> Outcome:
    """Even odds everywhere: what can be said before anything was found."""
    if clock.left() < EVEN * (sum(tree.sequences for tree in form.trees) + len(form.payoffs) / 10):
        raise clock.TimeIsUp(
            f"expected an answer in time, got none, as even odds take as long: give {solver} more time"
        )
    first, second = (exact_plan(tree, [Fraction(1)] * tree.sequences) for tree in form.trees)
    found = Solved((first, second), certify(form, (first, second)), 0)
    note = f"the time was up before {'a solver' if solver == 'auto' else solver} had found anything, so these are "
    return Outcome("even odds" if solver == "auto" else solver, found, note=note + "even odds")


def _lcp(small: Game, form: SequenceForm, asked: Asked, report: Report) -> Outcome:
    """Lemke's path; where the time is up on the way, the plans that it has come to."""
    from ruse.solvers.lcp import Lemke, lcp, lcp_bytes, lcp_in_digits

    size_estimate.check_bytes(lcp_bytes(form), small, "lcp")

    def tell(pivots: int, cover: float) -> None:
        report(f"pivot {pivots:,}, {cover:.3g} to go", None, None)

    if clock.left() == inf:
        return Outcome("lcp", lcp(form, report=tell))
    spare = clock.left() / 4  # for the plans
    path = Lemke(form)
    with suppress(SolverError):  # floats may lose their way
        for pivots in path:
            tell(pivots, path.cover)
            if clock.left() <= spare:
                break
    plans = path.plans()
    found = Solved(plans, certify(form, plans), path.pivots)
    if not found.certificate.exact and clock.left() > spare:
        with suppress(clock.TimeIsUp):
            found = lcp_in_digits(form, tell)
    return Outcome("lcp", found)


def _double_oracle(form: SequenceForm, report: Report) -> Outcome:
    from ruse.forms.integer_form import Compiled
    from ruse.solvers.double_oracle import DoubleOracle, finish

    oracle = DoubleOracle(Compiled(form))
    solved = finish(oracle, report=lambda rounds, *bounds: report(f"round {rounds} of best responses", *bounds))
    needed, whole = oracle.restricted.sequences, [tree.sequences for tree in form.trees]
    note = STOPPED.get(solved.stopped) or (
        f"it needed {needed[0]:,} + {needed[1]:,} of {whole[0]:,} + {whole[1]:,} sequences, in {oracle.rounds} rounds"
    )
    return Outcome("double-oracle", solved, note=note)


def iterate(small: Game, form: SequenceForm, solver: str, asked: Asked, kept: Kept, report: Report) -> Ended:
    """Run an iterating solver to the limits that are asked for."""
    from ruse.forms.integer_form import Compiled
    from ruse.kernels import check_compiled
    from ruse.solving.iterate import loop

    report("compiling, which is kept for the next time", None, None)
    check_compiled()
    compiled = Compiled(form)
    run = _iterating(small, form, compiled, solver, asked)
    check_compiled()  # also the solver's own
    return loop(run, compiled, asked.limits(), kept, _about(small, solver, asked, kept, form), report)


def sample_unjudged(small: Game, solver: str, asked: Asked, kept: Kept, report: Report) -> tuple[Ended, Odds, Odds]:
    """Sample a game that is too large to walk: strategies where the run has been, and no more than trivial bounds."""
    from ruse.solvers.mccfr import Mccfr
    from ruse.solving.iterate import loop
    from ruse.solving.sampled import Sampled, Unjudged

    run = Sampled(Mccfr(small, sampling=SAMPLING[solver], seed=asked.seed), None)
    about = _about(small, solver, asked, kept, None)
    ended = loop(run, Unjudged(small), asked.limits(), kept, about, report, after=run.writing_takes)
    return ended, *run.odds()


def _about(small: Game, solver: str, asked: Asked, kept: Kept, form: SequenceForm | None) -> dict[str, Any]:
    """Which run a checkpoint is of, if there is to be one."""
    if kept.checkpoint is None:
        return {}
    return {
        "game": small.title,
        "identity": identity(small),
        "form": form and identity_of_form(form),
        "parameters": dict(small.parameters),
        "solver": solver,
        "seed": asked.seed,
        "planned": asked.iterations if solver == "hs-dcfr" else None,  # its schedule depends on it
        "sequences": form and [tree.sequences for tree in form.trees],
        "entries": form and len(form.payoffs),
    }


def _iterating(small: Game, form: SequenceForm, compiled: Compiled, solver: str, asked: Asked) -> Iterating:
    """A run of that solver, at its beginning."""
    if solver in SAMPLING:
        from ruse.solvers.mccfr import Mccfr
        from ruse.solving.sampled import Sampled

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


def _polish(form: SequenceForm, outcome: Outcome, rounds: float, report: Report) -> Outcome:
    """Exact plans near those of an outcome, if they are found in so many rounds and in time; else as it is."""
    from ruse.forms.integer_form import Compiled
    from ruse.solvers.polish import polish

    def tell(done: int, lower: float, upper: float) -> None:
        report(f"polishing: round {done} of a search for exact strategies near these", lower, upper)

    report("polishing: looking for exact strategies near these", None, None)
    first, second = (np.array(plan, dtype=float) for plan in outcome.solved.plans)
    before = outcome.solved.certificate.gap
    try:
        found = polish(Compiled(form), (first, second), most=rounds, report=tell)
    except (KeyboardInterrupt, clock.TimeIsUp, SolverError) as error:
        return outcome._replace(note=STOPPED[why_stopped(error)])
    if found.certificate.gap >= before:
        return outcome._replace(note=STOPPED.get(found.stopped, outcome.note))
    rounds_told = f"{found.iterations} round{'s' * (found.iterations > 1)}"
    note = f"polishing made it exact in {rounds_told}" if found.iterations else "rounding made it exact"
    if not found.certificate.exact:
        note = f"polishing closed the gap from {float(before):.3g} to {float(found.certificate.gap):.3g}"
        note = STOPPED[found.stopped] if found.stopped else note
    return outcome._replace(solved=Solved(found.plans, found.certificate, outcome.solved.iterations), note=note)
