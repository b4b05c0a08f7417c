"""Values of two strategies that never mix, in a game where play can return to a state: by sweeps over arrays."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from ruse.core.arrays import Array
from ruse.core.capabilities import Memoryless
from ruse.core.game import CHANCE, END, State
from ruse.core.types import StrategyTable
from ruse.forms.state_graph import graph_of, settled

UNITS = 10**13  # units in the largest payoff, if products with odds then still fit in 64 bits
ROUNDED = 10**10  # parts of a payoff to which the sweeps have converged


class Iterated:
    """The value of every state, and which states play reaches."""

    def __init__(self, game: Memoryless, tables: tuple[StrategyTable, StrategyTable]) -> None:
        self.graph = graph_of(game)
        arrays = self.graph.arrays
        first, second = (self.graph.read(side, table) for side, table in enumerate(tables))
        self.choice = np.where(arrays.turn == 1, second, first)  # int32[states]
        largest = max(1, int(np.abs(arrays.payoff).max()))
        unit = max(1, min(UNITS, 2**62 // int(arrays.whole.max())) // largest)
        self.whole = unit * arrays.denominator
        self.values = np.where(arrays.turn == END, arrays.payoff, -largest) * unit  # int64[states]
        turn = np.where(arrays.turn == 1, 0, arrays.turn).astype(arrays.turn.dtype)  # both sides' choices are fixed
        settled(replace(arrays, turn=turn), self.choice, 0, True, self.values)

    def value(self, state: State) -> Fraction:
        """The value of a state, to ten digits."""
        return Fraction(round(int(self.values[self.graph.number(state)]) * ROUNDED / self.whole), ROUNDED)

    def reached(self, state: State) -> bool:
        return bool(self._reached[self.graph.number(state)])

    @cached_property
    def _reached(self) -> Array:
        """bool[states]: whether the two strategies ever reach each state."""
        a = self.graph.arrays
        seen = np.zeros(len(a.turn), dtype=bool)
        seen[a.start] = True
        front = np.array([a.start])
        while len(front):
            chance = front[a.turn[front] == CHANCE]
            sided = front[a.turn[front] >= 0]
            counts = a.first[chance + 1] - a.first[chance]
            starts = np.repeat(a.first[chance] - np.cumsum(counts) + counts, counts)
            edges = np.concatenate([starts + np.arange(counts.sum()), a.first[sided] + self.choice[sided]])
            front = np.unique(a.child[edges.astype(np.int64)])
            front = front[~seen[front]]
            seen[front] = True
        return seen
