"""4-in-a-row against the contest's baseline, by players that no tuning of its 14 weights can become.

They play as the baseline does, with more playouts after each column, or they look some moves ahead first: a column that
wins by force is taken, one that loses by force is left. What they win says how far below 100% a Monte-Carlo strategy
stays, however it is tuned.

Nobody wins 100% against the baseline. One side at least can be sure not to lose (Zermelo 1913), and the baseline sits
there in every other match. Who wants not to lose must block a line that the other side would make at once, and does no
harm by making its own, as the baseline does. Elsewhere take, among the columns that do not lose, one whose playouts can
add up to the most: with some odds they do, and no other column's add up to more, as a column that loses has playouts
that are lost. So with some odds, however small, the baseline plays without a slip and does not lose.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from ruse.contests.arena.chance import Stream, begin
from ruse.contests.arena.four import BOTTOM, COLUMN, COLUMNS, EMPTY, TOP, best_of, chosen, weigh, won
from ruse.core.arrays import Array

MIDDLE_FIRST = (3, 2, 4, 1, 5, 0, 6)


@njit(cache=True, nogil=True)
def forced(mine: Any, theirs: Any, free: int, moves: int) -> int:
    """1 if the side of `mine`, which is to move, wins within so many moves, -1 if it loses, else 0."""
    if moves == 0 or free == 0:
        return 0
    taken, block = mine | theirs, -1
    for column in range(COLUMNS):
        if free >> column & 1:
            cell = taken + BOTTOM[column] & COLUMN[column]
            if won(mine | cell):
                return 1
            if won(theirs | cell):
                block = column
    best = -1
    for column in MIDDLE_FIRST:
        if free >> column & 1 and block in (-1, column):
            cell = taken + BOTTOM[column] & COLUMN[column]
            left = free ^ 1 << column if cell == TOP[column] else free
            best = max(best, -forced(theirs, mine | cell, left, moves - 1))
            if best == 1:
                break
    return best


@njit(cache=True, nogil=True)
def looked_for(mine: Any, theirs: Any, free: int, moves: int, playouts: int, bounds: Array, stream: Stream) -> int:
    """The column of a player who looks so many moves ahead and then plays columns out so often."""
    taken, safe = mine | theirs, 0
    for column in range(COLUMNS):
        if free >> column & 1:
            cell = taken + BOTTOM[column] & COLUMN[column]
            left = free ^ 1 << column if cell == TOP[column] else free
            sure = 1 if won(mine | cell) else -forced(theirs, mine | cell, left, moves - 1)
            if sure == 1:
                return column
            if sure == 0:
                safe |= 1 << column
    return best_of(safe if safe else free, playouts, mine, theirs, free, bounds, stream)


@njit(cache=True, nogil=True)
def score(seat: int, moves: int, playouts: int, bounds: Array, stream: Stream) -> float:
    """1, 1/2 or 0 to that player in one match against the baseline, from a seat: 0 begins."""
    mine, theirs, free, mover = EMPTY, EMPTY, (1 << COLUMNS) - 1, 0
    while free:
        if mover == seat:
            column = looked_for(mine, theirs, free, moves, playouts, bounds, stream)
        else:
            column = chosen(mine, theirs, free, bounds, stream)
        cell = (mine | theirs) + BOTTOM[column] & COLUMN[column]
        if won(mine | cell):
            return 1.0 if mover == seat else 0.0
        if cell == TOP[column]:
            free ^= 1 << column
        mine, theirs, mover = theirs, mine | cell, 1 - mover
    return 0.5


def scores(moves: int, playouts: int, matches: int, seed: int) -> Array:
    """Scores in a series against the baseline, in either seat in turn: float64[matches]."""
    bounds = np.zeros((2, 1 << COLUMNS, COLUMNS), dtype=np.uint64)
    for own in range(2):
        weigh(np.zeros(COLUMNS), bounds[own])
    stream, results = np.empty(1, dtype=np.uint64), np.empty(matches)
    for number in range(matches):
        begin(stream, seed, number)
        results[number] = score(number % 2, moves, playouts, bounds, stream)
    return results
