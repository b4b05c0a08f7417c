"""`ruse.solve`: solve a game by the first route that accepts it (ruse.solving.routes), and certify the solution."""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping
from dataclasses import fields
from difflib import get_close_matches
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from math import inf
from pathlib import Path
from time import perf_counter
from typing import Any

from ruse.core import atomic_files, clock
from ruse.core.capabilities import payoff_range
from ruse.core.certificate import Certificate
from ruse.core.contract import checked, declared_by
from ruse.core.entry_points import warn_once
from ruse.core.game import Game, GameError, Rules
from ruse.core.own import Own, as_game
from ruse.core.types import Report
from ruse.kernels import NotCompiled
from ruse.solution.strategy import Solution
from ruse.solvers import AUTO, SolverSpec, UnknownSolver, solver_spec
from ruse.solvers.outside import check_resumable
from ruse.solving.certify import certified
from ruse.solving.options import MOMENT, SolveOptions, takes_options
from ruse.solving.result import UNWRITTEN, SolveResult, is_written_later
from ruse.solving.routes import SolveRequest, solve_request

TIDYING = 0.05  # share of the time for freeing memory at the end


@takes_options
def solve(
    game: Rules,
    solver: str | SolverSpec | Callable[..., Any] = "auto",
    *,
    report: Report = lambda *_: None,
    **options: Any,
) -> Solution:
    """Find optimal strategies for both sides (a Nash equilibrium), with exact bounds on the value.

    The bounds come from best responses to both strategies, in exact arithmetic, whatever solver found them. Where they
    are equal, both strategies are optimal and the value is exact.

    Parameters
    ----------
    game
        The rules: one of `ruse.games`, or any object with the seven methods of `ruse.Game`.
    solver
        A name that `ruse solve --help` lists; "auto" chooses, and `Solution.why` says why. Or a solver of your own: a
        class, a function or a generator function (docs/how-to/write-a-solver.md).
    **options
        The fields of `ruse.SolveOptions`, such as `gap=1e-6` or `time=60`.
    report
        A function that is called with a text on what is being done, and with the bounds so far.

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
    spec = solver_spec(solver)
    if options.get("checkpoint") is not None:
        check_resumable(solver)
    solution = _certified_solution(as_game(game), spec, _checked_options(spec, options), report)
    if not isinstance(solver, str) and solution.options.get("stopped") == "error":
        warn_once(solution.note)  # whoever writes a solver wants to hear of its faults
    return solution


def _certified_solution(game: Game, spec: SolverSpec, settings: SolveOptions, report: Report) -> Solution:
    if isinstance(game, Own):
        _warn_of_undeclared(game)
    started, time = perf_counter(), settings.time
    most = None if time is None else time * (1 - TIDYING)
    least = -inf if most is None else min(most, MOMENT)
    with clock.deadline(most), clock.leaving(0.0, least), declared_by(game, "solving"):
        try:
            result = solve_request(SolveRequest(checked(game), spec, settings, report))
            by_seat = not (result.by_class or (settings.teams and settings.symmetry))
            result = certified(game, result, report, seats=by_seat)
        except clock.TimeIsUp as error:
            result = certified(game, _nothing_proved(checked(game), spec.name, error), report)
        solution = _solution(game, result, settings, started)
        _look_for_wins(solution)
    if settings.log is not None and not result.points:
        _log_one_step(Path(settings.log), result, solution.seconds)
    return solution


def _warn_of_undeclared(game: Game) -> None:
    """Warn of methods that look like capabilities that the game does not declare."""
    from ruse.solving.declarations import hint, lookalikes

    if methods := lookalikes(game):
        warn_once(f"{game.title}: {hint(methods)}")


def _checked_options(spec: SolverSpec, given: Mapping[str, Any]) -> SolveOptions:
    """Check the options and the files that they name."""
    known = [option.name for option in fields(SolveOptions)]
    for name in given:
        if name not in known:
            close = "".join(f"; did you mean {name_alike!r}?" for name_alike in get_close_matches(name, known, 1))
            raise TypeError(f"solve() got an unexpected keyword argument {name!r}{close}")
    options = SolveOptions(**given)
    options.check()
    if options.checkpoint is not None and spec.name != AUTO and not spec.iterates:
        raise UnknownSolver(
            f"{spec.name} does not iterate and cannot use a checkpoint: use an iterating solver, such as pdcfr+"
        )
    files = options.files()
    if files.log is not None:
        try:
            atomic_files.check_writable(files.log)
        except (OSError, ValueError) as error:
            raise UnknownSolver(f"cannot write the log {files.log}: {atomic_files.reason(error)}") from error
    if files.checkpoint is not None:
        from ruse.solution.checkpoint import check_new, check_settings

        check_new(files.checkpoint, options.resume)
        check_settings(files.checkpoint, {"device": options.device, "precision": options.precision})
    return options


def _look_for_wins(solution: Solution) -> None:
    """Compute how often each side wins; leave that empty if there is no time for it."""
    try:
        wins = {} if is_written_later(solution.tables) and len(solution.game.wins) > 2 else solution.win
    except clock.TimeIsUp:
        wins = {}
    solution.__dict__["win"] = wins  # as cached


def _solution(game: Game, result: SolveResult, options: SolveOptions, started: float) -> Solution:
    flags = {"filed": result.by_class, "unjudged": result.unjudged, "unwritten": result.unwritten}  # names in files
    record = options.unusual() | {name: True for name, flag in flags.items() if flag}
    if result.stopped:
        record["stopped"] = result.stopped
    return Solution(
        game,
        result.solver,
        result.tables,
        result.certificate,
        perf_counter() - started,
        result.iterations,
        record,
        dict(_versions()),
        result.why,
        result.note,
        tuple(result.points),
        result.reductions,
        result.mistakes,
        result.route,
        result.declined,
    )


def _nothing_proved(game: Game, solver: str, error: clock.TimeIsUp) -> SolveResult:
    """Return the range of the payoffs as bounds, because time ran out before more was proved."""
    try:
        lower, upper = payoff_range(game)
    except GameError:
        raise error from None
    note = str(error) if isinstance(error, NotCompiled) else "time ran out before anything was proved"
    return SolveResult(
        solver, UNWRITTEN, Certificate(lower, upper), 0, note=note, unjudged=True, unwritten=True, stopped="time"
    )


def _log_one_step(path: Path, result: SolveResult, seconds: float) -> None:
    """Write the log of a solver that does not iterate: one line with its bounds."""
    from ruse.solution.history import Log, Point

    Log(path, [Point.of(result.iterations, seconds, result.certificate)])


@cache
def _versions() -> tuple[tuple[str, str], ...]:
    """The versions of Python and the packages; looking them up takes longer than solving a small game."""
    versions = {"python": platform.python_version()}
    for package in ("ruse", "numpy", "scipy", "highspy", "numba"):
        try:
            versions[package] = version(package)
        except PackageNotFoundError:  # run from a source tree
            versions[package] = "source"
    return tuple(versions.items())
