"""Phantom tic-tac-toe: noughts and crosses in which neither side sees anything; three in a row wins.

Each side chooses a list of all nine cells beforehand and, in its turn, takes the first cell of it that is free. Nine
stones without three in a row are a draw. (Cauwet & Teytaud 2018, §III.)

18 parameters, a complete pure strategy (Table I): the list is the cells by falling parameter, numbers 0 to 8 when
playing first and 9 to 17 when second; cells are numbered by rows. Ties are broken at random in every match, so zeros
play a new random list each time.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numba import njit

from ruse.contests.arena.chance import Stream, begin, below
from ruse.contests.arena.contest import DRAW, LOSS, WIN, Contest, ContestError, Solvable
from ruse.contests.arena.recorded import note, start_record, turned
from ruse.core.arrays import Array
from ruse.core.types import StrategyTable

CELLS = 9
LINES = (0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)  # three cells each, a bit a cell
THREE = np.array([any(cells & line == line for line in LINES) for cells in range(1 << CELLS)])  # bool[512]


@njit(cache=True, nogil=True)
def rank(numbers: Array, order: Array, ends: Array) -> None:
    """Fill in the cells by falling number and, for each place, the end of the run of equal numbers it lies in."""
    for cell in range(CELLS):
        place = cell
        while place > 0 and numbers[order[place - 1]] < numbers[cell]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = cell
    end = CELLS
    for place in range(CELLS - 1, -1, -1):
        if place < CELLS - 1 and numbers[order[place]] != numbers[order[place + 1]]:
            end = place + 1
        ends[place] = end


@njit(cache=True, nogil=True)
def list_for(order: Array, ends: Array, stream: Stream, cells: Array) -> None:
    """Fill in the list of a match: ties in random order (Fisher and Yates)."""
    for place in range(CELLS):
        cells[place] = order[place]
    for place in range(CELLS):
        tied = ends[place] - place
        if tied > 1:
            other = place + below(stream, tied)
            cells[place], cells[other] = cells[other], cells[place]


@njit(cache=True, nogil=True)
def match(orders: Array, ends: Array, beginner: int, stream: Stream, lists: Array, record: Array) -> int:
    """One match; strategy `beginner`, 0 or 1, begins. Recorded: its list, the other's list, then the cells taken."""
    for seat in range(2):
        side = beginner ^ seat
        list_for(orders[side, seat], ends[side, seat], stream, lists[seat])
        for cell in lists[seat]:
            note(record, cell)
    mine = theirs = place = their_place = 0
    for turn in range(CELLS):
        seat = turn & 1
        while (mine | theirs) >> lists[seat, place] & 1:
            place += 1
        cell = lists[seat, place]
        note(record, cell)
        mine |= 1 << cell
        if THREE[mine]:
            return WIN if seat == 0 else LOSS
        mine, theirs = theirs, mine
        place, their_place = their_place, place
    return DRAW


@njit(cache=True, nogil=True)
def matches(first: Array, second: Array, seed: int, begins: int, outcomes: Array, record: Array) -> None:
    stream = np.empty(1, dtype=np.uint64)
    orders, ends = np.empty((2, 2, CELLS), dtype=np.int64), np.empty((2, 2, CELLS), dtype=np.int64)
    lists = np.empty((2, CELLS), dtype=np.int64)
    for seat in range(2):
        rank(first[seat * CELLS : (seat + 1) * CELLS], orders[0, seat], ends[0, seat])
        rank(second[seat * CELLS : (seat + 1) * CELLS], orders[1, seat], ends[1, seat])
    for number in range(len(outcomes)):
        begin(stream, seed, begins + number)
        start_record(record)
        if (begins + number) % 2 == 0:
            outcomes[number] = match(orders, ends, 0, stream, lists, record)
        else:
            outcomes[number] = turned(match(orders, ends, 1, stream, lists, record))


def referee(moves: Sequence[int]) -> int:
    """The outcome of a recorded match for the side that began, by the rules alone."""
    lists, taken = (moves[:CELLS], moves[CELLS : 2 * CELLS]), moves[2 * CELLS :]
    for cells in lists:
        if sorted(cells) != list(range(CELLS)):
            raise ContestError(f"expected a list of the nine cells, got {list(cells)}")
    board: dict[int, int] = {}
    for turn, cell in enumerate(taken):
        if len(board) == CELLS:
            raise ContestError(f"expected the end on a full board, got move {turn}")
        due = next(free for free in lists[turn % 2] if free not in board)
        if cell != due:
            raise ContestError(f"expected the first free cell {due} of the list, got {cell} at move {turn}")
        board[cell] = turn % 2
        for line in ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)):
            if all(board.get(place) == turn % 2 for place in line):
                if turn + 1 < len(taken):
                    raise ContestError(f"expected the end after three in a row, got move {turn + 1}")
                return WIN if turn % 2 == 0 else LOSS
    if len(board) < CELLS:
        raise ContestError(f"expected three in a row or a full board, got {len(board)} stones")
    return DRAW


def words(strategy: Array) -> str:
    """Both lists, cells from 1 to 9; tied ones in brackets."""
    said = []
    for seat, when in ((0, "Playing first"), (1, "second")):
        numbers = strategy[seat * CELLS : (seat + 1) * CELLS]
        runs = []
        for number in sorted(set(numbers), reverse=True):
            run = " ".join(str(cell + 1) for cell in np.flatnonzero(numbers == number))
            runs.append(f"[{run}]" if len(run) > 1 else run)
        said.append(f"{when}, take {' '.join(runs)}")
    tied = " (in any order inside brackets)" if "[" in "".join(said) else ""
    return f"Cells are numbered 1 to 9 by rows. {'; '.join(said)}{tied}."


def falling(*cells: int) -> list[float]:
    """Parameters that put some of the cells first, in this order; the rest are tied."""
    return [float(len(cells) - cells.index(cell)) if cell in cells else 0.0 for cell in range(CELLS)]


def table(strategy: Array, game: Any, side: int) -> StrategyTable | None:
    """A strategy as a table of the game."""
    numbers = strategy[CELLS * side : CELLS * side + CELLS]
    if len(set(numbers.tolist())) < CELLS:
        return None  # ties are broken anew in every match
    return {game.position(side): {"".join(game.places[place] for place in np.argsort(-numbers)): Fraction(1)}}


CONTESTS = (
    Contest(
        "phantom-tic-tac-toe",
        rules=(
            "Tic-tac-toe in which neither side sees the board: each side has made a list of the nine cells. "
            "In its turn it takes the first of them that is free. Three in a row wins; a full board is a draw."
        ),
        parameters=2 * CELLS,
        meaning="the list is the cells by falling parameter, the first nine when playing first, the others when second",
        matches=matches,
        referee=referee,
        words=words,
        named={"centre": falling(4) * 2, "diagonal": falling(4, 0, 8) * 2, "corners": falling(4, 0, 8, 2, 6) * 2},
        paper={"seed": "0.75", "approximate": "0.445", "iterative": "0.595", "naive": "0.445", "real": "0.696"},
        ours=False,
        game=Solvable("phantom-tic-tac-toe", table),
    ),
)
