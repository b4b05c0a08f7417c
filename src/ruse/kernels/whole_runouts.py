"""Best responses in whole numbers on the boards of ruse.kernels.runouts.

A plan is whole numbers. Where X units of a hand come to a node whose moves have the weights w, a move gets
floor(X * w / sum of w), and the first of the largest weights gets what is left. At a node with locks, all units are
multiplied by its scale, and those of locked hands are divided as the lock says.
"""

from __future__ import annotations

from typing import Any

from numba import njit

from ruse.core.arrays import Array
from ruse.kernels.showdowns import whole_showdowns


@njit(cache=True, nogil=True)
def weights_of(source: Array, scale: Array, row: int, many: int, width: int, hand: int, levels: int,
               weights: Array) -> int:  # fmt: skip
    """The weights of a node's moves for a hand, of at most `levels`, from sums of plans. Returns their sum."""
    most = 0.0
    for a in range(many):
        share = float(source[(row + a) * width + hand])
        if len(scale):
            share *= scale[row + a]
        most = max(most, share)
    total = 0
    for a in range(many):
        weight = 1
        if most > 0:
            share = float(source[(row + a) * width + hand])
            if len(scale):
                share *= scale[row + a]
            weight = int(share / most * levels + 0.5)
        weights[a] = weight
        total += weight
    return total


@njit(cache=True, nogil=True)
def locked_at(locks: Any, board: int, row: int) -> int:
    """Where the fixed odds of a node on a board begin; -1 if there are none."""
    first_lock, lock_rows, _, _ = locks
    for lock in range(first_lock[board], first_lock[board + 1]):
        if lock_rows[lock, 0] == row:
            return int(lock_rows[lock, 1])
    return -1


@njit(cache=True, nogil=True)
def split(side: Any, board: int, source: Array, scale: Array, like: Array, levels: int, reach: Array,
          weights: Array) -> None:  # fmt: skip
    """The units of each hand, from the roots of a street to its rows. `like` says whose weights a hand takes."""
    roots, runs, parent, width, count, times, locks = side
    odds = locks[3]
    for n in range(len(runs)):
        low, high, many, row = runs[n, 0], runs[n, 1], runs[n, 2], runs[n, 3]
        for v in range(low, high):
            fixed = locked_at(locks, board, row)
            for h in range(count):
                units = reach[parent[v] * width + h]
                if fixed >= 0 and odds[fixed + h] >= 0:
                    for a in range(many):
                        reach[(roots + row + a) * width + h] = units * odds[fixed + a * width + h]
                    continue
                total = weights_of(source, scale, row, many, width, like[h], levels, weights)
                rest, largest = units, 0
                for a in range(many):
                    part = units * weights[a] // total
                    rest -= part
                    reach[(roots + row + a) * width + h] = part * times[v]
                    if weights[a] > weights[largest]:
                        largest = a
                reach[(roots + row + largest) * width + h] += rest * times[v]
            row += many


@njit(cache=True, nogil=True)
def best(side: Any, board: int, values: Array) -> None:
    """The best that each hand gets, from the rows of a street to its roots."""
    roots, runs, parent, width, count, times, locks = side
    odds = locks[3]
    for n in range(len(runs) - 1, -1, -1):
        low, high, many, row = runs[n, 0], runs[n, 1], runs[n, 2], runs[n, 3]
        for v in range(low, high):
            fixed = locked_at(locks, board, row)
            for h in range(count):
                value = values[(roots + row) * width + h]
                if fixed >= 0 and odds[fixed + h] >= 0:
                    value = 0
                    for a in range(many):
                        value += odds[fixed + a * width + h] * values[(roots + row + a) * width + h]
                else:
                    for a in range(1, many):
                        value = max(value, values[(roots + row + a) * width + h])
                    value *= times[v]
                values[parent[v] * width + h] += value
            row += many


@njit(cache=True, nogil=True)
def ends(blocks: Any, mine: Any, its: Any, reach: Array, values: Array, by_card: Array) -> None:
    """Add what hands get at the ends of a board."""
    whole_showdowns(blocks, mine, its, reach, values, by_card)


@njit(cache=True, nogil=True)
def enter(
    deals: Array, you: int, above_width: int, width: int, count: int, up: Array, before: Array, reach: Array
) -> None:
    """The units at the roots of a board, from those where its card is dealt."""
    for r in range(len(deals)):
        for h in range(count):
            reach[r * width + h] = before[deals[r, you] * above_width + up[h]]


@njit(cache=True, nogil=True)
def leave(deals: Array, me: int, above_width: int, width: int, count: int, up: Array, copies: int, board_values: Array,
          values: Array) -> None:  # fmt: skip
    """Add what a board is worth at its roots, and the boards that it stands for, to where its card is dealt."""
    for r in range(len(deals)):
        for copy in range(copies):
            for h in range(count):
                values[deals[r, me] * above_width + up[copy * width + h]] += board_values[r * width + h]


@njit(cache=True, nogil=True)
def quantised(side: Any, source: Array, scale: Array, like: Array, levels: int, weights: Array, kept: Array) -> None:
    """Write down the weights of a board's rows, as `split` takes them."""
    _, runs, _, width, count, _, _ = side
    for n in range(len(runs)):
        low, high, many, row = runs[n, 0], runs[n, 1], runs[n, 2], runs[n, 3]
        for _ in range(low, high):
            for h in range(count):
                weights_of(source, scale, row, many, width, like[h], levels, weights)
                for a in range(many):
                    kept[(row + a) * width + h] = weights[a]
            row += many
