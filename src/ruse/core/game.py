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

from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

if TYPE_CHECKING:  # numpy is slow to import, and `ruse --help` is instant
    import numpy as np

    Array = np.ndarray[Any, np.dtype[Any]]

CHANCE = -1
END = -2

State = Any  # immutable and hashable; its shape is the game's own business, as are those of
Move = Any  # and
Knowledge = Any
Parameters = Mapping[str, Any]  # plain JSON values


class RuseError(ValueError):
    """An error that a user can mend: one sentence with the expectation and the value."""


class GameError(RuseError):
    """The rules of a game break the contract, or a table cannot be played."""


class PositionError(RuseError):
    """A position or move that does not exist in its game."""


class RuleError(RuseError):
    """A rule or function that describes no strategy."""


class Titled:
    """A game that shows its title in a terminal."""

    title: str
    rules_version = 1  # raised when the same parameters mean other rules: ruse.identity

    def __repr__(self) -> str:
        return f"<game {self.title}>"


@runtime_checkable
class Game(Protocol):
    """The rules. States are immutable and hashable; nothing here knows about solvers."""

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

    def start(self) -> State: ...

    def turn(self, state: State) -> int:
        """0, 1, CHANCE or END."""

    def moves(self, state: State) -> Sequence[Move]: ...

    def odds(self, state: State) -> Sequence[Fraction]:
        """The odds of each of `moves(state)`, at CHANCE."""

    def play(self, state: State, move: Move) -> State: ...

    def knows(self, state: State, side: int) -> Knowledge:
        """What `side` knows, at any state: its own moves included. Equal values are one information set."""

    def payoff(self, state: State) -> Fraction:
        """What side 1 pays side 0, at END."""

    def label(self, move: Move) -> str:
        """A move as people write it: one step of a position."""

    def tell(self, knowledge: Knowledge) -> str:
        """What follows `title` in the position of this knowledge: "@K/check/bet"."""


@runtime_checkable
class Symmetric(Game, Protocol):
    """A game with labels (seats, suits) that can be renamed without changing anything.

    Two states are alike when some renaming within the classes of `labels()` turns one into the other.
    `record` makes that easy to see: it holds all that matters about one label, so that two labels with
    equal records can be swapped, and a state is known, up to renaming, by its labels' records.
    """

    def labels(self) -> Sequence[Sequence[Hashable]]:
        """Classes of labels that may be renamed into each other."""

    def record(self, state: State, label: Hashable, side: int | None) -> Any:
        """All that `side` (None: somebody who sees everything) knows of one label; records can be sorted."""

    def relabel(self, state: State, names: Mapping[Any, Any]) -> State:
        """The same state with every label x called names[x]."""

    def rename(self, move: Move, names: Mapping[Any, Any]) -> Move:
        """The same move with every label x called names[x]."""

    def mark(self, move: Move, label: Hashable) -> Any:
        """All that a move says of one label; marks can be sorted."""


@runtime_checkable
class Filed(Game, Protocol):
    """A game that files several positions under one: seats renamed, moves in another order."""

    def file(self, position: str, side: int) -> tuple[str, Callable[[str], str]]:
        """The position that this one is filed under, and how its moves are called here."""


@runtime_checkable
class Open(Game, Protocol):
    """A game without secrets whose future depends on less than its past."""

    def board(self, state: State) -> Hashable:
        """All that matters from here on."""


@runtime_checkable
class Memoryless(Open, Protocol):
    """An open game whose states are its boards: a state is all that anybody knows, however it came about.

    Strategies then go by states. A state may come about in many ways, and sides need not recall in which, so such a
    game has no tree to write a sequence form of: it is solved, counted and verified state by state.
    """

    def returns(self) -> bool:
        """Whether play can come back to a state. It must end with certainty even so, whatever the sides do."""


class ArrayRules(Protocol):
    """The rules once more, for many states at once: a column a state, a row a field, both the game's own business.

    Moves are numbered so that the legal ones, in order, are those of `Game.moves`. Payoffs are whole numbers. Sides
    see that a move was made, if nothing else, so the states of one information set are equally deep; what a side
    sees of a move is a code, and what it knows is its own moves and the codes so far. The states of one call are
    at least one, equally deep, and have the same turn where it is given.
    """

    @property
    def denominator(self) -> int:
        """What multiplies the odds of any play into a whole number."""

    @property
    def sights(self) -> int:
        """Codes of what is seen are below this."""

    def start(self) -> Array:
        """int[fields, 1]"""

    def turn(self, states: Array) -> Array:
        """int[states]: 0, 1, CHANCE or END of each."""

    def legal(self, states: Array, turn: int) -> Array:
        """bool[moves, states]; at CHANCE, int[moves, states]: how likely each is in proportion to the others."""

    def play(self, states: Array, moves: Array, turn: int) -> Array:
        """int[fields, states]: what follows if each state's own move is made."""

    def sees(self, states: Array, moves: Array, turn: int, side: int) -> Array | int:
        """int[states], or one code for all: what `side` sees of the moves that led here, but for its own moves."""

    def payoff(self, states: Array) -> Array:
        """int[states], at END."""


@runtime_checkable
class Bulk(Game, Protocol):
    """A game that is walked level by level on arrays, as state by state would take longer than solving it."""

    def arrays(self) -> ArrayRules: ...

    def nodes(self) -> int:
        """How many states there are to walk, without walking them; at least so many if that is past counting."""


@runtime_checkable
class Ranged(Game, Protocol):
    """A game that knows what it can pay, without being walked."""

    def payoff_range(self) -> tuple[Fraction, Fraction]:
        """No play pays side 0 less than the first or more than the second."""


def payoff_range(game: Game) -> tuple[Fraction, Fraction]:
    """The least and the most that side 0 can get in any play. Raises GameError where the game does not say."""
    if game.wins:
        return Fraction(-1), Fraction(1)
    if isinstance(game, Ranged):
        return game.payoff_range()
    raise GameError(
        f"expected a game that is won or lost, or says what it can pay, to sample without walking it, "
        f"got {game.title}: use smaller parameters"
    )


@runtime_checkable
class ConstantSum(Game, Protocol):
    """A game in which both sides share out the same amount at every end: side 0 gets the payoff, side 1 the rest."""

    def constant(self) -> Fraction:
        """What both get together; 0 if the game is zero-sum."""


def constant(game: Game) -> Fraction:
    """What both sides get together at every end: 0 in almost all games."""
    return Fraction(game.constant()) if isinstance(game, ConstantSum) else Fraction(0)


def payoff_to(game: Game, side: int, payoff: Fraction) -> Fraction:
    """What a side gets where side 0 gets `payoff`."""
    return payoff if side == 0 else constant(game) - payoff


def describe(game: Game, knowledge: Knowledge) -> str:
    """The position of a knowledge, in the notation used by commands, files and URLs."""
    return game.title + game.tell(knowledge)
