"""What a game is.

Two sides play for one number. Side 0 wants it large, side 1 wants it small: the payoff is what side 1
pays side 0 when the play ends, so the game is zero-sum by construction; of a constant amount to share out, it is
side 0's part (ConstantSum). Chance moves with exact odds.
A side does not see the state, only what it *knows* of it; states it cannot tell apart are one
information set. Sides never forget (perfect recall): what a side knows now contains what it knew and
chose before. Under that condition the value

    v = max over strategies of side 0, min over strategies of side 1, of the expected payoff

exists, equals the minimum of the maximum, and is rational when the odds and payoffs are.

Everything else in ruse goes along one way from here: rules (this protocol) -> reductions (a smaller
game) -> sequence form (flat arrays) -> solver -> plans -> certificate -> solution.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Protocol, cast, runtime_checkable

CHANCE = -1
END = -2

State = Any  # immutable and hashable; its shape is the game's own business, as are those of
Move = Any  # and
Knowledge = Any
Parameters = Mapping[str, Any]  # plain JSON values

UNNAMED = {"first": "Player 1", "second": "Player 2"}  # sides that are only called by their place
ADJECTIVES = ("good", "evil")  # sides that are only called by what they are like


class RuseError(ValueError):
    """An error that a user can mend: one sentence with the expectation and the value."""


class GameError(RuseError):
    """The rules of a game break the contract, or a table cannot be played."""


class PositionError(RuseError):
    """A position or move that does not exist in its game."""


class PolicyError(RuseError):
    """A policy or a plan that does not fit its game; the message names the information set."""


class RuleError(RuseError):
    """A rule or function that describes no strategy."""


_as_written: dict[type, dict[str, Any]] = {}  # what the bodies of ruse's own classes of games say


def as_written(kind: type) -> bool:
    """Whether a class of ruse's, with its bases, still has the methods and values that its source gives it."""
    for base in kind.__mro__:
        was, now = _as_written.get(base), vars(base)
        if was is None:
            continue
        if any(now.get(name) is not value for name, value in was.items() if not name.startswith("__")):
            return False
        if any(name not in was and not name.startswith("_") for name in now):
            return False
    return kind in _as_written


def is_library(kind: type) -> bool:
    """Whether a class of games is one of ruse's."""
    return kind in _as_written


class Titled:
    """A game that shows its title in a terminal."""

    title: str
    rules_version = 1  # raised when the same parameters mean other rules: ruse.core.identity

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if cls.__module__.startswith("ruse."):
            _as_written[cls] = dict(vars(cls))

    def content(self) -> object:
        """What defines the game besides its parameters, as plain values: ruse.core.identity."""
        return None

    def tell(self, knowledge: Any) -> str:
        """Call `format_position`, as this method was named up to 0.6.0, with a DeprecationWarning."""
        warnings.warn("the method tell of games is now format_position", DeprecationWarning, stacklevel=2)
        formatted: str = self.format_position(knowledge)  # type: ignore[attr-defined]
        return formatted

    def __repr__(self) -> str:
        return f"<game {self.title}>"

    def _repr_html_(self) -> str:
        from ruse.core.html import facts_table
        from ruse.core.registry import presentation

        game = cast(Game, self)
        facts = [("sides", " against ".join(map(display_name, game.sides))), ("setup", presentation(game).setup())]
        facts += [(name, str(value)) for name, value in game.parameters.items()]
        return facts_table(self.title, facts)


class Rules(Protocol):
    """The seven methods that every game has: all that `ruse.solve` needs. No base class is necessary.

    States are immutable and hashable. Payoffs and the odds of chance are fractions or whole numbers.
    """

    def start(self) -> State: ...

    def turn(self, state: State) -> int:
        """0, 1, CHANCE or END."""

    def moves(self, state: State) -> Sequence[Move]: ...

    def odds(self, state: State) -> Sequence[Fraction | int]:
        """The odds of each of `moves(state)`, at CHANCE."""

    def play(self, state: State, move: Move) -> State: ...

    def knows(self, state: State, side: int) -> Knowledge:
        """What `side` knows, at any state: its own moves included. Equal values are one information set."""

    def payoff(self, state: State) -> Fraction | int:
        """What side 1 pays side 0, at END."""


@runtime_checkable
class Game(Rules, Protocol):
    """The rules, with names and texts. Nothing here knows about solvers."""

    @property
    def name(self) -> str:
        """As on the command line."""

    @property
    def title(self) -> str:
        """As in positions: the name, with the parameters that are not the default."""

    @property
    def parameters(self) -> Parameters:
        """What makes the game anew, as plain JSON values."""

    @property
    def sides(self) -> tuple[str, str]:
        """What people call side 0 and side 1."""

    @property
    def wins(self) -> tuple[str, ...]:
        """("resistance", "spies") or ("first", "second", "draw") if the game is won or lost, else ()."""

    def odds(self, state: State) -> Sequence[Fraction]:
        """The odds of each of `moves(state)`, at CHANCE."""

    def payoff(self, state: State) -> Fraction:
        """What side 1 pays side 0, at END."""

    def label(self, move: Move) -> str:
        """A move as people write it: one step of a position."""

    def format_position(self, knowledge: Knowledge) -> str:
        """What follows `title` in the position of this knowledge: "@K/check/bet"."""


def display_name(side: str) -> str:
    """Return what a sentence calls a side: "Player 1" where it has no name of its own."""
    return UNNAMED.get(side, side)


def noun(side: str) -> str:
    """Return the noun for a side: Player 1, McRae, spies, good side."""
    return f"{side} side" if side in ADJECTIVES else display_name(side)


def with_article(side: str) -> str:
    """Return the noun for a side with its article: Player 1, McRae, the spies."""
    name = noun(side)
    return f"the {name}" if name[:1].islower() else name


def moving(side: str) -> str:
    """Return the clause that a side moves: Player 1 moves, the spies move."""
    return f"{with_article(side)} move{'' if side.endswith('s') else 's'}"


def possessive(side: str, mark: str = "'") -> str:
    """Return the possessive of a side: Player 1's, the spies'."""
    return f"{with_article(side)}{mark}{'' if side.endswith('s') else 's'}"


def describe(game: Game, knowledge: Knowledge) -> str:
    """The position of a knowledge, in the notation used by commands, files and URLs."""
    return game.title + game.format_position(knowledge)


# Sides of a game by any of their names: 0, "first", "Player 1".


def side_number(game: Game, side: int | str) -> int:
    """The number of a side. Raises PositionError where the game has no side of that name.

    Accepts the number, the name in files and on the command line ("first", "spies"), and the name in sentences
    ("Player 1"), in upper or lower case.
    """
    if isinstance(side, str):
        for number, name in enumerate(game.sides):
            if side.casefold() in {
                text.casefold() for text in (name, display_name(name), noun(name), f"Player {number + 1}")
            }:
                return number
    elif not isinstance(side, bool) and (side == 0 or side == 1):
        return int(side)
    first, second = map(display_name, game.sides)
    raise PositionError(f"{side!r} is not a side of {game.title}; use 0, 1, {first} or {second}")
