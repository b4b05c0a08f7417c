"""How a person plays a game against a solution: the game in which the sides move, the questions and the news.

A game that is played differently names a subclass in its presentation (Presentation.manner).
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
    """A move that a person makes by ticking letters, such as the members of a mission."""

    letters: str
    count: int  # how many to tick
    title: str
    button: str


@dataclass(frozen=True)
class Picks:
    """A move of several parts, each picked from a list, such as what each spy claims."""

    lists: Sequence[tuple[str, Sequence[tuple[str, str]]]]  # for each list: its subject, and parts with their meanings
    otherwise: str  # the move if all parts are empty
    button: str


class Manner:
    """How most games are played."""

    def __init__(self, solution: Solution) -> None:
        self.solution = solution

    @staticmethod
    def check(game: Game) -> None:
        """Refuse a game that would take too long to solve before it is played. Raises SessionError."""

    def game(self) -> Game:
        """The game in which the sides move."""
        return checked(self.solution.game)

    def policy(self, side: int) -> Policy | None:
        """The odds of a side's moves by state, in a fixed order; None if its strategy lists these moves itself."""
        return None

    def saw(self, step: str) -> str:
        """Describe a step of a position."""
        return step

    def ask(self, session: Session) -> str:
        """The question to the person, if a list of moves does not make it clear."""
        return ""

    def ticks(self, session: Session) -> Ticks | None:
        """The letters to tick, if moves are made in this way."""
        return None

    def picks(self, session: Session) -> Picks | None:
        """The parts to pick, if moves are made in this way; joined by commas, they are the move."""
        return None


def manner_of(game: Game) -> type[Manner]:
    return presentation(game).manner() or Manner
