"""Scores of drills by side, day and position, in one JSON file per game in the user's folder.

A lock lets one program at a time replace the file after an answer, so that two terminals or pages lose no answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

from ruse.core import atomic_files
from ruse.core.game import Game
from ruse.core.identity import identity
from ruse.core.jsonable import Exact, jsonable
from ruse.play.session import SessionError
from ruse.solution.container import StoreError, a_fraction, a_line, an_object
from ruse.solution.container import field as a_field
from ruse.solution.state_folder import state_folder

FORMAT = 1
MOST_BYTES = 8 << 20
MOST_POSITIONS = 2_000  # of a side, the most recent ones
MOST_DAYS = 4_000
DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
NOTHING = Fraction(0)


@dataclass(frozen=True)
class AnswerTally:
    """A count of answers, how many of them are right, and what the others cost."""

    answered: int = 0
    right: int = 0
    cost: Exact = NOTHING
    """the total cost of the wrong answers, as a payoff"""

    def with_answer(self, right: bool, cost: Fraction) -> AnswerTally:
        return AnswerTally(self.answered + 1, self.right + right, self.cost + cost)


@dataclass(frozen=True)
class DrillScore:
    """All answers of one side of a game."""

    days: Mapping[str, AnswerTally] = field(default_factory=dict)  # by day such as 2026-11-16, the first day first
    positions: Mapping[str, AnswerTally] = field(default_factory=dict)  # the most recent one last

    @property
    def total(self) -> AnswerTally:
        tallies = self.days.values()
        return AnswerTally(
            sum(tally.answered for tally in tallies),
            sum(tally.right for tally in tallies),
            sum((tally.cost for tally in tallies), NOTHING),
        )

    def with_answer(self, day: str, position: str, right: bool, cost: Fraction) -> DrillScore:
        days = {**self.days, day: self.days.get(day, AnswerTally()).with_answer(right, cost)}
        others = {name: tally for name, tally in self.positions.items() if name != position}
        positions = {**others, position: self.positions.get(position, AnswerTally()).with_answer(right, cost)}
        return DrillScore(_last(days, MOST_DAYS), _last(positions, MOST_POSITIONS))

    def to_json(self) -> dict[str, Any]:
        return {"total": jsonable(self.total), "days": jsonable(self.days)}


@dataclass(frozen=True)
class Drilled:
    """A game and a side with a score."""

    title: str
    side: str
    score: DrillScore
    won: bool  # whether the game has no draws, so that costs are percentage points of winning


class Scores:
    """The scores of a folder."""

    def __init__(self, folder: str | Path | None = None) -> None:
        self.folder = state_folder() / "drills" if folder is None else Path(folder)

    def of(self, game: Game, side: int) -> DrillScore:
        """The score of one side, empty if there is no file yet. Raises StoreError if the file is damaged."""
        path = self._path(game)
        sides = _sides(self._read(path), path) if path.exists() else {}
        return sides.get(game.sides[side], DrillScore())

    def add(self, game: Game, side: int, number: int, position: str, right: bool, cost: Fraction) -> DrillScore:
        """Count an answer. Its `number`, counted from 1, ensures that no answer counts twice."""
        path, lock = self._path(game), self.folder / "lock"
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock.touch(mode=0o600)
            with atomic_files.held(lock):
                before = self._read(path) if path.exists() else {}
                sides = _sides(before, path) if before else {}
                score = sides.get(game.sides[side], DrillScore())
                if number != score.total.answered + 1:
                    raise SessionError(
                        f"expected answer {score.total.answered + 1} of this drill, got answer {number}: "
                        "you answered it in another tab"
                    )
                updated = score.with_answer(date.today().isoformat(), position, right, cost)
                atomic_files.replace(path, _written(game, {**sides, game.sides[side]: updated}))
        except OSError as error:
            raise StoreError(f"cannot save scores in {self.folder}: {atomic_files.reason(error)}") from error
        return updated

    def all(self) -> list[Drilled]:
        """The scores of every game, by title; unreadable files are skipped."""
        drilled: list[Drilled] = []
        for path in sorted(self.folder.glob("*.json")):
            with suppress(StoreError):
                fields = self._read(path)
                title, won = a_line(a_field(fields, "game"), "game"), a_field(fields, "won") is True
                drilled += [Drilled(title, side, score, won) for side, score in _sides(fields, path).items()]
        return sorted(drilled, key=lambda entry: (entry.title, entry.side))

    def _path(self, game: Game) -> Path:
        return self.folder / f"{identity(game)}.json"

    def _read(self, path: Path) -> dict[str, Any]:
        try:
            fields = json.loads(atomic_files.read(path, MOST_BYTES).decode())
        except (OSError, ValueError, RecursionError) as error:
            raise StoreError(f"the scores in {path} cannot be read; delete the file to start again") from error
        if not isinstance(fields, dict) or fields.get("format") != FORMAT:
            raise StoreError(f"expected scores of format {FORMAT} in {path}, got something else")
        return fields


def _sides(fields: Mapping[str, Any], path: Path) -> dict[str, DrillScore]:
    try:
        sides = an_object(a_field(fields, "sides"), "sides")
        return {a_line(side, "side"): _score(an_object(scored, "a side")) for side, scored in sides.items()}
    except StoreError as error:
        raise StoreError(f"{error} ({path})") from error


def _score(fields: Mapping[str, Any]) -> DrillScore:
    days = an_object(a_field(fields, "days"), "days")
    positions = an_object(a_field(fields, "positions"), "positions")
    for day in days:
        if not DAY.fullmatch(day):
            raise StoreError(f"expected a day such as 2026-11-16, got {day[:40]!r}")
    return DrillScore(
        {day: _tally(days[day]) for day in sorted(days)},
        {a_line(position, "position"): _tally(tallied) for position, tallied in positions.items()},
    )


def _tally(content: Any) -> AnswerTally:
    fields = an_object(content, "a tally")
    answered, right = a_field(fields, "answered"), a_field(fields, "right")
    if type(answered) is not int or type(right) is not int or not 0 <= right <= answered:
        raise StoreError("expected whole numbers of answers, and no more right ones than there are")
    return AnswerTally(answered, right, a_fraction(a_field(fields, "cost"), "cost"))


def _written(game: Game, sides: Mapping[str, DrillScore]) -> bytes:
    fields = {
        "format": FORMAT,
        "game": game.title,
        "won": len(game.wins) == 2,
        "sides": {
            side: {"days": jsonable(score.days), "positions": jsonable(score.positions)}
            for side, score in sides.items()
        },
    }
    return json.dumps(fields, ensure_ascii=False).encode()


def _last(tallies: Mapping[str, AnswerTally], most: int) -> dict[str, AnswerTally]:
    kept: Sequence[str] = list(tallies)[-most:]
    return {name: tallies[name] for name in kept}
