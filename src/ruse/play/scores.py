"""Scores of drills by side, day and position, in one JSON file per game in the user's folder.

Positions are also scheduled (ruse.play.spacing): what went wrong comes back on later days. A lock lets one program at a
time replace the file after an answer, so that two terminals or pages lose no answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

from ruse.core import atomic_files
from ruse.core.game import Game
from ruse.core.identity import identity
from ruse.core.jsonable import Exact, jsonable
from ruse.play.session import SessionError
from ruse.play.spacing import INTERVALS, NOT_WAITING, Spacing, after_answer
from ruse.solution.container import StoreError, a_fraction, a_line, an_object, shown
from ruse.solution.container import field as a_field
from ruse.solution.state_folder import state_folder

FORMAT = 1
MOST_BYTES = 8 << 20
MOST_POSITIONS = 2_000  # of a side, the most recent ones
MOST_DAYS = 4_000
DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
IDENTITY = re.compile(r"[A-Za-z0-9_-]{8,128}", re.ASCII)  # of a game
NOTHING = Fraction(0)
Tally = TypeVar("Tally")


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
class PositionTally:
    """The answers at one position, the day of the last one, and when the position comes back."""

    tally: AnswerTally = AnswerTally()
    last: str = ""  # a day; files before 0.8.0 do not have it
    spacing: Spacing = NOT_WAITING

    def with_answer(self, day: date, right: bool, cost: Fraction, hinted: bool) -> PositionTally:
        spacing = after_answer(self.spacing, right and not hinted, day)
        return PositionTally(self.tally.with_answer(right, cost), day.isoformat(), spacing)

    def to_json(self) -> dict[str, Any]:
        fields: dict[str, Any] = jsonable(self.tally)
        return {**fields, "last": self.last, "box": self.spacing.box, "due": self.spacing.due}


@dataclass(frozen=True)
class DrillScore:
    """All answers of one side of a game."""

    days: Mapping[str, AnswerTally] = field(default_factory=dict)  # by day such as 2026-11-16, the first day first
    positions: Mapping[str, PositionTally] = field(default_factory=dict)  # the most recent one last

    @property
    def total(self) -> AnswerTally:
        tallies = self.days.values()
        return AnswerTally(
            sum(tally.answered for tally in tallies),
            sum(tally.right for tally in tallies),
            sum((tally.cost for tally in tallies), NOTHING),
        )

    @property
    def due_positions(self) -> list[str]:
        """The positions to ask again today, the longest overdue first."""
        today = date.today()
        waiting = [name for name, answers in self.positions.items() if answers.spacing.is_due(today)]
        return sorted(waiting, key=lambda name: self.positions[name].spacing.due)

    @property
    def due(self) -> int:
        """How many positions come back today."""
        return len(self.due_positions)

    @property
    def waiting(self) -> int:
        """How many positions come back on a later day."""
        return sum(answers.spacing.box > 0 for answers in self.positions.values()) - self.due

    def answered_today(self) -> set[str]:
        """The positions that were answered today."""
        today = date.today().isoformat()
        return {name for name, answers in self.positions.items() if answers.last == today}

    def with_answer(self, day: date, position: str, right: bool, cost: Fraction, hinted: bool = False) -> DrillScore:
        name = day.isoformat()
        days = {**self.days, name: self.days.get(name, AnswerTally()).with_answer(right, cost)}
        others = {name: answers for name, answers in self.positions.items() if name != position}
        before = self.positions.get(position, PositionTally())
        positions = {**others, position: before.with_answer(day, right, cost, hinted)}
        return DrillScore(_last(days, MOST_DAYS), _last(positions, MOST_POSITIONS))

    def to_json(self) -> dict[str, Any]:
        counts = {"due": self.due, "waiting": self.waiting}
        return {"total": jsonable(self.total), "days": jsonable(self.days), **counts}


@dataclass(frozen=True)
class Drilled:
    """A game and a side with a score."""

    title: str
    side: str
    score: DrillScore
    won: bool  # whether the game has no draws, so that costs are percentage points of winning
    identity: str  # of the game


class Scores:
    """The scores of a folder."""

    def __init__(self, folder: str | Path | None = None) -> None:
        self.folder = state_folder() / "drills" if folder is None else Path(folder)

    def of(self, game: Game, side: int) -> DrillScore:
        """The score of one side, empty if there is no file yet. Raises StoreError if the file is damaged."""
        path = self._path(game)
        sides = _sides(self._read(path), path) if path.exists() else {}
        return sides.get(game.sides[side], DrillScore())

    def add(
        self,
        game: Game,
        side: int,
        position: str,
        right: bool,
        cost: Fraction,
        *,
        hinted: bool = False,
        number: int | None = None,
    ) -> DrillScore:
        """Count an answer. Its `number`, counted from 1, ensures that no page sends an answer twice."""
        path = self._path(game)
        with self._locked():
            sides = _sides(self._read(path), path) if path.exists() else {}
            score = sides.get(game.sides[side], DrillScore())
            if number not in (None, score.total.answered + 1):
                raise SessionError(
                    f"expected answer {score.total.answered + 1} of this drill, got answer {number}: "
                    "you answered it in another tab"
                )
            updated = score.with_answer(date.today(), position, right, cost, hinted)
            atomic_files.replace(path, _written(game, {**sides, game.sides[side]: updated}))
        return updated

    def forget(self, identity: str, side: str) -> None:
        """Delete the score of a side of a game. A damaged file is deleted whole."""
        if not IDENTITY.fullmatch(identity):
            raise StoreError(f"expected the identity of a game, got {ascii(identity)[:60]}")
        path = self.folder / f"{identity}.json"
        with self._locked():
            fields, others = dict[str, Any](), dict[str, Any]()
            with suppress(StoreError):
                fields = self._read(path)
                others = {name: fields["sides"][name] for name in _sides(fields, path) if name != side}
            if others:
                atomic_files.replace(path, json.dumps({**fields, "sides": others}, ensure_ascii=False).encode())
            else:
                path.unlink(missing_ok=True)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Let one program at a time change the folder."""
        lock = self.folder / "lock"
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock.touch(mode=0o600)
            with atomic_files.held(lock):
                yield
        except OSError as error:
            raise StoreError(f"cannot save scores in {self.folder}: {atomic_files.reason(error)}") from error

    def all(self) -> list[Drilled]:
        """The scores of every game, by title; unreadable files are skipped."""
        drilled: list[Drilled] = []
        for path in sorted(self.folder.glob("*.json")):
            with suppress(StoreError):
                fields = self._read(path)
                title, won = a_line(a_field(fields, "game"), "game"), a_field(fields, "won") is True
                sides = _sides(fields, path)
                drilled += [Drilled(title, side, score, won, path.stem) for side, score in sides.items()]
        return sorted(drilled, key=lambda entry: (entry.title, entry.side))

    def _path(self, game: Game) -> Path:
        return self.folder / f"{identity(game)}.json"

    def _read(self, path: Path) -> dict[str, Any]:
        try:
            fields = json.loads(atomic_files.read(path, MOST_BYTES).decode())
        except (OSError, ValueError, RecursionError) as error:
            raise StoreError(f"the scores in {path} cannot be read; --forget deletes the file") from error
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
        {a_line(position, "position"): _position(answers) for position, answers in positions.items()},
    )


def _position(content: Any) -> PositionTally:
    fields = an_object(content, "a position")
    last, box, due = fields.get("last", ""), fields.get("box", 0), fields.get("due", "")
    if type(box) is not int or not 0 <= box <= len(INTERVALS):
        raise StoreError(f"expected a box of 0 to {len(INTERVALS)}, got {shown(box)}")
    for day in (last, due):
        if not isinstance(day, str) or (day and not DAY.fullmatch(day)):
            raise StoreError(f"expected a day such as 2026-11-16, got {shown(day)}")
    return PositionTally(_tally(fields), last, Spacing(box, due))


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
            side: {
                "days": jsonable(score.days),
                "positions": {position: answers.to_json() for position, answers in score.positions.items()},
            }
            for side, score in sides.items()
        },
    }
    return json.dumps(fields, ensure_ascii=False).encode()


def _last(tallies: Mapping[str, Tally], most: int) -> dict[str, Tally]:
    return dict(list(tallies.items())[-most:])
