"""The commands for designers: sweep, balance and compare."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from contextlib import ExitStack
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ruse.cli.commands import UsageError, all_writable, saved_before_printing
from ruse.core import atomic_files
from ruse.core.game import RuseError
from ruse.core.registry import UnknownGame
from ruse.present.console import Progress, print_json

if TYPE_CHECKING:
    from ruse.solution.strategy import Solution
    from ruse.studio.report import StudioReport
    from ruse.studio.sweep import Sweep

# Options that are part of what a report was asked.
REPORTED = (
    "where", "metrics", "metric", "most", "time", "time_each", "around", "lines", "target", "near", "changes", "pareto",
    "free", "at", "no_positions",
)  # fmt: skip


def sweep(given: argparse.Namespace) -> int:
    from ruse.present.figures import check_picture
    from ruse.studio import files, words
    from ruse.studio import report as reports
    from ruse.studio.sweep import sweep

    if given.around:
        return _around(given)
    out, plot, report = all_writable(given, ("out", "plot", "report"))
    _check_report(report)
    if plot is not None:
        check_picture(plot)
    with ExitStack() as stack:
        if out is not None:
            files.kind(out)
            stack.enter_context(files.alone(out))
        with Progress(sys.stderr, "sweeping") as progress:
            result = sweep(
                given.game,
                given.parameters,
                where=given.where,
                most=given.most,
                yes=given.yes,
                time=given.time,
                time_each=given.time_each,
                lines=given.lines,
                metrics=_metrics(given),
                engine=given.engine,
                address=given.address,
                workers=given.workers,
                fresh=given.fresh,
                begun=None if out is None else partial(files.check_ours, out),
                kept=None if out is None else partial(_keep, out),
                report=progress.report,
            )
        if not result.rows:
            raise RuseError(
                "stopped before the first variant was solved; give it more time"
                if not result.failed
                else _failed(result)
            )
        saves: list[Callable[[], object]] = []
        if out is not None:
            saves.append(partial(files.write, result, out))
        if plot is not None:
            saves.append(partial(_draw, result, plot))
        if report is not None:
            saves.append(partial(_report, reports.of_sweep, result, report, given))
        with saved_before_printing(saves):
            if given.json:
                print_json(result.to_json())
            else:
                print(words.format_sweep(result))
    if not result.complete:
        print(
            f"ruse: stopped early with {len(result):,} of {len(result.variants):,} variants; "
            "run the same command again to continue",
            file=sys.stderr,
        )
    return 0


def _metrics(given: argparse.Namespace) -> bool | list[str]:
    """Whether to measure variants, or the files with metrics of one's own."""
    return given.metric or bool(given.metrics)


def _check_report(path: Path | None) -> None:
    """Refuse a name that is no report's, before anything is solved."""
    from ruse.studio.report import check_name

    if path is not None:
        check_name(path)


def _report(
    made: Callable[[Any, str], StudioReport], result: object, path: Path, given: argparse.Namespace, verb: str = "sweep"
) -> None:
    """Write what was found as one page, with the command that makes it again."""
    from ruse.studio.report import command_line

    options = {name: value for name, value in vars(given).items() if name in REPORTED}
    games = given.variants if verb == "compare" else [given.game]
    command = command_line(verb, games, {**given.parameters, **options, "game": getattr(given, "own", None)})
    made(result, command).write(path)


def _around(given: argparse.Namespace) -> int:
    from ruse.studio import report as reports
    from ruse.studio import words
    from ruse.studio.around import around

    for option in ("out", "plot", "where", "most"):
        if getattr(given, option) is not None:
            raise UsageError(f"--around does not support --{option}: leave it out")
    (report,) = all_writable(given, ("report",))
    _check_report(report)
    with Progress(sys.stderr, "solving neighbouring variants") as progress:
        settings = {
            name: getattr(given, name) for name in ("time", "time_each", "engine", "address", "workers", "fresh")
        }
        neighbours = around(given.game, given.parameters, report=progress.report, **settings)
    saves = [] if report is None else [partial(_report, reports.of_sensitivity, neighbours, report, given)]
    with saved_before_printing(saves):
        if given.json:
            print_json(neighbours.to_json())
        else:
            print(words.format_sensitivity(neighbours))
    return 0


def _failed(result: Sweep) -> str:
    which, why = next(iter(result.failed.items()))
    return f"no variant could be solved; the first is {which}: {why}"


def _keep(path: Path, result: Sweep) -> None:
    """Write the rows so far; if that fails, warn and continue, because the rows are also in the cache."""
    from ruse.studio import files

    try:
        files.write(result, path)
    except RuseError as error:
        atomic_files.warn(f"{error}; the sweep continues")


def _draw(result: Sweep, path: Path) -> None:
    from ruse.studio.pictures import draw

    draw(result, path)


def balance(given: argparse.Namespace) -> int:
    from ruse.studio import report as reports
    from ruse.studio import words
    from ruse.studio.balance import balance, target_of
    from ruse.studio.crossings import is_real

    if is_real(given.parameters):
        return _crossings(given, target_of(given.target))
    (report,) = all_writable(given, ("report",))
    _check_report(report)
    with Progress(sys.stderr, "searching") as progress:
        result = balance(
            given.game,
            given.parameters,
            target=given.target,
            near=given.near,
            changes=given.changes,
            pareto=given.pareto,
            free=given.free,
            lines=given.lines,
            where=given.where,
            metrics=given.metric or (),
            time=given.time,
            time_each=given.time_each,
            report=progress.report,
        )
    saves = [] if report is None else [partial(_report, reports.of_balance, result, report, given, "balance")]
    with saved_before_printing(saves):
        if given.json:
            print_json(result.to_json())
        else:
            print(words.format_balance(result))
    if not result.proved:
        print(
            "ruse: not proved: the search stopped early, or a variant has only bounds; give it more time",
            file=sys.stderr,
        )
    return 0 if result.proved else 1


def _crossings(given: argparse.Namespace, target: Fraction) -> int:
    """Search an interval of one parameter."""
    from ruse.studio import words
    from ruse.studio.crossings import crossings

    for option in ("near", "changes", "pareto", "free", "lines", "where", "time_each", "report"):
        if getattr(given, option):
            raise UsageError(f"an interval does not support --{option.replace('_', '-')}: leave it out")
    with Progress(sys.stderr, "tracing the value") as progress:
        result = crossings(given.game, given.parameters, target=target, time=given.time, report=progress.report)
    if given.json:
        print_json(result.to_json())
    else:
        print(words.format_crossings(result))
    if not result.proved:
        print("ruse: not proved: the search stopped early; give it more time", file=sys.stderr)
    return 0 if result.proved else 1


def compare(given: argparse.Namespace) -> int:
    from ruse.core.registry import know
    from ruse.studio import report as reports
    from ruse.studio import words
    from ruse.studio.compare import compare

    (report,) = all_writable(given, ("report",))
    _check_report(report)
    if given.own is not None:
        know(given.own)  # so that ruse can read the titles of its variants
    with Progress(sys.stderr, "solving") as progress:
        solutions = [_solution(spelled, given) for spelled in given.variants]
        comparison = compare(solutions, given.at or (), look=not given.no_positions, report=progress.report)
    saves = [] if report is None else [partial(_report, reports.of_comparison, comparison, report, given, "compare")]
    with saved_before_printing(saves):
        if given.json:
            print_json(comparison.to_json())
        else:
            print(words.format_comparison(comparison, given.full))
    return 0


def _solution(spelled: str, given: argparse.Namespace) -> Solution:
    """A saved solution, or the solution of a game given by its title."""
    from ruse.core.game import PositionError
    from ruse.core.registry import find, game_of
    from ruse.solution.store import load
    from ruse.solving.pipeline import solve

    if spelled.endswith(".ruse"):
        return load(spelled, given.own)
    try:
        game = game_of(spelled)
    except (PositionError, UnknownGame):
        game = find(spelled)
    return solve(game)
