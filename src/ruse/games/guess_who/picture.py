"""The characters of Guess Who, and what its players are asked."""

from __future__ import annotations

from ruse.games.guess_who.rules import Board
from ruse.play.manner import Manner
from ruse.play.pictures import Cell, Grid, Picture
from ruse.play.session import Session


def picture(session: Session, board: Board) -> Picture:
    you, other = (board.mine, board.theirs) if board.turn == session.side else (board.theirs, board.mine)
    heads = [Cell("", "who"), Cell("characters left to tell apart")]
    return Picture((), Grid("", heads, [[Cell("you"), Cell(str(you))], [Cell("other side"), Cell(str(other))]]))


class Questions(Manner):
    def ask(self, session: Session) -> str:
        return f"How many of your characters do you ask about, 1 to {len(session.choices)}?"
