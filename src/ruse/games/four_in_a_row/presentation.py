"""How 4-in-a-row is shown: its positions and its board, and which boards are solved in order to be played."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruse.core.game import END, Game, PositionError, describe
from ruse.core.presentation import Presentation, SizeReport
from ruse.core.size_estimate import MOST_WALKED
from ruse.core.sizes import CountedSizes, WalkedSizes
from ruse.core.walk import count
from ruse.games.four_in_a_row.rules import MOST_COUNTED, FourInARow, Stones
from ruse.play.manner import Manner
from ruse.play.pictures import Cell, Grid, Picture, stone
from ruse.play.session import SessionError

if TYPE_CHECKING:
    from ruse.present.grids import Table
    from ruse.present.states import StateViewer

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


class FourInARowPresentation(Presentation[FourInARow]):
    cover_moves = 9

    def find_state(self, position: str) -> Stones:
        """A board, also one where the game is over: then the last stone is taken off and dropped again."""
        game = self.game
        if (state := self._read(position)) is not None:
            return state
        columns = position.removeprefix(f"{game.title}@").split(",")
        for number, column in enumerate(columns):
            before = [*columns[:number], column[:-1] or "-", *columns[number + 1 :]]
            state = self._read(f"{game.title}@{','.join(before)}") if column != "-" else None
            if state is not None and game.turn(state) != END and number in game.moves(state):
                after = game.play(state, number)
                if describe(game, after) == position:
                    return after
        raise self.no_position(position)

    def _read(self, position: str) -> Stones | None:
        try:
            return self.game.read(position)
        except PositionError:
            return None

    def board(self, viewer: StateViewer, state: Stones) -> tuple[Table, str]:
        game = self.game
        columns = [column.strip("-").ljust(game.rows) for column in game.format_position(state)[1:].split(",")]
        heads = [game.label(column) for column in range(game.columns)]
        rows = [[str(row + 1), *(column[row].strip() for column in columns)] for row in reversed(range(game.rows))]
        return [["", *heads], *rows], ""

    def size_report(self) -> SizeReport:
        """Counted by a walk on small boards; of others only that they are large."""
        game = self.game
        return WalkedSizes(game, count(game)) if game.cells <= MOST_COUNTED else CountedSizes(game, MOST_WALKED)

    def picture(self, stones: Stones, side: int, end: Stones | None) -> Picture:
        game, rows = self.game, []
        for row in reversed(range(game.rows)):
            cells = [Cell("", f"row {row + 1}")]
            for column in range(game.columns):
                bit = 1 << column * (game.rows + 1) + row
                owner = 0 if stones.first & bit else 1 if stones.second & bit else None
                cells.append(Cell(".", "free", "free") if owner is None else stone("xo"[owner], owner == side))
            rows.append(cells)
        letters = [game.label(column) for column in range(game.columns)]
        heads = [Cell("", "row"), *(Cell(letter, f"column {letter}", "", letter) for letter in letters)]
        return Picture([f"You are {'xo'[side]}."], Grid("", heads, rows, "board"))

    def manner(self) -> type[Manner]:
        return Drops
