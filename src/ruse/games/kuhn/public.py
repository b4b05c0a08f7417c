"""Kuhn's poker in public: the bets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ruse.core.arrays import Array
from ruse.core.game import END
from ruse.games.kuhn.rules import CARDS, DEALS, Deal, Kuhn

Bets = tuple[str, ...]


class KuhnPublic:
    hands = tuple(CARDS), tuple(CARDS)
    denominator = len(DEALS)

    def __init__(self, game: Kuhn) -> None:
        self._game = game

    def start(self) -> Bets:
        return ()

    def turn(self, state: Bets) -> int:
        return len(state) % 2 if self.moves(state) else END

    def moves(self, state: Bets) -> Sequence[str]:
        return self._game.moves(Deal(DEALS[0], state))

    def play(self, state: Bets, move: str) -> Bets:
        return (*state, move)

    def possible(self, state: Bets, side: int) -> None:
        return None

    def payoff(self, state: Bets) -> tuple[Bets, int]:
        return state, 1

    def matrix(self, name: Bets) -> Array:
        table = np.zeros((len(CARDS), len(CARDS)), dtype=np.int64)
        for deal in DEALS:
            table[CARDS.index(deal[0]), CARDS.index(deal[1])] = int(self._game.payoff(Deal(deal, name)))
        return table

    def place(self, state: Deal) -> tuple[int, int, Bets] | None:
        return (CARDS.index(state.cards[0]), CARDS.index(state.cards[1]), state.bets) if state.cards else None
