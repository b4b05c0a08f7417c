"""Leduc poker on arrays. Moves are cards at CHANCE, else fold, call and raise."""

from __future__ import annotations

import numpy as np

from ruse.core.arrays import Array
from ruse.core.game import CHANCE, END
from ruse.games.leduc.rules import CARDS, SUITS, Leduc

HANDS = [0, 1]  # the card of each side, from 1, or 0
STAKES = [2, 3]
PUBLIC, ROUND, BETS, RAISES_MADE, FACING, FOLDED, TURN = range(4, 11)  # facing a raise; who folded, or -1
FOLD, CALL, RAISE = range(3)


class LeducArrays:
    denominator = len(CARDS) * (len(CARDS) - 1) * (len(CARDS) - 2)
    sights = len(CARDS) + 1

    def start(self) -> Array:
        states = np.zeros((TURN + 1, 1), dtype=np.int8)
        states[STAKES] = Leduc.ante
        states[FOLDED], states[TURN] = -1, CHANCE
        return states

    def turn(self, states: Array) -> Array:
        return np.asarray(states[TURN])

    def legal(self, states: Array, turn: int) -> Array:
        if turn == CHANCE:
            cards = np.arange(1, len(CARDS) + 1)[:, None]
            return np.where((cards == states[HANDS[0]]) | (cards == states[HANDS[1]]), 0, 1)
        facing = states[FACING] > 0
        return np.stack([facing, np.ones_like(facing), states[RAISES_MADE] < Leduc.raises])

    def play(self, states: Array, moves: Array, turn: int) -> Array:
        after = states.copy()
        if turn == CHANCE:
            dealt = next((hand for hand in HANDS if states[hand, 0] == 0), PUBLIC)  # all are equally deep
            after[dealt] = moves + 1
            after[TURN] = CHANCE if dealt == HANDS[0] else 0
            return after
        size = np.array(Leduc.raise_sizes, dtype=np.int8)[states[ROUND]]
        most = states[STAKES].max(axis=0)
        over = (moves == FOLD) | ((moves == CALL) & (states[BETS] > 0))
        shown = (moves == CALL) & over & (states[ROUND] == 0)  # the public card comes
        after[STAKES[turn]] = np.where(moves == FOLD, states[STAKES[turn]], most + size * (moves == RAISE))
        after[FOLDED] = np.where(moves == FOLD, turn, -1)
        after[TURN] = np.where(shown, CHANCE, np.where(over, END, 1 - turn))
        after[ROUND] += shown
        after[BETS] = np.where(shown, 0, states[BETS] + 1)
        after[RAISES_MADE] = np.where(shown, 0, states[RAISES_MADE] + (moves == RAISE))
        after[FACING] = moves == RAISE
        return after

    def sees(self, states: Array, moves: Array, turn: int, side: int) -> Array | int:
        if turn != CHANCE:
            return 0 if turn == side else moves
        mine = (states[HANDS[1], 0] == 0) == (side == 0)
        return moves + 1 if mine or states[PUBLIC, 0] > 0 else 0

    def payoff(self, states: Array) -> Array:
        first, second = states[STAKES]
        ranks, public = (states[HANDS] + 1) // len(SUITS), (states[PUBLIC] + 1) // len(SUITS)
        strengths = ranks + len(CARDS) * (ranks == public)
        shown = first * np.sign(strengths[0] - strengths[1])
        return np.asarray(np.where(states[FOLDED] < 0, shown, np.where(states[FOLDED] == 0, -first, second)))
