"""Run a solver on a sequence form: exact plans with their certificate, and facts about the run."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from ruse.core import clock
from ruse.core.game import Game
from ruse.core.identity import identity_of_form
from ruse.core.types import Report
from ruse.forms.certificate import certify
from ruse.forms.sequence_form import FormArrays
from ruse.kernels import BOUNDS, NotCompiled, check_compiled
from ruse.solution.checkpoint import game_identity
from ruse.solution.history import Log
from ruse.solvers import AUTO, SolverSpec, Task, find
from ruse.solvers.highs import SolverError
from ruse.solvers.plans import CertifiedPlans, uniform_plan, why_stopped
from ruse.solving.auto import Attempt, choose
from ruse.solving.options import MOMENT, STOPPED, UNIFORM, SolveOptions
from ruse.solving.result import UNWRITTEN, SolveResult, result_of_run

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ruse.forms.integer_form import Certified
    from ruse.solvers.iterating import Iterating
    from ruse.solving.iterate import RunResult

NEAR = 1e-7  # a gap that rounding may close
UNIFORM_TAKES = 4e-7  # seconds per sequence or payoff, to certify the uniform strategy
LONG_NUMBERS = 10  # times as long if payoffs are too long for machine numbers
QUICK = 200_000  # sequences and payoffs of a form on which a solver starts within MOMENT
PATIENCE = 30  # rounds of polishing while the LP is still to come
States = dict[str, "Mapping[str, np.ndarray[Any, np.dtype[Any]]]"]  # of iterating solvers, to continue from


def solve_form(small: Game, form: FormArrays, spec: SolverSpec, options: SolveOptions, report: Report) -> SolveResult:
    """Find plans and certify them, with one solver or with those that `auto` tries in turn.

    If time runs out before a solver has found anything, the plans are uniform.
    """
    task = task_for(small, form, spec.name, options, report)
    try:
        if spec.name == AUTO:
            return _solve_in_turn(task, options)
        with clock.leaving(0.0 if spec.iterates else _look_takes(form)):
            result = _solve_by(task, spec, options)
    except clock.TimeIsUp as error:
        return _uniform(form, spec.name, error)
    if options.polish and not result.certificate.exact and not result.interrupted:
        result = _polish(task, result, inf)
    return result


def _solve_in_turn(task: Task, options: SolveOptions) -> SolveResult:
    """Try the solvers that ruse chooses, and log the best result."""
    iterating = options.checkpoint is not None or options.iterations is not None
    choice = choose(task.form, iterating=iterating, seconds=clock.left())
    best = _best_of(task, choice.attempts, options, iterating)
    if (log := options.files().log) is not None and best.points:
        Log(log, best.points)
    if best.certificate.gap > (options.gap or 0) and clock.left() < inf and not best.stopped:
        best = replace(best, note="; ".join(filter(None, (best.note, STOPPED["time"]))), stopped="time")
    return replace(best, why=choice.why)


def _best_of(task: Task, attempts: Sequence[Attempt], options: SolveOptions, iterating: bool) -> SolveResult:
    """Make attempts until the bounds are close enough or time runs out, and return the best result."""
    unlogged = replace(options, log=None)  # only the best result is logged
    if not iterating and options.gap is None:
        unlogged = replace(unlogged, gap=0.0)
    best: SolveResult | None = None
    states: States = {}
    for attempt in attempts:
        if best is not None and clock.left() <= 0:
            break
        try:
            result = _attempt(task, attempt, unlogged, states)
        except KeyboardInterrupt:
            if best is None:
                raise
            return replace(best, note=STOPPED["interrupted"], stopped="interrupted")
        except (SolverError, clock.TimeIsUp, MemoryError):  # HiGHS gave up, or time or memory ran out
            if best is None and attempt is attempts[-1]:
                raise
            continue
        if best is None or result.certificate.gap < best.certificate.gap:
            best = result
        if best.certificate.gap <= (options.gap or 0) or result.interrupted:
            break
    assert best is not None
    return best


def _attempt(task: Task, attempt: Attempt, options: SolveOptions, states: States) -> SolveResult:
    """Make one attempt within its share of the time."""
    limited = replace(options, iterations=attempt.iterations or options.iterations)
    with clock.deadline(attempt.share * clock.left()):
        return _solve_and_polish(task, attempt, limited, states)


def _solve_and_polish(task: Task, attempt: Attempt, options: SolveOptions, states: States) -> SolveResult:
    """Run the solver of an attempt, and polish its result if that may make it exact."""
    spec = find(attempt.solver)
    if not spec.iterates:
        task.built.clear()  # an LP needs only the memory that this frees
    own_task = task_for(task.game, task.form, attempt.solver, options, task.report)
    own_task = replace(own_task, built=task.built)
    result = _solve_by(own_task, spec, options, states)
    gap = result.certificate.gap
    if gap > (options.gap or 0) and not result.interrupted and (attempt.polish or options.polish or gap < NEAR):
        result = _polish(own_task, result, inf if options.polish else PATIENCE)
    return result


def _solve_by(task: Task, spec: SolverSpec, options: SolveOptions, states: States | None = None) -> SolveResult:
    """Run a solver. An iterating one continues from its state in `states`, if any, and stores its last state there."""
    if spec.iterates:
        clock.tick()  # before imports that may take all of the time
        check_compiled(*BOUNDS, *spec.sweeps)
        _ = task.compiled.bits  # the first call of compiled code takes much longer than any other
    with clock.leaving(0.0, moment(task.form) if spec.iterates else -inf):
        run: CertifiedPlans | Iterating = spec.start(task)
        if isinstance(run, CertifiedPlans):
            return _result_of(task.solver, run)
        if states is not None and spec.name in states:
            run.restore(states[spec.name])
        ended = _iterate(run, spec, task, options)
    if states is not None:
        states[spec.name] = run.state()
    result = result_of_run(task.solver, UNWRITTEN, ended, plans=ended.certified.fractions)
    limited = options.time is not None or options.gap is not None
    if ended.reason == "ended" and spec.exact and limited and result.certificate.gap > (options.gap or 0):
        return _polish(task, result, inf)  # floats cannot close the gap, but fractions can
    return result


def task_for(small: Game, form: FormArrays | None, solver: str, options: SolveOptions, report: Report) -> Task:
    return Task(
        solver, small, form, options.gap, options.iterations, options.seed, options.exactly, options.side,
        options.method, report, threads=options.threads,
    )  # fmt: skip


def _result_of(solver: str, solved: CertifiedPlans) -> SolveResult:
    note = STOPPED.get(solved.stopped) or solved.note
    return SolveResult(
        solver,
        UNWRITTEN,
        solved.certificate,
        solved.iterations,
        note=note,
        plans=lambda: solved.plans,
        stopped=solved.stopped,
    )


def moment(form: FormArrays) -> float:
    """The seconds that a solver gets even if the time is up: MOMENT for a small form."""
    return MOMENT if _size(form) <= QUICK else -inf


def _size(form: FormArrays) -> int:
    return sum(tree.sequences for tree in form.trees) + len(form.payoffs)


def _look_takes(form: FormArrays) -> float:
    """Estimate the seconds to certify plans on this machine now."""
    each = UNIFORM_TAKES * (LONG_NUMBERS if form.payoffs.dtype == object else 1)
    return each * clock.slowness() * _size(form)


def _uniform(form: FormArrays, solver: str, error: clock.TimeIsUp) -> SolveResult:
    """Return the uniform strategy because time ran out before a solver found anything."""
    with clock.regardless():
        first, second = map(uniform_plan, form.trees)
        solved = CertifiedPlans((first, second), certify(form, (first, second)), 0, stopped="time")
    early = str(error) if isinstance(error, NotCompiled) else "it found no strategies in time"
    return replace(_result_of(solver, solved), note=f"{early}; {UNIFORM}")


def _iterate(run: Iterating, spec: SolverSpec, task: Task, options: SolveOptions) -> RunResult[Certified]:
    """Run an iterating solver to the limits of the options."""
    from ruse.solving.iterate import loop

    about, takes = about_run(spec, task, options), _look_takes(task.form)
    return loop(run, task.compiled, options.limits(), options.files(), about, task.report, look_takes=takes)


def about_run(spec: SolverSpec, task: Task, options: SolveOptions) -> dict[str, Any]:
    """Identify the run in its checkpoint, if there is to be one."""
    if options.checkpoint is None:
        return {}
    game, form = task.game, task.walked
    return {
        "game": game.title,
        "identity": game_identity(game, options.resume),
        "form": form and identity_of_form(form),
        "parameters": dict(game.parameters),
        "solver": spec.name,
        "seed": task.seed,
        "planned": task.iterations if spec.scheduled else None,
        "sequences": form and [tree.sequences for tree in form.trees],
        "entries": form and len(form.payoffs),
    }


def _polish(task: Task, result: SolveResult, rounds: float) -> SolveResult:
    """Search for exact plans near a result, for at most `rounds` rounds; return the better of both results."""
    from ruse.solvers.polish import polish

    def report_round(done: int, lower: float, upper: float) -> None:
        task.report(f"polishing: searching for exact strategies nearby, round {done}", lower, upper)

    task.report("polishing: searching for exact strategies nearby", None, None)
    assert result.plans is not None
    first, second = (np.array(plan, dtype=float) for plan in result.plans())
    before = result.certificate.gap
    try:
        polished = polish(task.compiled, (first, second), most=rounds, report=report_round)
    except (KeyboardInterrupt, clock.TimeIsUp, SolverError, MemoryError) as error:
        return replace(result, note=STOPPED[why_stopped(error)], stopped=why_stopped(error))
    if polished.certificate.gap >= before:
        stopped = polished.stopped or result.stopped
        return replace(result, note=STOPPED.get(stopped, result.note), stopped=stopped)
    rounds_text = f"{polished.iterations} round{'s' * (polished.iterations > 1)}"
    note = f"polishing made it exact in {rounds_text}" if polished.iterations else "rounding made it exact"
    if not polished.certificate.exact:
        note = f"polishing closed the gap from {float(before):.3g} to {float(polished.certificate.gap):.3g}"
        note = STOPPED[polished.stopped] if polished.stopped else note
    stopped = "" if polished.certificate.exact else polished.stopped
    return replace(result, plans=lambda: polished.plans, certificate=polished.certificate, note=note, stopped=stopped)
