"""`ruse.solve`: from a game to a certified solution, by the first route that accepts it (ruse.solving.routes)."""

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
from ruse.solution.checkpoint import check_new, check_settings
from ruse.solution.strategy import Solution
from ruse.solvers import AUTO, SolverSpec, UnknownSolver, solver_spec
from ruse.solvers.outside import check_resumable
from ruse.solving.certify import certified
from ruse.solving.declarations import hint, lookalikes
from ruse.solving.on_form import MOMENT
from ruse.solving.options import SolveOptions, takes_options
from ruse.solving.request import SolveRequest
from ruse.solving.result import UNWRITTEN, SolveResult
from ruse.solving.routes import solve_request
from ruse.solving.tables import is_written_later

TIDYING = 0.05  # of the time, to clear away what was built


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
    if isinstance(game, Own) and (methods := lookalikes(game)):
        warn_once(f"{game.title}: {hint(methods)}")
    started, time = perf_counter(), settings.time
    most = None if time is None else time * (1 - TIDYING)
    least = -inf if most is None else min(most, MOMENT)  # importing this may have taken all of the time
    with clock.deadline(most), clock.leaving(0.0, least), declared_by(game, "solving"):
        try:
            result = solve_request(SolveRequest(checked(game), spec, settings, report))
            by_seat = not (result.filed or (settings.teams and settings.symmetry))
            result = certified(game, result, report, seats=by_seat)
        except clock.TimeIsUp as error:
            result = certified(game, _nothing_proved(checked(game), spec.name, error), report)
        solution = _solution(game, result, settings, started)
        _look_for_wins(solution)
    if settings.log is not None and not result.points:
        _log_one_step(Path(settings.log), result, solution.seconds)
    return solution


def _checked_options(spec: SolverSpec, given: Mapping[str, Any]) -> SolveOptions:
    """The options, once nothing is wrong with them and the files that they name."""
    known = [one.name for one in fields(SolveOptions)]
    for name in given:
        if name not in known:
            close = "".join(f"; did you mean {one!r}?" for one in get_close_matches(name, known, 1))
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
        check_new(files.checkpoint, options.resume)
        check_settings(files.checkpoint, {"device": options.device, "precision": options.precision})
    return options


def _look_for_wins(solution: Solution) -> None:
    """Find out how often each side wins; leave that empty where there is no time for it, or for what it needs."""
    try:
        wins = {} if is_written_later(solution.tables) and len(solution.game.wins) > 2 else solution.win
    except clock.TimeIsUp:
        wins = {}
    solution.__dict__["win"] = wins  # as cached


def _solution(game: Game, result: SolveResult, options: SolveOptions, started: float) -> Solution:
    record = options.unusual() | {name: True for name in ("filed", "unjudged", "unwritten") if getattr(result, name)}
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
    )


def _nothing_proved(game: Game, solver: str, error: clock.TimeIsUp) -> SolveResult:
    """What is known of any play, where the time was up before more was proved."""
    try:
        lower, upper = payoff_range(game)
    except GameError:
        raise error from None
    note = str(error) if isinstance(error, NotCompiled) else "time ran out before anything was proved"
    return SolveResult(
        solver, UNWRITTEN, Certificate(lower, upper), 0, note=note, unjudged=True, unwritten=True, stopped="time"
    )


def _log_one_step(path: Path, result: SolveResult, seconds: float) -> None:
    """The log of a solver that does not iterate: its answer."""
    from ruse.solution.history import Log, Point

    Log(path, [Point.of(result.iterations, seconds, result.certificate)])


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
