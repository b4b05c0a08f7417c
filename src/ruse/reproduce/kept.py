"""Finished items, saved in the folder of the reports, so that a stopped report can continue.

File names contain a digest of the code, the effort (quick or full) and the item.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import ruse
from ruse.core import atomic_files
from ruse.reproduce.report import Item, Outcome, Paper

FOLDER = ".kept"
LARGEST = 1 << 26  # bytes
_work: ContextVar[Path | None] = ContextVar("work", default=None)
_report: ContextVar[Callable[[str], None] | None] = ContextVar("report", default=None)


@cache
def code() -> str:
    """A digest of all of ruse's source."""
    digest = hashlib.sha256()
    root = Path(ruse.__path__[0])
    for path in sorted([*root.rglob("*.py"), *root.rglob("*.toml")]):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


@contextmanager
def working(folder: Path, full: bool, report: Callable[[str], None]) -> Iterator[None]:
    """Make `work` a folder that outlasts a stopped report, and `step` report progress."""
    token = _work.set(folder / FOLDER / f"work-{code()[:16]}-{'full' if full else 'quick'}")
    reporting = _report.set(report)
    try:
        yield
    finally:
        _work.reset(token)
        _report.reset(reporting)


def step(text: str, lower: float | None, upper: float | None) -> None:
    """Report the progress of a long item."""
    report = _report.get()
    if report is not None:
        report(text)


@contextmanager
def work() -> Iterator[Path]:
    """Return a folder for intermediate results of an item; temporary if no report is written."""
    folder = _work.get()
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        yield folder
        return
    with TemporaryDirectory() as passing:
        yield Path(passing)


def place(folder: Path, paper: Paper, item: Item, full: bool) -> Path:
    text = "\n".join([code(), paper.name, item.number, "full" if full else "quick"])
    return folder / FOLDER / f"{paper.name}-{hashlib.sha256(text.encode()).hexdigest()[:24]}.json"


def recall(folder: Path, paper: Paper, item: Item, full: bool) -> Outcome | None:
    """Return the saved outcome of an item; None if there is none, or it cannot be read."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        return Outcome.from_json(json.loads(atomic_files.read(place(folder, paper, item, full), LARGEST)))
    return None


def keep(folder: Path, paper: Paper, item: Item, full: bool, outcome: Outcome) -> None:
    path = place(folder, paper, item, full)
    path.parent.mkdir(parents=True, exist_ok=True)
    atomic_files.replace(path, json.dumps(outcome.to_json(), ensure_ascii=False).encode())
