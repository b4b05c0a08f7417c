"""Bounds on the values of all variants at once: how solving one variant bounds the others.

If a game declares in which direction its value moves (`Adjustable`), variants are partly ordered: b is above a if no
declared entry of b is on the wrong side and everything else is equal. Then value(a) <= value(b), so

    lower(b) >= lower(a)   and   upper(a) <= upper(b).

Bounds are stored as places in one sorted list of fractions, so comparing and spreading them is integer arithmetic.
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

Number = Fraction | float  # plus or minus infinity
FAR = 1e300


class VariantBounds:
    """A lower and an upper bound on the value of each variant."""

    def __init__(self, games: Sequence[Game], keys: Sequence[str], ends: tuple[Number, Number] = (-inf, inf)) -> None:
        """Variants with the same key have the same value, and all values lie between the ends."""
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
        """Return the bounds of a variant."""
        return self._values[self.low[number]], self._values[self.high[number]]

    def learn(self, number: int, lower: Number, upper: Number) -> None:
        """Bound a variant, and all others that this bounds too."""
        for member in self._alike[number]:
            here = self._group == self._group[member]
            above = here & (self._place >= self._place[member]).all(axis=1)
            below = here & (self._place <= self._place[member]).all(axis=1)
            low = self._rank(lower)
            self.low[above] = np.maximum(self.low[above], low)
            high = self._rank(upper)
            self.high[below] = np.minimum(self.high[below], high)

    def may_be_within(self, target: Fraction, distance: Number, or_equal: bool) -> Array:
        """Return which variants may be closer than a distance to a target, or equally close: bool[variants]."""
        if distance == inf:
            return np.ones(len(self.low), dtype=bool)
        first, last = (bisect_right, bisect_left) if or_equal else (bisect_left, bisect_right)
        within: Array = (self.low < first(self._values, target + distance)) & (
            self.high >= last(self._values, target - distance)
        )
        return within

    def height(self) -> Array:
        """Return roughly how high each variant is in the order: int[variants]."""
        heights: Array = self._place.sum(axis=1)
        return heights

    def apart(self, numbers: Array, target: Fraction) -> Array:
        """Return about how far the middle of the bounds is from a target: float[numbers]."""
        floats = np.clip(np.array([float(value) for value in self._values]), -FAR, FAR)
        distances: Array = np.abs((floats[self.low[numbers]] + floats[self.high[numbers]]) / 2 - float(target))
        return distances

    def _rank(self, value: Number) -> int:
        """Return the place of a value in the list, and insert the value if it is missing."""
        place = bisect_left(self._values, value)
        if self._values[place] != value:
            self._values.insert(place, value)
            self.low[self.low >= place] += 1
            self.high[self.high >= place] += 1
        return place


def _place(game: Game) -> tuple[str, list[int]]:
    """Return what comparable variants must share, as a text, and the entries that order them."""
    declared = call_optional(Adjustable.directions, game)
    rest: list[object] = []
    entries: list[int] = []
    for name, value in game.parameters.items():
        signs = declared.get(name, 0)
        values = list(value) if isinstance(value, list | tuple) else [value]
        each = list(signs) if isinstance(signs, Sequence) else [signs] * len(values)
        if len(each) != len(values) or not all(
            isinstance(entry, int) and not isinstance(entry, bool) for entry in values
        ):
            each = [0] * len(values)  # only whole numbers are compared
        rest.append((name, len(values), [entry for entry, sign in zip(values, each, strict=True) if not sign]))
        entries += [sign * entry for entry, sign in zip(values, each, strict=True) if sign]
    return repr(rest), entries
