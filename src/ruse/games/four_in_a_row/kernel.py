"""Alpha-beta for 4-in-a-row on bits: column by column from the ground up, one bit above each column stays empty.

BoardValues are 1 if the side to move wins, 0 for a draw, -1 if it loses. `seen` remembers what is known of positions as
low + 1 + 4 * (high + 1), with the position itself in `keys`; a position and its mirror image share a place.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from ruse.core.arrays import Array

Bits = Any  # int64, a bit a cell
UNKNOWN = 2  # no value: the budget is spent
MIXER = np.uint64(0x9E3779B97F4A7C15)  # Fibonacci hashing: 2^64 over the golden ratio


@njit(cache=True, nogil=True)
def _winning_cells(stones: Bits, whole: Bits, height: int, line: int) -> Bits:
    """The cells, free or not, where one more stone makes a line."""
    winning = np.int64(0)
    for step in (1, height - 1, height, height + 1):
        for hole in range(line):
            cells = whole
            for number in range(line):
                offset = (number - hole) * step
                if offset > 0:
                    cells &= stones >> offset
                elif offset < 0:
                    cells &= stones << -offset
            winning |= cells
    return winning


@njit(cache=True, nogil=True)
def _bits(cells: Bits) -> int:
    count = 0
    while cells:
        cells &= cells - 1
        count += 1
    return count


@njit(cache=True, nogil=True)
def _key(mine: Bits, taken: Bits, height: int, columns: int) -> Bits:
    """A number for the position and its mirror image."""
    key = mine + taken  # each column then tells how high it is and whose its stones are
    mirror = np.int64(0)
    for column in range(columns):
        mirror |= (key >> column * height & ((1 << height) - 1)) << (columns - 1 - column) * height
    return min(key, mirror)


@njit(cache=True, nogil=True)
def search(
    mine: Bits,
    theirs: Bits,
    low: int,
    high: int,
    rows: int,
    columns: int,
    line: int,
    order: Array,
    keys: Array,
    seen: Array,
    nodes: Array,
) -> Any:
    """The value of a position without a line to the side whose stones are `mine`, exact if between low and high.

    A value of at most `low` or at least `high` is a bound. nodes[0] counts up to the budget nodes[1].
    """
    height = rows + 1
    taken = mine | theirs
    ground = np.int64(0)
    for column in range(columns):
        ground |= np.int64(1) << column * height
    whole = ground * ((1 << rows) - 1)
    free = (taken + ground) & whole
    if free == 0:
        return 0
    nodes[0] += 1
    if nodes[0] > nodes[1]:
        return UNKNOWN
    if _winning_cells(mine, whole, height, line) & free:
        return 1
    danger = _winning_cells(theirs, whole, height, line)
    forced = danger & free
    if forced:
        if forced & (forced - 1):
            return -1
        free = forced
    free &= ~(danger >> 1)  # below a cell where the other side would win
    if free == 0:
        return -1
    key = _key(mine, taken, height, columns)
    place = np.int64((np.uint64(key) * MIXER) >> np.uint64(64 - nodes[2]))
    least, most = -1, 1
    if keys[place] == key:
        least, most = seen[place] % 4 - 1, seen[place] // 4 - 1
        low, high = max(low, least), min(high, most)
        if low >= high:
            return least if low == least else most
    scores = np.zeros(columns, np.int64)
    for k in range(columns):
        cell = free & (((1 << rows) - 1) << order[k] * height)
        if cell:
            after = _winning_cells(mine | cell, whole, height, line) & ~(taken | cell)
            scores[k] = 1 + 64 * _bits(after) + columns - k
    best = -1
    reached = low
    for _ in range(columns):
        chosen = np.argmax(scores)
        if scores[chosen] == 0:
            break
        scores[chosen] = 0
        cell = free & (((1 << rows) - 1) << order[chosen] * height)
        value = search(theirs, mine | cell, -high, -reached, rows, columns, line, order, keys, seen, nodes)
        if value == UNKNOWN:
            return UNKNOWN
        best = max(best, -value)
        reached = max(reached, best)
        if reached >= high:
            break
    if best >= high:
        least = max(least, best)
    elif best <= low:
        most = min(most, best)
    else:
        least = most = best
    keys[place] = key
    seen[place] = least + 1 + 4 * (most + 1)
    return best
