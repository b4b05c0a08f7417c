"""Phantom 4-in-a-row: stones are dropped into seven columns of four, and neither side sees anything; four in a row win.

In its turn a side names an order of the seven columns, and its stone goes into the first of them that is not full. A
full board is a draw. (Cauwet & Teytaud 2018, §III: "a permutation of the 7 locations and a move".)

2 parameters: the index of the list of moves when playing first and when second (Table I). How an index becomes a list
is our choice: x chooses list number floor(1000 x), and turn t of a list names the columns in the order in which they
first come up in the stream of pseudo-random numbers (contests/arena/chance.py) of that seed and match t. Exactly 0 is
a random list in every match, so that zeros are a random baseline; two fixed lists always play the same match.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import floor

import numpy as np
from numba import njit

from ruse.contests.arena.chance import Stream, begin, below, bits
from ruse.contests.arena.contest import DRAW, LOSS, WIN, Contest, ContestError
from ruse.contests.arena.four import EMPTY, ONE, aligned, four_through
from ruse.contests.arena.recorded import note, start_record, turned
from ruse.core.arrays import Array

ROWS, COLUMNS = 4, 7
STRIDE = np.uint64(ROWS + 1)  # bits of a column: one stays empty
FALLING, RISING = np.uint64(ROWS), np.uint64(ROWS + 2)  # shifts to the next cell aslant
STONES = ROWS * COLUMNS
LISTS_TO_ONE = 1000.0  # lists from a parameter to itself plus one
LARGEST = 1e15  # a parameter beyond it counts as this


@njit(cache=True, nogil=True)
def list_number(x: float, stream: Stream) -> int:
    """The list that a parameter chooses."""
    if x == 0.0:
        return int(np.int64(bits(stream)))
    return floor(min(max(x, -LARGEST), LARGEST) * LISTS_TO_ONE)


@njit(cache=True, nogil=True)
def match(first: float, second: float, stream: Stream, order: Stream, heights: Array, record: Array) -> int:
    """One match, by the parameters of both seats. Recorded: all columns named, up to the one that is not full."""
    lists = (list_number(first, stream), list_number(second, stream))
    heights[:] = 0
    mine = theirs = EMPTY
    for turn in range(STONES):
        seat = turn & 1
        begin(order, lists[seat], turn >> 1)
        named = 0
        column = below(order, COLUMNS)
        note(record, column)
        while heights[column] == ROWS:
            named |= 1 << column
            while named >> column & 1:
                column = below(order, COLUMNS)
            note(record, column)
        mine |= ONE << (np.uint64(column) * STRIDE + np.uint64(heights[column]))
        heights[column] += 1
        if aligned(mine, ONE, STRIDE, FALLING, RISING):
            return WIN if seat == 0 else LOSS
        mine, theirs = theirs, mine
    return DRAW


@njit(cache=True, nogil=True)
def matches(first: Array, second: Array, seed: int, begins: int, outcomes: Array, record: Array) -> None:
    stream, order = np.empty(1, dtype=np.uint64), np.empty(1, dtype=np.uint64)
    heights = np.empty(COLUMNS, dtype=np.int64)
    for number in range(len(outcomes)):
        begin(stream, seed, begins + number)
        start_record(record)
        if (begins + number) % 2 == 0:
            outcomes[number] = match(first[0], second[1], stream, order, heights, record)
        else:
            outcomes[number] = turned(match(second[0], first[1], stream, order, heights, record))


def referee(moves: Sequence[int]) -> int:
    """The outcome of a recorded match for the side that began, by the rules alone."""
    owner: dict[tuple[int, int], int] = {}
    heights, turn = [0] * COLUMNS, 0
    named: set[int] = set()
    for place, column in enumerate(moves):
        if not 0 <= column < COLUMNS:
            raise ContestError(f"expected a column from 0 to {COLUMNS - 1}, got {column}")
        if column in named:
            raise ContestError(f"expected columns in some order, got {column} twice in turn {turn}")
        if heights[column] == ROWS:
            named.add(column)
            continue
        stone = column, heights[column]
        owner[stone] = turn % 2
        heights[column] += 1
        if four_through(owner, stone):
            if place + 1 < len(moves):
                raise ContestError(f"expected the end after four in a row, got move {place + 1}")
            return WIN if turn % 2 == 0 else LOSS
        named, turn = set(), turn + 1
    if len(owner) < STONES or named:
        raise ContestError(f"expected four in a row or a full board, got {len(owner)} stones")
    return DRAW


def first_choices(number: int) -> list[int]:
    """The column that each turn of a list names first."""
    order, chosen = np.empty(1, dtype=np.uint64), []
    for turn in range(STONES // 2):
        begin(order, number, turn)
        chosen.append(int(below(order, COLUMNS)))
    return chosen


def words(strategy: Array) -> str:
    """Its lists, columns from 1 to 7."""
    said = []
    for x, when in ((float(strategy[0]), "Playing first"), (float(strategy[1]), "Playing second")):
        if x == 0:
            said.append(f"{when}, drop stones at random.")
        else:
            number = list_number(x, np.zeros(1, dtype=np.uint64))
            columns = " ".join(str(column + 1) for column in first_choices(number))
            said.append(f"{when}, drop stones into columns {columns} (list {number}).")
    return " ".join(said)


CONTESTS = (
    Contest(
        "phantom-4-in-a-row",
        rules=(
            "The sides take turns to drop stones into seven columns of four without seeing the board. If a column is "
            "full, the stone goes into the next one of an order chosen beforehand. Four in a row wins."
        ),
        parameters=2,
        meaning="the number of the list of moves when playing first and when second; 0 is a random list in every match",
        matches=matches,
        referee=referee,
        words=words,
        paper={"seed": "0.69", "approximate": "0.549", "iterative": "0.657", "real": "0.598"},
    ),
)
