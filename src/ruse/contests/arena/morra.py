"""Morra: both sides show 0 to 5 fingers and guess the sum at the same time; the only one who guesses right wins.

When both are right, or neither, the game is a draw. A match is one game. (Cauwet & Teytaud 2018, §III.)

66 parameters: number 11 · fingers + guess is the logarithm of the weight of that joint action, so the odds are their
softmax (Table I: "vector of probabilities for all possible joint actions"). Zeros are all 66 actions alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import njit

from ruse.contests.arena.chance import Stream, begin, below, share
from ruse.contests.arena.contest import DRAW, LOSS, WIN, Contest, ContestError, Solvable
from ruse.contests.arena.recorded import note, start_record, turned
from ruse.core.arrays import Array
from ruse.core.exact import rounded
from ruse.core.game import describe
from ruse.core.types import StrategyTable

FINGERS, GUESSES = 6, 11  # 0 to 5 and 0 to 10
ACTIONS = FINGERS * GUESSES
DENOMINATOR = 10**9  # of odds that are not fractions


@njit(cache=True, nogil=True)
def odds_of(strategy: Array) -> Array:
    """The softmax of the parameters."""
    odds: Array = np.exp(strategy - strategy.max())
    odds /= odds.sum()
    return odds


@njit(cache=True, nogil=True)
def alias(odds: Array, keep: Array, instead: Array) -> None:
    """Fill in Walker's alias table (1977; Vose 1991): draw a column, keep it with odds `keep`, else take `instead`."""
    height = odds * len(odds)
    small, large = np.empty(len(odds), dtype=np.int64), np.empty(len(odds), dtype=np.int64)
    smalls = larges = 0
    for column in range(len(odds)):
        keep[column], instead[column] = 1.0, column
        if height[column] < 1.0:
            small[smalls] = column
            smalls += 1
        else:
            large[larges] = column
            larges += 1
    while smalls > 0 and larges > 0:
        smalls -= 1
        low, high = small[smalls], large[larges - 1]
        keep[low], instead[low] = height[low], high
        height[high] -= 1.0 - height[low]
        if height[high] < 1.0:
            larges -= 1
            small[smalls] = high
            smalls += 1


@njit(cache=True, nogil=True)
def drawn(keep: Array, instead: Array, stream: Stream) -> int:
    column = below(stream, len(keep))
    return column if share(stream) < keep[column] else int(instead[column])


@njit(cache=True, nogil=True)
def match(keep: Array, instead: Array, viewer: int, stream: Stream, record: Array) -> int:
    """One match, as strategy `viewer`, 0 or 1, sees it. Recorded: its fingers and guess, then the other's."""
    mine, theirs = drawn(keep[viewer], instead[viewer], stream), drawn(keep[1 - viewer], instead[1 - viewer], stream)
    note(record, mine // GUESSES)
    note(record, mine % GUESSES)
    note(record, theirs // GUESSES)
    note(record, theirs % GUESSES)
    total = mine // GUESSES + theirs // GUESSES
    right, their_right = mine % GUESSES == total, theirs % GUESSES == total
    if right == their_right:
        return DRAW
    return WIN if right else LOSS


@njit(cache=True, nogil=True)
def matches(first: Array, second: Array, seed: int, begins: int, outcomes: Array, record: Array) -> None:
    stream = np.empty(1, dtype=np.uint64)
    keep, instead = np.empty((2, ACTIONS)), np.empty((2, ACTIONS), dtype=np.int64)
    alias(odds_of(first), keep[0], instead[0])
    alias(odds_of(second), keep[1], instead[1])
    for number in range(len(outcomes)):
        begin(stream, seed, begins + number)
        start_record(record)
        if (begins + number) % 2 == 0:
            outcomes[number] = match(keep, instead, 0, stream, record)
        else:
            outcomes[number] = turned(match(keep, instead, 1, stream, record))


def referee(moves: Sequence[int]) -> int:
    """The outcome of a recorded match for the side written down first, by the rules alone."""
    if len(moves) != 4:
        raise ContestError(f"expected fingers and a guess of both sides, got {len(moves)} numbers")
    for fingers, guess in (moves[:2], moves[2:]):
        if not (0 <= fingers < FINGERS and 0 <= guess < GUESSES):
            raise ContestError(f"expected 0 to 5 fingers and a guess of 0 to 10, got {fingers} and {guess}")
    total = moves[0] + moves[2]
    right = [guess == total for guess in (moves[1], moves[3])]
    if right[0] == right[1]:
        return DRAW
    return WIN if right[0] else LOSS


def words(strategy: Array) -> str:
    """The actions that stand out: at least twice as likely as among 66 alike."""
    odds = odds_of(strategy)
    likely = [action for action in np.argsort(-odds, kind="stable")[:FINGERS] if odds[action] >= 2 / ACTIONS]
    if not likely:
        return f"Any of the {ACTIONS} actions; the likeliest has odds of {odds.max():.1%}."
    said = [f"{action // GUESSES} and guess {action % GUESSES} ({odds[action]:.1%})" for action in sorted(likely)]
    return f"Show {', '.join(said)}; anything else {abs(1 - odds[likely].sum()):.1%} of the time."


def only(actions: Sequence[tuple[int, int]]) -> list[float]:
    """The strategy that plays some (fingers, guess) alike and nothing else: exp(-1000) is 0 in floating point."""
    return [1000.0 if divmod(action, GUESSES) in actions else 0.0 for action in range(ACTIONS)]


def table(strategy: Array, game: Any, side: int) -> StrategyTable:
    """A strategy as a table of the game."""
    start = game.start() if side == 0 else game.play(game.start(), game.moves(game.start())[0])
    shares = rounded(odds_of(strategy).tolist(), DENOMINATOR)
    labels = [game.label(move) for move in game.moves(start)]
    return {describe(game, game.knows(start, side)): dict(zip(labels, shares, strict=True))}


CONTESTS = (
    Contest(
        "morra",
        rules=(
            "Both sides show 0 to 5 fingers and guess the sum, 0 to 10, at the same time. "
            "If exactly one side guesses right, it wins. Otherwise it is a draw."
        ),
        parameters=ACTIONS,
        meaning="number 11 · fingers + guess is the logarithm of the weight of that action",
        matches=matches,
        referee=referee,
        words=words,
        named={"optimal": only([(0, 2), (1, 6), (2, 6), (3, 6), (4, 4), (5, 6)])},
        paper={"seed": "0.519", "approximate": "0.526", "iterative": "0.527", "naive": "0.523", "real": "0.518"},
        ours=False,
        game=Solvable("morra", table),
    ),
)
