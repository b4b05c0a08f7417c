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

Notify = Callable[[Item, str], None]  # called with an item and its progress
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
class WrittenReport:
    """A written report and its outcomes."""

    paper: Paper
    page: Path
    outcomes: pages.Outcomes

    @property
    def missing(self) -> list[str]:
        """The items that could not be computed."""
        return [number for number, outcome in self.outcomes.items() if outcome.failed]


def expected(papers: Sequence[Paper], folder: Path, full: bool) -> float:
    """Estimate the seconds for all items that are not saved."""
    return sum(
        item.seconds[full]
        for paper in papers
        for item in paper.items
        if not kept.place(folder, paper, item, full).exists()
    )


def compute(item: Item, full: bool) -> Outcome:
    """Compute an item; the outcome says if it failed or lacks a package."""
    started = time.perf_counter()
    try:
        outcome = item.make(full)
    except ImportError as error:
        outcome = Outcome(failed=_lacking(error))
    except RuseError as error:
        outcome = Outcome(failed=f"It failed: {error}")
    return replace(outcome, seconds=time.perf_counter() - started)


def _lacking(error: ImportError) -> str:
    package = (error.name or str(error)).partition(".")[0]
    extra = EXTRAS.get(package)
    how = f"pip install 'ruse[{extra}]'" if extra else f"pip install {package}"
    return f"This item needs {package}, which is not installed: {how}"


def _stop() -> None:
    raise KeyboardInterrupt


def report(paper: Paper, folder: Path, full: bool, notify: Notify = lambda item, text: None) -> WrittenReport:
    """Compute what is missing, and write the report, also after Ctrl-C."""
    outcomes: dict[str, Outcome] = {}
    slips = where_slips_are(folder)
    page = folder / f"{paper.name}.html"
    try:
        with Interrupts(_stop) as interrupts:
            for item in paper.items:
                outcome = kept.recall(folder, paper, item, full)
                if outcome is None:
                    notify(item, "")
                    with kept.working(folder, full, partial(notify, item)):
                        outcome = compute(item, full)
                    if interrupts.came:  # an interrupted item may be incomplete
                        raise KeyboardInterrupt
                    if not outcome.failed:  # a failed item may succeed next time
                        kept.keep(folder, paper, item, full, outcome)
                outcomes[item.number] = outcome
    finally:
        pages.write(folder, paper, outcomes, full, slips)
    return WrittenReport(paper, page, outcomes)


def write_index(folder: Path, written: Sequence[WrittenReport], full: bool) -> Path:
    """Write the page that lists all reports of a folder."""
    fresh = {report.paper.name: report.outcomes for report in written}
    there = [load(name) for name in listed() if (folder / f"{name}.html").exists()]
    outcomes = {paper.name: fresh.get(paper.name) or recalled(paper, folder, full) for paper in there}
    path = folder / INDEX
    atomic_files.replace(path, pages.index(there, outcomes, full, where_slips_are(folder)).encode())
    return path


def recalled(paper: Paper, folder: Path, full: bool) -> dict[str, Outcome]:
    outcomes = {}
    for item in paper.items:
        outcome = kept.recall(folder, paper, item, full)
        if outcome is not None:
            outcomes[item.number] = outcome
    return outcomes


def where_slips_are(folder: Path) -> str:
    """Return the relative path of the list of disagreements; "" without the sources."""
    source = Path(ruse.__path__[0]).parents[1] / pages.SLIPS
    return Path(os.path.relpath(source, folder.resolve())).as_posix() if source.exists() else ""


def check_folder(folder: Path) -> None:
    """Make a folder for reports. Raise ReproduceError if it cannot be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        atomic_files.check_writable(folder / INDEX)
    except (OSError, ValueError) as error:
        raise ReproduceError(f"ruse cannot write reports to {str(folder)!r}: {atomic_files.reason(error)}") from error


def format_plan(papers: Sequence[Paper], folder: Path, full: bool) -> str:
    """Say what is about to be computed, and how long it will take."""
    items = sum(len(paper.items) for paper in papers)
    left = sum(not kept.place(folder, paper, item, full).exists() for paper in papers for item in paper.items)
    effort = "full" if full else "quick"
    if not left:
        return f"{items} items ({effort}), all of them computed already"
    there = f", {items - left} of them computed already" if left < items else ""
    return f"{items} items ({effort}){there}: about {lasting(expected(papers, folder, full))} on two cores"
