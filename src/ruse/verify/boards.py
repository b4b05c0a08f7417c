"""Open games whose trees are too large to walk: best responses board by board.

A strategy that goes by boards is read at one state of each board. That is right if states of one board go on alike,
which the game declares (`ruse.core.capabilities.Open`). ruse's tests compare it for the games that say so
(`boards_are_tested`); for any other game the bounds rest on its declaration.
"""

from __future__ import annotations

from fractions import Fraction

from ruse.core.capabilities import Memoryless, Open, Representatives
from ruse.core.certificate import DECLARED, STATES
from ruse.core.contract import unchecked
from ruse.core.game import Game, is_library
from ruse.core.own import unmodified
from ruse.core.registry import call_optional
from ruse.core.size_estimate import fits
from ruse.core.types import Lookup, StrategyTable
from ruse.verify import acyclic
from ruse.verify import tree as plain
from ruse.verify.verifier import Verifier, no_position


def by_boards(game: Game) -> bool:
    """Whether strategies of a game are checked board by board."""
    open_boards = isinstance(game, Open) and isinstance(game, Representatives)
    return open_boards and not isinstance(game, Memoryless) and not fits(game)


class BoardVerifier(Verifier[Open]):
    def __init__(self, game: Open, by_class: bool = True) -> None:
        super().__init__(game, by_class)
        rules = unchecked(game)
        ours = is_library(type(rules)) and unmodified(rules)
        self.proof = STATES if ours and call_optional(Open.boards_are_tested, game) else DECLARED

    def check_size(self) -> None:
        pass

    def guarantee(self, side: int, table: StrategyTable) -> Fraction:
        def lookup(position: str, moves: list[str]) -> object:
            return plain.look_up(table.__getitem__, position)

        return self.score(side, lookup)  # type: ignore[arg-type]

    def score(self, side: int, lookup: Lookup) -> Fraction:
        return acyclic.guarantee(self.game, side, plain.asked_policy(self.game, side, lookup))

    def check_positions(self, side: int, table: StrategyTable) -> None:
        """Every entry is about a board where that side moves, and about moves that it has there."""
        game, left = self.game, set(table)
        for position, moves in plain.decisions(game, side, by_board=True):
            if position in left:
                left.discard(position)
                plain.check_odds(table[position], moves, position.__str__)
        if left:
            raise no_position(game, side, min(left))
