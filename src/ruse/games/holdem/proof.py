"""Exact bounds of strategies on a spot, in fractions of a chip (docs/explanation/holdem.md has the bit budget).

    bound of side p  =  pot / 2  ±  (best response of the other side to p's whole plan)

A plan begins with w * 2^bits units of a hand of weight w. Payoffs are whole half chips. With W the units of weight of
a range, A the most half chips that change hands, F the scale of locks and R the number of runouts, no sum of a best
response is larger than W * A * F * R * 2^bits, and `bits` keeps that below 2^61.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np

from ruse.core.arrays import Array
from ruse.core.certificate import PUBLIC_TREE, Certificate
from ruse.core.clock import tick
from ruse.games.holdem.engine import lock_arrays, pairs_weight
from ruse.games.holdem.layout import SpotLayout, Street
from ruse.kernels import whole_runouts as kernel
from ruse.kernels.showdowns import CARDS

ROOM, SPLITTING = 61, 62  # bits for sums of a best response, and for a product of units and weights
LEVELS = {np.dtype(np.uint16): (1 << 16) - 1, np.dtype(np.uint32): (1 << 24) - 1}
FINE = 30_000_000  # numbers, up to which weights have 24 bits

Source = tuple[Array, Array]  # of a side and street: sums of plans or weights, and a scale for each row, or nothing


def weight_kind(layout: SpotLayout) -> Any:
    """The type of the weights of a spot's strategies."""
    return np.uint32 if layout.numbers() <= FINE else np.uint16


def bits_of(layout: SpotLayout, levels: int) -> int:
    """In how many bits a unit of weight is divided."""
    _, scale = layout.path_scales()
    most = layout.game.pot + 2 * layout.game.stack
    units = max(int(units.sum()) for units in layout.units)
    largest = max(int(units.max()) for units in layout.units)
    sums = ROOM - (units * most * scale * layout.runouts()).bit_length()
    splits = SPLITTING - (largest * scale).bit_length() - levels.bit_length()
    if min(sums, splits) < 1:
        from ruse.core.game import GameError

        raise GameError("the numbers of this spot are too long to prove bounds; use rounder weights, or fewer locks")
    return min(sums, splits)


class SpotJudge:
    """Proves bounds on a spot."""

    def __init__(self, layout: SpotLayout, levels: int, threads: int = 1) -> None:
        self.layout, self.levels, self.threads = layout, levels, threads
        self.bits = bits_of(layout, levels)
        self.hands = [layout.hands(street) for street in layout.streets]
        self.ends = [layout.ends(street, np.int64) for street in layout.streets]
        self.locks = [lock_arrays(layout, street, np.int64) for street in layout.streets]
        self.links = [layout.links(number, np.int64) for number in range(len(layout.streets) - 1)]
        self.times = [
            tuple(np.array([layout.scale(node) for node in side.nodes], dtype=np.int64) for side in street.sides)
            for street in layout.streets
        ]
        self._children = [_children(street) for street in layout.streets[1:]]

    def certify(self, sources: Sequence[Sequence[Source]]) -> Certificate:
        """The bounds that strategies guarantee: their sources, by street and side."""
        gains = [self.best_response(me, [street[1 - me] for street in sources]) for me in (0, 1)]
        half = Fraction(self.layout.game.pot, 2)
        return Certificate(half - gains[1], half + gains[0], PUBLIC_TREE)

    def best_response(self, me: int, sources: Sequence[Source]) -> Fraction:
        """What a side's best response gets beyond half of the pot."""
        layout = self.layout
        first = layout.streets[0]
        units = layout.units[1 - me][first.root[1 - me][0]] << self.bits
        reach = self._room(0, 1 - me, 0)
        reach[: len(units)] = units
        values = self._board(0, 0, me, sources, reach, self.threads)
        own = layout.units[me][first.root[me][0]]
        total = sum(int(weight) * int(value) for weight, value in zip(own, values, strict=False))
        _, scale = layout.path_scales()
        return Fraction(total, (2 << self.bits) * scale * pairs_weight(layout) * prod(layout.cards_left))

    def _room(self, street: int, side: int, board: int) -> Array:
        laid = self.layout.streets[street]
        return np.zeros((laid.slots(side) + 1) * int(laid.widths[side][board]), dtype=np.int64)

    def side(self, street: int, side: int, board: int) -> Any:
        laid = self.layout.streets[street]
        own = laid.sides[side]
        width, count = int(laid.widths[side][board]), int(laid.counts[side][board])
        times, locks = self.times[street][side], self.locks[street][side]
        return len(laid.roots), own.runs, own.parent, width, count, times, locks

    def source(self, source: Source, street: int, side: int, board: int) -> Source:
        """A source's numbers of one board."""
        laid = self.layout.streets[street]
        rows = laid.sides[side].rows
        begin = rows * int(laid.places[side][board])
        numbers = source[0][begin : begin + rows * int(laid.widths[side][board])]
        return numbers, source[1][board * rows : (board + 1) * rows]

    def like(self, street: int, side: int, board: int) -> Array:
        """Whose weights each hand takes: the first of those that differ only by suits that nothing tells apart."""
        laid = self.layout.streets[street]
        begin, count = int(laid.places[side][board]), int(laid.counts[side][board])
        if street == len(self.layout.streets) - 1:
            return np.arange(count, dtype=np.int16)
        like: Array = self.links[street][5][side][begin : begin + count]
        return like

    def _hands(self, street: int, side: int, board: int) -> Any:
        laid = self.layout.streets[street]
        begin, width = int(laid.places[side][board]), int(laid.widths[side][board])
        counts, *arrays = self.hands[street][side]
        return (int(counts[board]), width, *(array[begin : begin + width] for array in arrays))

    def _board(
        self, street: int, board: int, me: int, sources: Sequence[Source], reach: Array, threads: int = 1
    ) -> Array:
        """What my hands get at the roots of a board, from the other side's units there."""
        tick()
        you = 1 - me
        laid = self.layout.streets[street]
        numbers, scale = self.source(sources[street], street, you, board)
        weights = np.zeros(1 + max((int(run[2]) for run in laid.sides[you].runs), default=1), dtype=np.int64)
        theirs, like = self.side(street, you, board), self.like(street, you, board)
        kernel.split(theirs, board, numbers, scale, like, self.levels, reach, weights)
        values = self._room(street, me, board)
        mine, its = self._hands(street, me, board), self._hands(street, you, board)
        by_card = np.zeros(CARDS, dtype=np.int64)
        kernel.ends(self.ends[street][me], mine, its, reach, values, by_card)
        if street + 1 < len(self.layout.streets):
            self._later(street, board, me, sources, reach, values, threads)
        kernel.best(self.side(street, me, board), board, values)
        return values

    def _later(
        self, street: int, board: int, me: int, sources: Sequence[Source], reach: Array, values: Array, threads: int
    ) -> None:
        """Add what the boards of the next street are worth."""
        you = 1 - me
        after = self.layout.streets[street + 1]
        deals, _, up_place, ups, copies, _, _ = self.links[street]
        above = [int(self.layout.streets[street].widths[side][board]) for side in (0, 1)]

        def board_values(child: int) -> Array:
            width, at = int(after.widths[you][child]), int(up_place[you][child])
            below = self._room(street + 1, you, child)
            count = int(after.counts[you][child])
            kernel.enter(deals, you, above[you], width, count, ups[you][at : at + width], reach, below)
            return self._board(street + 1, child, me, sources, below)[: len(deals) * int(after.widths[me][child])]

        children = self._children[street][board]
        pool = ThreadPoolExecutor(threads) if threads > 1 else None
        collected = map(board_values, children) if pool is None else pool.map(board_values, children)
        for child, worths in zip(children, collected, strict=True):
            width, at = int(after.widths[me][child]), int(up_place[me][child])
            up = ups[me][at : at + int(copies[child]) * width]
            count = int(after.counts[me][child])
            kernel.leave(deals, me, above[me], width, count, up, int(copies[child]), worths, values)
        if pool is not None:
            pool.shutdown()

    # Weights.

    def weights(self, sources: Sequence[Sequence[Source]], kind: Any) -> list[tuple[Array, Array]]:
        """The weights that strategies are made of, by street and side, as files have them."""
        kept = []
        for street, laid in enumerate(self.layout.streets):
            pair = []
            for side in (0, 1):
                numbers = np.zeros(laid.numbers(side), dtype=kind)
                rows = laid.sides[side].rows
                room = np.zeros(1 + max((int(run[2]) for run in laid.sides[side].runs), default=1), dtype=np.int64)
                for board in range(len(laid.boards)):
                    source, scale = self.source(sources[street][side], street, side, board)
                    begin = rows * int(laid.places[side][board])
                    own, like = self.side(street, side, board), self.like(street, side, board)
                    into = numbers[begin : begin + len(source)]
                    kernel.quantised(own, source, scale, like, self.levels, room, into)
                pair.append(numbers)
            kept.append((pair[0], pair[1]))
        return kept


def _children(street: Street) -> list[range]:
    """Which boards of a street follow each board of the street before; they lie together."""
    parents = np.array([board.parent for board in street.boards])
    begins = np.searchsorted(parents, np.arange(parents[-1] + 2)).tolist()
    return [range(low, high) for low, high in pairwise(begins)]


def equity(layout: SpotLayout) -> Fraction:
    """The share of the pot that oop would win, on average, if nobody bet any more."""
    from ruse.kernels.showdowns import whole_showdowns

    last = layout.streets[-1]
    hands = layout.hands(last)
    total = 0
    slots, amounts = np.repeat(np.array([0, 1]), (1, 15)), np.repeat(np.array([1, 0]), (1, 15))
    nothing = np.zeros(16, np.int64)
    blocks = np.array([1]), slots, slots, amounts, nothing, nothing  # one showdown, for one half chip
    by_card = np.zeros(CARDS, dtype=np.int64)
    for place in range(len(last.boards)):
        sides = []
        for side in (0, 1):
            begin, width = int(last.places[side][place]), int(last.widths[side][place])
            counts, *arrays = hands[side]
            sides.append((int(counts[place]), width, *(array[begin : begin + width] for array in arrays)))
        reach = np.zeros(2 * sides[1][1], dtype=np.int64)
        reach[: sides[1][0]] = layout.units[1][last.root[1][place]]
        values = np.zeros(2 * sides[0][1], dtype=np.int64)
        whole_showdowns(blocks, sides[0], sides[1], reach, values, by_card)
        times, above = 1, place
        for street in reversed(layout.streets):
            times *= len(street.boards[above].members)
            above = street.boards[above].parent
        total += times * int(layout.units[0][last.root[0][place]] @ values[: sides[0][0]])
    return (1 + Fraction(total, pairs_weight(layout) * prod(layout.cards_left))) / 2
