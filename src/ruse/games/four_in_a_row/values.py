"""BoardValues of boards of 4-in-a-row, by alpha-beta."""

from __future__ import annotations

from fractions import Fraction

from ruse.core.game import END
from ruse.games.four_in_a_row.alpha_beta import AlphaBeta
from ruse.games.four_in_a_row.rules import FourInARow, Stones

MOST_TRIED = 2_000_000  # positions, for one value: a second


class BoardValues:
    """BoardValues if both sides play best, by a search that remembers what it has seen."""

    most = f"{MOST_TRIED:,} positions"

    def __init__(self, game: FourInARow) -> None:
        self.game, self._search = game, AlphaBeta(game)

    def best(self, state: Stones) -> Fraction | None:
        turn = self.game.turn(state)
        if turn == END:
            return self.game.payoff(state)
        mine, theirs = state if turn == 0 else (state.second, state.first)
        sign = 1 - 2 * turn
        for target in (1, 0):
            result = self._search.at_least(target, mine, theirs, MOST_TRIED)
            if result is None:
                return None
            if result:
                return Fraction(sign * target)
        return Fraction(-sign)
