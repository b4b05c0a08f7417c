"""One variant after the other, as a worker solves them: what a row needs, and no more."""

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
from ruse.present.rules import rules_of
from ruse.solving.pipeline import solve
from ruse.studio.rows import Row, wins_of
from ruse.studio.variants import Variant

SIMPLE = "simple-rules"
LEAST = 0.01  # seconds for a variant


@dataclass(frozen=True)
class TimeLimits:
    """How long a run over variants may take: each of them, and all together."""

    each: float | None = None  # seconds
    until: float | None = None  # by time.time, which workers share

    @classmethod
    def of(cls, together: float | None, each: float | None) -> TimeLimits:
        """So many seconds from now on. Raises RuseError for what is no time."""
        for seconds in (together, each):
            if seconds is not None and not 0 < seconds < inf:
                raise RuseError(f"expected a time above 0 seconds, got {seconds:g}")
        return cls(each, None if together is None else time() + min(together, clock.LONGEST))

    def left(self) -> float | None:
        """Seconds for all that is still to come; None for no limit."""
        return None if self.until is None else max(self.until - time(), LEAST)

    def over(self) -> bool:
        return self.until is not None and time() >= self.until

    def seconds(self, waiting: int) -> float | None:
        """For the next of so many variants: half of what is left, so that a slow one leaves time to the others."""
        left = self.left()
        if left is None:
            return self.each
        return min(left if waiting <= 1 else left / 2, inf if self.each is None else self.each)


@dataclass(frozen=True)
class Quick:
    """What simple strategies prove of the value, without a solver: `quick` of a game's part "solve" finds it."""

    lower: Fraction
    upper: Fraction
    lines: int | None = None  # that they take in words, where they are optimal


def quick(game: Game) -> Quick | None:
    """The bounds that a game knows at once; None where it knows none."""
    found = registry.part(game, "solve", "quick")
    return None if found is None else found(game)


def row_of(game: Game, time: float | None = None, lines: bool = False) -> Row:
    """A variant, solved; bounded where the time is up first. To count `lines` takes as long again where rules mix."""
    started = perf_counter()
    with clock.deadline(time):
        try:
            known = quick(game)
        except clock.TimeIsUp:
            known = None
    simple = None if known is None else known.lower == known.upper
    if known is not None and simple:
        bounds = Certificate(known.lower, known.upper, DECLARED)
        spent = round(perf_counter() - started, 6)
        return Row(dict(game.parameters), wins_of(game), bounds, SIMPLE, spent, True, known.lines)
    left = None if time is None else max(time - (perf_counter() - started), time / 10)
    solution = solve(game, time=left, shortcuts=known is None, tidy=lines)
    bounds, counted = solution.certificate, None
    if known is not None:
        both = bounds.and_also(Certificate(known.lower, known.upper, DECLARED))
        bounds = bounds if both == bounds else both
    if lines and solution.written and bounds.exact:
        counted = sum(len(rules_of(solution, side)[1]) for side in (0, 1))
    shares = {} if wins_of(game) else {name: Fraction(share) for name, share in solution.win.items()}
    spent = round(perf_counter() - started, 6)
    note = "" if bounds.exact else solution.note
    return Row(dict(game.parameters), wins_of(game), bounds, solution.solver, spent, simple, counted, note, shares)


# Jobs, for whichever engine (ruse.contests.engine).

Asked = tuple[str, Mapping[str, Any]]  # a variant: its key and its parameters
Answer = tuple[str, Row | str | None]  # the same with its row, or why there is none; None where it is another game here


def solve_batch(name: str, source: str | None, asked: Sequence[Asked], limits: TimeLimits, lines: bool) -> list[Answer]:
    """A job: some variants of a game, one of one's own being imported from where it was named.

    What a worker imports need not be the game that it was asked for: a class may have been changed since it was
    imported, or typed into a notebook. So what it solved counts only if its rules did the same.
    """
    if source is not None:
        try:
            registry.know(source)
        except RuseError:
            return [(key, None) for key, _ in asked]
    found: list[Answer] = []
    for key, parameters in asked:
        if stopped() or limits.over():
            break
        try:
            game = registry.make(name, parameters)
            row = answer(game, limits.seconds(len(asked)), lines)
            found.append((key, row if identity(game) == key else None))
        except RuseError:
            found.append((key, None))
    return found


def solved_here(variant: Variant, time: float | None, lines: bool) -> Row | str:
    """The row of a variant in this process, or a sentence about what is wrong with it."""
    game = variant.solvable()
    found = answer(game, time, lines)
    if isinstance(game, Own) and game.walked is not None and identity(game) != variant.key:
        return f"the rules of {game.title} changed while they were solved: run it again"
    return found


def answer(game: Game, time: float | None, lines: bool) -> Row | str:
    """The row of a variant, or a sentence about what is wrong with it."""
    try:
        return row_of(game, time, lines)
    except RuseError as error:
        return str(error)


def source_of(name: str) -> str | None:
    """How a worker can name a game of one's own; None of a game of ruse's."""
    own = named_games.OWN.get(name)
    return None if own is None else own.spelled
