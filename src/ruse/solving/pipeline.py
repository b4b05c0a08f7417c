"""From a game to a certified solution: reduce, solve, lift, certify."""

from __future__ import annotations

import platform
from contextlib import suppress
from dataclasses import replace
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from math import inf
from pathlib import Path
from time import perf_counter

from ruse.core import atomic_files, clock, size_estimate
from ruse.core.capabilities import Bulk, ByClass, Memoryless, Public, Symmetric, payoff_range
from ruse.core.certificate import Certificate
from ruse.core.contract import checked, declared_by
from ruse.core.entry_points import warn_once
from ruse.core.game import Game, GameError
from ruse.core.own import Own, as_game
from ruse.core.registry import call_optional
from ruse.core.types import Report
from ruse.forms.certificate import certify
from ruse.forms.reductions import reduce
from ruse.forms.reductions.forced import without_forced
from ruse.forms.reductions.refined import RefinedForm, is_large, refined
from ruse.forms.sequence_form import SequenceForm, sequence_form
from ruse.kernels import COLOURS, NotCompiled, check_compiled
from ruse.solution.checkpoint import check_new, check_settings
from ruse.solution.strategy import Solution
from ruse.solvers import AUTO, SolverSpec, Task, UnknownSolver, find, refusal
from ruse.solvers.plans import Strategies
from ruse.solving import form_memory
from ruse.solving.auto import SAMPLING, by_states
from ruse.solving.by_class import check_walk, walked_as_it_is, writable
from ruse.solving.certify import certified
from ruse.solving.declarations import hint, lookalikes
from ruse.solving.found import UNWRITTEN, Found
from ruse.solving.on_device import solve_on_device
from ruse.solving.on_form import solve_form, solve_unjudged
from ruse.solving.on_public import check_precision, goes_by_public_tree, memory_told, solve_public, wants_all
from ruse.solving.options import PRECISIONS, Asked, Kept
from ruse.solving.own_way import go, own_way
from ruse.solving.writing import SmallerForm, at_once, grown, in_time, later, writing_takes, written
from ruse.verify.dispatch import bounds

TIDYING = 0.05  # of the time, to clear away what was built
MOMENT = 0.15  # seconds that a solver gets in any case: a start on a busy machine may have taken all of the time
QUICK = 200_000  # sequences and payoffs of a form on which a solver has begun in a moment
MANY = 1_000  # sequences: fewer are solved before symmetry among them is found


def solve(
    game: Game,
    solver: str = "auto",
    *,
    gap: float | None = None,
    time: float | None = None,
    iterations: int | None = None,
    seed: int = 0,
    checkpoint: str | Path | None = None,
    resume: bool = False,
    log: str | Path | None = None,
    polish: bool = False,
    teams: bool = True,
    symmetry: bool = True,
    forced: bool = True,
    refine: bool = True,
    method: str = "simplex",
    side: int = 0,
    shortcuts: bool = True,
    tidy: bool = True,
    precision: str = "float64",
    device: str = "cpu",
    threads: int | None = None,
    report: Report = lambda *_: None,
) -> Solution:
    """Optimal strategies for both sides, with exact bounds on the value.

    The bounds come from best responses to the strategies found, in exact arithmetic, whatever solver found them. Where
    they are equal, both strategies are optimal and the value is exact.

    Parameters
    ----------
    game
        The rules: one of `ruse.games`, or any object with the seven methods of `ruse.Game`.
    solver
        A name that `ruse solve --help` lists; "auto" chooses, and `Solution.why` says why.
    gap
        An iterating solver stops when the bounds are this far apart.
    time
        The whole run, building and certifying included, takes at most about so many seconds: what is proved by then
        is the answer.
    iterations
        An iterating solver stops after so many.
    seed
        For solvers that sample: same seed, same run.
    checkpoint
        The file in which an iterating run is kept.
    resume
        Go on from the checkpoint, if there is one.
    log
        The CSV file to which an iterating run writes its bounds.
    polish
        Turn what an iterating solver found into an exact solution.
    teams, symmetry, forced, refine
        Which reductions to make.
    method
        How HiGHS solves a linear program: "simplex" or "ipm".
    side
        From whose point of view a linear program is written.
    shortcuts
        Whether simple strategies that prove each other optimal are enough; otherwise a linear program is solved.
    tidy
        Whether time goes into plainer strategies, where those found can be; otherwise they stay as they are.
    precision
        For runs on public trees: "float64" or "float32".
    device
        For runs on public trees: "cpu" or "gpu".
    threads
        For cfr and its variants and for finding symmetry, whose results are the same for any number: all cores, unless
        given.
    report
        Is called with what is being done, and the bounds so far.

    Returns
    -------
    Solution
        Strategies for both sides and their certificate.

    Raises
    ------
    RuseError
        The game breaks the contract, is too large, or does not suit the solver.

    Examples
    --------
    >>> import ruse
    >>> solution = ruse.solve(ruse.games.kuhn())
    >>> solution.value, solution.certificate.exact
    (Fraction(-1, 18), True)
    >>> solution.strategy("second").at("kuhn@Q/bet")
    {'fold': Fraction(2, 3), 'call': Fraction(1, 3)}
    >>> ruse.solve(ruse.games.kuhn(), "cfr+", gap=1e-3, polish=True).value
    Fraction(-1, 18)
    """
    game = as_game(game)
    spec = find(solver)
    asked = Asked(
        gap,
        time,
        iterations,
        seed,
        polish,
        teams,
        symmetry,
        forced,
        refine,
        method,
        side,
        shortcuts,
        tidy,
        precision,
        device,
        threads,
    )
    asked.check()
    kept = Kept(None if checkpoint is None else Path(checkpoint), resume, None if log is None else Path(log))
    if resume and checkpoint is None:
        raise UnknownSolver("expected a checkpoint to resume from, got none")
    if checkpoint is not None and solver != AUTO and not spec.iterates:
        raise UnknownSolver(f"expected a solver that iterates for a checkpoint, such as pdcfr+, got {solver}")
    if kept.log is not None:
        try:
            atomic_files.check_writable(kept.log)
        except (OSError, ValueError) as error:
            raise UnknownSolver(f"cannot write the log {kept.log}: {atomic_files.reason(error)}") from error
    if kept.checkpoint is not None:
        check_new(kept.checkpoint, resume)
        check_settings(kept.checkpoint, {"device": device, "precision": precision})
    if isinstance(game, Own) and (found_methods := lookalikes(game)):
        warn_once(f"{game.title}: {hint(found_methods)}")
    started = perf_counter()
    with clock.deadline(None if time is None else time * (1 - TIDYING)), declared_by(game, "solving"):
        try:
            found = _find(checked(game), spec, asked, kept, report)
            found = certified(game, found, report, seats=not (found.filed or (asked.teams and asked.symmetry)))
        except clock.TimeIsUp as error:
            found = certified(game, _unfound(checked(game), solver, error), report)
        solution = _solution(game, found, asked, started)
        try:
            _ = solution.win  # which may have to be found out
        except clock.TimeIsUp:
            solution.__dict__["win"] = {}
    if kept.log is not None and not found.points:
        _log_one_step(kept.log, found, solution.seconds)
    return solution


def _solution(game: Game, found: Found, asked: Asked, started: float) -> Solution:
    options = asked.unusual() | {name: True for name in ("filed", "unjudged", "unwritten") if getattr(found, name)}
    if found.stopped:
        options["stopped"] = found.stopped
    return Solution(
        game,
        found.solver,
        found.tables,
        found.certificate,
        perf_counter() - started,
        found.iterations,
        options,
        dict(_versions()),
        found.why,
        found.note,
        tuple(found.points),
    )


def _unfound(game: Game, solver: str, error: clock.TimeIsUp) -> Found:
    """What is known of any play, where the time was up before more was proved."""
    try:
        lower, upper = payoff_range(game)
    except GameError:
        raise error from None
    note = str(error) if isinstance(error, NotCompiled) else "the time was up before anything was proved"
    return Found(
        solver, UNWRITTEN, Certificate(lower, upper), 0, note=note, unjudged=True, unwritten=True, stopped="time"
    )


def _find(game: Game, spec: SolverSpec, asked: Asked, kept: Kept, report: Report) -> Found:
    """The way that fits the game and the solver."""
    if asked.device != "cpu":
        return solve_on_device(game, spec, asked, kept, report)
    if sentence := refusal(spec, game):
        raise UnknownSolver(sentence)
    check_precision(game, spec, asked)
    own = own_way(game, spec.name) if kept.checkpoint is None else None
    if own is not None and not (sentence := own.refusal(asked)):
        found = go(own, game, spec.name, asked, report)
        return replace(found, why=found.why * (spec.name == AUTO))
    if spec.goes_by == "game":
        raise UnknownSolver(sentence)
    if isinstance(game, Memoryless) and kept.checkpoint is not None:
        raise UnknownSolver(f"expected no checkpoint for {game.name}, whose solvers do not need one")
    if spec.goes_by == "states":
        if not isinstance(game, Memoryless | ByClass) and not size_estimate.fits(game):
            raise size_estimate.too_large(game, f"for the solver {spec.name}")
        return _by_states(game, spec, report)
    if spec.name == AUTO and kept.checkpoint is None and (chosen := by_states(game)) is not None:
        solver, why = chosen
        return _by_states(game, find(solver), report, why)
    return _on_tree(game, spec, asked, kept, report)


def _by_states(game: Game, spec: SolverSpec, report: Report, why: str = "") -> Found:
    """Solve without a tree, and see what the strategies are worth."""
    call_optional(Memoryless.check_countable, game, f"for the solver {spec.name}")
    given: Strategies = spec.start(Task(spec.name, game, report=report))
    report("certifying", None, None)
    return Found(spec.name, given.tables, bounds(game, given.tables), given.iterations, why)


def _on_tree(game: Game, spec: SolverSpec, asked: Asked, kept: Kept, report: Report) -> Found:
    """Write the sequence form down, solve it, and write the strategies down."""
    public = game if isinstance(game, Public) and goes_by_public_tree(game, spec, asked, kept) else None
    if public is not None and not wants_all(spec, asked, kept):
        try:
            return solve_public(public, spec, asked, kept, report)
        except NotCompiled:
            if not _form_instead(game, spec, asked, kept):
                raise
            public = None
    samples = spec.goes_by == "samples"
    listed, whole = (writable(game), walked_as_it_is(game, asked)) if isinstance(game, ByClass) else (True, True)
    needed = form_memory.needs(game, spec, listed) if whole else None
    refine = asked.refine or samples
    if public is not None and (needed is None or not form_memory.soon_seen(game, needed)):
        return solve_public(public, spec, asked, kept, report)
    if isinstance(game, ByClass):
        check_walk(game, asked, needed)
    elif needed is not None and not form_memory.fits(needed, refine):  # first, because a reduction may walk the game
        if spec.name != AUTO and not samples:
            raise form_memory.too_large(game, needed, refine=refine)
        return _sampled(game, spec, asked, kept, report)
    begun = perf_counter()
    small = _small(game, spec, asked)
    if needed is None or small is not game:
        needed = form_memory.needs(small, spec, listed)
    form = sequence_form(small, form_memory.tell(small, needed, report))
    smaller: list[SmallerForm] = [] if samples else _smaller(form, asked, kept)
    alike = any(isinstance(one, RefinedForm) for one in smaller)
    if public is not None and not alike and not form_memory.solved_as_it_is(needed):
        del form
        return solve_public(public, spec, asked, kept, report)
    solvable = smaller[-1].form if smaller else form
    form_memory.check_solver(solvable, small, spec)
    report(f"solving {solvable.trees[0].sequences:,} × {solvable.trees[1].sequences:,} sequences", None, None)
    takes = writing_takes(game, small, form, perf_counter() - begun, asked)
    quick = sum(tree.sequences for tree in solvable.trees) + len(solvable.payoffs) <= QUICK
    writes = at_once(game, small, takes, asked)
    with clock.leaving(takes if writes else 0.0, MOMENT if quick else -inf):
        found = solve_form(small, solvable, spec.name, asked, kept, report)
    note = "; ".join(filter(None, (smaller[-1].note if smaller else "", found.note)))
    found = replace(found, note=note)
    if not (writes and in_time(takes, asked)):
        return later(found, game, small, form, smaller, asked)
    with clock.regardless():  # the search is over: time was left for what follows
        plans = grown(found, smaller)
        if smaller:
            found = replace(found, certificate=certify(form, plans))
        return written(found, plans, game, small, form, asked, report)


def _form_instead(game: Game, spec: SolverSpec, asked: Asked, kept: Kept) -> bool:
    """Whether a game whose sweeps on a public tree are not compiled in time may be solved on its sequence form."""
    if kept.checkpoint is not None or asked.precision != PRECISIONS[0]:
        return False
    return form_memory.fits(form_memory.needs(game, spec), asked.refine)


def _smaller(form: SequenceForm, asked: Asked, kept: Kept) -> list[SmallerForm]:
    """Forms that are solved sooner, each made of the one before."""
    found: list[SmallerForm] = []
    if asked.forced and (forced := without_forced(form)) is not None:
        found.append(forced)
        form = forced.form
    if asked.refine and sum(tree.sequences for tree in form.trees) >= MANY:
        kept_on = kept.checkpoint is not None  # such a run goes on only on the same form
        alike = refined(form, threads=asked.threads) if kept_on else _refined_in_time(form, asked)
        found += [] if alike is None else [alike]
    return found


def _refined_in_time(form: SequenceForm, asked: Asked) -> RefinedForm | None:
    """The form of classes, if it is found in half of the time that is left."""
    with suppress(clock.TimeIsUp), clock.leaving(inf):
        if is_large(form):
            check_compiled(*COLOURS)
        return refined(form, threads=asked.threads)
    return None


def _sampled(game: Game, spec: SolverSpec, asked: Asked, kept: Kept, report: Report) -> Found:
    """Strategies for a game whose tree does not fit, where the run has been; elsewhere even odds."""
    from ruse.solvers.sampled import TooWide

    if spec.name != AUTO:
        return solve_unjudged(game, spec.name, asked, kept, report)
    (usual, why), (narrower, why_narrower) = SAMPLING
    told = memory_told(game, asked) if isinstance(game, Public) else ""
    try:
        found = replace(solve_unjudged(game, usual, asked, kept, report), why=why)
    except TooWide:
        found = replace(solve_unjudged(game, narrower, asked, kept, report), why=why_narrower)
    return replace(found, why="; ".join(filter(None, (found.why, told))))


def _small(game: Game, spec: SolverSpec, asked: Asked) -> Game:
    """The game to walk. Iterating solvers take games with rules on arrays as they are: walking those is quicker."""
    iterating = spec.iterates or (spec.name == AUTO and asked.gap)
    if isinstance(game, Bulk) and not isinstance(game, ByClass) and (iterating or not isinstance(game, Symmetric)):
        return game
    return reduce(game, teams=asked.teams, symmetry=asked.symmetry)


def _log_one_step(path: Path, found: Found, seconds: float) -> None:
    """The log of a solver that does not iterate: its answer."""
    from ruse.solution.history import Log, Point

    Log(path, [Point.of(found.iterations, seconds, found.certificate)])


@cache
def _versions() -> tuple[tuple[str, str], ...]:
    """What was used; looking it up takes longer than many a solve."""
    found = {"python": platform.python_version()}
    for package in ("ruse", "numpy", "scipy", "highspy", "numba"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:  # run from a source tree
            found[package] = "source"
    return tuple(found.items())
