"""Replay a finished game: the state before each of the person's moves, and what the other side knew."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ruse.core.game import describe
from ruse.play.session import Session, SessionError, before


@dataclass(frozen=True)
class Replay:
    """A step of a finished game."""

    step: int  # counted from 1; one past the last move is the end
    moves: int  # how many moves the person made
    then: Session  # the game at that step
    move: str | None  # the person's move there; None at the end
    other: str  # what the other side knew

    def to_json(self) -> dict[str, Any]:
        return {
            "step": self.step,
            "moves": self.moves,
            "position": self.then.position,
            "move": self.move,
            "other": self.other,
        }


def replay(session: Session, step: int | None = None) -> Replay:
    """Show a finished game before the person's move of that number, or at its end."""
    if not session.over:
        raise SessionError("this game is not over yet; a replay would show the other side's secrets")
    moves = len(session.decisions)
    step = moves + 1 if step is None else step
    if not 1 <= step <= moves + 1:
        raise SessionError(f"expected a step of 1 to {moves + 1}, got {step}")
    then = session if step > moves else before(session, step)
    other = describe(session.game, session.game.knows(then.states[-1], session.rival.side))
    return Replay(step, moves, then, None if step > moves else session.decisions[step - 1].move, other)
