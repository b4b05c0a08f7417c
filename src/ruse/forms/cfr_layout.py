"""One side of a form laid out so that a processor can take many information sets at once.

Sets are grouped by how deep they lie in their side's tree and by how many moves they have. In a group of m sets with k
moves, sequence offset + a * m + j is move a of set j: each step of a sweep is the same arithmetic on m neighbours. Rows
of the payoffs with equally many entries form strips: entry e of row r of a strip of m rows lies at base + e * m + r.
Payoffs are whole numbers, in bytes where they fit, and places are two bytes where they fit: the arrays that are read
in every iteration are a quarter of what floats would take. The scale of payoffs does not matter to regrets. Rows of
matrices that stand at many public ends are taken in blocks instead (ruse.forms.cfr_layout).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from ruse.core.arrays import Array
from ruse.forms.integer_form import Side
from ruse.kernels import sweeps

# Payoffs in blocks: small matrices that stand at many public ends, found in a form of any game.
#
# Where hands are dealt and moves are seen, every pair of hands may meet at an end, and no hand meets another end's
# sequences: the payoffs fall apart into blocks of rows and columns, the connected parts of the graph whose edges are
# the entries. Many blocks hold the same matrix but for a factor (the pot), so a product with the payoffs reads each
# matrix once, and of each block its places instead of its entries (Dohmatob 2015 writes them F ⊗ B).
#
# Row i of block b in a group of n blocks lies at first_row + i * n + b, column j at first_column + j * n + b: the
# blocks of a group are neighbours, and a processor takes several of them at once.

FEWEST = 64  # blocks with one matrix: fewer are quicker entry by entry,
SMALLEST = 20  # and so are smaller ones, counted in entries
DENSE = 0.5  # of a block, at least, are entries


@dataclass(frozen=True)
class Blocks:
    groups: Array  # int64[groups, 7]: blocks, rows, columns; where rows, columns, factors and the matrix begin
    rows: Array  # uint32: which row of the payoffs
    columns: Array  # uint32: which column
    factors: Array  # float64[blocks]: what the matrix is multiplied by
    matrices: Array  # float64, row after row


def blocks_of(start: Array, column: Array, whole: Array, columns: int) -> Blocks:
    """The blocks of payoffs that stand row after row, in whole numbers; what is left out is taken entry by entry."""
    rows = len(start) - 1
    if whole.dtype == object or len(whole) < FEWEST * SMALLEST:
        return _joined([])
    from ruse.kernels import sweeps  # numba takes long to import, and small forms have no blocks

    lengths: Array = np.diff(start.astype(np.int64))
    entry_rows = np.repeat(np.arange(rows), lengths)
    part = np.empty(rows + columns, dtype=np.int32)
    many = sweeps.components(start.astype(np.int64), column.astype(np.int32, copy=False), part)
    mine, its = _Places(part[:rows], many), _Places(part[rows:], many)
    entries = np.bincount(part[:rows], weights=lengths, minlength=many)
    shapes = np.stack([mine.sizes, its.sizes])
    good = (entries >= SMALLEST) & (entries >= DENSE * shapes.prod(axis=0))
    blocks = []
    for high, wide in np.unique(shapes[:, good], axis=1).T.tolist():
        chosen = np.flatnonzero(good & (mine.sizes == high) & (its.sizes == wide))
        if len(chosen) < FEWEST:
            continue
        number = np.full(many, -1)
        number[chosen] = np.arange(len(chosen))
        here = np.flatnonzero(number[part[entry_rows]] >= 0)
        dense = np.zeros((len(chosen), high * wide), dtype=np.int64)
        place = mine.rank[entry_rows[here]] * wide + its.rank[column[here]]
        dense[number[part[entry_rows[here]]], place] = whole[here]
        factors = np.gcd.reduce(dense, axis=1)
        dense //= factors[:, None]
        for like in _alike(dense):
            blocks.append((mine.of(chosen[like]), its.of(chosen[like]), factors[like], dense[like[0]]))
    return _joined(blocks)


def _alike(dense: Array) -> Iterator[Array]:
    """Rows that are equal, where there are enough of them. Rows of one sum are compared whole."""
    words = np.random.default_rng(0).integers(1 << 62, size=dense.shape[1])
    _, same = np.unique(dense @ words, return_inverse=True)
    order = np.argsort(same, kind="stable")
    for like in np.split(order, np.cumsum(np.bincount(same))[:-1]):
        if len(like) >= FEWEST and np.array_equal(
            dense[like], np.broadcast_to(dense[like[0]], (len(like), len(words)))
        ):
            yield like


class _Places:
    """The sequences of one side in each part."""

    def __init__(self, part: Array, many: int) -> None:
        self.sizes = np.bincount(part, minlength=many)
        self._order = np.argsort(part, kind="stable")
        self._first = np.cumsum(self.sizes) - self.sizes
        self.rank = np.empty(len(part), dtype=np.int64)  # of each sequence in its part
        self.rank[self._order] = np.arange(len(part)) - np.repeat(self._first, self.sizes)

    def of(self, parts: Array) -> Array:
        """int64[sequences, parts] of parts with equally many sequences."""
        sequences: Array = self._order[self._first[parts] + np.arange(self.sizes[parts[0]])[:, None]]
        return sequences


def _joined(blocks: list[tuple[Array, Array, Array, Array]]) -> Blocks:
    groups, begin = [], np.zeros(4, dtype=np.int64)
    for fields in blocks:
        rows, columns, factors, _ = fields
        groups.append((len(factors), len(rows), len(columns), *begin))
        begin += [field.size for field in fields]
    empty = np.zeros(0, dtype=np.int64)
    rows, columns, factors, matrices = (
        np.concatenate([empty, *(fields[number].ravel() for fields in blocks)]) for number in range(4)
    )
    return Blocks(
        np.array(groups, dtype=np.int64).reshape(-1, 7),
        rows.astype(np.uint32),
        columns.astype(np.uint32),
        factors.astype(float),
        matrices.astype(float),
    )


MOST_SETS = 1024  # of a group: its scratch space stays in the nearest cache
MOST_ROWS = 512  # of a strip
MOST_SHORT = 1 << 16  # sequences, whose places fit in two bytes
PART = 1 << 14  # entries that a thread takes at once
MOST_COMPARED = 16  # moves of a set, to find those alike


@dataclass(frozen=True)
class Tree:
    """A treeplex in groups."""

    groups: Array  # int64[groups, 4]: offset, sets m, moves k, first set; parents come first
    parents: Array  # uint32[infosets], new places of sequences
    place: Array  # int64[sequences]: where a sequence of the form lies here

    @property
    def sequences(self) -> int:
        return len(self.place)

    def laid_out(self, array: Array) -> Array:
        """An array over the form's sequences in the order of this layout."""
        laid = np.empty_like(array)
        laid[self.place] = array
        return laid


@dataclass(frozen=True)
class Payoffs:
    """A side's payoffs in strips and blocks: what it gains, in whole units."""

    strips: Array  # int64[strips, 4]: first row, rows m, entries of a row, base
    column: Array  # uint16 or uint32[entries], places in the other side's layout
    value: Array  # int8[entries], or float64 where the units do not fit
    blocks: Blocks  # of rows that have no entries in strips

    @property
    def arrays(self) -> tuple[Array, ...]:
        """As `ruse.kernels.regret.gains` takes them."""
        blocks = self.blocks
        groups = (blocks.groups, blocks.rows, blocks.columns, blocks.factors, blocks.matrices)
        return (self._parts(), self.strips, self.column, self.value, *groups)

    @property
    def entries(self) -> int:
        """How many numbers are read: of a block, one for each row and column."""
        groups = self.blocks.groups
        return len(self.column) + int((groups[:, 0] * (groups[:, 1] + groups[:, 2])).sum())

    def _parts(self) -> Array:
        """What threads take one after another: -1 and some strips, or a group and some of its blocks."""
        ends = np.cumsum(self.strips[:, 1] * (self.strips[:, 2] + 1))
        cuts = [0, *(np.flatnonzero(np.diff(ends // PART)) + 1).tolist(), len(ends)]
        parts = [(-1, low, high) for low, high in pairwise(cuts) if low < high]
        for group, (many, high, wide) in enumerate(self.blocks.groups[:, :3].tolist()):
            tiles = max(PART // (high * wide), 1)
            parts += [(group, low, min(low + tiles, many)) for low in range(0, many, tiles)]
        return np.array(parts, dtype=np.int64).reshape(-1, 3)


def tree_of(side: Side) -> Tree:
    """Group the sets; those with like rows of payoffs lie together, so that strips are long."""
    sizes = np.diff(side.first)
    depth = np.zeros(len(sizes), dtype=np.int32)
    sweeps.depths(side.parent, side.first, depth)
    lengths = np.diff(side.start.astype(np.int64))
    most = min(int(sizes.max(initial=1)), MOST_COMPARED)
    rows = np.zeros((most, len(sizes)), dtype=np.int32)  # how many payoffs each move has
    for a in range(most):
        has = sizes > a
        rows[a, has] = lengths[side.first[:-1][has] + a]
    order = np.lexsort((*rows[::-1], sizes, depth))
    groups, place, offset = [], np.zeros(side.sequences, dtype=np.int64), 1
    for low, high in _runs(np.stack([depth[order], sizes[order]]), MOST_SETS):
        m, k = high - low, int(sizes[order[low]])
        first = side.first[order[low:high]]
        for a in range(k):
            place[first + a] = offset + a * m + np.arange(m)
        groups.append((offset, m, k, low))
        offset += m * k
    return Tree(np.array(groups, dtype=np.int64).reshape(-1, 4), place[side.parent[order]].astype(np.uint32), place)


def payoffs_of(side: Side, mine: Tree, other: Tree) -> Payoffs:
    """A side's payoffs, its rows in the order of its own tree."""
    row_of = np.empty(mine.sequences, dtype=np.int64)  # the form's sequence at each place
    row_of[mine.place] = np.arange(mine.sequences)
    values, unit = _small_values(side)
    blocks = blocks_of(side.start, side.column, side.whole, other.sequences)
    lengths = np.diff(side.start.astype(np.int64))
    lengths[blocks.rows] = 0
    lengths = lengths[row_of]
    strips, taken, base = [], [np.zeros(0, dtype=np.int64)], 0
    for low, high in _runs(lengths[None, :], MOST_ROWS):
        entries = int(lengths[low])
        strips.append((low, high - low, entries, base))
        base += (high - low) * entries
        taken.append((side.start[row_of[low:high]].astype(np.int64) + np.arange(entries)[:, None]).ravel())
    entry = np.concatenate(taken)
    places = other.place[side.column[entry]]
    return Payoffs(
        np.array(strips, dtype=np.int64),
        places.astype(np.uint16 if other.sequences <= MOST_SHORT else np.uint32),
        values[entry],
        replace(
            blocks,
            rows=mine.place[blocks.rows].astype(np.uint32),
            columns=other.place[blocks.columns].astype(np.uint32),
            factors=blocks.factors * unit,
        ),
    )


def _runs(keys: Array, most: int) -> list[tuple[int, int]]:
    """Stretches of equal columns, none longer than `most`."""
    count = keys.shape[1]
    changes = np.flatnonzero((np.diff(keys, axis=1) != 0).any(axis=0)) + 1
    ends = [0, *changes.tolist(), count] if count else [0]
    return [(low, min(low + most, high)) for start, high in pairwise(ends) for low in range(start, high, most)]


def _small_values(side: Side) -> tuple[Array, float]:
    """The values of strips, and what a whole payoff is multiplied by to be one."""
    if side.whole.dtype == object or not len(side.whole):
        return side.value, 1.0
    common = np.gcd.reduce(side.whole)
    units = side.whole // common
    if np.abs(units).max() < 1 << 7:
        return units.astype(np.int8), 1 / float(common)
    return side.value, side.value[0] / float(side.whole[0])
