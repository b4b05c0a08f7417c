"""What the commands for designers do: sweep, balance, compare."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from contextlib import ExitStack
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ruse.cli.commands import UsageError, all_writable, saved_or_told
from ruse.core import atomic_files
from ruse.core.game import RuseError
from ruse.core.registry import UnknownGame
from ruse.present.console import Progress, print_json

if TYPE_CHECKING:
    from ruse.solution.strategy import Solution
    from ruse.studio.sweep import Sweep


def sweep(given: argparse.Namespace) -> int:
    from ruse.present.figures import check_picture
    from ruse.studio import files, words
    from ruse.studio.sweep import sweep

    if given.around:
        return _around(given)
    out, plot = all_writable(given, ("out", "plot"))
    if plot is not None:
        check_picture(plot)
    with ExitStack() as stack:
        if out is not None:
            files.kind(out)
            stack.enter_context(files.alone(out))
        with Progress(sys.stderr, "sweeping") as progress:
            found = sweep(
                given.game,
                given.parameters,
                where=given.where,
                most=given.most,
                yes=given.yes,
                time=given.time,
                time_each=given.time_each,
                lines=given.lines,
                engine=given.engine,
                address=given.address,
                workers=given.workers,
                fresh=given.fresh,
                begun=None if out is None else partial(files.check_ours, out),
                kept=None if out is None else partial(_keep, out),
                report=progress.report,
            )
        if not found.rows:
            raise RuseError(
                "stopped before the first variant was solved; give it more time" if not found.failed else _failed(found)
            )
        saves: list[Callable[[], object]] = []
        if out is not None:
            saves.append(partial(files.write, found, out))
        if plot is not None:
            saves.append(partial(_draw, found, plot))
        with saved_or_told(saves):
            if given.json:
                print_json(found.to_json())
            else:
                print(words.format_sweep(found))
    if not found.complete:
        print(
            f"ruse: stopped early with {len(found):,} of {len(found.variants):,} variants; "
            "run the same command again to continue",
            file=sys.stderr,
        )
    return 0


def _around(given: argparse.Namespace) -> int:
    from ruse.studio import words
    from ruse.studio.around import around

    for option in ("out", "plot", "where", "most"):
        if getattr(given, option) is not None:
            raise UsageError(f"argument --{option}: not with --around")
    with Progress(sys.stderr, "solving neighbouring variants") as progress:
        where = {name: getattr(given, name) for name in ("time", "time_each", "engine", "address", "workers", "fresh")}
        found = around(given.game, given.parameters, report=progress.report, **where)
    if given.json:
        print_json(found.to_json())
    else:
        print(words.format_sensitivity(found))
    return 0


def _failed(found: Sweep) -> str:
    which, why = next(iter(found.failed.items()))
    return f"no variant could be solved; the first is {which}: {why}"


def _keep(path: Path, found: Sweep) -> None:
    """Write what there is so far; if that fails, say so and go on: the rows are kept elsewhere too."""
    from ruse.studio import files

    try:
        files.write(found, path)
    except RuseError as error:
        atomic_files.warn(f"{error}; the sweep continues")


def _draw(found: Sweep, path: Path) -> None:
    from ruse.studio.pictures import draw

    draw(found, path)


def balance(given: argparse.Namespace) -> int:
    from ruse.studio import words
    from ruse.studio.balance import balance, target_of
    from ruse.studio.crossings import is_real

    if is_real(given.parameters):
        return _crossings(given, target_of(given.target))
    with Progress(sys.stderr, "searching") as progress:
        found = balance(
            given.game,
            given.parameters,
            target=given.target,
            near=given.near,
            changes=given.changes,
            pareto=given.pareto,
            free=given.free,
            lines=given.lines,
            where=given.where,
            time=given.time,
            time_each=given.time_each,
            report=progress.report,
        )
    if given.json:
        print_json(found.to_json())
    else:
        print(words.format_balance(found))
    if not found.proved:
        print(
            "ruse: not proved: the search stopped early, or a variant has only bounds; give it more time",
            file=sys.stderr,
        )
    return 0 if found.proved else 1


def _crossings(given: argparse.Namespace, target: Fraction) -> int:
    """Where one parameter may be any number of an interval."""
    from ruse.studio import words
    from ruse.studio.crossings import crossings

    for option in ("near", "changes", "pareto", "free", "lines", "where", "time_each"):
        if getattr(given, option):
            raise UsageError(f"argument --{option}: not with an interval")
    with Progress(sys.stderr, "tracing the value") as progress:
        found = crossings(given.game, given.parameters, target=target, time=given.time, report=progress.report)
    if given.json:
        print_json(found.to_json())
    else:
        print(words.format_crossings(found))
    if not found.proved:
        print("ruse: not proved: the search was stopped; give more time", file=sys.stderr)
    return 0 if found.proved else 1


def compare(given: argparse.Namespace) -> int:
    from ruse.core.registry import know
    from ruse.studio import words
    from ruse.studio.compare import compare

    if given.own is not None:
        know(given.own)  # so that titles of its variants are known, too
    with Progress(sys.stderr, "solving") as progress:
        solutions = [_solution(spelled, given) for spelled in given.variants]
        found = compare(solutions, given.at or (), look=not given.no_positions, report=progress.report)
    if given.json:
        print_json(found.to_json())
    else:
        print(words.format_comparison(found))
    return 0


def _solution(spelled: str, given: argparse.Namespace) -> Solution:
    """A saved solution, or a game by its title, solved now."""
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
