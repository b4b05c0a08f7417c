"""Forced moves: where a move wins at once, or every other one loses at once, there is nothing to decide.

An end with the best payoff of the whole game cannot be bettered, one with the worst cannot be worse. So
at an information set, a move that wins at once in all its states is the only one worth making, and moves
that lose at once in all of them can go while others remain. Nodes with one move left disappear.
In The Resistance this leaves the spies choices only until a side has two points (Johansson, §2.4).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from ruse.clock import tick
from ruse.game import CHANCE, END, Game, Knowledge, Move, State
from ruse.reductions.wrapper import Wrapper


class Forced(Wrapper):
    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._kept: tuple[dict[Knowledge, tuple[Move, ...]], dict[Knowledge, tuple[Move, ...]]] = ({}, {})
        self._find()

    def _find(self) -> None:
        """Walk the game once: which moves end it, at each information set, and with which payoffs."""
        ends: tuple[dict[Knowledge, dict[Move, set[Any]]], ...] = ({}, {})
        payoffs = set()
        stack = [self.game.start()]
        while stack:
            tick()
            state = stack.pop()
            turn = self.game.turn(state)
            if turn == END:
                payoffs.add(self.game.payoff(state))
                continue
            for move in self.game.moves(state):
                after = self.game.play(state, move)
                stack.append(after)
                if turn != CHANCE:
                    result = self.game.payoff(after) if self.game.turn(after) == END else None
                    ends[turn].setdefault(self.game.knows(state, turn), {}).setdefault(move, set()).add(result)
        for side, best, worst in ((0, max(payoffs), min(payoffs)), (1, min(payoffs), max(payoffs))):
            for knowledge, results in ends[side].items():
                winning = [move for move, result in results.items() if result == {best}]
                open_ = [move for move, result in results.items() if result != {worst}]
                self._kept[side][knowledge] = tuple(winning[:1] or open_ or results)

    def moves(self, state: State) -> Sequence[Move]:
        side = self.game.turn(state)
        if side < 0:
            return super().moves(state)
        return self._kept[side][self.game.knows(state, side)]

    def _on(self, state: State) -> State:
        """Play on while there is nothing to decide."""
        while self.game.turn(state) >= 0 and len(moves := self.moves(state)) == 1:
            state = self.game.play(state, moves[0])
        return state

    def start(self) -> State:
        return self._on(self.game.start())

    def play(self, state: State, move: Move) -> State:
        return self._on(self.game.play(state, move))

    def lift(
        self, policy: Callable[[State], Mapping[Move, Fraction]], side: int
    ) -> Callable[[State], Mapping[Move, Fraction]]:
        def lifted(state: State) -> Mapping[Move, Fraction]:
            odds: dict[Move, Fraction] = dict.fromkeys(self.game.moves(state), Fraction(0))
            kept = self.moves(state)
            odds.update({kept[0]: Fraction(1)} if len(kept) == 1 else policy(state))
            return odds

        return lifted
