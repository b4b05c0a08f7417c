"""How tic-tac-toe is shown: its positions and its board, where free cells show their letter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruse.core.game import PositionError
from ruse.core.presentation import Presentation
from ruse.games.tic_tac_toe.rules import CELLS, Cells, TicTacToe
from ruse.play.pictures import Cell, Grid, Picture, stone

if TYPE_CHECKING:
    from ruse.present.grids import Table
    from ruse.present.states import StateViewer


class TicTacToePresentation(Presentation[TicTacToe]):
    cover_moves = 4

    def find_state(self, position: str) -> Cells:
        try:
            return self.game.read(position)
        except PositionError:
            raise self.no_position(position) from None

    def board(self, viewer: StateViewer, state: Cells) -> tuple[Table, str]:
        cells = [cell if mark == "." else mark for cell, mark in zip(CELLS, self.game.board(state), strict=True)]
        rows = [["", *cells[row : row + 3]] for row in (0, 3, 6)]
        return [["", "", "", ""], *rows], ""

    def openspiel_name(self) -> str:
        return "tic_tac_toe"

    def picture(self, cells: Cells, side: int, end: Cells | None) -> Picture:
        def cell(name: str) -> Cell:
            if name not in cells:
                return Cell(name, f"{name}, free", "free", name)
            owner = cells.index(name) % 2
            return stone("XO"[owner], owner == side)

        rows = [
            [Cell("", height), *(cell(name) for name in CELLS[3 * number : 3 * number + 3])]
            for number, height in enumerate(("top", "middle", "bottom"))
        ]
        heads = [Cell("", name) for name in ("row", "left", "middle", "right")]
        return Picture([f"You are {'XO'[side]}."], Grid("", heads, rows, "large board"))
