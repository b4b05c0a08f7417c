"""Exact best responses on a public tree: whole plans and int64, piece by piece as in ruse.kernels.public.

The weight of a hand, a whole number of units, is split over the moves of a node in proportion to a run's sums, each
share rounded down; the largest takes the rest, so what goes into a node comes out of it. Nothing overflows if the
units were chosen by `PublicTree.largest` (ruse.forms.public_bounds).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from ruse.core.arrays import Array


@njit(cache=True, nogil=True)
def split(
    sums: Array, mask: Array, lines: Array, row: int, k: int, width: int, hand: int, whole: int, out: Array
) -> None:
    """Split `whole` units of a hand over the k moves whose rows begin at `row`: out[a] units for move a.

    Moves that the hand cannot make (whose line of the mask is 0) get nothing, unless it can make none.
    """
    total, can, largest = 0.0, 0, 0
    most = -1.0
    for a in range(k):
        possible = lines[mask[row + a] * width + hand] > 0
        weight = np.float64(sums[(row + a) * width + hand]) if possible else -1.0
        can += possible
        if weight > 0.0:
            total += weight
        if weight > most:
            most, largest = weight, a
    left = whole
    for a in range(k):
        weight = np.float64(sums[(row + a) * width + hand])
        possible = lines[mask[row + a] * width + hand] > 0
        share = 0.0
        if possible and total > 0.0:
            share = max(weight, 0.0) / total
        elif possible:
            share = 1.0 / can
        out[a] = min(np.int64(share * whole), left)
        left -= out[a]
    out[largest] += left


@njit(cache=True, nogil=True)
def best_response(
    sides: Any,
    ends: Any,
    payoffs: Any,
    begin: int,
    end: int,
    me: int,
    sums: Array,
    falls: bool,
    climbs: bool,
    top: Any,
    scratch: Any,
) -> None:
    """What my hands get at best against the whole plan that the other side's sums stand for, in pieces begin:end."""
    span, runs, parent, start, leaf, width, mask, lines, _ = sides[me]
    its_span, its_runs, its_parent, its_start, its_leaf, wide, its_mask, its_lines, _ = sides[1 - me]
    end_span, end_runs, slots = ends
    slot, its_slot = slots[me], slots[1 - me]
    matrix, scale, values, hands, _, _, _ = payoffs[me]
    mine = payoffs[1 - me][3]
    parts = scratch[2]
    for p in range(begin, end):
        reach, hand_values = scratch[0], scratch[1]
        if p == 0:
            reach, hand_values = top[0], top[1]
        elif falls:
            for h in range(wide):  # entry by entry: slices take four times as long to compile
                reach[h] = top[0][its_leaf[p] * wide + h]
        if falls:
            for n in range(its_span[p], its_span[p + 1]):
                low, high, k, row = its_runs[n, 0], its_runs[n, 1], its_runs[n, 2], its_runs[n, 3]
                for v in range(low, high):
                    to = (row - its_start[p] + 1) * wide
                    for h in range(hands):
                        split(sums, its_mask, its_lines, row, k, wide, h, reach[its_parent[v] * wide + h], parts)
                        for a in range(k):
                            reach[to + a * wide + h] = parts[a]
                    row += k
            for i in range((start[p + 1] - start[p] + 1) * width):
                hand_values[i] = 0
            for n in range(end_span[p], end_span[p + 1]):
                paid = end_runs[n, 2]
                place, times = matrix[paid] * wide * width, scale[paid]
                for v in range(end_runs[n, 0], end_runs[n, 1]):
                    weights, to = its_slot[v] * wide, slot[v] * width
                    for h in range(hands):
                        units = reach[weights + h] * times
                        for i in range(width):
                            hand_values[to + i] += units * values[place + h * width + i]
        if not climbs:
            continue
        if p == 0:
            for q in range(1, len(leaf)):
                for i in range(width):
                    hand_values[leaf[q] * width + i] += top[2][q * width + i]
        for n in range(span[p + 1] - 1, span[p] - 1, -1):
            low, high, k, row = runs[n, 0], runs[n, 1], runs[n, 2], runs[n, 3]
            for v in range(low, high):
                to, there = (row - start[p] + 1) * width, parent[v] * width
                for i in range(mine):
                    best, has_move = np.int64(0), False
                    for a in range(k):
                        if lines[mask[row + a] * width + i] > 0:
                            gain = hand_values[to + a * width + i]
                            best = max(best, gain) if has_move else gain
                            has_move = True
                    hand_values[there + i] += best
                row += k
        if p > 0:
            for i in range(width):
                top[2][p * width + i] = hand_values[i]
