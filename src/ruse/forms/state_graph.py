"""The states of a memoryless game as a graph on arrays, for values that are found by sweeping over all of them.

States are numbered. In layers that play only goes up through, state s leads to the states child[first[s] : first[s+1]];
at chance with odds share / whole. A strategy without dice is a choice: which of its moves a side makes at each state.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any, Protocol

import numpy as np

from ruse.core.arrays import Array
from ruse.core.capabilities import Memoryless
from ruse.core.clock import tick
from ruse.core.game import CHANCE, END, GameError, State, describe, moving
from ruse.core.registry import call_optional
from ruse.core.types import StrategyTable

MOST_STATES = 3_000_000  # to write down one by one
MOST_WHOLE = 1_000_000  # parts of odds
MOST_PAYOFF = 10**12  # parts of payoffs


PORTION = 20_000_000  # states to look at between two looks at the clock: a tenth of a second or two


class ChoiceError(GameError):
    """A table that is no strategy without dice on a graph."""


@dataclass(frozen=True)
class Arrays:
    turn: Array  # int8[states]: 0, 1, CHANCE or END
    first: Array  # int32[states + 1]
    child: Array  # int32[edges]
    share: Array  # int32[edges], 1 where chance does not move
    whole: Array  # int32[states]: the sum of a chance state's shares, else 1
    payoff: Array  # int64[states], in parts of the denominator; 0 before the end
    denominator: int
    layers: Array  # int64[layers + 1], where each begins and the last ends
    start: int


def settled(arrays: Arrays, choice: Array, fixed: int, up: bool, value: Array) -> int:
    """Sweep until no value changes, by `kernels.states.settle`; how many sweeps of layers that took."""
    from ruse.kernels import states as kernel  # compiled

    a = arrays
    layer, total = len(a.layers) - 2, 0
    while layer >= 0:
        tick()
        layer, sweeps = kernel.settle(
            a.turn, a.first, a.child, a.share, a.whole, a.layers, choice, fixed, up, value, layer, PORTION
        )
        total += int(sweeps)
    return total


class Graph(Protocol):
    """A game's states on arrays, and its strategies on them."""

    arrays: Arrays

    def number(self, state: State) -> int: ...

    def write(self, side: int, choice: Array) -> StrategyTable:
        """A table from int32[states], where a side's choice counts at its own states."""

    def read(self, side: int, table: StrategyTable) -> Array:
        """The reverse. Raises ChoiceError where the table leaves a state out, or leaves it to dice, or has others."""


def graph_of(game: Memoryless) -> Graph:
    """The graph that a game writes down itself, or one that is walked."""
    own: Graph | None = call_optional(Memoryless.graph, game)
    return Walked(game) if own is None else own


def chosen(position: str, table: StrategyTable) -> str:
    """The one move that a table makes at a position."""
    odds = table.get(position)
    if odds is None:
        raise ChoiceError(f"expected odds at {position}, got none")
    moves = [move for move, share in odds.items() if share]
    if len(moves) != 1 or odds[moves[0]] != 1:
        raise ChoiceError(f"expected a pure strategy, with one move at {position}, got {len(moves)}")
    return moves[0]


def check_known(table: StrategyTable, known: Mapping[str, Any], side: str) -> None:
    for position in table:
        if position not in known:
            raise ChoiceError(f"expected positions where {moving(side)}, got {position!r}")


class Walked:
    """The graph of any memoryless game, state by state."""

    def __init__(self, game: Memoryless) -> None:
        self.game = game
        self.numbers: dict[State, int] = {game.start(): 0}
        self.states: list[State] = [game.start()]
        turns, first, child, share, whole = [], [0], [], [], []
        payoffs: list[Fraction] = []
        for state in self.states:  # which grows
            tick()
            turn = game.turn(state)
            turns.append(turn)
            payoffs.append(Fraction(game.payoff(state)) if turn == END else Fraction(0))
            moves = [] if turn == END else list(game.moves(state))
            odds = game.odds(state) if turn == CHANCE else [Fraction(1)] * len(moves)
            common = lcm(*(part.denominator for part in odds)) if turn == CHANCE else 1
            if common > MOST_WHOLE:
                raise GameError(f"expected odds in parts of at most {MOST_WHOLE:,}, got {common:,} in {game.title}")
            for move, part in zip(moves, odds, strict=True):
                if part:
                    following = game.play(state, move)
                    if following not in self.numbers:
                        self.numbers[following] = len(self.states)
                        self.states.append(following)
                    child.append(self.numbers[following])
                    share.append(int(part * common))
            first.append(len(child))
            whole.append(common)
            if len(self.states) > MOST_STATES:
                raise GameError(f"{game.title} has more than {MOST_STATES:,} states to visit")
        denominator = lcm(*(payoff.denominator for payoff in payoffs))
        if max(abs(payoff * denominator) for payoff in payoffs) >= MOST_PAYOFF:
            raise GameError(f"the payoffs of {game.title} have too many digits to iterate over")
        self.arrays = Arrays(
            np.array(turns, dtype=np.int8),
            np.array(first, dtype=np.int32),
            np.array(child, dtype=np.int32),
            np.array(share, dtype=np.int32),
            np.array(whole, dtype=np.int32),
            np.array([int(payoff * denominator) for payoff in payoffs], dtype=np.int64),
            denominator,
            np.array([0, len(turns)], dtype=np.int64),
            0,
        )

    def number(self, state: State) -> int:
        return self.numbers[state]

    def _decisions(self, side: int) -> dict[str, int]:
        mine = np.flatnonzero(self.arrays.turn == side).tolist()
        return {describe(self.game, self.game.knows(self.states[number], side)): number for number in mine}

    def write(self, side: int, choice: Array) -> StrategyTable:
        table = {}
        for position, number in self._decisions(side).items():
            labels = [self.game.label(move) for move in self.game.moves(self.states[number])]
            table[position] = {label: Fraction(place == int(choice[number])) for place, label in enumerate(labels)}
        return table

    def read(self, side: int, table: StrategyTable) -> Array:
        places = self._decisions(side)
        check_known(table, places, self.game.sides[side])
        choice = np.zeros(len(self.states), dtype=np.int32)
        for position, number in places.items():
            move = chosen(position, table)
            labels = [self.game.label(option) for option in self.game.moves(self.states[number])]
            if move not in labels:
                raise ChoiceError(f"expected one of the moves {', '.join(labels)} at {position}, got {move!r}")
            choice[number] = labels.index(move)
        return choice
