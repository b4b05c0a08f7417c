"""The Resistance on arrays, seat by seat. Moves are sets of seats at CHANCE and for the resistance, else cards.

The resistance does not know how many spies are aboard, so every mission takes a step for each spy: those who are not
aboard have no card, and wait.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from ruse.core.arrays import Array
from ruse.core.capabilities import WAIT
from ruse.core.game import CHANCE, END
from ruse.games.resistance.rules import PASS, RESISTANCE, SABOTAGE, SPIES
from ruse.games.resistance.table import POINTS_TO_WIN, Table

SPY_SET, TEAM, ABOARD, STEP, CARDS, PASSED, FAILED = range(7)  # numbers of seat sets, from 1, or 0; steps, sabotages


class ResistanceArrays:
    def __init__(self, table: Table) -> None:
        self.table = table
        self.denominator = table.spy_sets
        self._spies = _seat_sets(table.players, table.spies)
        self._teams = [_seat_sets(table.players, size) for size in table.missions]
        self._moves = max(len(self._spies), *map(len, self._teams), 1 + SABOTAGE)
        self.sights = 1 + max(self._moves, 1 + table.spies)

    def start(self) -> Array:
        return np.zeros((FAILED + 1, 1), dtype=np.int16)

    def turn(self, states: Array) -> Array:
        if not states[SPY_SET, 0]:
            return np.full(states.shape[1], CHANCE)
        over = (states[PASSED] == POINTS_TO_WIN) | (states[FAILED] == POINTS_TO_WIN)
        cards = np.where(states[STEP] < states[ABOARD], SPIES, WAIT)
        return np.where(states[TEAM] > 0, cards, np.where(over, END, RESISTANCE))

    def legal(self, states: Array, turn: int) -> Array:
        if turn == CHANCE:
            many = len(self._spies)
        else:
            many = 1 + SABOTAGE if turn == SPIES else len(self._teams[_mission(states)])
        return np.repeat(np.arange(self._moves)[:, None] < many, states.shape[1], axis=1)

    def play(self, states: Array, moves: Array, turn: int) -> Array:
        after = states.copy()
        if turn == CHANCE:
            after[SPY_SET] = moves + 1
            return after
        if turn == RESISTANCE:
            after[TEAM], after[CARDS] = moves + 1, 0
            after[ABOARD] = (self._teams[_mission(states)][moves] & self._spies[states[SPY_SET] - 1]).sum(axis=1)
            return after
        if turn == SPIES:
            after[CARDS] += moves != PASS
        after[STEP] += 1
        if after[STEP, 0] == self.table.spies:  # all states are equally deep
            fails = after[CARDS] >= self.table.sabotages[_mission(states)]
            after[FAILED] += fails
            after[PASSED] += ~fails
            after[[TEAM, ABOARD, STEP]] = 0
        return after

    def sees(self, states: Array, moves: Array, turn: int, side: int) -> Array | int:
        if turn in (CHANCE, RESISTANCE):
            return moves + 1 if side == SPIES else 0
        return states[CARDS] + 1 if side == RESISTANCE and not states[STEP, 0] else 0

    def payoff(self, states: Array) -> Array:
        return np.where(states[PASSED] == POINTS_TO_WIN, 1, -1)


def _mission(states: Array) -> int:
    return int(states[PASSED, 0] + states[FAILED, 0])


def _seat_sets(players: int, size: int) -> Array:
    """bool[sets, seats], in the order of the rules."""
    sets = np.zeros((len(list(combinations(range(players), size))), players), dtype=bool)
    for number, seats in enumerate(combinations(range(players), size)):
        sets[number, list(seats)] = True
    return sets
