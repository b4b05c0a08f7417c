"""Reports computed: item by item, kept as they are finished, so that whoever stops them loses at most one."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import ruse
from ruse.core import atomic_files
from ruse.core.game import RuseError
from ruse.core.interrupts import Interrupts
from ruse.reproduce import kept, pages
from ruse.reproduce.report import Item, Outcome, Paper, ReproduceError, lasting, listed
from ruse.reproduce.report import paper as load

Tell = Callable[[Item, str], None]  # which item, and how far it is
EXTRAS = {  # which extra of ruse's brings a package
    "matplotlib": "plots",
    "pyspiel": "openspiel",
    "open_spiel": "openspiel",
    "pyarrow": "tables",
    "polars": "tables",
    "pandas": "tables",
    "nevergrad": "nevergrad",
    "distributed": "cluster",
}
INDEX = "index.html"


@dataclass(frozen=True)
class Written:
    """A report, and what it says."""

    paper: Paper
    page: Path
    outcomes: pages.Outcomes

    @property
    def missing(self) -> list[str]:
        """What could not be computed."""
        return [number for number, one in self.outcomes.items() if one.failed]


def expected(papers: Sequence[Paper], folder: Path, full: bool) -> float:
    """About how many seconds it takes, without what is there already."""
    return sum(
        item.seconds[full]
        for paper in papers
        for item in paper.items
        if not kept.place(folder, paper, item, full).exists()
    )


def compute(item: Item, full: bool) -> Outcome:
    """An item; where it fails or lacks a package, it says so."""
    started = time.perf_counter()
    try:
        found = item.make(full)
    except ImportError as error:
        found = Outcome(failed=_lacking(error))
    except RuseError as error:
        found = Outcome(failed=f"It failed: {error}")
    return replace(found, seconds=time.perf_counter() - started)


def _lacking(error: ImportError) -> str:
    package = (error.name or str(error)).partition(".")[0]
    extra = EXTRAS.get(package)
    how = f"pip install 'ruse[{extra}]'" if extra else f"pip install {package}"
    return f"This item needs {package}, which is not installed: {how}"


def _stop() -> None:
    raise KeyboardInterrupt


def report(paper: Paper, folder: Path, full: bool, tell: Tell = lambda item, text: None) -> Written:
    """Compute what is missing, and write the report; also when it is stopped, with what there is by then."""
    outcomes: dict[str, Outcome] = {}
    slips = where_slips_are(folder)
    page = folder / f"{paper.name}.html"
    try:
        with Interrupts(_stop) as interrupts:
            for item in paper.items:
                found = kept.recall(folder, paper, item, full)
                if found is None:
                    tell(item, "")
                    with kept.working(folder, full, partial(tell, item)):
                        found = compute(item, full)
                    if interrupts.came:  # who was stopped may have given what there was by then, which is not all
                        raise KeyboardInterrupt
                    if not found.failed:  # what failed may go better next time
                        kept.keep(folder, paper, item, full, found)
                outcomes[item.number] = found
    finally:
        pages.write(folder, paper, outcomes, full, slips)
    return Written(paper, page, outcomes)


def write_index(folder: Path, written: Sequence[Written], full: bool) -> Path:
    """The page that leads to all reports of a folder: those just written, and those that were there."""
    fresh = {one.paper.name: one.outcomes for one in written}
    there = [load(name) for name in listed() if (folder / f"{name}.html").exists()]
    found = {one.name: fresh.get(one.name) or recalled(one, folder, full) for one in there}
    path = folder / INDEX
    atomic_files.replace(path, pages.index(there, found, full, where_slips_are(folder)).encode())
    return path


def recalled(paper: Paper, folder: Path, full: bool) -> dict[str, Outcome]:
    outcomes = {}
    for item in paper.items:
        found = kept.recall(folder, paper, item, full)
        if found is not None:
            outcomes[item.number] = found
    return outcomes


def where_slips_are(folder: Path) -> str:
    """The list of disagreements, seen from the reports; "" where the sources are not at hand."""
    source = Path(ruse.__path__[0]).parents[1] / pages.SLIPS
    return Path(os.path.relpath(source, folder.resolve())).as_posix() if source.exists() else ""


def check_folder(folder: Path) -> None:
    """Make a folder for reports. Raises ReproduceError before the work, not after it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        atomic_files.check_writable(folder / INDEX)
    except (OSError, ValueError) as error:
        raise ReproduceError(f"ruse cannot write reports to {str(folder)!r}: {atomic_files.reason(error)}") from error


def told(papers: Sequence[Paper], folder: Path, full: bool) -> str:
    """What is about to happen, and how long it will take."""
    items = sum(len(paper.items) for paper in papers)
    left = sum(not kept.place(folder, paper, item, full).exists() for paper in papers for item in paper.items)
    effort = "full" if full else "quick"
    if not left:
        return f"{items} items ({effort}), all of them computed already"
    there = f", {items - left} of them computed already" if left < items else ""
    return f"{items} items ({effort}){there}: about {lasting(expected(papers, folder, full))} on two cores"
