"""Finished items, kept in the folder of the reports, so that a report that was stopped or killed goes on.

What is kept holds for one version of the code and one effort: its name has a digest of both, and of the item.
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
_tell: ContextVar[Callable[[str], None] | None] = ContextVar("tell", default=None)


@cache
def code() -> str:
    """A digest of all of ruse's source."""
    digest = hashlib.sha256()
    root = Path(ruse.__path__[0])
    for path in sorted([*root.rglob("*.py"), *root.rglob("*.toml")]):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


@contextmanager
def working(folder: Path, full: bool, tell: Callable[[str], None]) -> Iterator[None]:
    """Within it, `work` is a folder that outlasts a stopped report, and `step` tells how far an item is."""
    token = _work.set(folder / FOLDER / f"work-{code()[:16]}-{'full' if full else 'quick'}")
    telling = _tell.set(tell)
    try:
        yield
    finally:
        _work.reset(token)
        _tell.reset(telling)


def step(text: str, lower: float | None, upper: float | None) -> None:
    """How far a long item is, for whoever waits for the report."""
    tell = _tell.get()
    if tell is not None:
        tell(text)


@contextmanager
def work() -> Iterator[Path]:
    """A folder for what an item finds on its way, if it takes long; one that goes again where no report is written."""
    folder = _work.get()
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        yield folder
        return
    with TemporaryDirectory() as passing:
        yield Path(passing)


def place(folder: Path, paper: Paper, item: Item, full: bool) -> Path:
    told = "\n".join([code(), paper.name, item.number, "full" if full else "quick"])
    return folder / FOLDER / f"{paper.name}-{hashlib.sha256(told.encode()).hexdigest()[:24]}.json"


def recall(folder: Path, paper: Paper, item: Item, full: bool) -> Outcome | None:
    """What was computed before; None where nothing was, or it cannot be read."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        return Outcome.from_json(json.loads(atomic_files.read(place(folder, paper, item, full), LARGEST)))
    return None


def keep(folder: Path, paper: Paper, item: Item, full: bool, outcome: Outcome) -> None:
    path = place(folder, paper, item, full)
    path.parent.mkdir(parents=True, exist_ok=True)
    atomic_files.replace(path, json.dumps(outcome.to_json(), ensure_ascii=False).encode())
