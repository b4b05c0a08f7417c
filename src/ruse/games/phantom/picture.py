"""The board of an unseen game: the names of its places, and at the end the stones that both lists have laid."""

from __future__ import annotations

from ruse.core.plain_games.at_once import HIDDEN, Chosen
from ruse.games.phantom.rules import Unseen
from ruse.play.manner import Manner
from ruse.play.pictures import Cell, Grid, Picture, stone
from ruse.play.session import Session


def picture(session: Session, chosen: Chosen) -> Picture:
    game = session.solution.game
    assert isinstance(game, Unseen)
    both = [one for one in chosen if one != HIDDEN]
    laid = game.laid(*both)[0] if len(both) == 2 else []
    turns = {cell: turn for turn, cell in enumerate(laid)}
    rows, columns = map(int, str(game.parameters["board"]).split("x"))
    falls = game.room > 1  # stones lie on each other in columns

    def cell(row: int, column: int) -> Cell:
        at = column * game.room + row if falls else row * columns + column
        if at in turns:
            side = turns[at] % 2
            return stone("XO"[side], side == session.side)
        return Cell(".", "free") if falls else Cell(game.places[at], f"{game.places[at]}, free")

    heads = [Cell("", "row"), *(Cell(game.places[at] if falls else "", f"column {at + 1}") for at in range(columns))]
    order = reversed(range(rows)) if falls else range(rows)
    grid = [[Cell("", f"row {row + 1}"), *(cell(row, column) for column in range(columns))] for row in order]
    lines = [f"You are {'XO'[session.side]} and place the {('first', 'second')[session.side]} stone."]
    return Picture(lines, Grid("", heads, grid, "board"))


class Lists(Manner):
    def ask(self, session: Session) -> str:
        game = self.solution.game
        assert isinstance(game, Unseen)
        return f"Write a list of places, such as {game.lists[0]}: each turn takes the first that has room."
