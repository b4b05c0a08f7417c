"""Pig: both sides roll a die in turn, for as long as they dare; who has 100 points first wins.

A turn begins with a roll. A 1 ends it and loses what it had gathered; anything else is added to it. After each roll the
mover may hold, which adds what the turn has gathered to its score. (Cauwet & Teytaud 2018, §III; Scarne 1945.)

One parameter x: hold as soon as the turn has gathered 20 · exp(x), or enough to win. The baseline therefore holds at
20, as is often advised. The paper gives the number of parameters and no more; this family is our choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, exp
from typing import Any

import numpy as np
from numba import njit

from ruse.contests.arena.chance import Stream, begin, below
from ruse.contests.arena.contest import CUT, LOSS, WIN, Contest, ContestError, Solvable
from ruse.contests.arena.recorded import note, start_record, turned
from ruse.core.arrays import Array
from ruse.core.types import StrategyTable

GOAL = 100
USUAL = 20.0  # points to hold at
MOST_TURNS = 10_000  # a strategy that never dares to hold may need very many


@njit(cache=True, nogil=True)
def match(first: Array, second: Array, stream: Stream, record: Array) -> int:
    """One match; the first strategy begins. Recorded: every roll, and 0 for holding."""
    holds = (USUAL * exp(min(first[0], 10.0)), USUAL * exp(min(second[0], 10.0)))
    points = np.zeros(2, dtype=np.int64)
    for turn in range(MOST_TURNS):
        mover = turn % 2
        gathered = 0
        while True:
            roll = 1 + below(stream, 6)
            note(record, roll)
            if roll == 1:
                break
            gathered += roll
            if points[mover] + gathered >= GOAL:
                return WIN if mover == 0 else LOSS
            if gathered >= holds[mover]:
                note(record, 0)
                points[mover] += gathered
                break
    return CUT


@njit(cache=True, nogil=True)
def matches(first: Array, second: Array, seed: int, begins: int, outcomes: Array, record: Array) -> None:
    stream = np.empty(1, dtype=np.uint64)
    for number in range(len(outcomes)):
        begin(stream, seed, begins + number)
        start_record(record)
        if (begins + number) % 2 == 0:
            outcomes[number] = match(first, second, stream, record)
        else:
            outcomes[number] = turned(match(second, first, stream, record))


def referee(moves: Sequence[int]) -> int:
    """The outcome of a recorded match for the side that began, by the rules alone."""
    points, gathered, mover, turns = [0, 0], 0, 0, 0
    for place, move in enumerate(moves):
        if move == 0 and gathered == 0:
            raise ContestError(f"expected a roll before holding, got none at move {place}")
        if not 0 <= move <= 6:
            raise ContestError(f"expected a roll from 1 to 6 or 0 to hold, got {move} at move {place}")
        if points[mover] + gathered >= GOAL:
            raise ContestError(f"expected the end once {GOAL} points are gathered, got move {place}")
        if move > 1:
            gathered += move
            continue
        points[mover] += gathered if move == 0 else 0
        gathered, mover, turns = 0, 1 - mover, turns + 1
    if points[mover] + gathered >= GOAL:
        return WIN if mover == 0 else LOSS
    if turns < MOST_TURNS:
        raise ContestError(f"expected a match to the end or {MOST_TURNS:,} turns, got {turns:,}")
    return CUT


def words(strategy: Array) -> str:
    hold = USUAL * exp(min(float(strategy[0]), 10.0))
    return f"Roll until the turn has gathered {int(np.ceil(hold))} points or enough to win, then hold."


def table(strategy: Array, game: Any, side: int) -> StrategyTable:
    """A strategy as a table of the game."""
    hold = max(2, ceil(USUAL * exp(min(float(strategy[0]), 10.0))))
    return {
        game.stored_position(side, mine, theirs): {f"hold-at-{min(hold, max(game.goal - mine, 2))}+": Fraction(1)}
        for mine in range(game.goal)
        for theirs in range(game.goal)
    }


CONTESTS = (
    Contest(
        "pig",
        rules=(
            "The sides take turns to roll a die as often as they like; a 1 ends the turn and loses what it had "
            "gathered. Holding adds it to the score. Whoever reaches 100 first wins."
        ),
        parameters=1,
        meaning="how many points to hold at: 20 · exp(x)",
        matches=matches,
        referee=referee,
        words=words,
        cut=f"after {MOST_TURNS:,} turns",
        named={"hold-at-25": [0.2231435]},
        paper={"seed": "0.505", "approximate": "0.508", "iterative": "0.522", "naive": "0.512", "real": "0.508"},
        game=Solvable("pig", table),
    ),
)
