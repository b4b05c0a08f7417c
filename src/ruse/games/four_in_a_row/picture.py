"""The board of 4-in-a-row as it is drawn for those who play."""

from __future__ import annotations

from ruse.games.four_in_a_row.rules import FourInARow, Stones
from ruse.play.pictures import Cell, Grid, Picture, stone
from ruse.play.session import Session


def picture(session: Session, stones: Stones) -> Picture:
    game = session.solution.game
    assert isinstance(game, FourInARow)
    rows = []
    for row in reversed(range(game.rows)):
        cells = [Cell("", f"row {row + 1}")]
        for column in range(game.columns):
            bit = 1 << column * (game.rows + 1) + row
            side = 0 if stones.first & bit else 1 if stones.second & bit else None
            cells.append(Cell(".", "free", "free") if side is None else stone("xo"[side], side == session.side))
        rows.append(cells)
    letters = [game.label(column) for column in range(game.columns)]
    heads = [Cell("", "row"), *(Cell(letter, f"column {letter}", "", letter) for letter in letters)]
    return Picture([f"You are {'xo'[session.side]}."], Grid("", heads, rows, "board"))
