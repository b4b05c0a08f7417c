"""Counterfactual regret minimisation on a public tree: sweeps with hands innermost, LANES of them at once.

The tree is cut into pieces (ruse.forms.public_layout). In a piece each side has its rows, one for every move at a node
of its own, and a *slot* for each of them after slot 0, for what led to the piece. A pass updates one side, `me`,
against the present odds of the other: down its nodes go the weights of the other side's hands, and with them the sum of
its plans; ends turn those into what my hands get; up my nodes go those values, and my regrets with them. Odds are not
stored: they are the positive parts of the regrets in proportion, or of the regrets that are expected next. Pieces share
nothing but the top, which is piece 0, so it does not matter to any sum who sweeps which, or when.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from ruse.kernels.lanes import LANES, above, added_up, item, load, multiply_add, positive, splat, store

Array = np.ndarray[Any, np.dtype[Any]]
FEW = 8  # times LANES hands, whose sums are better kept in registers


@njit(cache=True, nogil=True)
def sweep(
    sides: Any,
    ends: Any,
    payoffs: Any,
    begin: int,
    end: int,
    me: int,
    mine: Any,
    other: Any,
    step: Array,
    fade: Any,
    going: Any,
    top: Any,
    scratch: Any,
) -> None:
    """A pass of side `me` through pieces begin:end.

    `mine` holds my regrets and what they are expected to be next, `other` that of the other side which its odds come
    from, and the sum of its plans. `going` says whether to go down, whether to add to that sum by the way, whether to
    look at ends, whether to go up, and what a variant does there: whether regrets have a floor, and whether to predict.
    `top` has the weights and values of the top's slots, and what each piece was worth; `scratch` is for other pieces.
    """
    span, runs, parent, start, leaf, width, mask, lines, masked = sides[me]
    its_span, its_runs, its_parent, its_start, its_leaf, wide, its_mask, its_lines, _ = sides[1 - me]
    end_span, end_runs, slots = ends
    slot, its_slot = slots[me], slots[1 - me]
    matrix, scale, values, hands, shares, numbers, factors = payoffs[me]
    factor_span, counts, patterns = factors
    regret, hope = mine
    source, total = other
    falls, average, valued, climbs, floor, predicts = going
    zero, one, tiny = splat(numbers[0]), splat(numbers[1]), splat(numbers[2])
    fading = splat(fade)
    keep, keep_negative, lean, predict = splat(step[0]), splat(step[1]), splat(step[2]), splat(step[3])
    for p in range(begin, end):
        reach, worth = scratch[0], scratch[1]
        if p == 0:
            reach, worth = top[0], top[1]
        elif falls:
            for b in range(0, wide, LANES):
                store(reach, b, load(top[0], its_leaf[p] * wide + b))
        for n in range(its_span[p], its_span[p + 1] if falls else its_span[p]):
            low, high, k, row = its_runs[n, 0], its_runs[n, 1], its_runs[n, 2], its_runs[n, 3]
            even = splat(item(shares, k))
            for v in range(low, high):
                to = (row - its_start[p] + 1) * wide
                for b in range(0, wide, LANES):
                    weight = load(reach, item(its_parent, v) * wide + b)
                    base = row * wide + b
                    together = zero
                    for j in range(base, base + k * wide, wide):
                        x = load(source, j)
                        together = together + positive(x)
                    share = above(together, tiny, one / together, zero)
                    if masked:
                        even = zero
                        for r in range(row, row + k):
                            even = even + load(its_lines, item(its_mask, r) * wide + b)
                        even = above(even, zero, one / even, zero)
                    for a in range(k):
                        j = base + a * wide
                        x = load(source, j)
                        otherwise = even
                        if masked:
                            otherwise = even * load(its_lines, item(its_mask, row + a) * wide + b)
                        after = weight * above(together, tiny, positive(x) * share, otherwise)
                        store(reach, to + a * wide + b, after)
                        if average:
                            store(total, j, multiply_add(load(total, j), fading, after))
                row += k
        if falls and valued:
            for b in range(0, (start[p + 1] - start[p] + 1) * width, LANES):
                store(worth, b, zero)
            for n in range(end_span[p], end_span[p + 1]):
                low, high, paid = end_runs[n, 0], end_runs[n, 1], end_runs[n, 2]
                place = matrix[paid] * wide * width
                times = splat(scale[paid])
                if width == LANES and wide == LANES:  # the matrix fits in registers
                    of_0, of_1 = load(values, place), load(values, place + LANES)
                    of_2, of_3 = load(values, place + 2 * LANES), load(values, place + 3 * LANES)
                    of_4, of_5 = load(values, place + 4 * LANES), load(values, place + 5 * LANES)
                    of_6, of_7 = load(values, place + 6 * LANES), load(values, place + 7 * LANES)
                    for v in range(low, high):
                        at, to = item(its_slot, v) * LANES, item(slot, v) * LANES
                        gain = splat(item(reach, at)) * of_0
                        more = splat(item(reach, at + 1)) * of_1
                        gain = multiply_add(splat(item(reach, at + 2)), of_2, gain)
                        more = multiply_add(splat(item(reach, at + 3)), of_3, more)
                        gain = multiply_add(splat(item(reach, at + 4)), of_4, gain)
                        more = multiply_add(splat(item(reach, at + 5)), of_5, more)
                        gain = multiply_add(splat(item(reach, at + 6)), of_6, gain)
                        more = multiply_add(splat(item(reach, at + 7)), of_7, more)
                        store(worth, to, multiply_add(gain + more, times, load(worth, to)))
                    continue
                begin_factor, end_factor = factor_span[matrix[paid]], factor_span[matrix[paid] + 1]
                for v in range(low, high):
                    weights, to = item(its_slot, v) * wide, item(slot, v) * width
                    if begin_factor < end_factor:
                        for f in range(begin_factor, end_factor):
                            counted = zero
                            for b in range(0, wide, LANES):
                                counted = multiply_add(load(reach, weights + b), load(counts, f * wide + b), counted)
                            much = splat(added_up(counted)) * times
                            for b in range(0, width, LANES):
                                gain = multiply_add(much, load(patterns, f * width + b), load(worth, to + b))
                                store(worth, to + b, gain)
                        continue
                    if width > FEW * LANES:  # a matrix that no cache holds is read line by line
                        for h in range(hands):
                            much = splat(item(reach, weights + h)) * times
                            for b in range(0, width, LANES):
                                gain = multiply_add(much, load(values, place + h * width + b), load(worth, to + b))
                                store(worth, to + b, gain)
                        continue
                    for b in range(0, width, LANES):
                        gain = zero
                        for h in range(hands):
                            gain = multiply_add(
                                splat(item(reach, weights + h)), load(values, place + h * width + b), gain
                            )
                        store(worth, to + b, multiply_add(gain, times, load(worth, to + b)))
        if not climbs:
            continue
        if p == 0:
            for q in range(1, len(leaf)):
                for b in range(0, width, LANES):
                    to = leaf[q] * width + b
                    store(worth, to, load(worth, to) + load(top[2], q * width + b))
        for n in range(span[p + 1] - 1, span[p] - 1, -1):
            low, high, k, row = runs[n, 0], runs[n, 1], runs[n, 2], runs[n, 3]
            even = splat(item(shares, k))
            for v in range(low, high):
                to = (row - start[p] + 1) * width
                for b in range(0, width, LANES):
                    base = row * width + b
                    together = zero
                    for j in range(base, base + k * width, width):
                        x = load(hope, j) if predicts else load(regret, j)
                        together = together + positive(x)
                    share = above(together, tiny, one / together, zero)
                    if masked:
                        even = zero
                        for r in range(row, row + k):
                            even = even + load(lines, item(mask, r) * width + b)
                        even = above(even, zero, one / even, zero)
                    gain = zero
                    for a in range(k):
                        j = base + a * width
                        x = load(hope, j) if predicts else load(regret, j)
                        otherwise = even
                        if masked:
                            otherwise = even * load(lines, item(mask, row + a) * width + b)
                        odds = above(together, tiny, positive(x) * share, otherwise)
                        gain = multiply_add(odds, load(worth, to + a * width + b), gain)
                    there = item(parent, v) * width + b
                    store(worth, there, load(worth, there) + gain)
                    for a in range(k):
                        j = base + a * width
                        better = load(worth, to + a * width + b) - gain
                        if masked:
                            better = better * load(lines, item(mask, row + a) * width + b)
                        old = load(regret, j)
                        new = multiply_add(old, above(old, zero, keep, keep_negative), better)
                        if floor:
                            new = positive(new)
                        store(regret, j, new)
                        if predicts:
                            store(hope, j, multiply_add(new, lean, predict * better))
                row += k
        if p > 0:
            for b in range(0, width, LANES):
                store(top[2], p * width + b, load(worth, b))


@njit(cache=True, nogil=True)
def iterate(
    sides: Any,
    ends: Any,
    payoffs: Any,
    regrets: Any,
    hopes: Any,
    totals: Any,
    steps: Array,
    before: Any,
    pending: bool,
    floor: bool,
    predicts: bool,
    tops: Any,
    scratches: Any,
) -> None:
    """Run len(steps) iterations, in place. The sum of side 1's plans lacks its last one, which the next pass adds."""
    pieces = len(ends[0]) - 1
    for t in range(len(steps)):
        for me in range(2):
            fade = steps[t, 4] if me == 1 else steps[t - 1, 4] if t > 0 else before
            average = me == 1 or t > 0 or pending
            mine = regrets[me], hopes[me]
            other = (hopes[1 - me] if predicts else regrets[1 - me]), totals[1 - me]
            for begin, end, falls, climbs in ((0, 1, True, False), (1, pieces, True, True), (0, 1, False, True)):
                going = falls, average, True, climbs, floor, predicts
                sweep(sides, ends, payoffs, begin, end, me, mine, other, steps[t], fade, going, tops[me], scratches[me])


# Cutting a tree.


@njit(cache=True, nogil=True)
def subtree_sizes(first: Array, size: Array) -> None:
    """How many nodes there are below each, itself included; children come after parents."""
    for n in range(len(size) - 1, -1, -1):
        size[n] = 1
        for c in range(first[n], first[n + 1]):
            size[n] += size[c]


@njit(cache=True, nogil=True)
def cut(first: Array, size: Array, most: int, piece: Array) -> int:
    """Which piece each node is in; how many there are. A piece begins where a tree of more than `most` nodes has a part
    of at most as many.
    """
    found = 1
    piece[0] = 0
    for n in range(len(piece)):
        for c in range(first[n], first[n + 1]):
            piece[c] = piece[n]
            if size[0] > most and piece[n] == 0 and 1 < size[c] <= most:
                piece[c] = found
                found += 1
    return found


@njit(cache=True, nogil=True)
def slots(
    first: Array, turn: Array, piece: Array, row: Array, start: Array, side: int, slot: Array, leaf: Array
) -> None:
    """Which slot of a side's leads to each node, in its piece; and for each piece, which one of the top's does."""
    slot[0] = 0
    for n in range(len(turn)):
        for c in range(first[n], first[n + 1]):
            slot[c] = slot[n]
            if turn[n] == side and row[c] >= 0:
                slot[c] = row[c] - start[piece[n]] + 1
            if piece[c] != piece[n]:
                leaf[piece[c]] = slot[c]
                slot[c] = 0
