"""Answers that took a linear program, by what was asked: found once, and kept in a file if somebody does (kept.py)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from ruse.insight.model import Guarantee, Range, Simplest, Unique

T = TypeVar("T")
Key = tuple[Any, ...]  # what is asked, the side, and where


@dataclass
class Memory:
    """Exact answers only: those that are bounded because the time was up are found again."""

    ranges: dict[Key, Range | None] = field(default_factory=dict)
    guarantees: dict[Key, Guarantee] = field(default_factory=dict)
    kinds: dict[Key, str | None] = field(default_factory=dict)
    uniques: dict[int, Unique] = field(default_factory=dict)
    simple: dict[int, Simplest] = field(default_factory=dict)
    new: bool = False  # whether there is something that no file holds yet

    def range(self, key: Key, find: Callable[[], Range | None]) -> Range | None:
        return self._kept(self.ranges, key, find, lambda found: found is None or found.exact)

    def guarantee(self, key: Key, find: Callable[[], Guarantee]) -> Guarantee:
        return self._kept(self.guarantees, key, find, lambda found: found.exact)

    def kind(self, key: Key, find: Callable[[], str | None]) -> str | None:
        return self._kept(self.kinds, key, find, lambda found: True)

    def unique(self, side: int, find: Callable[[], Unique]) -> Unique:
        return self._kept(self.uniques, side, find, lambda found: found.unique is not None)

    def simplest(self, side: int, find: Callable[[], Simplest]) -> Simplest:
        return self._kept(self.simple, side, find, lambda found: True)

    def _kept(self, known: dict[Any, T], key: Any, find: Callable[[], T], final: Callable[[T], bool]) -> T:
        if key in known:
            return known[key]
        found = find()
        if final(found):
            known[key] = found
            self.new = True
        return found
