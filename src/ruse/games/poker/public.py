"""Poker in public: the public cards, what both have put in, and how the round stands. How bets came so is over."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import NamedTuple

import numpy as np

from ruse.core.arrays import Array
from ruse.core.game import CHANCE, END
from ruse.games.poker.rules import Hand, LimitPoker, cards_of

Name = tuple[tuple[str, ...], bool]  # the public cards, and whether hands are shown


class Betting(NamedTuple):
    board: tuple[str, ...]  # cards, in the order of the deck
    number: int  # of the round
    stakes: tuple[int, int]
    made: int  # bets of this round: none, or 1 and 2 in turns
    raised: int
    facing: bool  # a raise
    ended: str = ""  # "fold" or "call"


class PokerPublic:
    def __init__(self, game: LimitPoker) -> None:
        self._game = game
        names = tuple(game.draws(game.hand, ""))
        self.hands = names, names
        self._number = {name: number for number, name in enumerate(names)}
        self._place = {card: place for place, card in enumerate(game.deck)}
        self._has = np.array([[card in cards_of(name) for card in game.deck] for name in names])  # [hands, cards]
        self._apart = ~(self._has @ self._has.T)
        left, shown, ways = len(game.deck) - 2 * game.hand, sum(game.public_cards), 1
        self._ways = {shown: ways}  # to draw the public cards that are still to come, by how many there are
        for count in reversed(game.public_cards):
            shown -= count
            self._ways[shown] = ways = ways * comb(left - shown, count)
        self.denominator = len(names) * comb(len(game.deck) - game.hand, game.hand) * ways

    def start(self) -> Betting:
        return Betting((), 0, (self._game.ante, self._game.ante), 0, 0, False)

    def _waiting(self, state: Betting) -> int:
        """How many public cards are to be drawn before the round begins."""
        return sum(self._game.public_cards[: state.number + 1]) - len(state.board)

    def turn(self, state: Betting) -> int:
        if state.ended:
            return END
        return CHANCE if self._waiting(state) else state.made % 2

    def moves(self, state: Betting) -> Sequence[str]:
        if count := self._waiting(state):
            return self._game.draws(count, "".join(state.board))
        return self._game.bets(state.raised, state.facing)

    def play(self, state: Betting, move: str) -> Betting:
        if self._waiting(state):
            board = sorted((*state.board, *cards_of(move)), key=self._place.__getitem__)
            return state._replace(board=tuple(board))
        side = state.made % 2
        if move == "fold":
            return state._replace(ended="fold", made=1 + side, raised=0, facing=False)
        paid = list(state.stakes)
        paid[side] = max(paid) + self._game.raise_sizes[state.number] * (move == "raise")
        stakes = paid[0], paid[1]
        if move == "raise":
            return state._replace(stakes=stakes, made=1 + side, raised=state.raised + 1, facing=True)
        if not state.made:
            return state._replace(made=1)
        if state.number + 1 < len(self._game.raise_sizes):
            return Betting(state.board, state.number + 1, stakes, 0, 0, False)
        return state._replace(ended="call", stakes=stakes, made=0, raised=0, facing=False)

    def possible(self, state: Betting, side: int) -> Array | None:
        return self._free(state.board) if state.board else None

    def _free(self, board: Sequence[str]) -> Array:
        """bool[hands]: those that hold no public card."""
        return np.asarray(~self._has[:, [self._place[card] for card in board]].any(axis=1))

    def payoff(self, state: Betting) -> tuple[Name, int]:
        """The stake; who folds pays it, and that is who made the last move."""
        first, second = state.stakes
        stake = first if state.ended == "call" else -first if state.made == 1 else second
        return (state.board, state.ended == "call"), stake

    def matrix(self, name: Name) -> Array:
        board, shown = name
        free = self._free(board)
        table = (self._apart & np.outer(free, free)).astype(np.int64)
        table *= self._ways[len(board)]
        if shown:
            strengths = [self._game.strength(hand, "".join(board)) for hand in self.hands[0]]
            order = {best: rank for rank, best in enumerate(sorted(set(strengths)))}
            rank = np.array([order[best] for best in strengths])
            table *= np.sign(rank[:, None] - rank[None, :])
        return np.asarray(table)

    def place(self, state: Hand) -> tuple[int, int, Sequence[str]] | None:
        if len(state.cards) < 2:
            return None
        first, second = (self._number[hand] for hand in state.cards)
        return first, second, self._game.seen(state)
