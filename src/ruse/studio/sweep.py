"""Sweeps: every variant in some ranges, solved once, on all cores or a cluster, with the saved variants.

A few variants, evenly spread, are solved first. Their times estimate the total time and the size of a batch, because
neighbouring variants of a sweep take about equally long.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

from ruse.contests.engine import Job, check_engine, run
from ruse.core import rationals, registry
from ruse.core.game import RuseError
from ruse.core.html import grid_table
from ruse.core.identity import is_walked
from ruse.core.interrupts import Interrupts
from ruse.core.machine import cores
from ruse.core.types import Report
from ruse.studio.ranges import Space
from ruse.studio.rows import VariantRow, cell
from ruse.studio.saved_variants import SavedVariants
from ruse.studio.solving import TimeLimits, row_of, solve_batch, solved_here, source_of
from ruse.studio.variants import (
    Condition,
    Variant,
    Variants,
    failure,
    format_choice,
    make_variants,
    own_metrics,
    parameter_space,
    split_conditions,
)

UNASKED = 20_000  # variants that are solved without --yes
MOST_VARIANTS = 2_000_000  # variants that fit into memory
TRIED = (0.5, 0.25, 0.75, 0.1, 0.0)  # places along all ranges to look for a possible variant
SAMPLES = 9  # variants that are solved first
SAMPLING = 2.0  # seconds, at most about
KEEPING = 5.0  # seconds between two writes of a file, or more if writing is slow
BATCH = 1.0  # seconds of work that a worker is given at a time, at most
MOST_SHOWN = 20  # rows in a notebook
EACH = 10  # batches, at least, for every worker
MANY_WORKERS = 32  # workers that a cluster may have
MOST_BATCH = 200  # variants


class SweepError(RuseError):
    """Too many variants, or options that contradict each other."""


@dataclass(frozen=True)
class Sweep:
    """The rows of a sweep, in the order of its ranges; after Ctrl-C, the finished ones."""

    variants: Variants
    rows: Mapping[int, VariantRow]  # by the number of the variant
    failed: Mapping[str, str]  # variants without an answer, and why
    known: int  # canonical variants that were saved earlier
    solved: int  # canonical variants solved in this run
    seconds: float
    refused: int = 0  # variants that fail a condition on metrics

    @property
    def name(self) -> str:
        return self.variants.name

    @property
    def complete(self) -> bool:
        return len(self.rows) + len(self.failed) + self.refused == len(self.variants)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[VariantRow]:
        return iter(self.rows.values())

    def plot(self, path: str | Path | None = None) -> Any:
        """Draw the values into a file (PNG, SVG or PDF); without a path, return the matplotlib figure."""
        from ruse.studio.pictures import draw

        return draw(self, None if path is None else Path(path))

    def __repr__(self) -> str:
        rest = "" if self.complete else f" of {len(self.variants):,}"
        return f"<sweep of {self.name}: {len(self):,}{rest} variants>"

    def _repr_html_(self) -> str:
        shown = list(islice(self, MOST_SHOWN))
        names = list(dict.fromkeys(axis.parameter for axis in self.variants.axes))
        rows = [(*(str(cell(row.parameters.get(name, ""))) for name in names), row.format_value()) for row in shown]
        return grid_table(repr(self)[1:-1], (*names, "value"), rows, len(self) - len(shown))

    def to_json(self) -> dict[str, Any]:
        """Return what `ruse sweep --json` prints."""
        return {
            "game": self.name,
            "variants": len(self.variants),
            "complete": self.complete,
            "solved": self.solved,
            "known": self.known,
            "impossible": self.variants.impossible,
            "excluded": self.variants.excluded,
            "refused": self.refused,
            "failed": dict(self.failed),
            "seconds": round(self.seconds, 3),
            "rows": [row.to_json() for row in self],
        }


def sweep(
    game: str | Callable[..., Any],
    parameters: Mapping[str, Any] | None = None,
    *,
    where: str | Sequence[str] | None = None,
    most: int | None = None,
    yes: bool = True,
    time: float | None = None,
    time_each: float | None = None,
    lines: bool = False,
    metrics: bool | Sequence[str | Path] = False,
    engine: str = "local",
    address: str | None = None,
    workers: int | None = None,
    fresh: bool = False,
    begun: Callable[[list[Mapping[str, Any]]], object] | None = None,
    kept: Callable[[Sweep], object] | None = None,
    report: Report = lambda *_: None,
    **ranges: Any,
) -> Sweep:
    """Solve every variant of a game whose parameters are ranges.

    Parameters
    ----------
    game
        A name, as on the command line, or a class or function that makes a game.
    parameters
        The parameters: values, or ranges such as "1..3" or "2|4". You can also give them by name.
    where
        A condition on the parameters, such as "missions[4] >= missions[3]", or on metrics, such as
        "metric.length >= 4"; or several, all of which have to hold.
    most
        Solve only this many variants, the first ones.
    yes
        Allow very many variants. If False, ruse refuses them.
    time
        Seconds for the whole sweep. Solved variants are saved, so the same call continues from there.
    time_each
        Seconds for each variant; if they do not suffice, its row has bounds.
    lines
        Count the lines of all strategies in words, not only of simple ones.
    metrics
        Measure how each variant plays (docs/explanation/metrics.md), perhaps also by metrics of your own in files.
    engine
        "local" or "dask".
    address
        The address of a Dask scheduler; without it, ruse starts one on this machine.
    workers
        The number of parallel workers.
    fresh
        Solve all variants, also those that an earlier sweep solved exactly and saved.
    begun
        A function that is called with the parameters of all variants before the first is solved.
    kept
        A function that is called with the unfinished sweep from time to time.
    report
        A function that is called with messages about progress.
    **ranges
        Parameters by name.

    Returns
    -------
    Sweep
        The rows, in the order of the ranges.

    Examples
    --------
    >>> import ruse
    >>> result = ruse.sweep("liars-dice", faces="2..4")
    >>> [(row.parameters["faces"], row.win["first"]) for row in result]
    [(2, Fraction(3, 4)), (3, Fraction(5, 9)), (4, Fraction(17, 32))]
    """
    name = named(game)
    if most is not None and most < 1:
        raise SweepError(f"expected at least one variant, got {most}")
    span = parameter_space(name, {**(parameters or {}), **ranges})
    many = len(span) if most is None else min(most, len(span))
    if many > (MOST_VARIANTS if yes else UNASKED):
        raise _too_many(name, span, workers or cores(), yes)
    report(f"making {rationals.count(many)} variants", None, None)
    files = metric_files(metrics)
    on_parameters, on_metrics = split_conditions(where, files or ())
    if on_metrics and files is None:
        files = ()
    variants = make_variants(name, span, on_parameters, most)
    if begun is not None:
        begun([variant.parameters for variant in variants])
    options = SweepOptions(time, lines, engine, address, workers, fresh, time_each, files, on_metrics)
    return solve_variants(variants, options, kept, report)


def metric_files(metrics: bool | Sequence[str | Path]) -> tuple[str, ...] | None:
    """Return the files with metrics of one's own, as workers find them; None if nothing is to be measured."""
    if isinstance(metrics, bool):
        return () if metrics else None
    return tuple(str(Path(file).resolve()) for file in metrics)


@dataclass(frozen=True)
class SweepOptions:
    """Options of a sweep: limits, and where to solve."""

    time: float | None = None
    lines: bool = False
    engine: str = "local"
    address: str | None = None
    workers: int | None = None
    fresh: bool = False
    time_each: float | None = None
    metrics: tuple[str, ...] | None = None  # files with metrics of one's own; None to measure nothing
    where: tuple[Condition, ...] = ()  # on metrics


def solve_variants(
    variants: Variants,
    options: SweepOptions,
    kept: Callable[[Sweep], object] | None = None,
    report: Report = lambda *_: None,
) -> Sweep:
    """Solve variants."""
    limits = TimeLimits.of(options.time, options.time_each)
    check_engine(options.engine, options.address, options.workers)
    work = _Work(variants, options, limits, kept, report)
    work.run()
    return work.sweep()


def named(game: str | Callable[..., Any]) -> str:
    """Return the name of a game given in Python: a name, FILE.py:NAME, a factory of ruse's or the user's own class."""
    return registry.know(game) if isinstance(game, str) else registry.name_of(game)


def _too_many(name: str, span: Space, workers: int, yes: bool) -> SweepError:
    """Say how many variants there are and, after solving one, about how long all would take."""
    if yes:
        return SweepError(
            f"expected at most {MOST_VARIANTS:,} variants, got {rationals.count(len(span))}: "
            "narrow the ranges, or give --most N for the first N"
        )
    about = ""
    for part in TRIED:
        with suppress(RuseError):
            game = registry.make(name, span.at([axis.options[int(part * len(axis.options))] for axis in span.axes]))
            begun = perf_counter()
            row_of(game, SAMPLING)
            about = f", which may take {_long((perf_counter() - begun) * len(span) / workers)}"
            break
    return SweepError(
        f"expected at most {UNASKED:,} variants, got {rationals.count(len(span))}{about}: narrow the ranges, give "
        "--yes to solve them all, or --most N for the first N"
    )


def _long(seconds: float) -> str:
    """Format a duration: "40 s", "3 min", "7 h", "2 days"."""
    for unit, size in (("days", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= 2 * size:
            return f"about {seconds / size:,.0f} {unit}"
    return f"about {seconds:.0f} s"


class _Work:
    """A sweep in progress."""

    def __init__(
        self,
        variants: Variants,
        options: SweepOptions,
        limits: TimeLimits,
        kept: Callable[[Sweep], object] | None,
        report: Report,
    ) -> None:
        self.variants, self.options, self.limits, self.kept, self.report = variants, options, limits, kept, report
        self.saved = SavedVariants(variants.name, empty=options.fresh)
        self.started = self.kept_at = perf_counter()
        self.pause = KEEPING
        self.numbers: dict[str, list[int]] = {}  # of the variants that share a key
        self.by_key: dict[str, Variant] = {}  # one of each
        for number, variant in enumerate(variants):
            self.numbers.setdefault(variant.key, []).append(number)
            self.by_key.setdefault(variant.key, variant)
        self.rows: dict[int, VariantRow] = {}
        self.failed: dict[str, str] = {}
        self.solved = 0
        known = self.saved.rows
        self.todo = [key for key in self.numbers if key not in known or self._lacks(known[key])]
        for key in {*self.numbers} - {*self.todo}:
            self.take(key, known[key])
        self.known = len(self.numbers) - len(self.todo)

    def _lacks(self, row: VariantRow) -> bool:
        """Return whether a saved row lacks something that is asked for."""
        if self.options.lines and row.lines is None:
            return True
        wanted = self.options.metrics
        return wanted is not None and (
            row.metrics is None or bool(wanted) or bool(own_metrics(self.variants.items[0].game))
        )

    def take(self, key: str, answer: VariantRow | str) -> None:
        for number in self.numbers[key]:
            if isinstance(answer, VariantRow):
                self.rows[number] = replace(answer, parameters=dict(self.variants.items[number].parameters))
            else:
                self.failed[format_choice(self.variants.axes, self.variants.items[number].choice)] = answer

    def sweep(self) -> Sweep:
        rows = {number: self.rows[number] for number in sorted(self.rows)}
        met = {number: row for number, row in rows.items() if failure(self.options.where, row) is None}
        seconds = perf_counter() - self.started
        return Sweep(self.variants, met, self.failed, self.known, self.solved, seconds, len(rows) - len(met))

    def run(self) -> None:
        """Solve the variants that are not saved. Ctrl-C ends the sweep and keeps finished rows."""
        with suppress(KeyboardInterrupt):  # outside `Interrupts`, or the second Ctrl-C
            self._run()

    def _run(self) -> None:
        options = self.options
        if not self.todo:
            return
        with Interrupts() as interrupts:
            costs = self._sample(interrupts)
        if interrupts.came or self.limits.over() or len(costs) == len(self.todo):
            return
        if not all(map(is_walked, self.todo)):  # workers cannot check that they have the same game
            self._solve_all_here([key for number, key in enumerate(self.todo) if number not in costs])
            return
        many = options.workers or (cores() if options.engine == "local" else MANY_WORKERS)
        batches = _batches(len(self.todo), costs, many)
        name, source = self.variants.name, source_of(self.variants.name)
        asked = [(key, self.by_key[key].solved_as) for key in self.todo]
        more = self.limits, options.lines, options.metrics
        jobs: list[Job] = [
            (solve_batch, (name, source, [asked[number] for number in batch.numbers], *more)) for batch in batches
        ]
        left = sum(batch.seconds for batch in batches)
        begun, done = perf_counter(), 0.0
        stays: list[str] = []  # keys of variants that workers import with other rules
        for number, answers in run(jobs, options.engine, options.address, options.workers):
            stays += [key for key, answer in answers if answer is None]
            self.add([(key, answer) for key, answer in answers if answer is not None])
            done += batches[number].seconds
            spent = perf_counter() - begun
            ahead = spent * (left - done) / done if spent > BATCH else (left - done) / many
            self.report(
                f"{self.solved + self.known:,} of {len(self.numbers):,} variants, {_long(ahead)} left", None, None
            )
        self._solve_all_here(stays)

    def _solve_all_here(self, keys: Sequence[str]) -> None:
        with Interrupts() as interrupts:
            for done, key in enumerate(keys, 1):
                if interrupts.came or self.limits.over():
                    return
                self.report(f"{done:,} of {len(keys):,} variants, one at a time", None, None)
                self.solve_here(key, len(keys) - done + 1)

    def solve_here(self, key: str, left: int) -> None:
        """Solve a variant in this process; `left` variants remain, this one included."""
        seconds = self.limits.seconds(left)
        self.add([(key, solved_here(self.by_key[key], seconds, self.options.lines, self.options.metrics))])

    def add(self, answers: Sequence[tuple[str, VariantRow | str]]) -> None:
        """Add answers, and save them at once."""
        self.saved.add([(key, row) for key, row in answers if isinstance(row, VariantRow)])
        for key, row in answers:
            self.take(key, row)
        self.solved += len(answers)
        if self.kept is not None and perf_counter() - self.kept_at > self.pause:
            begun = perf_counter()
            self.kept(self.sweep())
            self.kept_at = perf_counter()
            self.pause = max(KEEPING, 20 * (self.kept_at - begun))

    def _sample(self, interrupts: Interrupts) -> dict[int, float]:
        """Solve some variants, evenly spread, and return seconds by number."""
        costs: dict[int, float] = {}
        begun = perf_counter()
        todo, many = self.todo, min(SAMPLES, len(self.todo))
        for sample in range(many):
            number = (2 * sample + 1) * len(todo) // (2 * many)
            self.report(f"trying {sample + 1} of {many} variants", None, None)
            before = perf_counter()
            self.solve_here(todo[number], len(todo) - sample)
            costs[number] = perf_counter() - before
            if interrupts.came or self.limits.over() or perf_counter() - begun > SAMPLING:
                break
        return costs


@dataclass(frozen=True)
class _Batch:
    numbers: Sequence[int]
    seconds: float  # estimated


def _batches(count: int, costs: Mapping[int, float], workers: int) -> list[_Batch]:
    """Split the variants without a known cost into batches of about equal work; the nearest sample tells the cost.

    A batch takes BATCH seconds, or less if every worker would get only a few. Long batches come first, so that nobody
    waits for them at the end; the others are shuffled, so that progress tells how long the rest will take.
    """
    known = sorted(costs)
    guessed: dict[int, float] = {}
    for number in range(count):
        if number not in costs:
            place = bisect(known, number)
            beside = known[max(0, place - 1) : place + 1]
            guessed[number] = costs[min(beside, key=lambda sample: abs(sample - number))]
    most = min(BATCH, sum(guessed.values()) / (EACH * workers))
    batches: list[_Batch] = []
    numbers: list[int] = []
    seconds = 0.0
    for number, cost in guessed.items():
        if numbers and (seconds + cost > most or len(numbers) >= MOST_BATCH):
            batches.append(_Batch(numbers, seconds))
            numbers, seconds = [], 0.0
        numbers.append(number)
        seconds += cost
    if numbers:
        batches.append(_Batch(numbers, seconds))
    Random(0).shuffle(batches)
    return sorted(batches, key=lambda batch: -max(batch.seconds, 2 * BATCH))
