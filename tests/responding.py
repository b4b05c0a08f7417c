"""Best responses by a plain walk of the rules in fractions, which share no code with ruse.

`Response(game, side, table)` takes the other side's strategy as odds by position and move.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Any

CHANCE, END = -1, -2
NOTHING = Fraction(0)
Table = Mapping[str, Mapping[str, Fraction]]


class Response:
    """The best response of one side, at every information set that the other side's strategy lets it reach."""

    def __init__(self, game: Any, side: int, table: Table) -> None:
        self.game, self.side, self.table = game, side, table
        self.met: dict[
            str, list[tuple[Any, Fraction]]
        ] = {}  # states of each position, and how likely others lead there
        self._meet(game.start(), Fraction(1))
        self._values: dict[str, Fraction] = {}

    def position(self, state: Any, side: int) -> str:
        text: str = self.game.title + self.game.format_position(self.game.knows(state, side))
        return text

    def others(self, state: Any) -> dict[Any, Fraction]:
        """The odds of each move where chance or the other side moves."""
        game, moves = self.game, self.game.moves(state)
        if game.turn(state) == CHANCE:
            return dict(zip(moves, game.odds(state), strict=True))
        odds = self.table[self.position(state, 1 - self.side)]
        return {move: odds.get(game.label(move), NOTHING) for move in moves}

    def _meet(self, state: Any, weight: Fraction) -> None:
        game = self.game
        if game.turn(state) == END:
            return
        if game.turn(state) == self.side:
            self.met.setdefault(self.position(state, self.side), []).append((state, weight))
            for move in game.moves(state):
                self._meet(game.play(state, move), weight)
            return
        for move, share in self.others(state).items():
            if share:
                self._meet(game.play(state, move), weight * share)

    def reach(self, position: str) -> Fraction:
        return sum((weight for _, weight in self.met.get(position, [])), NOTHING)

    def moves(self, position: str) -> dict[str, Fraction]:
        """What each move pays the side, with its best response afterwards, times how often play comes there."""
        return {
            self.game.label(move): self._after([(self.game.play(state, move), weight) for state, weight in states])
            for states in [self.met[position]]
            for move in self.game.moves(states[0][0])
        }

    def costs(self, position: str) -> dict[str, Fraction]:
        values = self.moves(position)
        return {move: (max(values.values()) - value) / self.reach(position) for move, value in values.items()}

    @property
    def value(self) -> Fraction:
        return self._after([(self.game.start(), Fraction(1))])

    def _after(self, states: list[tuple[Any, Fraction]]) -> Fraction:
        """What the best response pays from weighted states on, of which the side may not tell some apart."""
        total, sets = NOTHING, set[str]()
        waiting = list(states)
        while waiting:
            state, weight = waiting.pop()
            turn = self.game.turn(state)
            if turn == END:
                payoff = Fraction(self.game.payoff(state))
                total += weight * (payoff if self.side == 0 else -payoff)
            elif turn == self.side:
                sets.add(self.position(state, self.side))
            else:
                waiting += [
                    (self.game.play(state, move), weight * share) for move, share in self.others(state).items() if share
                ]
        return total + sum((self._best(position) for position in sets), NOTHING)

    def _best(self, position: str) -> Fraction:
        if position not in self._values:
            self._values[position] = max(self.moves(position).values())
        return self._values[position]


def payoff(game: Any, tables: tuple[Table, Table]) -> Fraction:
    """What side 0 gets if both sides follow their strategies."""

    @cache
    def following(state: Any) -> Fraction:
        turn = game.turn(state)
        if turn == END:
            return Fraction(game.payoff(state))
        moves = game.moves(state)
        if turn == CHANCE:
            odds = game.odds(state)
        else:
            there = tables[turn][game.title + game.format_position(game.knows(state, turn))]
            odds = [there.get(game.label(move), NOTHING) for move in moves]
        return sum(
            (share * following(game.play(state, move)) for move, share in zip(moves, odds, strict=True) if share),
            NOTHING,
        )

    return following(game.start())
