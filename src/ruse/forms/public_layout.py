"""A public tree laid out for the kernels: in pieces that fit in a processor's cache, hands padded to full vectors.

Where a piece ends is decided by the tree alone, never by how many threads there are, so all sums are the same whoever
does them. In a piece a side's nodes with equally many moves at the same depth form a run, and its rows, one a move, lie
in the order of runs. Nodes with one move need no row: nobody chooses there. Nor do those of chance: its odds are in the
matrices of the ends.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from ruse.core.arrays import Array
from ruse.core.clock import tick
from ruse.core.game import END
from ruse.forms.public_tree import PublicTree
from ruse.kernels import public as kernel
from ruse.kernels.vectors import VECTOR_WIDTH

MOST = 4096  # nodes of a piece
FACTOR = 8  # operations on vectors, for adding one up
ENTRY_BYTES = 56  # of a matrix: as the tree has it, and in whole numbers and floats for each side, while they are made
NODE_BYTES = 60  # of a tree and its layout, while they are made; measured


@dataclass(frozen=True)
class PublicSide:
    """One side's nodes and rows, piece by piece."""

    span: Array  # int64[pieces + 1]: the runs of piece p are span[p]:span[p+1]
    runs: Array  # int64[runs, 4]: first node, end, moves of each, first row; parents come first
    parent: Array  # int32[nodes of this side], slots
    start: Array  # int64[pieces + 1]: the first row of each piece
    leaf: Array  # int64[pieces]: the slot of the top that leads to each piece
    mask: Array  # int32[rows], lines of the tree's masks
    width: int  # of a row: the hands, and what fills the vectors

    @property
    def rows(self) -> int:
        return int(self.start[-1])

    @property
    def slots(self) -> int:
        """Of the piece that has most, but for the top."""
        return 1 + int(np.diff(self.start)[1:].max(initial=0))


@dataclass(frozen=True)
class Layout:
    tree: PublicTree
    sides: tuple[PublicSide, PublicSide]
    row: Array  # int32[nodes]: the row of the move that leads to a node; -1 where that is nobody's choice
    end_span: Array  # int64[pieces + 1]: the runs of ends of each piece
    end_runs: Array  # int64[runs, 3]: first end, end, and which line of pays
    slots: tuple[Array, Array]  # int32[ends]: each side's

    def numbers_of(self, side: int) -> int:
        """How many numbers a side's arrays have: a row a move, and one more for its hands where it chooses them."""
        return (self.sides[side].rows + self.tree.chosen) * self.sides[side].width

    def choice(self, numbers: Array, side: int) -> Array:
        """The part of such an array that is about the choice of a hand."""
        return numbers[self.sides[side].rows * self.sides[side].width :][: self.tree.hands[side]]

    @property
    def rows(self) -> int:
        return sum(side.rows for side in self.sides)

    @property
    def pieces(self) -> int:
        return len(self.end_span) - 1

    def numbers(self, kind: Any) -> tuple[Any, Any, Any]:
        """Sides, ends and payoffs as the kernels take them, in numbers of a kind."""
        tree = self.tree
        most = int(np.diff(tree.first).max(initial=1))
        whole = np.dtype(kind).kind == "i"
        shares = (np.zeros(1) if whole else 1 / np.maximum(np.arange(most + 1), 1)).astype(kind)
        few = (kind(0), kind(1), kind(0) if whole else kind(np.finfo(kind).tiny * 1e3))
        unit = tree.unit  # the scale of payoffs does not matter to regrets
        sides, pays = [], []
        for number, (side, sign) in enumerate(zip(self.sides, (1, -1), strict=True)):
            lines = _padded(tree.masks[number], side.width).astype(kind).ravel()
            fixed = side.span, side.runs, side.parent, side.start, side.leaf, side.width, side.mask, lines
            sides.append((*fixed, tree.masked))
            table = tree.matrices if number == 1 else tree.matrices.transpose(0, 2, 1)  # the other side's hands first
            wide = self.sides[1 - number].width
            values = _padded(_padded(table.transpose(0, 2, 1), wide).transpose(0, 2, 1), side.width)
            factors = (np.zeros(1),) * 3 if whole else _factors(table // unit, wide, side.width, kind)
            values = (values if whole else values // unit).astype(kind).ravel()
            pays.append(
                (tree.matrix, (sign * tree.scale).astype(kind), values, tree.hands[1 - number], shares, few, factors)
            )
        return tuple(sides), (self.end_span, self.end_runs, self.slots), tuple(pays)


def width_of(hands: int) -> int:
    """How long a row is."""
    return -(-hands // VECTOR_WIDTH) * VECTOR_WIDTH


def laid_out(tree: PublicTree) -> Layout:
    """Cut a tree into pieces."""
    size = np.empty(tree.nodes, dtype=np.int32)
    kernel.subtree_sizes(tree.first, size)
    piece = np.empty(tree.nodes, dtype=np.int32)
    pieces = kernel.cut(tree.first, size, MOST, piece)
    tick()
    level = np.repeat(np.arange(len(tree.level) - 1, dtype=np.int32), np.diff(tree.level))
    row = np.full(tree.nodes, -1, dtype=np.int32)
    slot = np.empty((2, tree.nodes), dtype=np.int32)
    first, second = (_side(tree, side, piece, pieces, level, row, slot[side]) for side in (0, 1))
    tick()
    ends = np.flatnonzero(tree.turn == END)
    ends = ends[np.lexsort((tree.pay[ends], piece[ends]))]
    keys = np.stack([piece[ends], tree.pay[ends]])
    runs = [(low, high, int(keys[1, low])) for low, high in _runs(keys)]
    span = _span(keys[0, [low for low, _, _ in runs]], pieces)
    table = np.array(runs, dtype=np.int64).reshape(-1, 3)
    return Layout(tree, (first, second), row, span, table, (slot[0, ends], slot[1, ends]))


def _side(tree: PublicTree, side: int, piece: Array, pieces: int, level: Array, row: Array, slot: Array) -> PublicSide:
    """A side's nodes in runs; fills in `row` and `slot`."""
    many = np.diff(tree.first)
    mine = np.flatnonzero((tree.turn == side) & (many > 1))
    mine = mine[np.lexsort((many[mine], level[mine], piece[mine]))]
    keys = np.stack([piece[mine], level[mine], many[mine]])
    ends = np.cumsum(keys[2], dtype=np.int64)
    starts = ends - keys[2]
    runs = [(low, high, int(keys[2, low]), int(starts[low])) for low, high in _runs(keys)]
    span = _span(keys[0, [run[0] for run in runs]], pieces)
    start = np.concatenate([[0], np.cumsum(np.bincount(keys[0], weights=keys[2], minlength=pieces))]).astype(np.int64)
    rows = int(start[-1])
    owner = np.repeat(np.arange(len(mine)), keys[2])
    children = tree.first[mine][owner] + (np.arange(rows) - starts[owner])
    row[children] = np.arange(rows)
    leaf = np.zeros(pieces, dtype=np.int64)
    kernel.slots(tree.first, tree.turn, piece, row, start, side, slot, leaf)
    table = np.array(runs, dtype=np.int64).reshape(-1, 4)
    return PublicSide(span, table, slot[mine], start, leaf, tree.mask[side][children], width_of(tree.hands[side]))


def _factors(tables: Array, wide: int, width: int, kind: Any) -> tuple[Array, Array, Array]:
    """Matrices in factors, where those are quicker: lines that are multiples of one another are added up first.

    The lines of a table are the other side's hands. For factor f, counts[f] says how often its pattern each of them is,
    and patterns[f] is that line. The factors of matrix m are span[m]:span[m+1], none where it stays as it is.
    """
    span, counts, patterns = [0], [], []
    for table in tables:
        size = np.gcd.reduce(table, axis=1)
        filled = np.flatnonzero(size)
        leading = table[filled, (table[filled] != 0).argmax(axis=1)]
        times = size[filled] * np.sign(leading)
        lines, which = np.unique(table[filled] // times[:, None], axis=0, return_inverse=True)
        if len(lines) * (FACTOR + wide // VECTOR_WIDTH + width // VECTOR_WIDTH) < len(table) * (width // VECTOR_WIDTH):
            for number, line in enumerate(lines):
                mine = which.ravel() == number
                counts.append(np.bincount(filled[mine], weights=times[mine], minlength=wide))
                patterns.append(np.concatenate([line, np.zeros(width - len(line))]))
        span.append(len(counts))
    stacked = [np.array(rows or [[0.0]], dtype=kind).ravel() for rows in (counts, patterns)]
    return np.array(span, dtype=np.int64), stacked[0], stacked[1]


def _runs(keys: Array) -> list[tuple[int, int]]:
    """Stretches of equal columns."""
    count = keys.shape[1]
    changes = (np.flatnonzero((np.diff(keys, axis=1) != 0).any(axis=0)) + 1).tolist()
    return list(pairwise([0, *changes, count])) if count else []


def _span(piece: Array, pieces: int) -> Array:
    return np.searchsorted(piece, np.arange(pieces + 1)).astype(np.int64)


def _padded(table: Array, width: int) -> Array:
    """Zeros after the last of each line."""
    padded = np.zeros((*table.shape[:-1], width), dtype=table.dtype)
    padded[..., : table.shape[-1]] = table
    return padded
