"""4-in-a-row: stones are dropped into seven columns of six; who first has four in a row, in any direction, wins.

The sides move in turn; a full board is a draw. (Cauwet & Teytaud 2018, §III; Allis 1988.)

14 parameters "of the Monte-Carlo strategy" (Table I); how they enter is our choice. The mover takes a winning column if
there is one, else a column in which the other side would win at once. Otherwise it plays 32 playouts after each column,
in which both sides draw columns that are not full at random, and takes the column with the best average, ties broken at
random. In playouts column i has weight exp(parameter i) when the mover draws, exp(parameter 7 + i) when the other side
does. Zeros are plain Monte-Carlo.

A board is a word of 7 bits a column, the lowest six from the bottom up and one that stays empty, so that four in a row
is found by shifts.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import Any

import numpy as np
from numba import njit

from ruse.contests.arena.chance import S32, Stream, begin, below, bits
from ruse.contests.arena.contest import DRAW, LOSS, WIN, Contest, ContestError, KnownOptimum
from ruse.contests.arena.recorded import note, start_record, turned
from ruse.core.arrays import Array

ROWS, COLUMNS = 6, 7
STRIDE = ROWS + 1  # bits of a column
PLAYOUTS = 32  # after each column
CERTAIN = 1 << 32  # what the odds of a draw add up to
EMPTY, ONE = np.uint64(0), np.uint64(1)
SIDEWAYS, FALLING, RISING = np.uint64(STRIDE), np.uint64(STRIDE - 1), np.uint64(STRIDE + 1)  # shifts to the next cell
BOTTOM = np.array([1 << STRIDE * column for column in range(COLUMNS)], dtype=np.uint64)  # uint64[7]
TOP = np.array([1 << STRIDE * column + ROWS - 1 for column in range(COLUMNS)], dtype=np.uint64)  # uint64[7]
COLUMN = np.array([((1 << ROWS) - 1) << STRIDE * column for column in range(COLUMNS)], dtype=np.uint64)  # uint64[7]


@njit(cache=True, nogil=True)
def aligned(stones: Any, upward: Any, sideways: Any, falling: Any, rising: Any) -> Any:
    """Whether a board has four in a row, by the shifts that lead to the next cell in each direction."""
    pairs = stones & (stones >> upward)
    rows = pairs & (pairs >> (upward + upward))
    pairs = stones & (stones >> sideways)
    rows |= pairs & (pairs >> (sideways + sideways))
    pairs = stones & (stones >> falling)
    rows |= pairs & (pairs >> (falling + falling))
    pairs = stones & (stones >> rising)
    rows |= pairs & (pairs >> (rising + rising))
    return rows != EMPTY


@njit(cache=True, nogil=True)
def won(stones: Any) -> Any:
    return aligned(stones, ONE, SIDEWAYS, FALLING, RISING)


@njit(cache=True, nogil=True)
def weigh(logarithms: Array, bounds: Array) -> None:
    """Fill in, for each set of columns that are not full, the running sums of their odds, in parts of 2^32."""
    for free in range(1, 1 << COLUMNS):
        top = -np.inf
        for column in range(COLUMNS):
            if free >> column & 1:
                top = max(top, logarithms[column])
        total = 0.0
        for column in range(COLUMNS):
            if free >> column & 1:
                total += exp(logarithms[column] - top)
        gathered, last = 0.0, 0
        for column in range(COLUMNS):
            if free >> column & 1:
                gathered += exp(logarithms[column] - top)
                last = column
            bounds[free, column] = np.uint64(gathered / total * CERTAIN)
        for column in range(last, COLUMNS):
            bounds[free, column] = np.uint64(CERTAIN)


@njit(cache=True, nogil=True)
def drawn(bounds: Array, stream: Stream) -> int:
    """A column, by the running sums of its odds."""
    point = bits(stream) >> S32
    column = 0
    for place in range(COLUMNS - 1):
        column += point >= bounds[place]
    return column


@njit(cache=True, nogil=True)
def playout(mine: Any, theirs: Any, free: int, bounds: Array, stream: Stream) -> int:
    """Twice the score of a random end to the side of `mine`, which has just moved: 2, 1 or 0."""
    own = False
    while free:
        column = drawn(bounds[0 if own else 1, free], stream)
        cell = (mine | theirs) + BOTTOM[column] & COLUMN[column]
        if own:
            mine |= cell
            if won(mine):
                return 2
        else:
            theirs |= cell
            if won(theirs):
                return 0
        if cell == TOP[column]:
            free ^= 1 << column
        own = not own
    return 1


@njit(cache=True, nogil=True)
def best_of(columns: int, playouts: int, mine: Any, theirs: Any, free: int, bounds: Array, stream: Stream) -> int:
    """Of these columns, all free, the one with the best average after so many playouts each."""
    taken = mine | theirs
    best, ties, winner = -1, 0, -1
    for column in range(COLUMNS):
        if columns >> column & 1:
            cell = taken + BOTTOM[column] & COLUMN[column]
            left = free ^ 1 << column if cell == TOP[column] else free
            score = 0
            for _ in range(playouts):
                score += playout(mine | cell, theirs, left, bounds, stream)
            if score > best:
                best, ties = score, 0
            if score == best:
                ties += 1
                if below(stream, ties) == 0:
                    winner = column
    return winner


@njit(cache=True, nogil=True)
def chosen(mine: Any, theirs: Any, free: int, bounds: Array, stream: Stream) -> int:
    """The column that the side of `mine` takes."""
    taken = mine | theirs
    for stones in (mine, theirs):
        for column in range(COLUMNS):
            if free >> column & 1 and won(stones | (taken + BOTTOM[column] & COLUMN[column])):
                return column
    return best_of(free, PLAYOUTS, mine, theirs, free, bounds, stream)


@njit(cache=True, nogil=True)
def match(bounds: Array, beginner: int, stream: Stream, record: Array) -> int:
    """One match; strategy `beginner`, 0 or 1, begins. Recorded: the columns, 0 to 6."""
    mine, theirs, free, mover = EMPTY, EMPTY, (1 << COLUMNS) - 1, beginner
    while free:
        column = chosen(mine, theirs, free, bounds[mover], stream)
        note(record, column)
        cell = (mine | theirs) + BOTTOM[column] & COLUMN[column]
        if won(mine | cell):
            return WIN if mover == beginner else LOSS
        if cell == TOP[column]:
            free ^= 1 << column
        mine, theirs, mover = theirs, mine | cell, 1 - mover
    return DRAW


@njit(cache=True, nogil=True)
def matches(first: Array, second: Array, seed: int, begins: int, outcomes: Array, record: Array) -> None:
    stream = np.empty(1, dtype=np.uint64)
    bounds = np.zeros((2, 2, 1 << COLUMNS, COLUMNS), dtype=np.uint64)
    for turn in range(2):
        weigh(first[turn * COLUMNS : (turn + 1) * COLUMNS], bounds[0, turn])
        weigh(second[turn * COLUMNS : (turn + 1) * COLUMNS], bounds[1, turn])
    for number in range(len(outcomes)):
        begin(stream, seed, begins + number)
        start_record(record)
        if (begins + number) % 2 == 0:
            outcomes[number] = match(bounds, 0, stream, record)
        else:
            outcomes[number] = turned(match(bounds, 1, stream, record))


def four_through(owner: dict[tuple[int, int], int], place: tuple[int, int]) -> bool:
    """Whether the stone at a place (column, row) is one of four in a row of its side."""
    for across, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
        row = 1
        for sense in (1, -1):
            column, height = place[0] + sense * across, place[1] + sense * up
            while owner.get((column, height)) == owner[place]:
                row, column, height = row + 1, column + sense * across, height + sense * up
        if row >= 4:
            return True
    return False


def referee(moves: Sequence[int]) -> int:
    """The outcome of a recorded match for the side that began, by the rules alone."""
    owner: dict[tuple[int, int], int] = {}
    heights = [0] * COLUMNS
    for turn, column in enumerate(moves):
        if not 0 <= column < COLUMNS:
            raise ContestError(f"expected a column from 0 to {COLUMNS - 1}, got {column}")
        if heights[column] == ROWS:
            raise ContestError(f"expected a column that is not full, got {column} at move {turn}")
        place = column, heights[column]
        owner[place] = turn % 2
        heights[column] += 1
        if four_through(owner, place):
            if turn + 1 < len(moves):
                raise ContestError(f"expected the end after four in a row, got move {turn + 1}")
            return WIN if turn % 2 == 0 else LOSS
    if len(owner) < ROWS * COLUMNS:
        raise ContestError(f"expected four in a row or a full board, got {len(owner)} stones")
    return DRAW


def words(strategy: Array) -> str:
    """The odds with which playouts draw each column of an empty board."""
    said = []
    for part, owner in ((strategy[:COLUMNS], "its own"), (strategy[COLUMNS:], "the other's")):
        part = np.clip(part, -1e300, 1e300)  # whose differences are finite
        weights = np.exp(part - part.max())
        odds = ", ".join(f"{weight:.0%}" for weight in weights / weights.sum())
        said.append(f"{owner} stones in columns 1 to 7 with odds {odds}")
    return f"Win or block at once if that can be; else play each column out {PLAYOUTS} times, with {', '.join(said)}."


def optimum() -> KnownOptimum:
    text = "the first side wins (Allis 1988), which ruse proves on small boards only"
    return KnownOptimum(text, "ruse solve 4-in-a-row --rows 4 --columns 5", None)


CONTESTS = (
    Contest(
        "4-in-a-row",
        rules=(
            "The sides take turns to drop a stone into one of seven columns of six. "
            "Whoever gets four in a row first, in any direction, wins. A full board is a draw."
        ),
        parameters=2 * COLUMNS,
        meaning="logarithms of the weights of the seven columns in playouts, for its own moves, then for the other's",
        matches=matches,
        referee=referee,
        words=words,
        named={"central": [0.0, 0.5, 1.0, 1.5, 1.0, 0.5, 0.0] * 2},
        paper={"seed": "0.63", "iterative": "1", "naive": "0.75", "real": "0.442308"},
        series=2_000,
        optimum=optimum,
    ),
)
