"""`ruse reproduce`: recompute papers item by item, and report what agrees."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ruse.present.console import Progress, print_json
from ruse.start import STOPPED

if TYPE_CHECKING:
    from ruse.reproduce.report import Item, Outcome, Paper
    from ruse.reproduce.run import WrittenReport


def reproduce(given: argparse.Namespace) -> int:
    from ruse.reproduce import run
    from ruse.reproduce.report import ReproduceError, lasting, listed, paper

    if given.item is not None:
        if given.paper is None:
            raise ReproduceError(f"expected a paper for --item, one of {', '.join(listed())}, got none")
        return _reproduce_item(paper(given.paper), given)
    papers = [paper(name) for name in ([given.paper] if given.paper else listed())]
    folder = Path(given.out)
    run.check_folder(folder)
    print(f"ruse: {run.format_plan(papers, folder, given.full)}", file=sys.stderr)
    written: list[WrittenReport] = []
    begun: dict[Item, float] = {}
    try:
        with Progress(sys.stderr, "starting") as progress:
            for current in papers:

                def report_item(item: Item, text: str, name: str = current.name) -> None:
                    spent = time.perf_counter() - begun.setdefault(item, time.perf_counter())
                    left = run.expected(papers, folder, given.full) - min(spent, item.seconds[given.full])
                    about = f"; about {lasting(left)} left" if left >= 1 else ""
                    progress.report(f"{name}, {item.number}{': ' if text else ''}{text}{about}", None, None)

                written.append(run.report(current, folder, given.full, report_item))
    except KeyboardInterrupt:
        run.write_index(folder, written, given.full)
        print(f"ruse: stopped; run the same command again to continue from {folder}", file=sys.stderr)
        return STOPPED
    index = run.write_index(folder, written, given.full)
    if given.json:
        print_json(
            {
                "index": str(index),
                "full": given.full,
                "papers": [_report_json(report, given.full) for report in written],
            }
        )
    else:
        print("\n".join(_format_report(report) for report in written))
        print(f"\nOpen {index}.")
    return 1 if any(report.missing for report in written) else 0


def _reproduce_item(of: Paper, given: argparse.Namespace) -> int:
    from ruse.reproduce import pages, run
    from ruse.reproduce.report import lasting

    item = of.item(given.item)
    with Progress(sys.stderr, f"{of.name}, {item.number}; about {lasting(item.seconds[given.full])}"):
        outcome = run.compute(item, given.full)
    if given.json:
        print_json({"paper": of.name, **_item_json(of, item, outcome, given.full)})
    else:
        print(pages.item_markdown(of, item, outcome, given.full, pages.SLIPS))
    return 1 if outcome.failed else 0


def _format_report(written: WrittenReport) -> str:
    from ruse.reproduce import pages

    counts = pages.counted(pages.verdicts(written.paper, written.outcomes))
    missing = "".join(f"\n  {number}: {written.outcomes[number].failed}" for number in written.missing)
    return f"{written.paper.name}: {counts} ({written.page}){missing}"


def _report_json(written: WrittenReport, full: bool) -> dict[str, Any]:
    of = written.paper
    return {
        "paper": of.name,
        "title": of.title,
        "page": str(written.page),
        "items": [_item_json(of, item, written.outcomes[item.number], full) for item in of.items],
    }


def _item_json(of: Paper, item: Item, outcome: Outcome, full: bool) -> dict[str, Any]:
    from ruse.reproduce import pages

    fields = {
        name: value for name, value in outcome.to_json().items() if name not in ("pictures", "charts", "commands")
    }
    return {
        "number": item.number,
        "kind": item.kind,
        "title": item.title,
        "verdict": outcome.verdict,
        "command": pages.command(of, item, full),
        **fields,
    }
