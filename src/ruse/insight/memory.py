"""Answers that took a linear program, by what was asked: found once, and kept in a file if somebody does (kept.py)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from ruse.core.clock import left
from ruse.insight.model import Bound, Guarantee, Range, Simplest, Unique

K = TypeVar("K")
T = TypeVar("T")


class Key(NamedTuple):
    """What is asked: of a side, at a position, about a move or a fact."""

    kind: str  # "move" and "always" of the mover's odds, "belief" of the other side's plans, which the side looks at
    side: int
    position: str
    name: str


@dataclass
class Memory:
    """Exact answers only: those that are bounded because the time was up are found again.

    A bound in place of a range proves that no optimal plan comes there: its weight there is at most 0.
    """

    ranges: dict[Key, Range | Bound] = field(default_factory=dict)
    guarantees: dict[Key, Guarantee] = field(default_factory=dict)
    uniques: dict[int, Unique] = field(default_factory=dict)
    simple: dict[int, Simplest] = field(default_factory=dict)
    new: bool = False  # whether there is something that no file holds yet
    watch: Callable[[int, int], object] = lambda done, of: None  # told of every answer: how many of how many there are
    asked: int = 0  # answers that are on their way
    told: int = 0

    def expect(self, answers: int) -> None:
        """Somebody is about to ask so many questions."""
        self.asked, self.told = answers, 0

    def range(self, key: Key, find: Callable[[], Range | Bound]) -> Range | None:
        found = self._kept(self.ranges, key, find, lambda found: found.exact)
        return found if isinstance(found, Range) else None

    def guarantee(self, key: Key, find: Callable[[], Guarantee]) -> Guarantee:
        return self._kept(self.guarantees, key, find, lambda found: found.exact)

    def unique(self, side: int, find: Callable[[], Unique]) -> Unique:
        return self._kept(self.uniques, side, find, lambda found: found.unique is not None)

    def simplest(self, side: int, find: Callable[[], Simplest]) -> Simplest:
        return self._kept(self.simple, side, find, lambda _: left() > 0)  # with more time more may have to be mixed

    def learn(self, other: Memory) -> None:
        """Take over what somebody else has found meanwhile."""
        self.ranges = {**other.ranges, **self.ranges}
        self.guarantees = {**other.guarantees, **self.guarantees}
        self.uniques = {**other.uniques, **self.uniques}
        self.simple = {**other.simple, **self.simple}

    def _kept(self, known: dict[K, T], key: K, find: Callable[[], T], final: Callable[[T], bool]) -> T:
        if key in known:
            self._tell()
            return known[key]
        found = find()
        self._tell()
        if final(found):
            known[key] = found
            self.new = True
        return found

    def _tell(self) -> None:
        self.told += 1
        if self.told <= self.asked:
            self.watch(self.told, self.asked)
