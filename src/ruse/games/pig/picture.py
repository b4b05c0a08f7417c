"""The scores of Pig."""

from __future__ import annotations

from ruse.games.pig.rules import Pig, Race
from ruse.play.pictures import Cell, Grid, Picture
from ruse.play.session import Session


def picture(session: Session, race: Race) -> Picture:
    game = session.solution.game
    assert isinstance(game, Pig)
    yours = race.turn == session.side
    you, other = (race.mine, race.theirs) if yours else (race.theirs, race.mine)
    total = str(race.total)
    heads = [Cell("", "who"), Cell("points"), Cell("this turn")]
    rows = [
        [Cell("you"), Cell(str(you)), Cell(total if yours else "", "" if yours else "waits")],
        [Cell("other side"), Cell(str(other)), Cell("" if yours else total, "waits" if yours else "")],
    ]
    return Picture([f"{game.goal} points win."], Grid("", heads, rows))
