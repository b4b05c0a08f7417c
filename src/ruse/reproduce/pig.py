"""Pig between two strategies that hold at a fixed turn total: how often each wins, without playing.

A turn from score i that holds at n ends with 0 (a 1 was rolled) or a gain g, with odds that follow from the rules; a
gain of 100 - i or more wins. With W the mover's chance at scores (i, j), and V the other's,

    W(i, j) = won(i) + sum over gains g > 0 of q(i, g) (1 - V(j, i + g)) + q(i, 0) (1 - V(j, i)),

and the same for V: the pair (i, j) needs only larger totals and each other, two equations with two unknowns.
"""

from __future__ import annotations

import numpy as np

from ruse.core.arrays import Array

GOAL = 100
FACES = 6


def turn(score: int, hold: int) -> tuple[float, Array]:
    """The odds to win in a turn from a score, and of each gain else: float64[gain]."""
    stop = min(hold, GOAL - score)
    reached = np.zeros(stop + FACES)
    ended = np.zeros(stop + FACES)
    reached[0] = 1.0
    for total in range(stop):
        ended[0] += reached[total] / FACES
        for roll in range(2, FACES + 1):
            reached[total + roll] += reached[total] / FACES
    ended[stop:] += reached[stop:]
    won = float(ended[GOAL - score :].sum()) if GOAL - score < len(ended) else 0.0
    return won, ended[: GOAL - score]


def rate(own: int, other: int) -> float:
    """How often the strategy that holds at `one` beats the one that holds at `other`, over both who may begin."""
    turns = [[turn(score, hold) for score in range(GOAL)] for hold in (own, other)]
    chances = [np.zeros((GOAL, GOAL)), np.zeros((GOAL, GOAL))]  # of whose turn it is: [own score][other's]
    for total in range(2 * GOAL - 2, -1, -1):
        for i in range(max(0, total - GOAL + 1), min(GOAL - 1, total) + 1):
            j = total - i
            # strategy `side` moves with score a against b; both unknowns at (i, j) and (j, i)
            for first in (0, 1):
                a, b = (i, j) if first == 0 else (j, i)
                if first == 1 and i == j:
                    continue
                pair = [_known(turns, chances, 0, a, b), _known(turns, chances, 1, b, a)]
                (base, stay), (other_base, other_stay) = pair
                # W = base + stay (1 - V),  V = other_base + other_stay (1 - W)
                w = (base + stay * (1 - other_base - other_stay)) / (1 - stay * other_stay)
                chances[0][a, b] = w
                chances[1][b, a] = other_base + other_stay * (1 - w)
    return float(chances[0][0, 0] + 1 - chances[1][0, 0]) / 2


def _known(
    turns: list[list[tuple[float, Array]]], chances: list[Array], side: int, mine: int, theirs: int
) -> tuple[float, float]:
    """The part of W(mine, theirs) that needs no unknown, and the odds that nothing is gained."""
    won, ended = turns[side][mine]
    gains = ended[1:]
    after = 1 - chances[1 - side][theirs, mine + 1 : mine + 1 + len(gains)]
    return won + float(gains @ after), float(ended[0])
