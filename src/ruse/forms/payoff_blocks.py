"""Payoffs in blocks: small matrices that stand at many public ends, found in a form of any game.

Where hands are dealt and moves are seen, every pair of hands may meet at an end, and no hand meets another end's
sequences: the payoffs fall apart into blocks of rows and columns, the connected parts of the graph whose edges are the
entries. Many blocks hold the same matrix but for a factor (the pot), so a product with the payoffs reads each matrix
once, and of each block its places instead of its entries (Dohmatob 2015 writes them F ⊗ B).

Row i of block b in a group of n blocks lies at first_row + i * n + b, column j at first_column + j * n + b: the blocks
of a group are neighbours, and a processor takes several of them at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ruse.core.arrays import Array

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
