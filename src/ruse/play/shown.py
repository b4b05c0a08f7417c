"""The visible part of a game for both the terminal and the page: news, a picture, and the moves."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from ruse.core.capabilities import Open
from ruse.core.contract import built_in, said
from ruse.core.game import Game, RuseError, display_name
from ruse.core.interrupts import in_time
from ruse.core.registry import presentation
from ruse.play.pictures import Picture, checked, read, usual
from ruse.play.session import Session, standing
from ruse.present.model import View, Viewer
from ruse.present.seats import suspicions
from ruse.solution.strategy import Solution

PATIENCE = 1.5  # seconds that a user's game may draw
MOST_LISTED = 40  # moves, in a terminal
ROW = re.compile(r"[a-z](?=\d+$)|\d+(?=-\d+$)")  # of moves such as a1, a2 or 1-1, 1-2


def picture(session: Session) -> Picture:
    """Draw what the person knows. If a user's game fails to, or takes too long, a sentence says why."""
    game, side, state = session.solution.game, session.side, session.states[-1]

    def draw() -> Picture:
        knowledge = session.game.knows(state, side)
        drawn = read(
            presentation(game).picture(knowledge, side, state if session.over else None), session.options or ()
        )
        return drawn if drawn.text() else usual(game, session.position)

    return guarded(game, draw)


def guarded(game: Game, draw: Callable[[], Picture]) -> Picture:
    """Draw what a game shows; if a user's game fails to, or takes too long, a sentence says why."""
    if built_in(game):
        return draw()
    try:
        return in_time(lambda: checked(draw()), PATIENCE)
    except TimeoutError:
        return Picture([f"ruse cannot draw this position: the game took longer than {PATIENCE:g} seconds."])
    except Exception as error:  # of a user's code
        return Picture([f"ruse cannot draw this position: {error if isinstance(error, RuseError) else said(error)}."])


def picture_at(solution: Solution, view: View, views: Viewer) -> Picture:
    """Draw a position for a person who does not play, with what is suspected; empty at an end that reveals secrets."""
    session = standing(solution, view.side, view.position, views)
    if session.over and not isinstance(solution.game, Open):
        return Picture()
    drawn = picture(session)
    if drawn.scene is None or not view.seats:
        return drawn
    return replace(drawn, scene=drawn.scene.suspecting(suspicions(view)))


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
