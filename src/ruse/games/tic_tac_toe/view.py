"""Positions of tic-tac-toe, and the board."""

from __future__ import annotations

from ruse.core.game import PositionError
from ruse.games.tic_tac_toe.rules import CELLS, Cells, TicTacToe
from ruse.view.grids import Table
from ruse.view.states import StateViewer


def find(game: TicTacToe, position: str) -> Cells | None:
    """The state of a position, or None."""
    try:
        return game.read(position)
    except PositionError:
        return None


def grid(viewer: StateViewer, state: Cells) -> tuple[Table, str]:
    """The board, where free cells show their letter."""
    game = viewer.game
    assert isinstance(game, TicTacToe)
    cells = [cell if mark == "." else mark for cell, mark in zip(CELLS, game.board(state), strict=True)]
    rows = [["", *cells[row : row + 3]] for row in (0, 3, 6)]
    return [["", "", "", ""], *rows], ""
