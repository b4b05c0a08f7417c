"""Liar's dice in public: the last bid, and whether somebody has called it. All else of the past is over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ruse.core.arrays import Array
from ruse.core.game import END
from ruse.games.liars_dice.arrays import matches
from ruse.games.liars_dice.rules import LIAR, SIDES, LiarsDice, Rolled


class BiddingState(NamedTuple):
    bid: int  # the last one's rank, from 1; 0 before the first
    bidder: int  # who made it
    is_called: bool = False


class LiarsDicePublic:
    def __init__(self, game: LiarsDice) -> None:
        self.hands = game.rolls, game.rolls
        self._game = game
        self._ways, self._matches = np.array(game.ways), matches(game)
        self.denominator = int(self._ways.sum()) ** 2
        self._rank = {bid: rank for rank, bid in enumerate(game.bids, 1)}
        self._number = {roll: number for number, roll in enumerate(game.rolls)}

    def start(self) -> BiddingState:
        return BiddingState(0, 1)

    def turn(self, state: BiddingState) -> int:
        return END if state.is_called else 1 - state.bidder

    def moves(self, state: BiddingState) -> Sequence[str]:
        return (*self._game.bids[state.bid :], *([LIAR] * (state.bid > 0)))

    def play(self, state: BiddingState, move: str) -> BiddingState:
        return state._replace(is_called=True) if move == LIAR else BiddingState(self._rank[move], 1 - state.bidder)

    def possible(self, state: BiddingState, side: int) -> None:
        return None

    def payoff(self, state: BiddingState) -> tuple[int, int]:
        return state.bid, 1 - 2 * state.bidder

    def matrix(self, name: int) -> Array:
        """What the bidder gets from side 1, if it is side 0."""
        number, face = divmod(name - 1, self._game.faces)
        matching = self._matches[:, None, face] + self._matches[None, :, face]
        return np.outer(self._ways, self._ways) * np.where(matching > number, 1, -1)

    def place(self, state: Rolled) -> tuple[int, int, Sequence[str]] | None:
        if len(state.rolls) < SIDES:
            return None
        first, second = (self._number[roll] for roll in state.rolls)
        return first, second, state.bids
