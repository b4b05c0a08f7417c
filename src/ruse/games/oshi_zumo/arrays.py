"""Oshi-zumo on arrays. Moves are bids."""

from __future__ import annotations

import numpy as np

from ruse.core.arrays import Array
from ruse.core.game import END

FIRST, SECOND, PLACE, BID, BIDS = range(5)  # both sides' coins; the wrestler; side 0's last bid; how many bids


class OshiZumoArrays:
    denominator = 1

    def __init__(self, coins: int, size: int, horizon: int, min_bid: int, alesia: bool) -> None:
        self.coins, self.size, self.horizon, self.min_bid, self.alesia = coins, size, horizon, min_bid, alesia
        self.sights = coins + 1

    def start(self) -> Array:
        return np.array([[self.coins], [self.coins], [0], [0], [0]], dtype=np.int16)

    def turn(self, states: Array) -> Array:
        spent = (states[FIRST] == 0) & (states[SECOND] == 0)
        over = (states[BIDS] == 2 * self.horizon) | (np.abs(states[PLACE]) > self.size) | spent
        return np.where(states[BIDS] % 2, 1, np.where(over, END, 0))

    def legal(self, states: Array, turn: int) -> Array:
        coins = states[(FIRST, SECOND)[turn]]
        bids = np.arange(self.coins + 1)[:, None]
        return np.asarray((bids <= coins) & (bids >= np.minimum(coins, self.min_bid)))

    def play(self, states: Array, moves: Array, turn: int) -> Array:
        after = states.copy()
        after[BIDS] += 1
        if turn == 0:
            after[BID] = moves
            return after
        after[FIRST] -= states[BID]
        after[SECOND] -= moves.astype(np.int16)
        after[PLACE] += np.sign(states[BID] - moves).astype(np.int16)
        return after

    def sees(self, states: Array, moves: Array, turn: int, side: int) -> Array | int:
        if turn == 0:
            return 0
        return moves if side == 0 else np.asarray(states[BID])

    def payoff(self, states: Array) -> Array:
        place = states[PLACE]
        return np.where(self.alesia & (np.abs(place) <= self.size), 0, np.sign(place))
