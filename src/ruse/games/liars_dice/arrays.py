"""Liar's dice on arrays. Moves are rolls at CHANCE, else bids in their order and then the calls."""

from __future__ import annotations

import numpy as np

from ruse.core.arrays import Array
from ruse.core.game import CHANCE, END
from ruse.games.liars_dice.rules import BID as PAYS_BID
from ruse.games.liars_dice.rules import LiarsDice

# The rolls; the last bid, from 1, or 0; who moves; who bid last; which call ended it.
FIRST, SECOND, BID, TURN, BIDDER, CALLED = range(6)


class LiarsDiceArrays:
    def __init__(self, game: LiarsDice) -> None:
        self.faces = game.faces
        self.bids = len(game.bids)
        self.calls, self.pays_bid = len(game.calls), game.penalty == PAYS_BID
        self.ways = [np.array(ways) for ways in game.ways]
        self.matches = matches(game)
        self.sights = max(self.bids + self.calls, *map(len, self.ways)) + 1
        self.denominator = int(self.ways[0].sum()) * int(self.ways[1].sum())
        self._kind = np.int8 if self.sights < 1 << 7 else np.int32

    def start(self) -> Array:
        return np.array([[0], [0], [0], [CHANCE], [0], [0]], dtype=self._kind)

    def turn(self, states: Array) -> Array:
        return np.asarray(states[TURN])

    def legal(self, states: Array, turn: int) -> Array:
        bid = states[BID]
        if turn == CHANCE:
            return np.repeat(self.ways[_rolling(states)][:, None], len(bid), axis=1)
        moves = np.arange(self.bids + self.calls)[:, None]
        return np.asarray(np.where(moves < self.bids, moves >= bid, bid > 0))

    def play(self, states: Array, moves: Array, turn: int) -> Array:
        after = states.copy()
        if turn == CHANCE:
            rolling = _rolling(states)
            after[rolling] = moves + 1
            after[TURN] = CHANCE if rolling == FIRST else 0
            return after
        call = moves >= self.bids
        after[CALLED] = np.where(call, moves - self.bids, 0)
        after[BID] = np.where(call, states[BID], moves + 1)
        after[BIDDER] = np.where(call, 1 - turn, turn)
        after[TURN] = np.where(call, END, 1 - turn)
        return after

    def sees(self, states: Array, moves: Array, turn: int, side: int) -> Array | int:
        if turn == CHANCE:
            return moves + 1 if side == (0 if states[SECOND, 0] == 0 else 1) else 0
        return 0 if turn == side else moves + 1

    def payoff(self, states: Array) -> Array:
        number, face = np.divmod(states[BID].astype(np.int64) - 1, self.faces)
        first, second = self.matches
        counted = first[states[FIRST] - 1, face] + second[states[SECOND] - 1, face]
        true = np.where(states[CALLED] == 0, counted > number, counted != number + 1)
        return np.where(true == (states[BIDDER] == 0), 1, -1) * (number + 1 if self.pays_bid else 1)


def _rolling(states: Array) -> int:
    """Which side's dice fall next."""
    return FIRST if states[FIRST, 0] == 0 else SECOND


def matches(game: LiarsDice) -> tuple[Array, Array]:
    """int64[rolls, faces] of each side: how many dice of a roll show a face, or the wild one, which counts as any."""
    faces = [str(face) for face in range(1, game.faces + 1)]
    first, second = (
        np.array([[game.matching(roll, face) for face in faces] for roll in rolls]) for rolls in game.rolls
    )
    return first, second
