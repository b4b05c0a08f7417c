"""The visible part of a game for both the terminal and the page: news, a picture, and the moves."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ruse.core.capabilities import Open
from ruse.core.contract import built_in, said
from ruse.core.game import RuseError, display_name
from ruse.core.registry import presentation
from ruse.play.pictures import Picture, read
from ruse.play.session import Session, standing
from ruse.present.model import Viewer
from ruse.solution.strategy import Solution

MOST_LISTED = 40  # moves, in a terminal
ROW = re.compile(r"[a-z](?=\d+$)|\d+(?=-\d+$)")  # of moves such as a1, a2 or 1-1, 1-2


def picture(session: Session) -> Picture:
    """Draw what the person knows, if the game can. If a user's game fails to, a sentence says why."""
    game = session.solution.game
    knowledge = session.game.knows(session.states[-1], session.side)
    try:
        drawn = presentation(game).picture(knowledge, session.side, session.states[-1] if session.over else None)
        return read(drawn, session.options or ())
    except Exception as error:  # of a user's code
        if built_in(game):
            raise
        return Picture([f"ruse cannot draw this position: {error if isinstance(error, RuseError) else said(error)}."])


def picture_at(solution: Solution, side: int, position: str, views: Viewer) -> Picture:
    """Draw a position for a person who does not play; empty at an end that would reveal secrets."""
    session = standing(solution, side, position, views)
    return Picture() if session.over and not isinstance(solution.game, Open) else picture(session)


def shown(session: Session) -> list[str]:
    """The lines of what the person knows: the position, and a picture if the game has one."""
    return [session.position, *picture(session).text()]


def news(session: Session) -> str:
    """Say what the person has seen since its last move, or since the start."""
    steps, manner = session.happened(), session.rival.manner
    if isinstance(session.solution.game, Open):
        steps = [_played(*step.split(": ", 1)) for step in steps]
    else:
        steps = [manner.saw(step) for step in steps]
    return f"{'Then' if session.decisions else 'So far'}: {', '.join(steps)}." if steps else ""


def _played(who: str, move: str) -> str:
    return move if who == "chance" else f"{display_name(who)} plays {move}"


def too_many(session: Session) -> str:
    """Ask for a move if there are too many to list; empty if there are not."""
    if (options := session.options) is not None and len(options) <= MOST_LISTED:
        return ""
    return f"Choose one of {len(session.choices):,} moves, such as {session.game.label(session.choices[0])}."


def numbered(options: Sequence[str]) -> bool:
    """Whether a person may also type the place of a move in the list: for a few long names that are not numbers."""
    return (
        0 < len(options) <= 9 and max(map(len, options)) > 3 and not any(option[:1].isdecimal() for option in options)
    )


def in_rows(options: Sequence[str]) -> list[list[str]]:
    """Group moves for a list: moves from one heap, or with as many fingers, share a row."""
    rows: dict[str, list[str]] = {}
    for option in options:
        row = ROW.match(option)
        rows.setdefault(row[0] if row else "", []).append(option)
    return list(rows.values())
