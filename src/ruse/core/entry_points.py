"""What installed packages bring, found by the names of their entry points; loaded only once somebody asks for it."""

from __future__ import annotations

import re
import sys
import traceback
from collections.abc import Collection, Iterator
from contextlib import contextmanager, redirect_stdout
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from ruse.core import atomic_files
from ruse.core.game import RuseError

RUSE = str(Path(__file__).parent.parent)
SHOWN = 300  # characters of what an error says


class Broken(Exception):
    """An entry point that does not load."""


def named(group: str, taken: Collection[str] = ()) -> list[str]:
    """The names of a group, as they are: nothing is loaded, and nothing is said of those that are taken."""
    return [point.name for point in entry_points(group=group) if point.name not in taken]


def installed(group: str, kind: str, name: re.Pattern[str], taken: Collection[str]) -> dict[str, EntryPoint]:
    """The entry points of a group, not loaded yet; of those that cannot be, a word on stderr."""
    entries: dict[str, EntryPoint] = {}
    for point in entry_points(group=group):
        if point.name in taken:
            warn_once(f"ruse already has a {kind} {point.name!r}: give {point.value} another name")
        elif not name.fullmatch(point.name):
            warn_once(f"expected small letters, digits and dashes as a name, got {point.name!r} ({point.value})")
        else:
            entries.setdefault(point.name, point)
    return entries


def entry_point_text(point: EntryPoint) -> str:
    return f"the entry point {point.name} ({point.value})"


def loaded(point: EntryPoint) -> Any:
    """What an entry point names. Raises Broken, with a sentence."""
    try:
        with redirect_stdout(sys.stderr):
            return point.load()
    except (Exception, SystemExit) as error:  # anybody's code
        raise Broken(unimported(error, entry_point_text(point))) from error


@lru_cache(maxsize=64)
def warn_once(text: str) -> None:
    atomic_files.warn(text)


# Anybody's code.


class Failed(RuseError):
    """Somebody else's code raised something, or gave what cannot be used."""


@contextmanager
def theirs(who: str, task: str) -> Iterator[None]:
    """Within it runs anybody's code: what it prints is no answer, and what it raises is a sentence."""
    try:
        with redirect_stdout(sys.stderr):
            yield
    except (RuseError, MemoryError):
        raise
    except (Exception, SystemExit) as error:
        raise Failed(f"{who} failed to {task}: {said(error)}{line(error)}") from error


def unimported(error: BaseException, place: str) -> str:
    """Why something cannot be imported, in a sentence."""
    at = line(error)
    if isinstance(error, ModuleNotFoundError) and error.name:
        return f"{place} imports {error.name}, which is not installed{at}: install it first"
    if isinstance(error, SyntaxError):
        line_number = f", line {error.lineno}" if error.lineno else ""
        return f"SyntaxError: {error.msg} ({Path(error.filename or place).name}{line_number})"
    return f"cannot import {place}: {said(error)}{at}"


def said(error: BaseException) -> str:
    return f"{type(error).__name__}: {str(error)[:SHOWN]}" if str(error) else type(error).__name__


def line(error: BaseException) -> str:
    """The file and line that raised it, where that is not in ruse or in how Python imports."""
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith((RUSE, "<")) and "importlib" not in frame.filename
    ]
    return f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
