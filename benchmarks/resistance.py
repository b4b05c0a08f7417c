"""ruse against the published way to solve The Resistance, in one run: `python -m benchmarks.resistance`.

The published way is Bossle's linear program (2018, §5.2 and §5.3). HiGHS gets it ready-made, in each of four
forms (either side first; spy sets kept or dropped where they are impossible) and with each of its methods, and
only its run() is timed. The quickest of all those that end optimal is what ruse is held against. ruse is timed
from the rules to the certificate: building, solving, exact strategies and both exact bounds; once as it comes, and
once with its shortcuts off, so that it solves a linear program where simple strategies would have done.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path
from typing import Any

import highspy

import ruse
from ruse.games.resistance.table import Table, make_table
from ruse.reproduce.thesis_lp import RESISTANCE, SPIES, thesis_form, thesis_lp
from ruse.solvers.highs import Program, model

THESIS = (5, 6, 7)  # players for the thesis's program; it took Bossle over an hour at eight
ALL = (5, 6, 7, 8, 9, 10)
FIRST_LIMIT = 900.0  # seconds for the first method on a form
LEAST_LIMIT = 60.0  # the others get this, or three times what interior point without crossover needed
SAME_VALUE = 1e-6
HIGHS: Any = highspy.Highs  # its constructor has no types
WORDS = ("first", "spy sets", "HiGHS did best with")  # columns of words
METHODS = {  # HiGHS options: interior point alone comes first, its time sets the limit of the others
    "ipm": ("ipm", "off"),
    "ipm, crossover": ("ipm", "on"),
    "simplex": ("simplex", "on"),
}


class DifferentValue(ruse.RuseError):
    """The two ways do not agree on the value of the game."""


@dataclass(frozen=True)
class Run:
    """One method of HiGHS on one form."""

    method: str
    seconds: float
    limit: float
    status: str
    payoff: float | None  # to the resistance; None where not optimal

    @property
    def text(self) -> str:
        if self.payoff is not None:
            return f"{self.seconds:.2f}"
        return f"> {self.limit:.0f}" if self.status == "time limit reached" else self.status


@dataclass(frozen=True)
class Form:
    """The thesis's program in one form, and what HiGHS made of it."""

    players: int
    first: str  # the side with the weights
    spy_sets: str  # "possible" or "all"
    rows: int
    columns: int
    nonzeros: int
    building: float  # seconds, not counted
    runs: tuple[Run, ...]

    @property
    def counted_first(self) -> bool:
        """Whether this is the form that we counted first: 3,032,386 × 1,570,740 at seven players."""
        return self.first == "resistance" and self.spy_sets == "all"

    @property
    def quickest(self) -> Run | None:
        return min((run for run in self.runs if run.payoff is not None), key=lambda run: run.seconds, default=None)


@dataclass(frozen=True)
class Ruse:
    players: int
    value: Fraction  # the payoff to the resistance, certified
    seconds: tuple[float, ...]
    lp_seconds: tuple[float, ...]  # without shortcuts

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)

    @property
    def lp_median(self) -> float:
        return statistics.median(self.lp_seconds)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.resistance", description=__doc__.splitlines()[0])
    parser.add_argument("--players", type=_players, default=ALL, help="which tables, such as 5,6 (default: 5 to 10)")
    parser.add_argument("--repeat", type=_repeat, default=5, help="runs of ruse after the first (default: 5)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="save all figures here")
    options = parser.parse_args(arguments)
    machine = _machine()
    solved: list[Ruse] = []
    forms: list[Form] = []
    for players in options.players:
        solved.append(time_ruse(players, options.repeat))
        if players in THESIS:
            forms.extend(time_thesis(make_table(players)))
    print(machine, report(forms, solved), sep="\n\n")
    if options.json:
        options.json.write_text(json.dumps({"machine": machine, **figures(forms, solved)}, indent=2) + "\n")
    return check(forms, solved)


def _players(text: str) -> tuple[int, ...]:
    if not set(text.split(",")) <= set(map(str, ALL)):
        raise argparse.ArgumentTypeError(f"expected numbers from 5 to 10, such as 5,6, got {text!r}")
    return tuple(sorted({int(word) for word in text.split(",")}))


def _repeat(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected at least 1, got {text!r}")
    return int(text)


def time_ruse(players: int, repeat: int) -> Ruse:
    """From the rules to the certificate, several times."""
    seconds: dict[bool, list[float]] = {True: [], False: []}
    values = set()
    for shortcuts in (True, False):
        for _ in range(1 + repeat):
            started = time.perf_counter()
            solution = ruse.solve(ruse.games.resistance(players=players), shortcuts=shortcuts)
            seconds[shortcuts].append(time.perf_counter() - started)
        if not solution.certificate.exact:
            raise DifferentValue(
                f"expected a certificate without a gap at {players} players, got {solution.certificate}"
            )
        values.add(solution.certificate.lower)
    if len(values) > 1:
        raise DifferentValue(f"expected one value with and without shortcuts at {players} players, got {values}")
    measured = Ruse(players, values.pop(), tuple(seconds[True][1:]), tuple(seconds[False][1:]))
    _tell(f"{players} players, ruse: {measured.median:.3f} s, by its LP alone {measured.lp_median:.3f} s")
    return measured


def time_thesis(table: Table) -> Iterator[Form]:
    """All four forms, each with every method."""
    for impossible in (False, True):
        started = time.perf_counter()
        form = thesis_form(table, impossible=impossible)
        trees = time.perf_counter() - started
        for first in (RESISTANCE, SPIES):
            started = time.perf_counter()
            program = thesis_lp(form, first)
            building = trees + time.perf_counter() - started
            sign = -1 if first == RESISTANCE else 1
            measured = Form(
                table.players,
                ("resistance", "spies")[first],
                "all" if impossible else "possible",
                len(program.rows),
                len(program.cost),
                len(program.rows.column),
                building,
                tuple(_time_methods(program, sign / table.spy_sets)),
            )
            times = "; ".join(f"{run.method} {run.text} s" for run in measured.runs)
            _tell(f"{table.players} players, {measured.first} first, {measured.spy_sets} spy sets: {times}")
            yield measured


def _time_methods(program: Program, unit: float) -> Iterator[Run]:
    limit = FIRST_LIMIT
    for method in METHODS:
        run = _time_highs(program, method, limit, unit)
        yield run
        limit = max(LEAST_LIMIT, 3 * run.seconds) if limit == FIRST_LIMIT else limit


def _time_highs(program: Program, method: str, limit: float, unit: float) -> Run:
    """Hand the program over, then time run() alone. HiGHS chooses presolve, threads and tolerances as it does."""
    solver, crossover = METHODS[method]
    highs = HIGHS()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("presolve", "on")
    highs.setOptionValue("solver", solver)
    highs.setOptionValue("run_crossover", crossover)
    highs.setOptionValue("time_limit", limit)
    highs.passModel(model(program))
    started = time.perf_counter()
    highs.run()
    seconds = time.perf_counter() - started
    status = highs.getModelStatus()
    optimal = status == highspy.HighsModelStatus.kOptimal
    payoff = highs.getInfo().objective_function_value * unit if optimal else None
    return Run(method, seconds, limit, highs.modelStatusToString(status).lower(), payoff)


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


# What is printed and saved.


def quickest(forms: Sequence[Form], players: int, counted_first: bool = False) -> tuple[Form, Run] | None:
    """The best that HiGHS did on the thesis's program, over all forms or on the 3,032,386 × 1,570,740 one."""
    ended = [
        (form, run)
        for form in forms
        if form.players == players and (run := form.quickest) is not None and (form.counted_first or not counted_first)
    ]
    return min(ended, key=lambda pair: pair[1].seconds, default=None)


def check(forms: Sequence[Form], solved: Sequence[Ruse]) -> int:
    """0 if every optimum of HiGHS is the certified value, else 1: timings decide nothing."""
    values = {one.players: one.value for one in solved}
    wrong = [
        f"expected {float(values[form.players]):.9f} for {form.players} players, {form.first} first, {run.method}, "
        f"got {run.payoff:.9f}"
        for form in forms
        for run in form.runs
        if run.payoff is not None and abs(run.payoff - values[form.players]) > SAME_VALUE
    ]
    for line in wrong:
        _tell(line)
    return 1 if wrong else 0


def report(forms: Sequence[Form], solved: Sequence[Ruse]) -> str:
    lines = []
    if forms:
        lines += ["HiGHS on the thesis's linear program, seconds of run() alone", ""]
        heads = ("players", "first", "spy sets", "rows", "columns", "nonzeros", *METHODS)
        rows = [
            (
                str(form.players),
                form.first,
                form.spy_sets,
                *(f"{count:,}" for count in (form.rows, form.columns, form.nonzeros)),
                *(run.text for run in form.runs),
            )
            for form in forms
        ]
        lines += [*_aligned(heads, rows), ""]
    lines += ["HiGHS at its quickest against ruse, from the rules to the certificate", ""]
    rows = []
    for one in solved:
        best, counted = quickest(forms, one.players), quickest(forms, one.players, counted_first=True)
        how = "-" if best is None else f"{best[0].first} first, {best[0].spy_sets} spy sets, {best[1].method}"
        cells = [str(one.players), how, f"{one.median:.3f}", f"{one.lp_median:.3f}"]
        for pair in (best, counted):
            cells.append("-" if pair is None else f"{pair[1].seconds:.2f}")
            cells.append("-" if pair is None else f"{pair[1].seconds / one.median:.0f}")
            cells.append("-" if pair is None else f"{pair[1].seconds / one.lp_median:.0f}")
        rows.append((*cells, str(one.value)))
    heads = ("players", "HiGHS did best with", "ruse s", "its LP alone s")
    ratios = ("best HiGHS s", "ratio", "to LP alone", "resistance first, all: s", "ratio", "to LP alone")
    lines += _aligned((*heads, *ratios, "payoff, certified"), rows)
    ten = next((one for one in solved if one.players == 10), None)
    seven = quickest(forms, 7)
    if ten is not None and seven is not None:
        lines += [
            "",
            f"ten players with ruse: {ten.median:.2f} s; seven with the thesis's LP: {seven[1].seconds:.2f} s "
            f"({seven[1].seconds / ten.median:.1f} times as long)",
        ]
    return "\n".join(lines)


def _machine() -> str:
    busy = os.getloadavg()[0]
    return (
        f"{platform.machine()}, {os.cpu_count()} cores (load {busy:.1f} before the start), "
        f"Python {platform.python_version()}, highspy {version('highspy')}"
    )


def _aligned(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A table with words to the left and numbers to the right."""
    lines = [tuple(heads), *(tuple(row) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    left = [head in WORDS for head in heads]
    return [
        "  ".join(
            cell.ljust(width) if words else cell.rjust(width)
            for cell, width, words in zip(line, widths, left, strict=True)
        ).rstrip()
        for line in lines
    ]


def figures(forms: Sequence[Form], solved: Sequence[Ruse]) -> dict[str, object]:
    """All that was measured, as plain JSON."""
    ratios = {
        str(one.players): best[1].seconds / one.median
        for one in solved
        if (best := quickest(forms, one.players)) is not None
    }
    return {
        "thesis": [asdict(form) for form in forms],
        "ruse": [{**asdict(one), "value": str(one.value), "median": one.median} for one in solved],
        "ratios": ratios,
    }


if __name__ == "__main__":
    sys.exit(main())
