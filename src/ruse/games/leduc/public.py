"""Leduc poker in public: the bets and the public card, which makes the hands that hold it impossible."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ruse.core.arrays import Array
from ruse.games.leduc.rules import CARDS, Hand, Leduc

LEFT = len(CARDS) - 2  # cards for the public one
CHECKED = ("call", "call")


class LeducPublic:
    hands = CARDS, CARDS
    denominator = len(CARDS) * (len(CARDS) - 1) * LEFT

    def __init__(self, game: Leduc) -> None:
        self._game = game
        self._number = {card: number for number, card in enumerate(CARDS)}

    def start(self) -> Hand:
        return Hand(("", ""), "", ((),))  # cards that nobody sees

    def turn(self, state: Hand) -> int:
        return self._game.turn(state)

    def moves(self, state: Hand) -> Sequence[str]:
        return self._game.moves(state)

    def play(self, state: Hand, move: str) -> Hand:
        return self._game.play(state, move)

    def possible(self, state: Hand, side: int) -> Array | None:
        return np.array([card != state.public for card in CARDS]) if state.public else None

    def payoff(self, state: Hand) -> tuple[tuple[str, bool], int]:
        """The public card, whether cards are shown, and the stake; who folds, pays it."""
        shown = state.rounds[-1][-1] != "fold"
        other = next((card for card in CARDS if card[:1] != state.public[:1]), "")
        winner = state._replace(cards=(state.public, other)) if shown else state
        return (state.public, shown), int(self._game.payoff(winner))

    def matrix(self, name: tuple[str, bool]) -> Array:
        public, shown = name
        table = np.zeros((len(CARDS), len(CARDS)), dtype=np.int64)
        for i, first in enumerate(CARDS):
            for j, second in enumerate(CARDS):
                if len({first, second, public}) == 3:
                    without_bets = Hand((first, second), public, (CHECKED, CHECKED))
                    table[i, j] = self._game.payoff(without_bets) if shown else 1 if public else LEFT
        return table

    def place(self, state: Hand) -> tuple[int, int, Sequence[str]] | None:
        if len(state.cards) < 2:
            return None
        moves = [*state.rounds[0], *((state.public, *state.rounds[1]) if state.public else ())]
        return self._number[state.cards[0]], self._number[state.cards[1]], moves
