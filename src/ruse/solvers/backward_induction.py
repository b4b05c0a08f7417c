"""Backward induction for games without secrets (Bossle 2018, §3.2; Zermelo 1913).

The value of a state is its payoff at the end, the best move's value at a side's turn, the expected value at chance.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, runtime_checkable

from ruse.game import CHANCE, END, Filed, Game, GameError, Knowledge, Move, State, describe


@runtime_checkable
class Open(Game, Protocol):
    """A game without secrets whose future depends on less than its past."""

    def board(self, state: State) -> Hashable:
        """All that matters from here on."""


@dataclass(frozen=True)
class Induced:
    """The value, and one best move for each board at which a side moves, with a state that has it."""

    value: Fraction
    best: tuple[list[tuple[State, Move]], list[tuple[State, Move]]]
    boards: int


def backward_induction(game: Game) -> Induced:
    """Solve from the end. Raises GameError where a side cannot tell two states apart."""
    values: dict[Hashable, Fraction] = {}
    best: tuple[list[tuple[State, Move]], list[tuple[State, Move]]] = ([], [])
    seen: tuple[dict[Knowledge, State], dict[Knowledge, State]] = ({}, {})
    # Boards are merged only where strategies can name what is merged.
    board = game.board if isinstance(game, Open) and isinstance(game, Filed) else lambda state: state

    def value(state: State) -> Fraction:
        key = board(state)
        if key not in values:
            values[key] = found(state)
        return values[key]

    def found(state: State) -> Fraction:
        turn = game.turn(state)
        if turn == END:
            return game.payoff(state)
        moves = game.moves(state)
        if turn == CHANCE:
            shares = zip(moves, game.odds(state), strict=True)
            return sum((share * value(game.play(state, move)) for move, share in shares), Fraction(0))
        knowledge = game.knows(state, turn)
        if seen[turn].setdefault(knowledge, state) != state:
            raise GameError(
                f"expected a game without secrets, but {game.sides[turn]} cannot tell which state "
                f"{describe(game, knowledge)} is in: use another solver, such as lp"
            )
        worth = [value(game.play(state, move)) for move in moves]
        target = max(worth) if turn == 0 else min(worth)
        best[turn].append((state, moves[worth.index(target)]))
        return target

    return Induced(value(game.start()), best, len(values))
