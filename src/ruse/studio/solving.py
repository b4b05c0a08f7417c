"""How a worker solves variants, one after another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from time import perf_counter, time
from typing import Any

from ruse.contests.engine import stopped
from ruse.core import clock, named_games, registry
from ruse.core.certificate import DECLARED, Certificate
from ruse.core.game import Game, RuseError
from ruse.core.identity import identity
from ruse.core.own import Own
from ruse.core.types import Report
from ruse.present.rules import rules_of
from ruse.solution.strategy import Solution
from ruse.solving.pipeline import solve
from ruse.studio.rows import VariantMetrics, VariantRow, wins_of
from ruse.studio.variants import Variant

SIMPLE = "simple-rules"
LEAST = 0.01  # seconds for a variant


@dataclass(frozen=True)
class TimeLimits:
    """Time limits of a run over variants: for each variant, and for all of them."""

    each: float | None = None  # seconds
    until: float | None = None  # by time.time, which workers share

    @classmethod
    def of(cls, total: float | None, each: float | None) -> TimeLimits:
        """Make limits that start now. Raise RuseError unless they are above 0 seconds."""
        for seconds in (total, each):
            if seconds is not None and not 0 < seconds < inf:
                raise RuseError(f"expected a time above 0 seconds, got {seconds:g}")
        return cls(each, None if total is None else time() + min(total, clock.LONGEST))

    def left(self) -> float | None:
        """Return the seconds left for all remaining variants; None for no limit."""
        return None if self.until is None else max(self.until - time(), LEAST)

    def over(self) -> bool:
        return self.until is not None and time() >= self.until

    def seconds(self, waiting: int) -> float | None:
        """Return the seconds for the next variant: at most half of what is left, so that others get time too."""
        left = self.left()
        if left is None:
            return self.each
        return min(left if waiting <= 1 else left / 2, inf if self.each is None else self.each)


@dataclass(frozen=True)
class Quick:
    """Bounds on the value that simple strategies prove without a solver, from `quick` of a game's part "solve"."""

    lower: Fraction
    upper: Fraction
    lines: int | None = None  # of the simple strategies in words, if they are optimal


def quick(game: Game) -> Quick | None:
    """Return the bounds that a game knows at once; None if it knows none."""
    find_bounds = registry.part(game, "solve", "quick")
    return None if find_bounds is None else find_bounds(game)


MetricFiles = Sequence[str]  # files with metrics of one's own, beside those of ruse


def row_of(
    game: Game,
    time: float | None = None,
    lines: bool = False,
    metrics: MetricFiles | None = None,
    report: Report = lambda *_: None,
) -> VariantRow:
    """Solve a variant, or bound it if time runs out. Counting `lines` and measuring `metrics` can double the time."""
    started = perf_counter()
    with clock.deadline(time):
        try:
            known = quick(game)
        except clock.TimeIsUp:
            known = None
    simple = None if known is None else known.lower == known.upper
    if known is not None and simple and metrics is None:
        bounds = Certificate(known.lower, known.upper, DECLARED)
        spent = round(perf_counter() - started, 6)
        return VariantRow(dict(game.parameters), wins_of(game), bounds, SIMPLE, spent, True, known.lines)
    left = None if time is None else max(time - (perf_counter() - started), time / 10)
    solution = solve(game, time=left, shortcuts=known is None or bool(simple), tidy=lines, report=report)
    bounds, counted = solution.certificate, None
    if known is not None:
        both = bounds.and_also(Certificate(known.lower, known.upper, DECLARED))
        bounds = bounds if both == bounds else both
    if lines and solution.written and bounds.exact:
        counted = sum(len(rules_of(solution, side)[1]) for side in (0, 1))
    measured = None if metrics is None else measure_solution(solution, metrics, left)
    shares = {} if wins_of(game) else {name: Fraction(share) for name, share in solution.win.items()}
    spent = round(perf_counter() - started, 6)
    note = "" if bounds.exact else solution.note
    return VariantRow(
        dict(game.parameters), wins_of(game), bounds, solution.solver, spent, simple, counted, note, shares, measured
    )


def measure_solution(solution: Solution, files: MetricFiles = (), time: float | None = None) -> VariantMetrics:
    """Measure a solved variant; what cannot be measured has a reason."""
    from ruse.metrics.metric import asked_here, load_metrics
    from ruse.metrics.results import measure

    try:
        with clock.deadline(time), asked_here():
            for file in files:
                load_metrics(file)
            measured = measure(solution)
    except RuseError as error:
        return VariantMetrics({}, {}, reasons={"metrics": str(error)}, complete=False)
    return VariantMetrics(
        measured.scalars() | dict.fromkeys(measured.failed),
        measured.fields(),
        measured.basis,
        measured.reasons(),
        tuple(measured.warnings),
        measured.complete,
    )


# Jobs for the engines (ruse.contests.engine).

VariantJob = tuple[str, Mapping[str, Any]]  # a variant: its key and its parameters
VariantAnswer = tuple[str, VariantRow | str | None]  # its row or an error; None if the worker has another game


def solve_batch(
    name: str,
    source: str | None,
    asked: Sequence[VariantJob],
    limits: TimeLimits,
    lines: bool,
    metrics: MetricFiles | None = None,
) -> list[VariantAnswer]:
    """Solve some variants of a game in a worker; a user's own game is imported from `source`.

    A worker may import another game than the one it was asked for: a class may have changed since it was imported, or
    it was typed into a notebook. So an answer counts only if the identity of the game is the same.
    """
    if source is not None:
        try:
            registry.know(source)
        except RuseError:
            return [(key, None) for key, _ in asked]
    answers: list[VariantAnswer] = []
    for key, parameters in asked:
        if stopped() or limits.over():
            break
        try:
            game = registry.make(name, parameters)
            row = answer(game, limits.seconds(len(asked)), lines, metrics)
            answers.append((key, row if identity(game) == key else None))
        except RuseError:
            answers.append((key, None))
    return answers


def solved_here(
    variant: Variant, time: float | None, lines: bool, metrics: MetricFiles | None = None
) -> VariantRow | str:
    """Solve a variant in this process; return its row, or a sentence about what is wrong with it."""
    game = variant.solvable()
    row = answer(game, time, lines, metrics)
    if isinstance(game, Own) and game.walked is not None and identity(game) != variant.key:
        return f"the rules of {game.title} changed while ruse solved it; run it again"
    return row


def answer(game: Game, time: float | None, lines: bool, metrics: MetricFiles | None = None) -> VariantRow | str:
    """Solve a variant; return its row, or a sentence about what is wrong with it."""
    try:
        return row_of(game, time, lines, metrics)
    except RuseError as error:
        return str(error)


def source_of(name: str) -> str | None:
    """Return how a worker imports a user's own game; None for a game that comes with ruse."""
    own = named_games.OWN.get(name)
    return None if own is None else own.spelled
