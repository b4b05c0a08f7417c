"""How drills went, a JSON object a game in a folder of the user's: by side, over days and by position.

A file is replaced whole after every answer, by one at a time; so of two terminals or pages neither loses an answer.
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
MOST_POSITIONS = 2_000  # of a side, the last ones that were dealt
MOST_DAYS = 4_000
DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
NOTHING = Fraction(0)


@dataclass(frozen=True)
class Tally:
    """Answers: how many, and how many of them right."""

    answered: int = 0
    right: int = 0
    cost: Exact = NOTHING
    """what the answers that were not right cost together, as a payoff"""

    def with_one(self, right: bool, cost: Fraction) -> Tally:
        return Tally(self.answered + 1, self.right + right, self.cost + cost)


@dataclass(frozen=True)
class Score:
    """All answers of one side of a game."""

    days: Mapping[str, Tally] = field(default_factory=dict)  # 2026-11-16, the first day first
    positions: Mapping[str, Tally] = field(default_factory=dict)  # the last one dealt last

    @property
    def total(self) -> Tally:
        tallies = self.days.values()
        return Tally(
            sum(one.answered for one in tallies),
            sum(one.right for one in tallies),
            sum((one.cost for one in tallies), NOTHING),
        )

    def with_one(self, day: str, position: str, right: bool, cost: Fraction) -> Score:
        days = {**self.days, day: self.days.get(day, Tally()).with_one(right, cost)}
        others = {one: tally for one, tally in self.positions.items() if one != position}
        positions = {**others, position: self.positions.get(position, Tally()).with_one(right, cost)}
        return Score(_last(days, MOST_DAYS), _last(positions, MOST_POSITIONS))

    def to_json(self) -> dict[str, Any]:
        return {"total": jsonable(self.total), "days": jsonable(self.days)}


@dataclass(frozen=True)
class Drilled:
    """A game and a side that somebody has drilled."""

    title: str
    side: str
    score: Score
    won: bool  # whether one of two sides wins, so that costs are points of winning


class Scores:
    """The scores of a folder."""

    def __init__(self, folder: str | Path | None = None) -> None:
        self.folder = state_folder() / "drills" if folder is None else Path(folder)

    def of(self, game: Game, side: int) -> Score:
        """Of one side; nothing yet where there is no file. Raises StoreError of a damaged one."""
        path = self._path(game)
        sides = _sides(self._read(path), path) if path.exists() else {}
        return sides.get(game.sides[side], Score())

    def add(self, game: Game, side: int, number: int, position: str, right: bool, cost: Fraction) -> Score:
        """Count an answer. `number` is its own, from 1 on, so that no answer counts twice."""
        path, lock = self._path(game), self.folder / "lock"
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock.touch(mode=0o600)
            with atomic_files.held(lock):
                before = self._read(path) if path.exists() else {}
                sides = _sides(before, path) if before else {}
                score = sides.get(game.sides[side], Score())
                if number != score.total.answered + 1:
                    raise SessionError(
                        f"expected answer {score.total.answered + 1} of this drill, got answer {number}: "
                        "you answered it in another tab"
                    )
                found = score.with_one(date.today().isoformat(), position, right, cost)
                atomic_files.replace(path, _written(game, {**sides, game.sides[side]: found}))
        except OSError as error:
            raise StoreError(f"cannot save scores in {self.folder}: {atomic_files.reason(error)}") from error
        return found

    def all(self) -> list[Drilled]:
        """Of every game, by title; files that cannot be read are passed over."""
        found: list[Drilled] = []
        for path in sorted(self.folder.glob("*.json")):
            with suppress(StoreError):
                fields = self._read(path)
                title, won = a_line(a_field(fields, "game"), "game"), a_field(fields, "won") is True
                found += [Drilled(title, side, score, won) for side, score in _sides(fields, path).items()]
        return sorted(found, key=lambda one: (one.title, one.side))

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


def _sides(fields: Mapping[str, Any], path: Path) -> dict[str, Score]:
    try:
        sides = an_object(a_field(fields, "sides"), "sides")
        return {a_line(side, "side"): _score(an_object(one, "a side")) for side, one in sides.items()}
    except StoreError as error:
        raise StoreError(f"{error} ({path})") from error


def _score(fields: Mapping[str, Any]) -> Score:
    days = an_object(a_field(fields, "days"), "days")
    positions = an_object(a_field(fields, "positions"), "positions")
    for day in days:
        if not DAY.fullmatch(day):
            raise StoreError(f"expected a day such as 2026-11-16, got {day[:40]!r}")
    return Score(
        {day: _tally(days[day]) for day in sorted(days)},
        {a_line(position, "position"): _tally(one) for position, one in positions.items()},
    )


def _tally(found: Any) -> Tally:
    fields = an_object(found, "a tally")
    answered, right = a_field(fields, "answered"), a_field(fields, "right")
    if type(answered) is not int or type(right) is not int or not 0 <= right <= answered:
        raise StoreError("expected whole numbers of answers, and no more right ones than there are")
    return Tally(answered, right, a_fraction(a_field(fields, "cost"), "cost"))


def _written(game: Game, sides: Mapping[str, Score]) -> bytes:
    found = {
        "format": FORMAT,
        "game": game.title,
        "won": len(game.wins) == 2,
        "sides": {
            side: {"days": jsonable(score.days), "positions": jsonable(score.positions)}
            for side, score in sides.items()
        },
    }
    return json.dumps(found, ensure_ascii=False).encode()


def _last(found: Mapping[str, Tally], most: int) -> dict[str, Tally]:
    kept: Sequence[str] = list(found)[-most:]
    return {name: found[name] for name in kept}
