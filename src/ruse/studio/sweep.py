"""Sweeps: every variant of some ranges, solved once, on all cores or a cluster, with whatever was solved before.

Some variants, evenly spread, are solved first: how long they take tells how long the rest will, and how many go into
a batch. Variants beside each other in a sweep take about as long as each other.
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
from ruse.studio.kept import Library
from ruse.studio.ranges import Space
from ruse.studio.rows import Row, cell
from ruse.studio.solving import TimeLimits, row_of, solve_batch, solved_here, source_of
from ruse.studio.variants import Variant, Variants, spelled, told, variants

UNASKED = 20_000  # variants that are solved without asking
MOST_VARIANTS = 2_000_000  # that can be told apart in memory
TRIED = (0.5, 0.25, 0.75, 0.1, 0.0)  # how far along all ranges there may be a variant that can be
SAMPLES = 9  # variants that are solved first
SAMPLING = 2.0  # seconds, at most about
KEEPING = 5.0  # seconds between two times that a file is written, or more where that takes long
BATCH = 1.0  # seconds of work that a worker is given at a time, at most
MOST_SHOWN = 20  # rows in a notebook
EACH = 10  # batches, at least, for every worker
MANY_WORKERS = 32  # that a cluster may have
MOST_BATCH = 200  # variants


class SweepError(RuseError):
    """More variants than anybody meant, or options that make no sense."""


@dataclass(frozen=True)
class Sweep:
    """The rows of a sweep, in the order of its ranges; after Ctrl-C, those that were finished."""

    variants: Variants
    rows: Mapping[int, Row]  # by the number of the variant
    failed: Mapping[str, str]  # variants without an answer, and why
    known: int  # canonical variants that the library had
    solved: int  # that were solved now
    seconds: float

    @property
    def name(self) -> str:
        return self.variants.name

    @property
    def complete(self) -> bool:
        return len(self.rows) + len(self.failed) == len(self.variants)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Row]:
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
        rows = [(*(str(cell(row.parameters.get(name, ""))) for name in names), row.told()) for row in shown]
        return grid_table(repr(self)[1:-1], (*names, "value"), rows, len(self) - len(shown))

    def to_json(self) -> dict[str, Any]:
        """What `ruse sweep --json` prints."""
        return {
            "game": self.name,
            "variants": len(self.variants),
            "complete": self.complete,
            "solved": self.solved,
            "known": self.known,
            "impossible": self.variants.impossible,
            "excluded": self.variants.excluded,
            "failed": dict(self.failed),
            "seconds": round(self.seconds, 3),
            "rows": [row.to_json() for row in self],
        }


def sweep(
    game: str | Callable[..., Any],
    parameters: Mapping[str, Any] | None = None,
    *,
    where: str | None = None,
    most: int | None = None,
    yes: bool = True,
    time: float | None = None,
    time_each: float | None = None,
    lines: bool = False,
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
        What each parameter is: a value, or a range such as "1..3" or "2|4". More may be given by name.
    where
        A condition on them, such as "missions[4] >= missions[3]".
    most
        Keep the first so many.
    yes
        Without it, a great many variants are refused.
    time
        Seconds for the whole sweep: what is solved by then is kept, and the same call goes on from there.
    time_each
        Seconds for each variant; where that is too little its row has bounds.
    lines
        Count the lines of all strategies in words, not only of simple ones.
    engine
        "local" or "dask".
    address
        Where a Dask scheduler is; without it, one is started here.
    workers
        At most so many at once.
    fresh
        Solve what the user's library has, too: it keeps whatever is exact, and a sweep does not solve that again.
    begun
        Is called with the parameters of all variants before the first is solved.
    kept
        Is called with the sweep as it stands, now and then.
    report
        Is called with what is being done.
    **ranges
        Parameters by name.

    Returns
    -------
    Sweep
        The rows, in the order of the ranges.

    Examples
    --------
    >>> import ruse
    >>> found = ruse.sweep("liars-dice", faces="2..4")
    >>> [(row.parameters["faces"], row.win["first"]) for row in found]
    [(2, Fraction(3, 4)), (3, Fraction(5, 9)), (4, Fraction(17, 32))]
    """
    name = named(game)
    if most is not None and most < 1:
        raise SweepError(f"expected at least one variant, got {most}")
    span = spelled(name, {**(parameters or {}), **ranges})
    many = len(span) if most is None else min(most, len(span))
    if many > (MOST_VARIANTS if yes else UNASKED):
        raise _too_many(name, span, workers or cores(), yes)
    report(f"making {rationals.count(many)} variants", None, None)
    found = variants(name, span, where, most)
    if begun is not None:
        begun([one.parameters for one in found])
    return go(found, How(time, lines, engine, address, workers, fresh, time_each), kept, report)


@dataclass(frozen=True)
class How:
    """What is asked of each variant, and where they are solved."""

    time: float | None = None
    lines: bool = False
    engine: str = "local"
    address: str | None = None
    workers: int | None = None
    fresh: bool = False
    time_each: float | None = None


def go(
    found: Variants,
    how: How,
    kept: Callable[[Sweep], object] | None = None,
    report: Report = lambda *_: None,
) -> Sweep:
    """Solve variants that were made."""
    limits = TimeLimits.of(how.time, how.time_each)
    check_engine(how.engine, how.address, how.workers)
    work = _Work(found, how, limits, kept, report)
    work.go()
    return work.sweep()


def named(game: str | Callable[..., Any]) -> str:
    """The name of a game as people give it in Python: a name, a spelling, a factory of ruse's or a class of theirs."""
    return registry.know(game) if isinstance(game, str) else registry.name_of(game)


def _too_many(name: str, span: Space, workers: int, yes: bool) -> SweepError:
    """How many there are, and about how long they would take: one that is possible is solved to find out."""
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
    """About how long: "40 s", "3 min", "7 h", "2 days"."""
    for unit, size in (("days", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= 2 * size:
            return f"about {seconds / size:,.0f} {unit}"
    return f"about {seconds:.0f} s"


class _Work:
    """A sweep under way."""

    def __init__(
        self,
        found: Variants,
        how: How,
        limits: TimeLimits,
        kept: Callable[[Sweep], object] | None,
        report: Report,
    ) -> None:
        self.found, self.how, self.limits, self.kept, self.report = found, how, limits, kept, report
        self.library = Library(found.name, empty=how.fresh)
        self.started = self.kept_at = perf_counter()
        self.pause = KEEPING
        self.numbers: dict[str, list[int]] = {}  # of the variants that are solved as one
        self.asked: dict[str, Variant] = {}  # one of each
        for number, one in enumerate(found):
            self.numbers.setdefault(one.key, []).append(number)
            self.asked.setdefault(one.key, one)
        self.rows: dict[int, Row] = {}
        self.failed: dict[str, str] = {}
        self.solved = 0
        known = self.library.rows
        self.todo = [key for key in self.numbers if key not in known or (how.lines and known[key].lines is None)]
        for key in {*self.numbers} - {*self.todo}:
            self.take(key, known[key])
        self.known = len(self.numbers) - len(self.todo)

    def take(self, key: str, answer: Row | str) -> None:
        for number in self.numbers[key]:
            if isinstance(answer, Row):
                self.rows[number] = replace(answer, parameters=dict(self.found.found[number].parameters))
            else:
                self.failed[told(self.found.axes, self.found.found[number].choice)] = answer

    def sweep(self) -> Sweep:
        rows = {number: self.rows[number] for number in sorted(self.rows)}
        return Sweep(self.found, rows, self.failed, self.known, self.solved, perf_counter() - self.started)

    def go(self) -> None:
        """Solve what is not known. Ctrl-C ends it: what was finished stays."""
        with suppress(KeyboardInterrupt):  # between two of those who note it, or a second one, which waits for nobody
            self._go()

    def _go(self) -> None:
        how = self.how
        if not self.todo:
            return
        with Interrupts() as interrupts:
            costs = self._sample(interrupts)
        if interrupts.came or self.limits.over() or len(costs) == len(self.todo):
            return
        if not all(map(is_walked, self.todo)):  # no worker could show that it has the same game
            self._solve_all_here([key for number, key in enumerate(self.todo) if number not in costs])
            return
        many = how.workers or (cores() if how.engine == "local" else MANY_WORKERS)
        batches = _batches(len(self.todo), costs, many)
        name, source = self.found.name, source_of(self.found.name)
        asked = [(key, self.asked[key].solved_as) for key in self.todo]
        jobs: list[Job] = [
            (solve_batch, (name, source, [asked[number] for number in batch.numbers], self.limits, how.lines))
            for batch in batches
        ]
        left = sum(batch.seconds for batch in batches)
        begun, done = perf_counter(), 0.0
        stays: list[str] = []  # variants whose rules are others where they are imported anew
        for number, answers in run(jobs, how.engine, how.address, how.workers):
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
        """Solve a variant in this process, one of so many that are left."""
        self.add([(key, solved_here(self.asked[key], self.limits.seconds(left), self.how.lines))])

    def add(self, answers: Sequence[tuple[str, Row | str]]) -> None:
        """Rows that have come in, kept at once."""
        self.library.add([(key, row) for key, row in answers if isinstance(row, Row)])
        for key, row in answers:
            self.take(key, row)
        self.solved += len(answers)
        if self.kept is not None and perf_counter() - self.kept_at > self.pause:
            begun = perf_counter()
            self.kept(self.sweep())
            self.kept_at = perf_counter()
            self.pause = max(KEEPING, 20 * (self.kept_at - begun))

    def _sample(self, interrupts: Interrupts) -> dict[int, float]:
        """Solve some variants, evenly spread: seconds by their numbers."""
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
    seconds: float  # that it may take


def _batches(count: int, costs: Mapping[int, float], workers: int) -> list[_Batch]:
    """The variants without a cost in runs of about equal work; each costs what the nearest does that has one.

    A run takes BATCH seconds, or less where every worker would get only a few of them. Runs that take long come first,
    for nobody to wait for at the end; the others are shuffled, so that how far the work is tells how long it will take.
    """
    known = sorted(costs)
    guessed: dict[int, float] = {}
    for number in range(count):
        if number not in costs:
            place = bisect(known, number)
            beside = known[max(0, place - 1) : place + 1]
            guessed[number] = costs[min(beside, key=lambda one: abs(one - number))]
    most = min(BATCH, sum(guessed.values()) / (EACH * workers))
    found: list[_Batch] = []
    numbers: list[int] = []
    seconds = 0.0
    for number, cost in guessed.items():
        if numbers and (seconds + cost > most or len(numbers) >= MOST_BATCH):
            found.append(_Batch(numbers, seconds))
            numbers, seconds = [], 0.0
        numbers.append(number)
        seconds += cost
    if numbers:
        found.append(_Batch(numbers, seconds))
    Random(0).shuffle(found)
    return sorted(found, key=lambda batch: -max(batch.seconds, 2 * BATCH))
