"""What an explanation of a move holds, and what a game is given to find reasons of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ruse.core.jsonable import HIDDEN, Exact, jsonable

if TYPE_CHECKING:
    from ruse.insight.costs import PositionCosts
    from ruse.insight.reasons.play import TreePlay
    from ruse.insight.reasons.wording import Wording
    from ruse.present.model import View, Viewer
    from ruse.solution.strategy import Solution

COST, ANSWERS, REVEALS, HABIT, FAILED = "cost", "answers", "reveals", "habit", "failed"


@dataclass(frozen=True)
class Reason:
    """One reason for or against a move."""

    kind: str
    """what the reason is about, such as cost, answers, reveals or habit"""
    text: str
    """a sentence"""
    numbers: Mapping[str, Exact] = field(default_factory=dict)
    """all numbers of the sentence and what they are computed from, by name"""
    strength: Exact = Fraction(0)
    """how much depends on it, in payoff units: the strongest reasons are told"""
    favours: bool | None = None
    """whether it speaks for the move, or against it; null if for neither"""


@dataclass(frozen=True)
class Explanation:
    """Why a move is right or wrong at a position."""

    position: str
    side: int
    move: str
    cost: Exact | None
    """what the move loses; null where no costs are known"""
    condition: str
    """against whom or what the cost is"""
    reasons: Sequence[Reason]
    """the first says what the move costs, the others why, the strongest first"""
    line: Sequence[str] = ()
    """positions after the move, each time the likeliest"""
    waiting: bool = field(default=False, metadata=HIDDEN)
    """whether the price of the move as a habit is not computed yet"""

    @property
    def text(self) -> str:
        """All reasons, in a few sentences."""
        return " ".join(reason.text for reason in self.reasons)

    @property
    def right(self) -> bool:
        return self.cost == 0

    def to_json(self) -> dict[str, Any]:
        fields: dict[str, Any] = jsonable(self)
        return {name: value for name, value in fields.items() if name in ("cost", "condition", "reasons", "line")}


@dataclass(frozen=True)
class Question:
    """A move at a position, with what its reasons are computed from."""

    position: str
    side: int
    move: str
    """as the costs list it: one move stands for those like it"""
    costs: PositionCosts
    solution: Solution
    """how both sides play: the reference pair where the costs are against it"""
    viewer: Viewer
    """views of the solution that the costs belong to"""
    look: Callable[[str], View]
    """the view of a position of the side, kept for the next question. Raises PositionError"""
    wording: Wording
    play: TreePlay | None = None
    """every state of the game, where its tree is small"""

    @property
    def rival(self) -> str | None:
        """The move to compare with: the best one, or for a best move the best of the others."""
        others = [move for move in self.costs.moves.values() if move.move != self.move]
        return min(others, key=lambda move: move.cost).move if others else None

    @property
    def value(self) -> Fraction:
        """The payoff to the side after the move."""
        return self.wording.to_me(self.costs.moves[self.move].value)
