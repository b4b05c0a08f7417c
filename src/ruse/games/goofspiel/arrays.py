"""Goofspiel on arrays. Moves are cards; a hand is a set of bits."""

from __future__ import annotations

import numpy as np

from ruse.core.arrays import Array
from ruse.core.game import END

# Both hands; side 0's bid, from 1, while it is open, else 0; side 0's last result and lead, by sign; rounds played.
FIRST, SECOND, BID, RESULT, LEAD, ROUND = range(6)


class GoofspielArrays:
    denominator = 1
    sights = 3

    def __init__(self, cards: int, rounds: int) -> None:
        self.cards = cards
        self.rounds = rounds

    def start(self) -> Array:
        hand = 2**self.cards - 1
        return np.array([[hand], [hand], [0], [0], [0], [0]], dtype=np.int32)

    def turn(self, states: Array) -> Array:
        return np.where(states[BID] > 0, 1, np.where(states[ROUND] == self.rounds, END, 0))

    def legal(self, states: Array, turn: int) -> Array:
        hand = states[(FIRST, SECOND)[turn]]
        return np.asarray((hand >> np.arange(self.cards)[:, None]) & 1 > 0)

    def play(self, states: Array, moves: Array, turn: int) -> Array:
        after = states.copy()
        after[(FIRST, SECOND)[turn]] ^= 1 << moves
        if turn == 0:
            after[BID] = moves + 1
            return after
        after[RESULT] = np.sign(states[BID] - 1 - moves)
        after[LEAD] += after[RESULT] * (self.cards - states[ROUND])
        after[BID] = 0
        after[ROUND] += 1
        return after

    def sees(self, states: Array, moves: Array, turn: int, side: int) -> Array | int:
        return 0 if turn == 0 else states[RESULT] + 1

    def payoff(self, states: Array) -> Array:
        last = np.sign(states[FIRST] - states[SECOND])  # the last cards play for one point
        return np.asarray(np.sign(states[LEAD] + last))
