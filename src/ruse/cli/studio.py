"""What the commands for designers do: sweep, balance, compare."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ruse.cli.commands import all_writable, saved_or_told
from ruse.core import atomic_files
from ruse.core.game import RuseError
from ruse.text.console import Progress, print_json

if TYPE_CHECKING:
    from ruse.studio.sweep import Sweep


def sweep(given: argparse.Namespace) -> int:
    from ruse.solution.history import check_picture
    from ruse.studio import files, words
    from ruse.studio.sweep import sweep

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
                engine=given.engine,
                address=given.address,
                workers=given.workers,
                fresh=given.fresh,
                begun=None if out is None else partial(files.check_ours, out),
                kept=None if out is None else partial(_keep, out),
                report=progress.report,
            )
        if not found.rows:
            raise RuseError("stopped before the first variant was solved" if not found.failed else _failed(found))
        saves: list[Callable[[], object]] = []
        if out is not None:
            saves.append(partial(files.write, found, out))
        if plot is not None:
            saves.append(partial(_draw, found, plot))
        with saved_or_told(saves):
            if given.json:
                print_json(found.to_json())
            else:
                print(words.told(found))
    if not found.complete:
        print(
            f"ruse: stopped before the end; {len(found):,} of {len(found.variants):,} variants were kept, and the same "
            "command goes on from there",
            file=sys.stderr,
        )
    return 0


def _failed(found: Sweep) -> str:
    which, why = next(iter(found.failed.items()))
    return f"no variant has an answer, such as {which}: {why}"


def _keep(path: Path, found: Sweep) -> None:
    """Write what there is so far; if that fails, say so and go on: the rows are kept elsewhere too."""
    from ruse.studio import files

    try:
        files.write(found, path)
    except RuseError as error:
        atomic_files.warn(f"{error}; going on")


def _draw(found: Sweep, path: Path) -> None:
    from ruse.studio.pictures import draw

    draw(found, path)


def balance(given: argparse.Namespace) -> int:
    from ruse.studio import words
    from ruse.studio.balance import balance

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
            report=progress.report,
        )
    if given.json:
        print_json(found.to_json())
    else:
        print(words.told_balance(found))
    if not found.proved:
        print("ruse: not proved: the search was stopped, or some variant could only be bounded", file=sys.stderr)
    return 0 if found.proved else 1
