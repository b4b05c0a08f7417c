"""The board of tic-tac-toe."""

from __future__ import annotations

from ruse.games.tic_tac_toe.rules import CELLS, Cells
from ruse.play.pictures import Cell, Grid, Picture, stone
from ruse.play.session import Session


def picture(session: Session, cells: Cells) -> Picture:
    """Free cells show their letter."""

    def cell(name: str) -> Cell:
        if name not in cells:
            return Cell(name, f"{name}, free", "free", name)
        side = cells.index(name) % 2
        return stone("XO"[side], side == session.side)

    rows = [
        [Cell("", where), *(cell(name) for name in CELLS[3 * number : 3 * number + 3])]
        for number, where in enumerate(("top", "middle", "bottom"))
    ]
    heads = [Cell("", one) for one in ("row", "left", "middle", "right")]
    return Picture([f"You are {'XO'[session.side]}."], Grid("", heads, rows, "large board"))
