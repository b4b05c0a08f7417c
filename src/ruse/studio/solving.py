"""One variant after the other, as a worker solves them: what a row needs, and no more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from time import perf_counter
from typing import Any

from ruse.contests.engine import stopped
from ruse.core import clock, named_games, registry
from ruse.core.certificate import DECLARED, Certificate
from ruse.core.game import Game, GameError, RuseError
from ruse.core.identity import identity
from ruse.solving.pipeline import solve
from ruse.studio.rows import Row, wins_of
from ruse.text.rules import rules_of

SIMPLE = "simple-rules"


@dataclass(frozen=True)
class Quick:
    """What simple strategies prove of the value, without a solver: a game's part "quick" finds it."""

    lower: Fraction
    upper: Fraction
    lines: int | None = None  # that they take in words, where they are optimal


def quick(game: Game) -> Quick | None:
    """The bounds that a game knows at once; None where it knows none."""
    found = registry.part(game, "quick")
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


Answer = tuple[str, Row | str]  # the same with its row, or why there is none


def solve_batch(name: str, source: str | None, asked: Sequence[Asked], time: float | None, lines: bool) -> list[Answer]:
    """A job: some variants of a game, one of one's own being imported from where it was named."""
    if source is not None:
        registry.know(source)
    found: list[Answer] = []
    for key, parameters in asked:
        if stopped():
            break
        game = registry.make(name, parameters)
        if identity(game) != key:
            raise GameError(f"expected the same rules of {game.title} on every machine, got others on a worker")
        found.append((key, answer(game, time, lines)))
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
