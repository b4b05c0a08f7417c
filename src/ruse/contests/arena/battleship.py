"""Battleship: both sides hide ships of 5, 4, 3 and 2 cells on a 9×9 board and shoot in turn; who first hits all wins.

Ships lie level or upright and do not cross; they may touch. The mover names a cell that it has not named before and is
told whether a ship is hit, not which one, nor whether it is sunk. (Cauwet & Teytaud 2018, §III.)

33 parameters "of the probability distribution for the ships" (Table I; §VI-B: one "for the initial positioning of the
fleet" and one "for the Monte-Carlo simulation of the opponent's fleet"). The family is our choice. A board has 15
classes of cells under its eight symmetries, and a placement of a ship has the weight exp(sum of the parameters of its
cells' classes), times exp(lean) if it is level:

    0-14   classes, and 30 lean, by which its own ships are placed, the longest first, each one clear of the others;
    15-29  classes, and 31 lean, of its model of the other's fleet;
    32     b: a placement of the model counts 4 · exp(b) times as much for each hit in it, at least once, at most 128.

It shoots where the model expects most: at the cell with the largest sum over all placements of all ships that cover it
and no miss; ties are broken at random. That is the limit of simulating ships one by one, without the sampling. Zeros
place ships evenly and expect them so. Weights are whole numbers, so that sums are exact and ties are ties.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

import numpy as np
from numba import njit

from ruse.contests.arena.chance import Stream, begin, below, share
from ruse.contests.arena.contest import LOSS, WIN, Contest, ContestError
from ruse.contests.arena.recorded import note, start_record, turned
from ruse.core.arrays import Array

SIZE, SHIPS = 9, (5, 4, 3, 2)
CELLS, HITS = SIZE * SIZE, sum(SHIPS)
MODEL, LEAN, MODEL_LEAN, BONUS = 15, 30, 31, 32  # places of parameters; the classes of its own ships come first
LARGEST = 100.0  # a parameter beyond it counts as this
USUAL_BONUS, MOST_BONUS = 4.0, 128.0
WHOLE = 1 << 22  # what the weights of a ship's placements in the model add up to, about
NAMED = np.int64(-(1 << 62))  # marks cells that are named, in the model's sums
LEAST = 1e-15  # weight of a placement, in those of the likeliest one of its ship


def symmetry_classes() -> Array:
    """The class of each cell, by its distances from the nearest edges; 0 to 4 are the edge."""
    edges = [tuple(sorted(min(x, SIZE - 1 - x) for x in divmod(cell, SIZE))) for cell in range(CELLS)]
    kinds = sorted(set(edges))
    return np.array([kinds.index(edge) for edge in edges])


def placements() -> tuple[list[list[int]], list[int]]:
    """The cells of every placement, ship by ship, the level ones first; and where each ship's begin."""
    cells, begins = [], [0]
    for length in SHIPS:
        for step, across, down in ((1, SIZE - length + 1, SIZE), (SIZE, SIZE, SIZE - length + 1)):
            corners = [SIZE * row + column for row in range(down) for column in range(across)]
            cells += [[corner + step * place for place in range(length)] for corner in corners]
        begins.append(len(cells))
    return cells, begins


CLASS = symmetry_classes()  # int64[81]
PLACED, BEGINS = placements()
LENGTH = np.array([len(cells) for cells in PLACED])  # int64[468]
COVERED = np.array([cells + [0] * (SHIPS[0] - len(cells)) for cells in PLACED])  # int64[468, 5]
LEVEL = np.array([cells[1] == cells[0] + 1 for cells in PLACED])  # bool[468]
FROM = np.array(BEGINS)  # int64[5]
CROSSING = [[placement for placement, cells in enumerate(PLACED) if cell in cells] for cell in range(CELLS)]
THROUGH = np.array([row + [-1] * (2 * HITS - len(row)) for row in CROSSING])  # int64[81, 28]: placements, then -1


@njit(cache=True, nogil=True)
def bounded(number: float) -> float:
    return min(max(number, -LARGEST), LARGEST)


@njit(cache=True, nogil=True)
def bonus_of(strategy: Array) -> int:
    return round(min(max(USUAL_BONUS * exp(bounded(strategy[BONUS])), 1.0), MOST_BONUS))


@njit(cache=True, nogil=True)
def weigh(strategy: Array, classes: int, lean: int, odds: Array) -> None:
    """Fill in the odds of each placement among all of its ship's."""
    for placement in range(len(LENGTH)):
        odds[placement] = bounded(strategy[lean]) if LEVEL[placement] else 0.0
        for place in range(LENGTH[placement]):
            odds[placement] += bounded(strategy[classes + CLASS[COVERED[placement, place]]])
    for ship in range(len(SHIPS)):
        top, total = -np.inf, 0.0
        for placement in range(FROM[ship], FROM[ship + 1]):
            top = max(top, odds[placement])
        for placement in range(FROM[ship], FROM[ship + 1]):
            odds[placement] = max(exp(odds[placement] - top), LEAST)
            total += odds[placement]
        for placement in range(FROM[ship], FROM[ship + 1]):
            odds[placement] /= total


@njit(cache=True, nogil=True)
def model(odds: Array, weights: Array, expected: Array) -> None:
    """Fill in the whole weights of all placements of the other's fleet, and their sums by cell."""
    expected[:] = 0
    for placement in range(len(LENGTH)):
        weights[placement] = max(1, round(odds[placement] * WHOLE))
        for place in range(LENGTH[placement]):
            expected[COVERED[placement, place]] += weights[placement]


@njit(cache=True, nogil=True)
def clear(fleet: Array, placement: int) -> bool:
    """Whether a placement crosses no ship."""
    crossed = 0
    for place in range(LENGTH[placement]):
        crossed += fleet[COVERED[placement, place]]
    return crossed == 0


@njit(cache=True, nogil=True)
def place_fleet(fleet: Array, odds: Array, stream: Stream, record: Array) -> None:
    """Put all ships on an empty board, each by the odds of its placements that are clear of the others."""
    fleet[:] = 0
    for ship in range(len(SHIPS)):
        total = 0.0
        for placement in range(FROM[ship], FROM[ship + 1]):
            if clear(fleet, placement):
                total += odds[placement]
        point, chosen = share(stream) * total, -1
        for placement in range(FROM[ship], FROM[ship + 1]):
            if point >= 0.0 and clear(fleet, placement):
                chosen = placement
                point -= odds[placement]
        for place in range(LENGTH[chosen]):
            fleet[COVERED[chosen, place]] = 1
        note(record, COVERED[chosen, 0])
        note(record, int(LEVEL[chosen]))


@njit(cache=True, nogil=True)
def target(expected: Array, stream: Stream) -> int:
    """The cell of the largest sum, ties broken at random."""
    best, ties = expected[0], 0
    for cell in range(CELLS):
        best = max(best, expected[cell])
    for cell in range(CELLS):
        ties += expected[cell] == best
    skipped = below(stream, ties) if ties > 1 else 0
    for cell in range(CELLS):
        if expected[cell] == best:
            if skipped == 0:
                return cell
            skipped -= 1
    return -1


@njit(cache=True, nogil=True)
def learn(weights: Array, expected: Array, cell: int, factor: int) -> None:
    """A cell is named: multiply the weights of the placements through it, by 0 after a miss."""
    expected[cell] = NAMED
    for placement in THROUGH[cell]:
        if placement < 0:
            break
        change = weights[placement] * (factor - 1)
        if change != 0:
            weights[placement] += change
            for place in range(LENGTH[placement]):
                expected[COVERED[placement, place]] += change


@njit(cache=True, nogil=True)
def match(
    placing: Array,
    weights: Array,
    expected: Array,
    bonus: Array,
    beginner: int,
    stream: Stream,
    board: Array,
    record: Array,
) -> int:
    """One match; strategy `beginner`, 0 or 1, begins. `weights` and `expected` hold both models, then room for both.

    Recorded: its ships as first cell, and 1 if level; the other's ships; then the cells named.
    """
    hits = their_hits = 0
    for mover in (beginner, 1 - beginner):
        place_fleet(board[mover], placing[mover], stream, record)
        for placement in range(len(LENGTH)):
            weights[2 + mover, placement] = weights[mover, placement]
        for cell in range(CELLS):
            expected[2 + mover, cell] = expected[mover, cell]
    mover = beginner
    while True:
        cell = target(expected[2 + mover], stream)
        note(record, cell)
        hit = board[1 - mover, cell]
        hits += hit
        if hits == HITS:
            return WIN if mover == beginner else LOSS
        learn(weights[2 + mover], expected[2 + mover], cell, bonus[mover] if hit else 0)
        mover, hits, their_hits = 1 - mover, their_hits, hits


@njit(cache=True, nogil=True)
def matches(first: Array, second: Array, seed: int, begins: int, outcomes: Array, record: Array) -> None:
    stream, placing = np.empty(1, dtype=np.uint64), np.empty((2, len(LENGTH)))
    weights, expected = np.empty((4, len(LENGTH)), dtype=np.int64), np.empty((4, CELLS), dtype=np.int64)
    board, bonus = np.empty((2, CELLS), dtype=np.int8), np.empty(2, dtype=np.int64)
    for side in range(2):
        strategy = first if side == 0 else second
        weigh(strategy, MODEL, MODEL_LEAN, placing[side])
        model(placing[side], weights[side], expected[side])
        weigh(strategy, 0, LEAN, placing[side])
        bonus[side] = bonus_of(strategy)
    for number in range(len(outcomes)):
        begin(stream, seed, begins + number)
        start_record(record)
        if (begins + number) % 2 == 0:
            outcomes[number] = match(placing, weights, expected, bonus, 0, stream, board, record)
        else:
            outcomes[number] = turned(match(placing, weights, expected, bonus, 1, stream, board, record))


def referee(moves: Sequence[int]) -> int:
    """The outcome of a recorded match for the side that began, by the rules alone."""
    numbers = 2 * len(SHIPS)
    afloat = [fleet_of(moves[:numbers]), fleet_of(moves[numbers : 2 * numbers])]  # the cells not yet hit
    shots = moves[2 * numbers :]
    for turn, cell in enumerate(shots):
        if not 0 <= cell < CELLS or cell in shots[turn % 2 : turn : 2]:
            raise ContestError(f"expected a cell not named before, got {cell} at shot {turn}")
        afloat[1 - turn % 2].discard(cell)
        if not afloat[1 - turn % 2]:
            if turn + 1 < len(shots):
                raise ContestError(f"expected the end once a fleet is sunk, got shot {turn + 1}")
            return WIN if turn % 2 == 0 else LOSS
    raise ContestError(f"expected a match to the end, got {len(shots)} shots and fleets of {[*map(len, afloat)]} cells")


def fleet_of(written: Sequence[int]) -> set[int]:
    """The cells of a fleet that is written down as first cell, and 1 if level, of each ship."""
    if len(written) != 2 * len(SHIPS):
        raise ContestError(f"expected {len(SHIPS)} ships, got {len(written)} numbers")
    fleet: set[int] = set()
    for length, cell, level in zip(SHIPS, written[::2], written[1::2], strict=True):
        row, column = divmod(cell, SIZE)
        if (
            level not in (0, 1)
            or cell < 0
            or row + (1 - level) * (length - 1) >= SIZE
            or column + level * (length - 1) >= SIZE
        ):
            raise ContestError(f"expected a ship of {length} cells on the board, got one at {cell}, level {level}")
        ship = {cell + (1 if level else SIZE) * place for place in range(length)}
        if ship & fleet:
            raise ContestError(f"expected ships that do not cross, got one of {length} cells at {cell}")
        fleet |= ship
    return fleet


def words(strategy: Array) -> str:
    """Where it puts ships, against an even choice, and where it shoots."""
    odds, even = np.empty(len(LENGTH)), np.empty(len(LENGTH))
    weights, expected = np.empty(len(LENGTH), dtype=np.int64), np.empty(CELLS, dtype=np.int64)
    weigh(strategy, MODEL, MODEL_LEAN, odds)
    model(odds, weights, expected)
    weigh(strategy, 0, LEAN, odds)
    weigh(np.zeros_like(strategy), 0, LEAN, even)
    at_edge = np.array([sum(CLASS[cell] < (SIZE + 1) // 2 for cell in cells) for cells in PLACED])
    shots = [f"{'ABCDEFGHI'[cell % SIZE]}{cell // SIZE + 1}" for cell in np.flatnonzero(expected == expected.max())]
    edge, evenly, level = odds @ at_edge / HITS, even @ at_edge / HITS, odds @ LEVEL / len(SHIPS)
    return (
        f"Put {edge:.0%} of the ships' cells at the edge (evenly: {evenly:.0%}), and {level:.0%} of the ships level. "
        f"First shoot at {' or '.join(shots)}; a place for a ship counts {bonus_of(strategy)} times for each hit in it."
    )


CONTESTS = (
    Contest(
        "battleship",
        rules=(
            "Both sides hide ships of 2, 3, 4 and 5 cells on a 9×9 board, across or down, without crossing. "
            "They take turns to name a cell and are told hit or miss. Whoever hits all 14 cells first wins."
        ),
        parameters=33,
        meaning="logarithms of weights by classes of cells, for its own ships and those it expects; a bonus for hits",
        matches=matches,
        referee=referee,
        words=words,
        named={"edges": [2.0] * 5 + [0.0] * 28},
        paper={"seed": "0.77"},
    ),
)
