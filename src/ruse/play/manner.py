"""How a game is played against a solution: in which game the sides move, what a person is asked, and what it hears.

A game that is played in a manner of its own names a subclass in its presentation (Presentation.manner).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ruse.core.contract import checked
from ruse.core.game import Game
from ruse.core.registry import presentation
from ruse.core.types import Policy
from ruse.solution.strategy import Solution

if TYPE_CHECKING:
    from ruse.play.session import Session


@dataclass(frozen=True)
class Ticks:
    """A move that is put together by ticking letters: those who go on a mission."""

    letters: str
    count: int  # how many are ticked
    title: str
    button: str


@dataclass(frozen=True)
class Picks:
    """A move that is put together from parts, each picked from a list: what each spy says."""

    lists: Sequence[tuple[str, Sequence[tuple[str, str]]]]  # what each is about, the parts, and what they mean
    otherwise: str  # the move if all parts are empty
    button: str


class Manner:
    """The manner of most games."""

    def __init__(self, solution: Solution) -> None:
        self.solution = solution

    @staticmethod
    def check(game: Game) -> None:
        """Refuse a game that would take too long to solve before it is played. Raises SessionError."""

    def game(self) -> Game:
        """The game in which the sides move."""
        return checked(self.solution.game)

    def policy(self, side: int) -> Policy | None:
        """The odds of a side's moves by state, in a fixed order; None where its strategy names these moves itself."""
        return None

    def saw(self, step: str) -> str:
        """A step of a position, as a sentence tells it."""
        return step

    def ask(self, session: Session) -> str:
        """What the person is to do, where a list of moves would not say it."""
        return ""

    def ticks(self, session: Session) -> Ticks | None:
        """How the person puts its move together, where it is not chosen from a list."""
        return None

    def picks(self, session: Session) -> Picks | None:
        """The same where it is put together from parts; joined by commas, they are the move."""
        return None


def manner_of(game: Game) -> type[Manner]:
    return presentation(game).manner() or Manner
