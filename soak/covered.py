"""A pytest plugin: branch coverage of the package, one context a test, and how long each test that passes takes.

`soak/mutants.py record` loads it. What tests start in processes of their own is not measured.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import coverage
import pytest

PACKAGE = Path(__file__).parent.parent / "src" / "ruse"
FOLDER = os.environ.get("RUSE_COVERED", "")


def measured() -> coverage.Coverage:
    data = Path(FOLDER) / "part"
    return coverage.Coverage(data_file=str(data), data_suffix=True, branch=True, source=[str(PACKAGE)])


COVERAGE = measured() if FOLDER else None
SECONDS: dict[str, float] = {}
if COVERAGE:
    COVERAGE.start()


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    assert COVERAGE is not None
    COVERAGE.switch_context(item.nodeid)
    yield
    COVERAGE.switch_context("")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    outcome: Any = yield
    report = outcome.get_result()
    if report.when == "call" and report.passed:
        SECONDS[item.nodeid] = report.duration
    elif report.failed:
        SECONDS.pop(item.nodeid, None)


def pytest_unconfigure() -> None:
    if COVERAGE:
        COVERAGE.stop()
        COVERAGE.save()
        (Path(FOLDER) / f"seconds.{os.getpid()}.{time.time_ns()}").write_text(json.dumps(SECONDS))


def combine(folder: Path) -> str:
    """Put the measurements of all processes together; the coverage in one sentence."""
    combined = coverage.Coverage(data_file=str(folder / "coverage"), branch=True, source=[str(PACKAGE)])
    combined.combine([str(part) for part in folder.glob("part.*")])
    combined.save()
    seconds: dict[str, float] = {}
    for part in folder.glob("seconds.*"):
        seconds |= json.loads(part.read_text())
    (folder / "seconds.json").write_text(json.dumps(seconds))
    combined.json_report(outfile=str(folder / "report.json"))
    totals = json.loads((folder / "report.json").read_text())["totals"]
    return (
        f"{totals['covered_branches']} of {totals['num_branches']} branches and {totals['covered_lines']} of "
        f"{totals['num_statements']} statements covered ({totals['percent_covered']:.1f}%) by {len(seconds)} tests"
    )
