"""The board of a game or drill page: the picture, the question and the possible moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ruse.core.registry import moves_text
from ruse.play import shown
from ruse.play.pictures import Picture
from ruse.play.session import Session


def board(session: Session, options: Sequence[str], drawn: Picture, asked: bool) -> dict[str, Any]:
    """Return template variables: the picture, the moves made on it, and the other moves in rows."""
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
