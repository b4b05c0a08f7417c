"""Misère Nim, or Marienbad: take matches from one of four heaps of 1, 3, 5 and 7; who takes the last one loses.

The mover takes as many as it likes, at least one, from one heap. (Cauwet & Teytaud 2018, §III; the heaps are those
whose 2 · 4 · 6 · 8 - 1 states with a match on the table are the 383 of Table I; theory: Bouton 1901.)

383 parameters: the value of each state that is not the end, to the side that has just moved to it (Table I: "complete
value function over the 383 non-terminal states"). Number ((a · 4 + b) · 6 + c) · 8 + d - 1 belongs to heaps a, b, c, d.
The mover goes to the state of the highest value; to the end, which loses, only when it must; ties are broken at random,
so zeros play at random. No move leads to the start; its value says, as in minimax, what the opening is worth: the
opening is drawn from the moves worth at least minus it, or is the best one if there is none. (That use is ours.)
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numba import njit

from ruse.contests.arena.chance import Stream, begin, below
from ruse.contests.arena.contest import LOSS, WIN, Contest, ContestError, Solvable
from ruse.contests.arena.recorded import note, start_record, turned
from ruse.core.arrays import Array
from ruse.core.game import END, describe
from ruse.core.types import StrategyTable

HEAPS = (1, 3, 5, 7)
STEPS = (192, 48, 8, 1)  # how much a match of each heap adds to the number of a state
START = 383
MOST_MOVES = 16


@njit(cache=True, nogil=True)
def choices(strategy: Array, counts: Array, targets: Array) -> None:
    """Fill in where the strategy may go from each state: targets[state, :counts[state]]."""
    after = np.empty(MOST_MOVES, dtype=np.int64)
    for state in range(1, START + 1):
        moves = 0
        best = -np.inf
        for heap in range(4):
            for taken in range(1, state // STEPS[heap] % (HEAPS[heap] + 1) + 1):
                after[moves] = state - taken * STEPS[heap]
                if after[moves] > 0:
                    best = max(best, strategy[after[moves] - 1])
                moves += 1
        enough = min(best, -strategy[START - 1]) if state == START else best
        counts[state] = 0
        for move in range(moves):
            if (after[move] == 0 and moves == 1) or (after[move] > 0 and strategy[after[move] - 1] >= enough):
                targets[state, counts[state]] = after[move]
                counts[state] += 1


@njit(cache=True, nogil=True)
def note_move(record: Array, before: int, after: int) -> None:
    """Write down the heap and how many are taken of it."""
    for heap in range(4):
        taken = before // STEPS[heap] % (HEAPS[heap] + 1) - after // STEPS[heap] % (HEAPS[heap] + 1)
        if taken > 0:
            note(record, heap)
            note(record, taken)


@njit(cache=True, nogil=True)
def match(counts: Array, targets: Array, beginner: int, stream: Stream, record: Array) -> int:
    """One match; strategy `beginner`, 0 or 1, begins. Recorded: the heap and the number taken, for every move."""
    state, mover = START, beginner
    while True:
        count = counts[mover, state]
        after = int(targets[mover, state, below(stream, count) if count > 1 else 0])
        if len(record):
            note_move(record, state, after)
        if after == 0:
            return LOSS if mover == beginner else WIN
        state, mover = after, 1 - mover


@njit(cache=True, nogil=True)
def matches(first: Array, second: Array, seed: int, begins: int, outcomes: Array, record: Array) -> None:
    stream = np.empty(1, dtype=np.uint64)
    counts = np.zeros((2, START + 1), dtype=np.int16)
    targets = np.zeros((2, START + 1, MOST_MOVES), dtype=np.int16)
    choices(first, counts[0], targets[0])
    choices(second, counts[1], targets[1])
    for number in range(len(outcomes)):
        begin(stream, seed, begins + number)
        start_record(record)
        if (begins + number) % 2 == 0:
            outcomes[number] = match(counts, targets, 0, stream, record)
        else:
            outcomes[number] = turned(match(counts, targets, 1, stream, record))


def referee(moves: Sequence[int]) -> int:
    """The outcome of a recorded match for the side that began, by the rules alone."""
    if len(moves) % 2:
        raise ContestError(f"expected a heap and a number of matches in turn, got {len(moves)} numbers")
    heaps = list(HEAPS)
    for turn in range(len(moves) // 2):
        heap, taken = moves[2 * turn : 2 * turn + 2]
        if not 0 <= heap < len(heaps):
            raise ContestError(f"expected a heap from 0 to 3, got {heap}")
        if not 1 <= taken <= heaps[heap]:
            raise ContestError(f"expected 1 to {heaps[heap]} matches from heap {heap}, got {taken}")
        heaps[heap] -= taken
    if any(heaps):
        raise ContestError(f"expected a match to the end, got heaps of {heaps}")
    return LOSS if len(moves) // 2 % 2 else WIN


def heaps_of(state: int) -> tuple[int, ...]:
    return tuple(state // step % (most + 1) for step, most in zip(STEPS, HEAPS, strict=True))


def won(state: int) -> bool:
    """Whether the side that has just moved to a state wins with best play (Bouton 1901, misère)."""
    heaps = heaps_of(state)
    nim_sum = heaps[0] ^ heaps[1] ^ heaps[2] ^ heaps[3]
    return nim_sum == (1 if max(heaps) <= 1 else 0)


def words(strategy: Array) -> str:
    """The opening, and how often it keeps a win that it has."""
    counts, targets = np.zeros(START + 1, dtype=np.int16), np.zeros((START + 1, MOST_MOVES), dtype=np.int16)
    choices(strategy, counts, targets)
    goes = [[int(after) for after in targets[state, : counts[state]]] for state in range(START + 1)]
    winning = [state for state in range(1, START + 1) if not won(state)]
    kept = sum(sum(won(to) for to in goes[state]) / len(goes[state]) for state in winning)
    opening = " or ".join("-".join(map(str, heaps_of(to))) for to in goes[START][:3])
    if len(goes[START]) > 3:
        opening = f"any of {len(goes[START])} states"
    kept /= len(winning)
    return f"Open to {opening}. {len(winning)} states have a winning move; it makes one {kept:.0%} of the time."


def _states(game: Any) -> set[Any]:
    """All that can come about: few moves take few matches, so not every side can face every heap."""
    known, left = {game.start()}, [game.start()]
    while left:
        state = left.pop()
        after = {game.play(state, move) for move in game.moves(state)} if game.turn(state) != END else set()
        left += after - known
        known |= after
    return known


def table(strategy: Array, game: Any, side: int) -> StrategyTable:
    """A strategy as a table of the game."""
    counts, targets = np.zeros(START + 1, dtype=np.int64), np.zeros((START + 1, MOST_MOVES), dtype=np.int64)
    choices(strategy, counts, targets)
    strategy_table, known = {}, _states(game)
    for state in range(1, START + 1):
        here = game.start()._replace(turn=side, heaps=heaps_of(state))
        if here not in known:
            continue
        after = {heaps_of(int(target)) for target in targets[state, : counts[state]]}
        share = Fraction(1, len(after))
        strategy_table[describe(game, here)] = {
            game.label(move): share for move in game.moves(here) if game.play(here, move).heaps in after
        }
    return strategy_table


CONTESTS = (
    Contest(
        "nim",
        rules=(
            "Four heaps have 1, 3, 5 and 7 matches. "
            "The sides take turns to take at least one match from one heap. Whoever takes the last match loses."
        ),
        parameters=START,
        meaning="the value of every state that is not the end, to the side that has just moved to it",
        matches=matches,
        referee=referee,
        words=words,
        named={"perfect": [float(won(state)) for state in range(1, START + 1)]},
        paper={"seed": "0.74", "approximate": "0.500", "iterative": "0.589", "real": "0.669"},
        ours=False,
        game=Solvable("nim", table),
    ),
)
