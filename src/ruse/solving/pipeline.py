"""From a game to a certified solution: reduce, solve, lift, certify. The only place that knows games and solvers."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from math import inf
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from threadpoolctl import threadpool_limits

from ruse.core import atomic_files, clock, size_estimate
from ruse.core.capabilities import Bulk, Filed, Memoryless, Open, Symmetric, payoff_range
from ruse.core.contract import checked
from ruse.core.game import Game, GameError, describe
from ruse.core.own import as_game
from ruse.core.types import Tables
from ruse.forms.certificate import Certificate, certify
from ruse.forms.reductions import reduce
from ruse.forms.reductions.forced import without_forced
from ruse.forms.sequence_form import SequenceForm, sequence_form
from ruse.games.four_in_a_row.rules import FourInARow
from ruse.games.phantom.rules import Unseen
from ruse.solution.checkpoint import check_new
from ruse.solution.strategy import Solution
from ruse.solvers import ITERATING, SAMPLING, SOLVERS
from ruse.solvers.plans import Solved
from ruse.solving.by_state import ITERATION, induce, solve_by_state
from ruse.solving.lazy import LAZY, MOST_POSITIONS, PROVED, SIMPLE, Lazy, check_walk, filed_instead, solve_lazily
from ruse.solving.on_form import even, sample_unjudged, solve_form
from ruse.solving.options import Asked, Kept, Report, UnknownSolver
from ruse.solving.tables import as_tables, lifted_tables, odds_of
from ruse.verify.dispatch import bounds

if TYPE_CHECKING:
    from ruse.solution.history import Point


TIDYING = 0.05  # of the time, to clear away what was built
LIFTED = 6.0  # times as long as building a form does it take to undo reductions, and to certify that
FEW = 50  # information sets, to measure how long it takes to write all of them down
SEQUENCE = 1e-5  # seconds, for the fractions of one
MOST_VISITED = 100_000  # nodes of a traversal of external sampling: a second, during which nothing else happens


class Found(NamedTuple):
    """What the ways to a solution end in."""

    solver: str
    tables: Tables
    certificate: Certificate
    iterations: int
    why: str = ""
    note: str = ""
    points: Sequence[Point] = ()
    filed: bool = False  # strategies by class, though reductions were off
    unjudged: bool = False  # bounds that say no more than the payoffs
    unwritten: bool = False  # no strategies, as there was no time to write them down


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
    method: str = "simplex",
    side: int = 0,
    shortcuts: bool = True,
    report: Report = lambda *_: None,
) -> Solution:
    """Optimal strategies for both sides, with exact bounds on the value.

    The whole run, building and certifying included, takes at most about `time` seconds: what is proved by then is the
    answer. An iterating solver stops when the bounds are `gap` apart or after `iterations`; it is kept in the file
    `checkpoint`, from which `resume` goes on, and writes its bounds to the file `log`. `polish` then turns what was
    found into an exact solution. `teams`, `symmetry` and `forced` switch the reductions; `method` ("simplex"
    or "ipm") and `side` say how and from whose point of view an LP is written; without `shortcuts` an LP is solved
    even where simple strategies prove each other optimal. `report` hears what is being done.
    """
    game = as_game(game)
    if solver not in SOLVERS:
        raise UnknownSolver(f"expected a solver out of {', '.join(SOLVERS)}, got {solver!r}")
    asked = Asked(gap, time, iterations, seed, polish, teams, symmetry, forced, method, side, shortcuts)
    asked.check()
    kept = Kept(None if checkpoint is None else Path(checkpoint), resume, None if log is None else Path(log))
    if resume and checkpoint is None:
        raise UnknownSolver("expected a checkpoint to resume from, got none")
    if checkpoint is not None and solver != "auto" and solver not in ITERATING:
        raise UnknownSolver(f"expected a solver that iterates for a checkpoint, such as pdcfr+, got {solver}")
    if kept.log is not None:
        try:
            atomic_files.check_writable(kept.log)
        except (OSError, ValueError) as error:
            raise UnknownSolver(
                f"expected a file for the log, got {atomic_files.reason(error)} ({kept.log})"
            ) from error
    if kept.checkpoint is not None:
        check_new(kept.checkpoint, resume)
    started = perf_counter()
    with clock.deadline(None if time is None else time * (1 - TIDYING)):
        try:
            found = _find(checked(game), solver, asked, kept, report)
        except clock.TimeIsUp as error:
            found = _unfound(checked(game), solver, error)
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
    note = "the time was up before anything was proved but what the game can pay"
    return Found(solver, ({}, {}), Certificate(lower, upper), 0, note=note, unjudged=True, unwritten=True)


def _find(game: Game, solver: str, asked: Asked, kept: Kept, report: Report) -> Found:
    """The way that fits the game and the solver."""
    if solver == LAZY and not isinstance(game, Lazy):
        raise UnknownSolver(f"expected resistance for the solver lazy-lp, got {game.name}: use auto")
    if solver == LAZY and not asked.reduced:
        raise UnknownSolver("expected all reductions on for the solver lazy-lp: use lp to switch them off")
    anew = solver == "auto" and kept.checkpoint is None
    if isinstance(game, Lazy) and asked.reduced and (solver == LAZY or anew):
        with threadpool_limits(1):  # many small products: more threads only wait for each other
            lazily = solve_lazily(game, asked, report)
        why, note = "it is made for this game", lazily.note
        if lazily.solver == SIMPLE:  # whoever asked for the LP hears why there was none
            why, note = PROVED, note if anew else f"{PROVED}, so no LP was needed"
        return Found(lazily.solver, lazily.tables, lazily.certificate, lazily.rounds, why * anew, note)
    if isinstance(game, Unseen) and (anew or (solver == "double-oracle" and kept.checkpoint is None)):
        from ruse.games.phantom.solve import solve_unseen  # compiled

        tables, certificate, rounds, note = solve_unseen(game, asked, report)
        return Found("double-oracle", tables, certificate, rounds, "both sides play lists unseen" * anew, note)
    if isinstance(game, FourInARow) and (anew or solver == "alpha-beta"):
        from ruse.games.four_in_a_row.solve import solve_four  # compiled

        tables, certificate, tried, note, judged = solve_four(game, asked, report)
        why = "it is made for this game" * anew
        return Found("alpha-beta", tables, certificate, tried, why, note, unjudged=not judged)
    if solver == "alpha-beta":
        raise UnknownSolver(f"expected 4-in-a-row for the solver alpha-beta, got {game.name}")
    if isinstance(game, Memoryless):
        name, tables, done, why = solve_by_state(game, solver, kept, report)
        report("certifying", None, None)
        return Found(name, tables, bounds(game, tables), done, why)
    if solver == ITERATION:
        raise UnknownSolver(f"expected a game without secrets that goes by states for {ITERATION}, got {game.name}")
    if solver == "backward-induction" and not isinstance(game, Lazy) and not size_estimate.fits(game):
        raise size_estimate.too_large(game, "for the solver backward-induction")
    if solver == "backward-induction" or (anew and isinstance(game, Open) and isinstance(game, Filed)):
        tables, boards = induce(game)
        return Found(
            "backward-induction", tables, bounds(game, tables), boards, "the game has no secrets" * (solver == "auto")
        )
    return _on_tree(game, solver, asked, kept, report)


def _on_tree(game: Game, solver: str, asked: Asked, kept: Kept, report: Report) -> Found:
    """Write the sequence form down, solve it, and write the strategies down."""
    if isinstance(game, Lazy):
        check_walk(game, asked.symmetry)
    elif not size_estimate.fits(game):  # asked first, because a reduction may walk the game
        if solver not in ("auto", *SAMPLING):
            raise size_estimate.too_large(
                game, f"for the solver {solver}", "use mccfr, which never builds the tree, or smaller parameters"
            )
        return _sampled(game, solver, asked, kept, report)
    begun = perf_counter()
    small = _small(game, solver, asked)
    report("writing down the sequence form", None, None)
    form = sequence_form(small, size_estimate.most_nodes(small))
    forced = without_forced(form) if asked.forced and solver not in SAMPLING else None
    solvable = form if forced is None else forced.form
    report(f"solving {solvable.trees[0].sequences:,} × {solvable.trees[1].sequences:,} sequences", None, None)
    try:
        with clock.leaving(_writing_takes(game, small, form, perf_counter() - begun)):
            outcome = solve_form(small, solvable, solver, asked, kept, report)
    except clock.TimeIsUp:
        outcome = even(solvable, solver)
    solved = outcome.solved
    if forced is not None:
        plans = forced.grown(solved.plans)
        solved = replace(solved, plans=plans, certificate=certify(form, plans))
    found = Found(outcome.solver, ({}, {}), solved.certificate, solved.iterations, outcome.why, outcome.note)
    found = found._replace(points=outcome.points)
    try:
        return _written(found, game, small, form, solved, asked, report)
    except clock.TimeIsUp:
        late = "the time was up before the strategies were written down"
        return found._replace(note=f"{outcome.note}; {late}" if outcome.note else late, unwritten=True)


def _writing_takes(game: Game, small: Game, form: SequenceForm, built: float) -> float:
    """About how many seconds it takes to write the strategies down: measured at some of them, if there is a hurry."""
    if clock.left() == inf:
        return 0.0
    try:
        with clock.leaving(clock.left()):
            form.knowledge[0][:1]  # which a form that was built in bulk finds out only now
        begun = perf_counter()
        for side in (0, 1):
            for knowledge, moves in zip(form.knowledge[side][:FEW], form.moves[side][:FEW], strict=True):
                _ = describe(small, knowledge), [small.label(move) for move in moves]
        each = (perf_counter() - begun) / FEW
    except clock.TimeIsUp:
        return inf  # there will hardly be any
    sequences = sum(tree.sequences for tree in form.trees)
    return each * sequences + SEQUENCE * sequences + (0.0 if small is game else LIFTED * built)


def _written(
    found: Found, game: Game, small: Game, form: SequenceForm, solved: Solved, asked: Asked, report: Report
) -> Found:
    """The strategies of a solved form, as those of the game, with what they are certified for there."""
    filed = False
    if isinstance(game, Lazy) and asked.teams and asked.symmetry:
        tables = game.complete(as_tables(small, odds_of(form, solved)))
    elif isinstance(game, Lazy) and game.nodes(symmetry=False) > MOST_POSITIONS:
        filed = True
        tables = filed_instead(game, solved.certificate, report)
    else:
        report("writing the strategies down", None, None)
        odds = odds_of(form, solved)
        tables = as_tables(game, odds) if small is game else lifted_tables(game, small, odds)
    certificate = solved.certificate
    if small is not game:  # reductions were undone: see what the strategies are worth in the game itself
        report("certifying", None, None)
        certificate = bounds(game, tables, seats=not (filed or (asked.teams and asked.symmetry)))
    return found._replace(tables=tables, certificate=certificate, filed=filed)


def _sampled(game: Game, solver: str, asked: Asked, kept: Kept, report: Report) -> Found:
    """Strategies for a game whose tree does not fit, where the run has been; elsewhere even odds."""
    chosen, why = solver, ""
    visited = size_estimate.traversal(game)
    if solver == "mccfr" and visited > MOST_VISITED:
        raise UnknownSolver(
            f"expected one side's plays in a traversal to have at most {MOST_VISITED:,} nodes for mccfr, "
            f"got about {visited:,} in {game.title}: use mccfr-outcome"
        )
    if solver == "auto":
        chosen = "mccfr" if visited < MOST_VISITED else "mccfr-outcome"
        why = "the tree does not fit in memory" + ", nor do one side's plays in a traversal" * (chosen != "mccfr")
    ended, *odds = sample_unjudged(game, chosen, asked, kept, report)
    tables = as_tables(game, (odds[0], odds[1]))
    return Found(chosen, tables, ended.certified.certificate, ended.iterations, why, points=ended.points, unjudged=True)


def _small(game: Game, solver: str, asked: Asked) -> Game:
    """The game to walk. Iterating solvers take games with rules on arrays as they are: walking those is quicker."""
    iterating = solver in ITERATING or (solver == "auto" and asked.gap)
    if isinstance(game, Bulk) and (iterating or not isinstance(game, Symmetric)):
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
