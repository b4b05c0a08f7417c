"""What is checked of a strategy of 4-in-a-row: its board has far more positions than a table has entries."""

from __future__ import annotations

from functools import partial

from ruse.core.game import PositionError, moving
from ruse.core.types import StrategyTable
from ruse.games.four_in_a_row.rules import FourInARow
from ruse.verify.tree import VerifyError, check_odds
from ruse.verify.verifier import Verifier


class FourInARowVerifier(Verifier[FourInARow]):
    """The plain walk, but every entry is read by itself."""

    def check_positions(self, side: int, table: StrategyTable) -> None:
        """An entry is about a board where the side moves, and columns that have room there."""
        game = self.game
        for position, odds in table.items():
            try:
                state = game.read(position)
            except PositionError as error:
                raise VerifyError(str(error)) from error
            if game.turn(state) != side:
                raise VerifyError(
                    f"expected a position of {game.title} where {moving(game.sides[side])}, got {position!r}"
                )
            check_odds(odds, [game.label(move) for move in game.moves(state)], partial(str, position))


verifier = FourInARowVerifier
