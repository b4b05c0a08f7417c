"""Liar's dice in public: the last bid, and whether somebody has called it. All else of the past is over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ruse.core.arrays import Array
from ruse.core.game import END
from ruse.games.liars_dice.arrays import matches
from ruse.games.liars_dice.rules import BID, CALLS, EXACT, SIDES, LiarsDice, Rolled


class BiddingState(NamedTuple):
    bid: int  # the last one's rank, from 1; 0 before the first
    bidder: int  # who made it
    call: str = ""  # how, if it is


class LiarsDicePublic:
    def __init__(self, game: LiarsDice) -> None:
        self.hands = game.rolls
        self._game = game
        self._ways, self._matches = tuple(map(np.array, game.ways)), matches(game)
        self.denominator = int(self._ways[0].sum()) * int(self._ways[1].sum())
        self._rank = {bid: rank for rank, bid in enumerate(game.bids, 1)}
        self._number = [{roll: number for number, roll in enumerate(rolls)} for rolls in game.rolls]

    def start(self) -> BiddingState:
        return BiddingState(0, 1)

    def turn(self, state: BiddingState) -> int:
        return END if state.call else 1 - state.bidder

    def moves(self, state: BiddingState) -> Sequence[str]:
        return (*self._game.bids[state.bid :], *(self._game.calls if state.bid else ()))

    def play(self, state: BiddingState, move: str) -> BiddingState:
        return state._replace(call=move) if move in CALLS else BiddingState(self._rank[move], 1 - state.bidder)

    def possible(self, state: BiddingState, side: int) -> None:
        return None

    def payoff(self, state: BiddingState) -> tuple[tuple[int, str], int]:
        return (state.bid, state.call), 1 - 2 * state.bidder

    def matrix(self, name: tuple[int, str]) -> Array:
        """What the bidder gets from side 1, if it is side 0."""
        bid, call = name
        number, face = divmod(bid - 1, self._game.faces)
        counted = self._matches[0][:, None, face] + self._matches[1][None, :, face]
        true = counted != number + 1 if call == EXACT else counted > number
        lost = number + 1 if self._game.penalty == BID else 1
        return np.outer(*self._ways) * np.where(true, lost, -lost)

    def place(self, state: Rolled) -> tuple[int, int, Sequence[str]] | None:
        if len(state.rolls) < SIDES:
            return None
        first, second = (numbers[roll] for numbers, roll in zip(self._number, state.rolls, strict=True))
        return first, second, state.bids
