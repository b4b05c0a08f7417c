"""A game that is another game, but for what a reduction changes."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, ClassVar

from ruse.core.capabilities import ConstantSum, constant
from ruse.core.game import Game, Knowledge, Move, State, Titled


class Wrapper(Titled):
    provides: ClassVar[tuple[type, ...]] = (ConstantSum,)

    def __init__(self, game: Game) -> None:
        self.game: Any = game
        self.name = game.name
        self.title = game.title
        self.parameters = game.parameters
        self.sides = game.sides
        self.wins = game.wins

    def start(self) -> State:
        return self.game.start()

    def turn(self, state: State) -> int:
        turn: int = self.game.turn(state)
        return turn

    def moves(self, state: State) -> Sequence[Move]:
        moves: Sequence[Move] = self.game.moves(state)
        return moves

    def odds(self, state: State) -> Sequence[Fraction]:
        odds: Sequence[Fraction] = self.game.odds(state)
        return odds

    def play(self, state: State, move: Move) -> State:
        return self.game.play(state, move)

    def knows(self, state: State, side: int) -> Knowledge:
        knowledge: Knowledge = self.game.knows(state, side)
        return knowledge

    def payoff(self, state: State) -> Fraction:
        payoff: Fraction = self.game.payoff(state)
        return payoff

    def constant(self) -> Fraction:
        return constant(self.game)

    def label(self, move: Move) -> str:
        label: str = self.game.label(move)
        return label

    def format_position(self, knowledge: Knowledge) -> str:
        text: str = self.game.format_position(knowledge)
        return text
