"""What is known of every variant at once, and how one that is solved bounds the others.

Where a game declares in which direction its value moves (`Adjustable`), variants are partly ordered: b is above a if no
declared entry speaks against it and all else is equal. Then value(a) <= value(b), so

    lower(b) >= lower(a)   and   upper(a) <= upper(b).

Bounds are fractions, held as places in one sorted list: to compare and to spread them is work on whole numbers.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from fractions import Fraction
from math import inf

import numpy as np

from ruse.core.arrays import Array
from ruse.core.capabilities import Adjustable
from ruse.core.game import Game
from ruse.core.registry import call_optional

Number = Fraction | float  # which is an infinity
FAR = 1e300


class Bounds:
    """A lower and an upper bound for each of some variants."""

    def __init__(self, games: Sequence[Game], keys: Sequence[str], ends: tuple[Number, Number] = (-inf, inf)) -> None:
        """Variants of the same key are worth the same; none is worth less or more than the ends."""
        self._values: list[Number] = list(ends)
        self.low = np.zeros(len(games), dtype=np.int64)
        self.high = np.ones(len(games), dtype=np.int64)
        alike: dict[str, list[int]] = {}
        for number, key in enumerate(keys):
            alike.setdefault(key, []).append(number)
        self._alike = [alike[key] for key in keys]
        groups: dict[str, int] = {}
        places = [_place(game) for game in games]
        self._group = np.array([groups.setdefault(rest, len(groups)) for rest, _ in places])
        width = max((len(entries) for _, entries in places), default=0)
        self._place = np.array([[*entries, *[0] * (width - len(entries))] for _, entries in places], dtype=np.int64)

    def of(self, number: int) -> tuple[Number, Number]:
        """What is known of a variant."""
        return self._values[self.low[number]], self._values[self.high[number]]

    def learn(self, number: int, lower: Number, upper: Number) -> None:
        """A variant is worth at least and at most this: what follows for all others is known from now on."""
        for one in self._alike[number]:
            here = self._group == self._group[one]
            above = here & (self._place >= self._place[one]).all(axis=1)
            below = here & (self._place <= self._place[one]).all(axis=1)
            low = self._rank(lower)
            self.low[above] = np.maximum(self.low[above], low)
            high = self._rank(upper)
            self.high[below] = np.minimum(self.high[below], high)

    def may_be_within(self, target: Fraction, distance: Number, or_equal: bool) -> Array:
        """Which variants may be less than a distance from a target, or just as far: bool[variants]."""
        if distance == inf:
            return np.ones(len(self.low), dtype=bool)
        first, last = (bisect_right, bisect_left) if or_equal else (bisect_left, bisect_right)
        found: Array = (self.low < first(self._values, target + distance)) & (
            self.high >= last(self._values, target - distance)
        )
        return found

    def height(self) -> Array:
        """How far up each variant is, roughly: int[variants]."""
        found: Array = self._place.sum(axis=1)
        return found

    def apart(self, numbers: Array, target: Fraction) -> Array:
        """How far the middle of the bounds is from a target, about: float[numbers]."""
        floats = np.clip(np.array([float(value) for value in self._values]), -FAR, FAR)
        found: Array = np.abs((floats[self.low[numbers]] + floats[self.high[numbers]]) / 2 - float(target))
        return found

    def _rank(self, value: Number) -> int:
        """The place of a value in the list, which is made where there is none."""
        place = bisect_left(self._values, value)
        if self._values[place] != value:
            self._values.insert(place, value)
            self.low[self.low >= place] += 1
            self.high[self.high >= place] += 1
        return place


def _place(game: Game) -> tuple[str, list[int]]:
    """All that must be equal for variants to be compared, as a text, and the entries by which they then are."""
    declared = call_optional(Adjustable.directions, game)
    rest: list[object] = []
    entries: list[int] = []
    for name, value in game.parameters.items():
        signs = declared.get(name, 0)
        values = list(value) if isinstance(value, list | tuple) else [value]
        each = list(signs) if isinstance(signs, Sequence) else [signs] * len(values)
        if len(each) != len(values) or not all(isinstance(one, int) and not isinstance(one, bool) for one in values):
            each = [0] * len(values)  # of what is no whole number nothing can be compared
        rest.append((name, len(values), [one for one, sign in zip(values, each, strict=True) if not sign]))
        entries += [sign * one for one, sign in zip(values, each, strict=True) if sign]
    return repr(rest), entries
