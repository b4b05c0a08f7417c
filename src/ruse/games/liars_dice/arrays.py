"""Liar's dice on arrays. Moves are rolls at CHANCE, else bids in their order and then the call."""

from __future__ import annotations

import numpy as np

from ruse.core.arrays import Array
from ruse.core.game import CHANCE, END
from ruse.games.liars_dice.rules import LiarsDice

FIRST, SECOND, BID, TURN, BIDDER = range(5)  # the rolls; the last bid, from 1, or 0; who moves; who bid last


class LiarsDiceArrays:
    def __init__(self, game: LiarsDice) -> None:
        self.faces = game.faces
        self.bids = len(game.bids)
        self.ways = np.array(game.ways)
        self.matches = matches(game)
        self.sights = max(self.bids, len(self.ways)) + 2
        self.denominator = int(self.ways.sum()) ** 2
        self._kind = np.int8 if self.sights < 1 << 7 else np.int32

    def start(self) -> Array:
        return np.array([[0], [0], [0], [CHANCE], [0]], dtype=self._kind)

    def turn(self, states: Array) -> Array:
        return np.asarray(states[TURN])

    def legal(self, states: Array, turn: int) -> Array:
        bid = states[BID]
        if turn == CHANCE:
            return np.repeat(self.ways[:, None], len(bid), axis=1)
        moves = np.arange(self.bids + 1)[:, None]
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
        matching = self.matches[states[FIRST] - 1, face] + self.matches[states[SECOND] - 1, face]
        return np.where((matching > number) == (states[BIDDER] == 0), 1, -1)


def matches(game: LiarsDice) -> Array:
    """int64[rolls, faces]: how many dice of a roll show a face, or the highest, which counts as any."""
    counted = [
        [sum(int(die) in (face, game.faces) for die in roll) for face in range(1, game.faces + 1)]
        for roll in game.dice_of.values()
    ]
    return np.array(counted)
