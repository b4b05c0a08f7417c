"""A cache of answers that took a linear program, which may be saved to a file (insight_file.py)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from ruse.core.clock import left
from ruse.core.types import Tables
from ruse.insight.model import Bound, Guarantee, Range, Simplest, Unique

K = TypeVar("K")
T = TypeVar("T")


class Key(NamedTuple):
    """A question about a side, at a position, about a move or a fact."""

    kind: str  # "move" and "always" of the mover's odds, "belief" of the other side's plans, which the side looks at
    side: int
    position: str
    name: str


@dataclass
class Memory:
    """The cache. It holds only exact answers; bounds from a run out of time are computed again.

    A bound in place of a range proves that no optimal plan comes there: its weight there is at most 0.
    """

    ranges: dict[Key, Range | Bound] = field(default_factory=dict)
    guarantees: dict[Key, Guarantee] = field(default_factory=dict)
    uniques: dict[int, Unique] = field(default_factory=dict)
    simple: dict[int, Simplest] = field(default_factory=dict)
    pair: Tables | None = None  # two optimal strategies against which moves have costs (ruse.insight.costs)
    new: bool = False  # whether some answer is not in a file yet
    watch: Callable[[int, int], object] = lambda done, of: None  # called with each answer's number and their total
    expected: int = 0  # answers to come
    answered: int = 0

    def expect(self, answers: int) -> None:
        """Prepare to report progress on so many answers."""
        self.expected, self.answered = answers, 0

    def range(self, key: Key, find: Callable[[], Range | Bound]) -> Range | None:
        answer = self._kept(self.ranges, key, find, lambda answer: answer.exact)
        return answer if isinstance(answer, Range) else None

    def guarantee(self, key: Key, find: Callable[[], Guarantee]) -> Guarantee:
        return self._kept(self.guarantees, key, find, lambda answer: answer.exact)

    def unique(self, side: int, find: Callable[[], Unique]) -> Unique:
        return self._kept(self.uniques, side, find, lambda answer: answer.unique is not None)

    def simplest(self, side: int, find: Callable[[], Simplest]) -> Simplest:
        return self._kept(self.simple, side, find, lambda _: left() > 0)  # more time may prove more mixing

    def learn_pair(self, pair: Tables) -> None:
        self.pair, self.new = pair, True

    def learn(self, other: Memory) -> None:
        """Add the answers of another cache."""
        self.ranges = {**other.ranges, **self.ranges}
        self.guarantees = {**other.guarantees, **self.guarantees}
        self.uniques = {**other.uniques, **self.uniques}
        self.simple = {**other.simple, **self.simple}
        self.pair = self.pair or other.pair

    def _kept(self, known: dict[K, T], key: K, find: Callable[[], T], final: Callable[[T], bool]) -> T:
        if key in known:
            self._report()
            return known[key]
        answer = find()
        self._report()
        if final(answer):
            known[key] = answer
            self.new = True
        return answer

    def _report(self) -> None:
        self.answered += 1
        if self.answered <= self.expected:
            self.watch(self.answered, self.expected)
