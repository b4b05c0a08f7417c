"""How a game is shown, explained and played: `Presentation`, whose every method has a default.

A game overrides what it shows in its own way. A built-in game names its class as its part `presentation`; a class in a
user's file says `presentation = MyPresentation` in its body. Rooms ask `ruse.core.registry.presentation(game)`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from ruse.core.game import Game, Knowledge, PositionError, State, describe
from ruse.core.types import Odds, StrategyTable, Tables

if TYPE_CHECKING:
    from ruse.insight.reasons.model import Question, Reason
    from ruse.play.manner import Manner
    from ruse.play.pictures import Picture
    from ruse.present.card import CardHeading
    from ruse.present.grids import Table
    from ruse.present.model import View, Viewer
    from ruse.present.states import StateViewer
    from ruse.solution.strategy import Solution

Shown = TypeVar("Shown", bound=Game)
Drawn = Sequence[str | Sequence[str]]  # lines of text, and rows of a grid (ruse.play.pictures.read)


@dataclass(frozen=True)
class Situation:
    """What matters at a position, as a person would say it."""

    heading: str
    """what went before, such as "After a check" """
    when: str = ""
    """what the side holds, such as "With a king"; lines with the same advice are joined"""
    names: Mapping[str, str] | Callable[[str], str] | None = None
    """what moves are called here; None means as `Presentation.move_phrase` says"""
    order: float = 0
    """where the line stands among those under its heading, lowest first"""


class SizeReport(Protocol):
    """How large a game is."""

    def text(self) -> str:
        """For people, at most 100 columns."""

    def to_json(self) -> dict[str, Any]:
        """For programs."""


class Presentation(Generic[Shown]):
    """How a game is shown. Every method has a default; None and empty answers mean: as for any other game."""

    rules_by_position = True  # one rule per position; False where write_rules and read_rules have a form of their own
    cover_moves = 3  # of both sides, after which a game is drawn in a list of games
    views_list_states = True  # False where `viewer` copes with a game of any size

    def __init__(self, game: Shown) -> None:
        self.game = game

    # Positions.

    def check_position(self, position: str) -> bool:
        """Return True if a side can be in this position, raise PositionError if not, return False to let ruse look."""
        return False

    def find_state(self, position: str) -> State | None:
        """Read a position of a game without secrets. Raises `no_position`; None lets ruse walk the states."""
        return None

    def no_position(self, position: str) -> PositionError:
        """Return the error that says that a text is no position of the game."""
        start = describe(self.game, self.game.knows(self.game.start(), 0))
        return PositionError(f"expected a position of {self.game.title}, such as {start}, got {position[:80]!r}")

    def viewer(self, solution: Solution) -> Viewer | None:
        """Make the viewer of the positions of a solution (ruse.present)."""
        return None

    def board(self, viewer: StateViewer, state: State) -> tuple[Table, str]:
        """Return a table around a state of a game without secrets, and a sentence that says what it shows."""
        return [], ""

    def roles_at(self, solution: Solution, position: str) -> View | None:
        """Return the view that says who may have which role at a position, in games with roles."""
        return None

    def hidden_from(self, state: State, side: int) -> str | None:
        """Name what a side cannot see of a state, such as a card, shorter than by all that the other side knows."""
        return None

    # Texts.

    def setup(self) -> str:
        """Describe the setup in one line: seats, cards, goals."""
        return ""

    def model(self) -> str:
        """Say in a few sentences what this game leaves out of the one that people play, and why."""
        return ""

    def explain_move(self, position: str, move: str) -> str:
        """Say what a move at a position stands for, where its name does not."""
        return ""

    def move_phrase(self, position: str, move: str) -> str:
        """Return what a move is called at the table, as a verb with its object; empty if its name will do."""
        return ""

    def situations(self, knowledge: Knowledge, side: int) -> Sequence[Situation]:
        """Say what matters to a side that is to move, from the finest description to the coarsest."""
        return ()

    def activity(self, position: str, move: str) -> str:
        """Name the making of a move for a sentence, such as "checking" or "sending abc"; empty: the move itself."""
        return ""

    def secret_phrase(self, secret: str) -> str:
        """Name what a side holds for a sentence, as positions write it after the @: "a queen", "a 2"."""
        return secret

    def bluff(self, state: State, move: str) -> bool | None:
        """Say whether a move is a bluff: a claim that is false, or weak for what the side that moves there holds.

        None for a move that claims nothing, such as a fold. `state` is one where a side moves; where seats are alike,
        it may have other names. `ruse metrics` counts bluffs among claims.
        """
        return None

    def is_public_moment(self, state: State) -> bool:
        """Return False in the middle of a step that some plays skip, so that nobody may look at who is to move.

        An example is a step that takes a move only of some hidden hands. `ruse metrics` computes the winning chance
        given public information at public moments.
        """
        return True

    def reasons(self, question: Question) -> Sequence[Reason]:
        """Return reasons for or against a move that this game has besides those of any game (ruse.insight.reasons)."""
        return ()

    def json_fields(self, solution: Solution) -> Mapping[str, Any]:
        """Return fields of the game's own for the JSON of a solution (docs/reference/json.md)."""
        return {}

    def public_position(self, solution: Solution, position: str) -> tuple[str, Mapping[str, Any]] | None:
        """Show a position that names no hand: a text, and fields for JSON. None: it is as any other position."""
        return None

    def heading(self, solution: Solution) -> CardHeading | None:
        """Return what stands above the rules on a printed page (ruse.present.card)."""
        return None

    def size_report(self) -> SizeReport | None:
        """Count the game in its own way, for `ruse sizes`."""
        return None

    def openspiel_name(self) -> str:
        """Name the same game in OpenSpiel, with parameters: "liars_dice(numdice=1,dice_sides=6)"."""
        return ""

    # Strategies.

    def outline(self, tables: Tables, side: int) -> Sequence[str]:
        """Sum up in some sentences what a side does, where a strategy has more positions than people read."""
        return []

    def write_rules(self, strategy: StrategyTable, side: int) -> tuple[str, list[str]]:
        """Return what to know first, and the rules, where `rules_by_position` is False."""
        raise NotImplementedError

    def say_rules(self, strategy: StrategyTable, side: int) -> tuple[str, Sequence[str]]:
        """Return such rules as a person would say them, after what to know first; nothing if they are written so."""
        return "", ()

    def read_rules(self, lines: Sequence[str], side: int) -> Callable[[str], Odds]:
        """Return the strategy that such rules describe, where `rules_by_position` is False."""
        raise NotImplementedError

    def rule_moves(self, position: str, side: int) -> Sequence[str]:
        """Return the moves that such rules choose from at a position, one of each class."""
        raise NotImplementedError

    def rules_note(self, side: int) -> str:
        """Say what every strategy of a side does that its rules need not say."""
        return ""

    def adviser(self, side: int, tables: Tables) -> Callable[[str], Odds] | None:
        """Return a function with sensible odds at positions that the side's strategy leaves out."""
        return None

    def advice_reason(self, side: int) -> str:
        """Say in one sentence why a strategy can leave a position out."""
        return ""

    # Play.

    def picture(self, knowledge: Knowledge, side: int, end: State | None) -> Picture | Drawn:
        """Draw what a side knows. `end` is the last state once play is over and nothing is secret any more."""
        return ()

    def manner(self) -> type[Manner] | None:
        """Return how the game is played against a solution (ruse.play.manner)."""
        return None


def overridden(kind: type[Presentation[Any]]) -> Mapping[str, Any]:
    """Return the methods and values of Presentation that a class overrides, by name."""
    names = [name for name in vars(Presentation) if not name.startswith("_")]
    return {name: getattr(kind, name) for name in names if getattr(kind, name) is not vars(Presentation)[name]}
