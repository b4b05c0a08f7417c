"""What a game may provide besides its rules: it declares each in `provides` (ruse.core.declared), `isinstance` asks.

A capability changes how a game is solved, counted or searched; how it is shown is its presentation
(ruse.core.presentation). Each is declared by several games. These have one game in ruse, and stay because

    ByClass     The Resistance has trees past writing down, and by class is solved in a second
    Teamed      spies of The Resistance who move seat by seat are one side only by the reduction that this describes
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from ruse.core.declared import CAPABILITIES, Capability, has_default
from ruse.core.game import Game, GameError, Move, State
from ruse.core.types import Tables

if TYPE_CHECKING:
    from ruse.core.arrays import Array


@runtime_checkable
class Symmetric(Game, Protocol, metaclass=Capability):
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
        """Return the state with every label x renamed to names[x]."""

    def rename(self, move: Move, names: Mapping[Any, Any]) -> Move:
        """Return the move with every label x renamed to names[x]."""

    def mark(self, move: Move, label: Hashable) -> Any:
        """All that a move says of one label; marks can be sorted."""


@runtime_checkable
class Representatives(Game, Protocol, metaclass=Capability):
    """A game in which one position represents several: seats renamed, moves in another order."""

    def representative_position(self, position: str, side: int) -> tuple[str, Callable[[str], str]]:
        """Return the position that represents this one, and a function from its moves to the moves here."""


@runtime_checkable
class Open(Game, Protocol, metaclass=Capability):
    """A game without secrets whose future depends on less than its past."""

    def board(self, state: State) -> Hashable:
        """All that matters from here on."""

    @has_default
    def check_countable(self, purpose: str) -> None:
        """Raise GameError where the boards are too many to visit one by one."""

    @has_default
    def boards_are_tested(self) -> bool:
        """Whether ruse's tests compare what follows any two states of one board; counts for ruse's own classes only."""
        return False


@runtime_checkable
class Memoryless(Open, Protocol, metaclass=Capability):
    """An open game whose states are its boards: a state is all that anybody knows, however it came about.

    Strategies then go by states. A state may come about in many ways, and sides need not recall in which, so such a
    game has no tree to write a sequence form of: it is solved, counted and verified state by state.
    """

    def returns(self) -> bool:
        """Whether play can come back to a state. It must end with certainty even so, whatever the sides do."""

    @has_default
    def graph(self) -> Any:
        """All states on arrays, a ruse.forms.state_graph.Graph, where a walk would take longer than solving."""
        return None


@runtime_checkable
class ByClass(Representatives, Protocol, metaclass=Capability):
    """A game that is solved by classes of positions: its tree may be too large to write down node by node."""

    def nodes(self, symmetry: bool = False) -> int:
        """How many nodes there are to walk, at least, by class or one by one."""

    def complete(self, tables: Tables) -> Tables:
        """Strategies at representative positions, with those that the reductions leave out."""


WAIT = -3  # a turn, in rules on arrays


class ArrayRules(Protocol):
    """The rules once more, for many states at once: a column a state, a row a field, both the game's own business.

    Moves are numbered so that the legal ones, in order, are those of `Game.moves`. Payoffs are whole numbers. Sides
    see that a move was made, if nothing else, so the states of one information set are equally deep; what a side
    sees of a move is a code, and what it knows is its own moves and the codes so far. The states of one call are
    at least one, equally deep, and have the same turn where it is given. Where some states would have a move more on
    the way than others of their set, the turn of these is WAIT in between: nobody moves, and it is played as move 0.
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
        """int[states]: 0, 1, CHANCE, END or WAIT of each."""

    def legal(self, states: Array, turn: int) -> Array:
        """bool[moves, states]; at CHANCE, int[moves, states]: how likely each is in proportion to the others."""

    def play(self, states: Array, moves: Array, turn: int) -> Array:
        """int[fields, states]: what follows if each state's own move is made."""

    def sees(self, states: Array, moves: Array, turn: int, side: int) -> Array | int:
        """int[states], or one code for all: what `side` sees of the moves that led here, but for its own moves."""

    def payoff(self, states: Array) -> Array:
        """int[states], at END."""


@runtime_checkable
class Bulk(Game, Protocol, metaclass=Capability):
    """A game that is walked level by level on arrays, as state by state would take longer than solving it."""

    def arrays(self) -> ArrayRules: ...

    def nodes(self) -> int:
        """How many states there are to walk, without walking them; at least so many if that is past counting."""


class PublicRules(Protocol):
    """The rules as somebody tells them who sees no hand: hands are dealt in secret, what happens then is seen by both.

    A side's hands are numbered. A public state needs to hold no more than what matters from here on: where states are
    equal, what follows is the same, and large trees are written down as quickly as their different states are met.
    """

    @property
    def hands(self) -> tuple[Sequence[str], Sequence[str]]:
        """What each hand of side 0 and of side 1 is called in positions: ("J", "Q", "K")."""

    @property
    def denominator(self) -> int:
        """What the numbers of all matrices are parts of."""

    def start(self) -> State:
        """The public state once hands are dealt."""

    def turn(self, state: State) -> int:
        """0, 1, CHANCE or END."""

    def moves(self, state: State) -> Sequence[Move]:
        """As the game calls them: of all hands, in the order of the rules."""

    def play(self, state: State, move: Move) -> State: ...

    def possible(self, state: State, side: int) -> Array | None:
        """bool[hands]: those that a side may hold here; None where that is all. A hand can make the moves after which
        it is still possible.
        """

    def payoff(self, state: State) -> tuple[Hashable, int]:
        """At END: which matrix tells what side 0 gets, and how many times as much as that says it is."""

    def matrix(self, name: Hashable) -> Array:
        """int64[hands of side 0, hands of side 1]: payoff * odds of chance along the whole play * denominator."""

    def place(self, state: State) -> tuple[int, int, Sequence[Move]] | None:
        """The numbers of both hands and the public moves so far, of a state of the game; None before all is dealt."""


@runtime_checkable
class ChosenHands(PublicRules, Protocol, metaclass=Capability):
    """Public rules where hands are not dealt: each side chooses its own, in secret. Nothing else happens meanwhile.

    The class of the public rules declares it, not the game's: `provides = (ChosenHands,)`.
    """

    def choices(self, side: int) -> Sequence[Sequence[Move]]:
        """For each hand the moves that choose it, one after the other."""

    def format_choice(self, side: int, chosen: Sequence[Move], moves: Sequence[Move]) -> str | None:
        """What follows the title in the position of a side that has chosen so far, and has seen some public moves; None
        where the rules of the game have no such position: a hand may have to answer in public by what it is.
        """

    def read(self, side: int, text: str) -> tuple[int, Sequence[Move]] | None:
        """The hand and the public moves of such a text, once all is chosen; None where it is none."""


@dataclass(frozen=True)
class Bidding:
    """A game of rising bids in plain numbers: both hands are dealt by `weights`, then all moves are seen.

    The sides bid in turns, side 0 first, each time higher than the last bid, or call it. A bid is true where what both
    hands count towards it is enough; who bid wins then, else who called.
    """

    hands: Sequence[str]  # as positions name them
    bids: Sequence[str]  # the same, lowest first
    call: str
    weights: Sequence[int]  # of each hand, in proportion
    counts: Sequence[Sequence[int]]  # of each bid, what each hand counts towards it
    needs: Sequence[int]  # of each bid, what it takes to be true

    def check(self) -> None:
        """Raise GameError where these are not numbers of such a game."""
        if not self.weights or min(self.weights) < 1:
            raise GameError(f"expected hands of a weight of at least 1, got {list(self.weights)}")
        if len(self.hands) != len(self.weights):
            raise GameError(f"expected a weight for each of {len(self.hands)} hands, got {len(self.weights)}")
        if not len(self.counts) == len(self.needs) == len(self.bids) or not self.needs:
            raise GameError(f"expected as many needs as bids, at least 1, got {len(self.needs)} for {len(self.bids)}")
        for bid, (row, need) in enumerate(zip(self.counts, self.needs, strict=True)):
            if len(row) != len(self.weights) or min(row) < 0:
                raise GameError(f"expected a count of at least 0 for each of {len(self.weights)} hands, got {row}")
            if need < 1:
                raise GameError(f"expected bid {bid} to need at least 1, got {need}")


@runtime_checkable
class Public(Game, Protocol, metaclass=Capability):
    """A game whose secrets are hands that are dealt at the beginning: it is solved on the tree of what both see."""

    def public(self) -> PublicRules: ...

    @has_default
    def bidding(self) -> Bidding | None:
        """The whole game in plain numbers, if all moves are rising bids: a GPU sweeps such games at any size."""
        return None


@runtime_checkable
class Ranged(Game, Protocol, metaclass=Capability):
    """A game that knows what it can pay, and perhaps its value, without being walked or solved."""

    def payoff_range(self) -> tuple[Fraction, Fraction]:
        """No play pays side 0 less than the first or more than the second."""

    @has_default
    def known_value(self) -> Fraction | None:
        """The payoff to side 0; None if nobody knows it for these parameters. Counts for ruse's own classes only."""
        return None

    @has_default
    def known_by(self) -> str:
        """Whose formula gives the value; empty if ruse has proved the value before."""
        return ""


def payoff_range(game: Game) -> tuple[Fraction, Fraction]:
    """The least and the most that side 0 can get in any play. Raises GameError where the game does not say."""
    if game.wins:
        return Fraction(-1), Fraction(1)
    if isinstance(game, Ranged):
        return game.payoff_range()
    from ruse.core.too_large import payoffs_unknown  # which asks for capabilities

    raise payoffs_unknown(game)


@runtime_checkable
class ConstantSum(Game, Protocol, metaclass=Capability):
    """A game in which both sides share out the same amount at every end: side 0 gets the payoff, side 1 the rest."""

    def constant(self) -> Fraction:
        """What both get together; 0 if the game is zero-sum."""


def constant(game: Game) -> Fraction:
    """What both sides get together at every end: 0 in almost all games."""
    return Fraction(game.constant()) if isinstance(game, ConstantSum) else Fraction(0)


def payoff_to(game: Game, side: int, payoff: Fraction) -> Fraction:
    """What a side gets where side 0 gets `payoff`."""
    return payoff if side == 0 else constant(game) - payoff


@runtime_checkable
class Teamed(Game, Protocol, metaclass=Capability):
    """Side 1 is a team whose seats move one by one, as a coordinator orders."""

    def orders(self, state: State) -> Mapping[str, Sequence[Move]]:
        """What the team can be ordered to do, with the moves that carry it out, at the team's turn."""

    def played(self, state: State) -> Sequence[Move]:
        """The moves of the order that is being carried out."""

    def coordinated(self, state: State) -> State:
        """The state that orders would have brought about, with the same consequences as this one."""


@runtime_checkable
class Adjustable(Game, Protocol, metaclass=Capability):
    """A game that knows more about its variants: what a designer may change, and what that does (ruse.studio).

    Parameters are named as in the game's `parameters`.
    """

    @has_default
    def canonical(self) -> Mapping[str, object]:
        """The parameters of one variant for all that have the same value for a reason; it is its own canonical one."""
        return dict(self.parameters)

    @has_default
    def directions(self) -> Mapping[str, int | Sequence[int]]:
        """1 where the payoff to side 0 never falls as a parameter grows, or an entry of one; -1 where it never rises.

        Each promise needs a proof. A parameter that is left out, or a 0, promises nothing. The promise holds between
        any two variants of the game.
        """
        return {}

    @has_default
    def span(self) -> Mapping[str, str]:
        """Ranges of parameters worth searching, as on the command line: {"missions": "2..3,2..3,2..3"}."""
        return {}


CAPABILITIES += (
    Symmetric, Representatives, ByClass, Open, Memoryless, Bulk, Public, Ranged, ConstantSum, Teamed, Adjustable,
)  # fmt: skip

if not TYPE_CHECKING:

    def __getattr__(name: str) -> type:
        """Find what was a capability up to 0.6.0 (ruse.core.former_capabilities), with a DeprecationWarning."""
        if name.startswith("_"):  # asked for by Python
            raise AttributeError(name)
        from ruse.core.former_capabilities import find_former

        return find_former(name)
