"""What a person sees at a position of a solved game, whatever the game: numbers first, words where words are needed.

A position is what one side knows (the notation of commands, files and URLs); the side whose knowledge it is looks from
there. Everything is said under the stored strategies of both sides: the value is the expected payoff, given what the
side knows and the beliefs that chance and the other side's strategy induce. Where those never lead here, `reached` is
False and `assumption` says what was assumed instead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Protocol

from ruse.core.game import CHANCE, END, Game, PositionError
from ruse.core.jsonable import HIDDEN, Exact, jsonable
from ruse.solution.strategy import Solution

STORED_ADVICE, QUASI_PERFECT_ADVICE, RESOLVED_ADVICE = "stored", "quasi-perfect", "re-solved"  # what odds rest on
BEST_ADVICE, NO_ADVICE = "best", "none"
Draw = Callable[[Mapping[Any, Fraction]], Any]  # one of some things, by their odds


@dataclass(frozen=True)
class Option:
    """Something that may happen next: a move of the side that looks, or what it may see while others move."""

    move: str
    """as people write it: one step of a position"""
    odds: Exact
    """under the stored strategies"""
    value: Exact | None
    """payoff to side 0 after it; None where it cannot be told"""
    loss: Exact | None
    """how much worse than the best, to the side that moves (>= 0); None if nobody chooses"""
    after: str | None
    """the position that the same side is in then, where it is one"""
    gloss: str = ""
    """what the move stands for, where that needs a word"""
    share: float = field(init=False, default=0.0)
    """the odds, rounded"""

    def __post_init__(self) -> None:
        object.__setattr__(self, "share", float(self.odds))


@dataclass(frozen=True)
class Belief:
    """What the side that looks cannot see, and how likely it is."""

    what: str
    """such as K, or a is a spy"""
    odds: Exact
    there: str = field(default="", metadata=HIDDEN)
    """what the other side knows then, as a position, where it does not follow from this side's"""


@dataclass(frozen=True)
class Chip:
    """A step of the way here."""

    step: str
    position: str
    """after this step"""


@dataclass(frozen=True)
class RoleOdds:
    """How likely a seat has a role."""

    odds: Exact
    """under the assumption of the view"""
    by_facts: Exact


@dataclass(frozen=True)
class Seat:
    """A seat at a table of The Resistance, or of a game like it with roles."""

    name: str
    record: Sequence[str]
    """a mark per mission: +, -, or nothing if it was not aboard"""
    spy: Exact
    """how likely, under the assumption of the view"""
    spy_by_facts: Exact
    """how likely by the facts alone: spy sets that the results allow, all alike"""
    roles: Mapping[str, RoleOdds] = field(default_factory=dict)
    """that it may have besides, of those that the side that looks cannot see"""


@dataclass(frozen=True)
class View:
    """What a position says, as one side knows it, under the stored strategies."""

    position: str
    side: int
    """whose knowledge this is"""
    turn: int | None
    """the side to move; CHANCE or END of ruse.core.game; None if the side cannot tell"""
    value: Exact
    """payoff to side 0"""
    exact: bool
    """whether the solution's bounds are equal"""
    reached: bool
    """whether the stored strategies ever come here"""
    reach: Exact | None
    """how often, if both follow them; None where that is not known"""
    assumption: str
    """under which the value and the beliefs hold, in a sentence"""
    history: Sequence[Chip]
    options: Sequence[Option]
    beliefs: Sequence[Belief] = ()
    seats: Sequence[Seat] = ()
    table: Sequence[Sequence[str]] = ()
    """a payoff table or grid, if the game has one: heads come first"""
    notes: Sequence[str] = field(default=())
    """sentences worth saying here"""
    advice: str = ""
    """what the odds of moves are: stored, where play comes here; where it never does, quasi-perfect, re-solved, best
    (both sides play best where nothing is hidden), or none: the stored odds uphold the guarantee and are no advice"""

    def __post_init__(self) -> None:
        if not self.advice:
            object.__setattr__(self, "advice", STORED_ADVICE if self.reached else NO_ADVICE)

    def to_json(self, game: Game) -> dict[str, Any]:
        """Return the numbers of the page of the position: sides by name, and winning rates beside the value."""
        return {**jsonable(self), **jsonable(self.named(game))}

    def named(self, game: Game) -> dict[str, Any]:
        """Return what JSON says of the position in other words than the view."""
        turns = {0: game.sides[0], 1: game.sides[1], CHANCE: "chance", END: "end", None: None}
        return {
            "side": game.sides[self.side],
            "turn": turns[self.turn],
            "value": {"exact": self.value if self.exact else None, "float": float(self.value)},
            "win": _win(game, self.value),
        }


def _win(game: Game, value: Fraction) -> dict[str, Fraction] | None:
    """Winning rates, in a game of two outcomes."""
    if len(game.wins) != 2:
        return None
    first = (1 + value) / 2
    return {game.wins[0]: first, game.wins[1]: 1 - first}


@dataclass(frozen=True)
class Held:
    """Something that the side to move may know, and how likely that is to somebody who sees only what is public."""

    position: str
    side: int
    odds: Fraction


def check_side(game: Game, side: int | None) -> None:
    """Refuse a number that no side has."""
    if side not in (None, 0, 1):
        raise PositionError(f"expected side 0 or 1, {game.sides[0]} or {game.sides[1]}, got {side!r}")


class Viewer(Protocol):
    """Views of one solution. Made once (`ruse.present.viewer.viewer`), asked often: under 200 ms a view."""

    solution: Solution

    def start(self, side: int) -> str:
        """The position that a side begins in."""

    def at(self, position: str, side: int | None = None) -> View:
        """The view at a position; `side` where both sides know the same text. Raises PositionError."""

    def resolve(self, position: str, side: int | None = None) -> View:
        """The view with play from here on solved anew, for positions that the strategies never come to."""

    def unlisted(self, view: View, move: str) -> Option | None:
        """A move of a side that its view leaves out, as there are too many; None if views leave none out."""

    def hands(self, position: str, side: int | None = None) -> Sequence[Held]:
        """All that whoever moves may know where no more is known than what is public of a position; () if nobody."""

    def way(self, position: str, side: int, draw: Draw) -> Sequence[str]:
        """Moves from the start, chance's included, to a state where `side` knows that; what it does not is drawn."""
