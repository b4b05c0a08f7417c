"""Which boards of 4-in-a-row are solved in order to be played."""

from __future__ import annotations

from ruse.core.game import Game
from ruse.games.four_in_a_row.rules import FourInARow
from ruse.play.manner import Manner
from ruse.play.session import SessionError

MOST_CELLS = 25  # of a board that is solved before it is played: half a minute


class Drops(Manner):
    @staticmethod
    def check(game: Game) -> None:
        assert isinstance(game, FourInARow)
        if game.cells > MOST_CELLS and game.line > 3:
            raise SessionError(
                f"expected a board of at most {MOST_CELLS} cells for lines of more than 3, "
                f"got {game.cells} in {game.title}: use smaller parameters, such as --rows 4 --columns 5"
            )
