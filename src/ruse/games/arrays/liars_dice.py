"""Liar's dice on arrays. Moves are faces at CHANCE, else bids in their order and then the call."""

from __future__ import annotations

import numpy as np

from ruse.core.game import CHANCE, END
from ruse.games.arrays import Array

FIRST, SECOND, BID, TURN, BIDDER = range(5)  # the rolls; the last bid, from 1, or 0; who moves; who bid last


class LiarsDiceArrays:
    def __init__(self, faces: int) -> None:
        self.faces = faces
        self.bids = 2 * faces
        self.sights = self.bids + 2
        self.denominator = faces**2

    def start(self) -> Array:
        return np.array([[0], [0], [0], [CHANCE], [0]], dtype=np.int8)

    def turn(self, states: Array) -> Array:
        return np.asarray(states[TURN])

    def legal(self, states: Array, turn: int) -> Array:
        moves = np.arange(self.bids + 1)[:, None]
        bid = states[BID]
        if turn == CHANCE:
            return np.repeat(moves < self.faces, len(bid), axis=1).astype(int)
        return np.asarray(np.where(moves < self.bids, moves >= bid, bid > 0))

    def play(self, states: Array, moves: Array, turn: int) -> Array:
        after = states.copy()
        if turn == CHANCE:
            rolling = FIRST if states[FIRST, 0] == 0 else SECOND
            after[rolling] = moves + 1
            after[TURN] = CHANCE if rolling == FIRST else 0
            return after
        call = moves == self.bids
        after[BID] = np.where(call, states[BID], moves + 1)
        after[BIDDER] = np.where(call, 1 - turn, turn)
        after[TURN] = np.where(call, END, 1 - turn)
        return after

    def sees(self, states: Array, moves: Array, turn: int, side: int) -> Array | int:
        if turn == CHANCE:
            return moves + 1 if side == (0 if states[SECOND, 0] == 0 else 1) else 0
        return 0 if turn == side else moves + 1

    def payoff(self, states: Array) -> Array:
        number, face = np.divmod(states[BID] - 1, self.faces)
        rolls = states[[FIRST, SECOND]]
        matches = ((rolls == face + 1) | (rolls == self.faces)).sum(axis=0)
        return np.where((matches > number) == (states[BIDDER] == 0), 1, -1)
