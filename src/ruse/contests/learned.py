"""A learned strategy: parameters for a contest, how they were learned, and their score, in a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from math import inf, isfinite
from pathlib import Path
from typing import Any, NamedTuple

from ruse.contests import arena
from ruse.contests.arena.contest import Contest, ContestError
from ruse.solution import container
from ruse.solution.container import OtherKind, StoreError, a_line, a_list, shown

KIND = "learned"


class WinningRate(NamedTuple):
    """A winning rate and its error: two standard errors."""

    rate: float
    error: float
    matches: int
    cut: float  # share of matches that were cut

    def format(self) -> str:
        if not self.matches:
            return "not measured"
        cut = f", {self.cut:.1%} of {self.matches:,} matches cut" if self.cut else ""
        return f"{self.rate:.1%} ± {self.error:.1%}{cut}"


class LearningStep(NamedTuple):
    """One point of a run's history."""

    iteration: int
    matches: int
    seconds: float
    step_size: float
    accepted: bool


@dataclass(frozen=True)
class Learned:
    """A strategy for a contest that was learned by playing it, and what it wins against the baseline."""

    contest: str
    parameters: tuple[float, ...]
    method: str
    seed: int
    iterations: int
    matches: int  # played while learning
    seconds: float
    baseline: WinningRate  # against the baseline, in fresh matches
    history: Sequence[LearningStep] = field(default=(), compare=False)

    @property
    def game(self) -> Contest:
        return arena.find(self.contest)

    def words(self) -> str:
        return self.game.words(self.game.strategy(self.parameters))

    def to_json(self) -> dict[str, Any]:
        return {
            "contest": self.contest,
            "method": self.method,
            "seed": self.seed,
            "iterations": self.iterations,
            "matches": self.matches,
            "seconds": round(self.seconds, 3),
            "baseline": self.baseline._asdict(),
            "words": self.words(),
            "parameters": list(self.parameters),
        }

    def save(self, path: str | Path) -> Path:
        """Write the strategy to one file, all of it or nothing."""
        return container.write(Path(path), dumps(self))


def dumps(learned: Learned) -> bytes:
    fields = asdict(learned) | {
        "kind": KIND,
        "parameters": list(learned.parameters),
        "baseline": list(learned.baseline),
        "history": [list(step) for step in learned.history],
    }
    return container.pack(fields)


def load(path: str | Path) -> Learned:
    """The learned strategy in a file."""
    return loads(container.read(Path(path)), str(path))


def loads(content: bytes, name: str) -> Learned:
    """The learned strategy in the bytes of a file of that name."""
    try:
        return _learned(container.unpack(content))
    except (StoreError, ContestError, arena.UnknownContest) as error:
        raise StoreError(f"{error} ({name})") from error.__cause__


def _learned(fields: Mapping[str, Any]) -> Learned:
    if fields.get("kind") != KIND:
        raise OtherKind("this file holds no learned strategy, as ruse evolve saves it")
    game = arena.find(a_line(container.field(fields, "contest"), "contest"))
    parameters = game.strategy(_numbers(container.field(fields, "parameters"), "parameters"))
    rate, error, matches, cut = _row(container.field(fields, "baseline"), "baseline", 4)
    if not (0 <= rate <= 1 and 0 <= error <= 1 and 0 <= matches < 1e15 and 0 <= cut <= 1):
        raise StoreError("the baseline must be a rate, its error, matches and a share")
    seconds = _numbers([container.field(fields, "seconds")], "seconds")[0]
    if not 0 <= seconds < 1e15:
        raise StoreError(f"expected seconds of at least 0, got {seconds:g}")
    history = a_list(fields.get("history", []), "history")
    rows = [_row(row, "history", 5) for row in history]
    return Learned(
        game.name,
        tuple(parameters.tolist()),
        a_line(container.field(fields, "method"), "method"),
        _whole(container.field(fields, "seed"), "seed"),
        _whole(container.field(fields, "iterations"), "iterations"),
        _whole(container.field(fields, "matches"), "matches"),
        seconds,
        WinningRate(rate, error, int(matches), cut),
        tuple(LearningStep(int(row[0]), int(row[1]), row[2], row[3], bool(row[4])) for row in rows),
    )


def _row(content: Any, label: str, length: int) -> list[float]:
    row = _numbers(content, label)
    if len(row) != length:
        raise StoreError(f"expected {length} numbers as {label}, got {len(row)}")
    return row


def _numbers(content: Any, label: str) -> list[float]:
    numbers = []
    for number in a_list(content, label):
        try:
            numbers.append(float(number))
        except (TypeError, ValueError, OverflowError):
            numbers.append(inf)
        if not isinstance(number, int | float) or not isfinite(numbers[-1]):
            raise StoreError(f"expected finite numbers as {label}, got {shown(number)}")
    return numbers


def _whole(content: Any, label: str) -> int:
    if not isinstance(content, int) or isinstance(content, bool) or content < 0:
        raise StoreError(f"expected a whole number of at least 0 as {label}, got {shown(content)}")
    return content
