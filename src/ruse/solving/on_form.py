"""Run a solver by its name on a form: exact plans with their certificate, and how it came there."""

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
from ruse.forms.sequence_form import SequenceForm
from ruse.kernels import BOUNDS, NotCompiled, check_compiled
from ruse.solution.checkpoint import game_identity
from ruse.solution.history import Log
from ruse.solvers import AUTO, SolverSpec, Task, find
from ruse.solvers.highs import SolverError
from ruse.solvers.plans import Solved, uniform_plan, why_stopped
from ruse.solving.auto import Attempt, choose
from ruse.solving.options import STOPPED, UNIFORM, SolveOptions
from ruse.solving.result import UNWRITTEN, SolveResult, result_of_run

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ruse.forms.integer_form import Certified
    from ruse.solvers.iterating import Iterating
    from ruse.solving.iterate import Ended

NEAR = 1e-7  # a gap that rounding may close
UNIFORM_TAKES = 4e-7  # seconds, for a sequence or a payoff: to certify the uniform strategy
LONG_NUMBERS = 10  # times as long where payoffs are too long for machine numbers
MOMENT = 0.15  # seconds that a solver gets in any case: a start on a busy machine may have taken all of the time
QUICK = 200_000  # sequences and payoffs of a form on which a solver has begun in a moment
PATIENCE = 30  # where the LP is still to come
States = dict[str, "Mapping[str, np.ndarray[Any, np.dtype[Any]]]"]  # of iterating solvers, to go on from


def solve_form(small: Game, form: SequenceForm, spec: SolverSpec, options: SolveOptions, report: Report) -> SolveResult:
    """Exact plans and their certificate, by one solver or by those that `auto` tries in turn.

    Where the time is up before a solver has found anything, the plans are uniform.
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
    """Try solvers until the bounds are as close as is asked for, or the time is up; keep the best."""
    iterating = options.checkpoint is not None or options.iterations is not None
    choice = choose(task.form, iterating=iterating, seconds=clock.left())
    unlogged = replace(options, log=None)  # one log for all attempts, of the best of them
    best: SolveResult | None = None
    states: States = {}
    for attempt in choice.attempts:
        if best is not None and clock.left() <= 0:
            break
        limited = replace(unlogged, iterations=attempt.iterations or options.iterations)
        if not iterating and limited.gap is None:
            limited = replace(limited, gap=0.0)
        try:
            with clock.deadline(attempt.share * clock.left()):
                result = _attempted(task, attempt, limited, states)
        except KeyboardInterrupt:
            if best is None:
                raise
            best = replace(best, note=STOPPED["interrupted"], stopped="interrupted")
            break
        except (SolverError, clock.TimeIsUp, MemoryError):  # HiGHS gave up, or the time or the memory was up
            if best is None and attempt is choice.attempts[-1]:
                raise
            continue
        if best is None or result.certificate.gap < best.certificate.gap:
            best = result
        if best.certificate.gap <= (options.gap or 0) or result.interrupted:
            break
    assert best is not None
    if (log := options.files().log) is not None and best.points:
        Log(log, best.points)
    if best.certificate.gap > (options.gap or 0) and clock.left() < inf and not best.stopped:
        best = replace(best, note="; ".join(filter(None, (best.note, STOPPED["time"]))), stopped="time")
    return replace(best, why=choice.why)


def _attempted(task: Task, attempt: Attempt, options: SolveOptions, states: States) -> SolveResult:
    """One attempt, polished where that may make it exact."""
    spec = find(attempt.solver)
    if not spec.iterates:
        task.built.clear()  # an LP has no use for it, but for its memory
    mine = task_for(task.game, task.form, attempt.solver, options, task.report)
    mine = replace(mine, built=task.built)
    result = _solve_by(mine, spec, options, states)
    gap = result.certificate.gap
    if gap > (options.gap or 0) and not result.interrupted and (attempt.polish or options.polish or gap < NEAR):
        result = _polish(mine, result, inf if options.polish else PATIENCE)
    return result


def _solve_by(task: Task, spec: SolverSpec, options: SolveOptions, states: States | None = None) -> SolveResult:
    """What a solver finds; an iterating one goes on from its state, where there is one, and leaves its last there."""
    if spec.iterates:
        clock.tick()  # before what is imported now: that may take all of the time
        check_compiled(*BOUNDS, *spec.sweeps)
        _ = task.compiled.bits  # the first use of compiled code, which takes much longer than any other
    with clock.leaving(0.0, moment(task.form) if spec.iterates else -inf):
        given: Solved | Iterating = spec.start(task)
        if isinstance(given, Solved):
            return _result_of(task.solver, given)
        if states is not None and spec.name in states:
            given.restore(states[spec.name])
        ended = _iterated(given, spec, task, options)
    if states is not None:
        states[spec.name] = given.state()
    result = result_of_run(task.solver, UNWRITTEN, ended, plans=ended.certified.fractions)
    hopes = options.time is not None or options.gap is not None
    if ended.reason == "ended" and spec.exact and hopes and result.certificate.gap > (options.gap or 0):
        return _polish(task, result, inf)  # floats can do no more, fractions can
    return result


def task_for(small: Game, form: SequenceForm | None, solver: str, options: SolveOptions, report: Report) -> Task:
    return Task(
        solver, small, form, options.gap, options.iterations, options.seed, options.exactly, options.side,
        options.method, report, threads=options.threads,
    )  # fmt: skip


def _result_of(solver: str, solved: Solved) -> SolveResult:
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


def moment(form: SequenceForm) -> float:
    """Seconds that a solver gets although the time is up: some where it has begun in a moment."""
    return MOMENT if _size(form) <= QUICK else -inf


def _size(form: SequenceForm) -> int:
    return sum(tree.sequences for tree in form.trees) + len(form.payoffs)


def _look_takes(form: SequenceForm) -> float:
    """About how many seconds it takes now to certify plans, the uniform ones too."""
    each = UNIFORM_TAKES * (LONG_NUMBERS if form.payoffs.dtype == object else 1)
    return each * clock.slowness() * _size(form)


def _uniform(form: SequenceForm, solver: str, error: clock.TimeIsUp) -> SolveResult:
    """The uniform strategy, where the time was up before anything was found."""
    with clock.regardless():
        first, second = map(uniform_plan, form.trees)
        solved = Solved((first, second), certify(form, (first, second)), 0, stopped="time")
    early = str(error) if isinstance(error, NotCompiled) else "it found no strategies in time"
    return replace(_result_of(solver, solved), note=f"{early}; {UNIFORM}")


def _iterated(run: Iterating, spec: SolverSpec, task: Task, options: SolveOptions) -> Ended[Certified]:
    """Run an iterating solver to the limits that are asked for."""
    from ruse.solving.iterate import loop

    about, takes = about_run(spec, task, options), _look_takes(task.form)
    return loop(run, task.compiled, options.limits(), options.files(), about, task.report, look_takes=takes)


def about_run(spec: SolverSpec, task: Task, options: SolveOptions) -> dict[str, Any]:
    """Which run a checkpoint is of, if there is to be one."""
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
    """Exact plans near those that were found, if they are found in so many rounds and in time; else as it is."""
    from ruse.solvers.polish import polish

    def tell(done: int, lower: float, upper: float) -> None:
        task.report(f"polishing: searching for exact strategies nearby, round {done}", lower, upper)

    task.report("polishing: searching for exact strategies nearby", None, None)
    assert result.plans is not None
    first, second = (np.array(plan, dtype=float) for plan in result.plans())
    before = result.certificate.gap
    try:
        polished = polish(task.compiled, (first, second), most=rounds, report=tell)
    except (KeyboardInterrupt, clock.TimeIsUp, SolverError, MemoryError) as error:
        return replace(result, note=STOPPED[why_stopped(error)], stopped=why_stopped(error))
    if polished.certificate.gap >= before:
        stopped = polished.stopped or result.stopped
        return replace(result, note=STOPPED.get(stopped, result.note), stopped=stopped)
    rounds_told = f"{polished.iterations} round{'s' * (polished.iterations > 1)}"
    note = f"polishing made it exact in {rounds_told}" if polished.iterations else "rounding made it exact"
    if not polished.certificate.exact:
        note = f"polishing closed the gap from {float(before):.3g} to {float(polished.certificate.gap):.3g}"
        note = STOPPED[polished.stopped] if polished.stopped else note
    stopped = "" if polished.certificate.exact else polished.stopped
    return replace(result, plans=lambda: polished.plans, certificate=polished.certificate, note=note, stopped=stopped)
