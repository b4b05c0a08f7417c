"""Positions of 4-in-a-row, and its board."""

from __future__ import annotations

from ruse.core.game import END, PositionError, describe
from ruse.games.four_in_a_row.rules import FourInARow, Stones
from ruse.view.grids import Table
from ruse.view.states import StateViewer


def find(game: FourInARow, position: str) -> Stones | None:
    """A board, also one where the game is over: then the last stone is taken off and dropped again."""
    if (state := _read(game, position)) is not None:
        return state
    columns = position.removeprefix(f"{game.title}@").split(",")
    for number, column in enumerate(columns):
        before = [*columns[:number], column[:-1] or "-", *columns[number + 1 :]]
        state = _read(game, f"{game.title}@{','.join(before)}") if column != "-" else None
        if state is not None and game.turn(state) != END and number in game.moves(state):
            after = game.play(state, number)
            if describe(game, after) == position:
                return after
    return None


def _read(game: FourInARow, position: str) -> Stones | None:
    try:
        return game.read(position)
    except PositionError:
        return None


def grid(viewer: StateViewer, state: Stones) -> tuple[Table, str]:
    """The board."""
    game = viewer.game
    assert isinstance(game, FourInARow)
    columns = [column.strip("-").ljust(game.rows) for column in game.tell(state)[1:].split(",")]
    heads = [game.label(column) for column in range(game.columns)]
    rows = [[str(row + 1), *(column[row].strip() for column in columns)] for row in reversed(range(game.rows))]
    return [["", *heads], *rows], ""
