"""What the page of a game or of a drill shows of where a person sits, and what it asks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ruse.core.registry import moves_text
from ruse.play import shown
from ruse.play.pictures import Picture
from ruse.play.session import Session


def board(session: Session, options: Sequence[str], drawn: Picture, asked: bool) -> dict[str, Any]:
    """For templates: the picture, the moves that are made on it, and the others in rows; nothing once all is done."""
    game, manner = session.solution.game, session.rival.manner
    return {
        "session": session,
        "picture": drawn,
        "on_board": set(options) & drawn.moves() if asked else set(),
        "rows": [] if set(options) <= drawn.moves() else shown.in_rows(options),
        "question": manner.ask(session) if asked else "",
        "news": shown.news(session),
        "ticks": manner.ticks(session),
        "picks": manner.picks(session),
        "moves_text": moves_text(game.name),
        "steps": session.position.removeprefix(game.title),
    }
