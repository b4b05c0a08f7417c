"""Battleship on arrays. Moves are places for a ship, then cells; what fills cells is a set of bits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ruse.core.arrays import Array
from ruse.core.game import END

if TYPE_CHECKING:
    from ruse.games.battleship.rules import Battleship

TIME = 0  # moves made; then for each side the cells it has shot at; then its ships, side by side
MISS, HIT, SUNK = range(3)


class BattleshipArrays:
    denominator = 1

    def __init__(self, game: Battleship) -> None:
        self.game = game
        self.count = len(game.ships)
        self.berths = [np.array(list(berths.values()), dtype=np.int32) for berths in game.berths]
        self.values = np.array(game.values, dtype=np.int64)
        self.sights = max(3, game.cells)

    def _shots(self, side: int) -> int:
        return 1 + side

    def _ships(self, side: int) -> slice:
        return slice(3 + side, None, 2)

    def start(self) -> Array:
        return np.zeros((3 + 2 * self.count, 1), dtype=np.int32)

    def _sunk(self, states: Array, side: int) -> Array:
        """bool[ships, states]"""
        return np.asarray(states[self._ships(side)] & ~states[self._shots(1 - side)] == 0)

    def turn(self, states: Array) -> Array:
        time = int(states[TIME, 0])  # all are equally deep
        if time < 2 * self.count:
            return np.full(states.shape[1], time % 2)
        lost = self._sunk(states, 0).all(axis=0) | self._sunk(states, 1).all(axis=0)
        return np.where(lost, END, END if time == 2 * (self.count + self.game.shots) else time % 2)

    def legal(self, states: Array, turn: int) -> Array:
        time = int(states[TIME, 0])
        if time >= 2 * self.count:
            return np.asarray((states[self._shots(turn)] >> np.arange(self.game.cells)[:, None]) & 1 == 0)
        number = time // 2
        taken = np.bitwise_or.reduce(states[self._ships(turn)], axis=0)
        different, which = np.unique(taken, return_inverse=True)
        names = list(self.game.berths[number])
        legal = np.zeros((len(names), len(different)), dtype=bool)
        for column, bits in enumerate(different.tolist()):
            legal[[names.index(name) for name in self.game.room(number, bits)], column] = True
        return legal[:, which]

    def play(self, states: Array, moves: Array, turn: int) -> Array:
        after = states.copy()
        after[TIME] += 1
        time = int(states[TIME, 0])
        if time < 2 * self.count:
            after[3 + time] = self.berths[time // 2][moves]
        else:
            after[self._shots(turn)] |= (1 << moves).astype(np.int32)
        return after

    def sees(self, states: Array, moves: Array, turn: int, side: int) -> Array | int:
        if states[TIME, 0] <= 2 * self.count:
            return 0
        if turn != side:
            return moves
        hit = (states[self._ships(1 - side)] >> moves) & 1 == 1
        sunk = self._sunk(states, 1 - side)
        return np.where((hit & sunk).any(axis=0), SUNK, np.where(hit.any(axis=0), HIT, MISS))

    def payoff(self, states: Array) -> Array:
        lost = [self.values @ self._sunk(states, side) for side in (0, 1)]
        return np.asarray(lost[1] - lost[0])
