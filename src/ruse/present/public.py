"""A public state of a solved game: all that whoever moves there may hold, side by side.

Two states are told apart in public unless a chain of states joins them, each two neighbours in which look the same to
one side or the other: what holds in all states of such a chain is common knowledge (Aumann 1976). Games need not say
what is public, then; their `knows` does. Positions name hands, too: a part of a position (its secret, a step) that all
hands share is public, and the others tell the hands apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import zip_longest

from ruse.present.model import Held, Option, View, Viewer

MOST_HANDS = 250  # on a screen; the likeliest
MOST_MOVES = 60


@dataclass(frozen=True)
class Hand:
    """One row: what a side may hold, and what it does with that."""

    what: str  # that tells it from the others; empty if there is only one
    odds: Fraction  # how likely it is to somebody who sees only what is public
    view: View

    def option(self, move: str) -> Option | None:
        """What is said of a move; None where this hand does not have it."""
        return next((option for option in self.view.options if option.move == move), None)

    def odds_of(self, move: str) -> Fraction:
        """How often it makes a move."""
        option = self.option(move)
        return Fraction(0) if option is None else option.odds


@dataclass(frozen=True)
class PublicState:
    """All hands of a side that may be to move."""

    side: int
    steps: Sequence[str]  # what is public, the earliest first
    hands: Sequence[Hand]
    moves: Sequence[str]  # of any hand
    left_out: tuple[int, int]  # hands and moves that would be too many

    @property
    def reached(self) -> bool:
        return any(hand.view.reached for hand in self.hands)

    def often(self, move: str) -> Fraction:
        """How often a move is made over all hands that are shown, to somebody who sees only what is public."""
        total = sum(hand.odds for hand in self.hands)
        made = sum((hand.odds * hand.odds_of(move) for hand in self.hands), Fraction(0))
        return made / total if total else Fraction(0)


def public_states(viewer: Viewer, position: str, side: int | None = None) -> list[PublicState]:
    """What whoever moves may hold where a position is public; none where nobody moves. Raises PositionError.

    There are two where nobody in public can tell whose turn it is.
    """
    held = viewer.hands(position, side)
    movers = sorted({one.side for one in held})
    return [_state(viewer, mover, [one for one in held if one.side == mover]) for mover in movers]


def _state(viewer: Viewer, side: int, held: Sequence[Held]) -> PublicState:
    shown = held
    if len(held) > MOST_HANDS:
        likeliest = {one.position for one in sorted(held, key=lambda one: -one.odds)[:MOST_HANDS]}
        shown = [one for one in held if one.position in likeliest]
    steps, names = apart(viewer.solution.game.title, [one.position for one in shown])
    hands = [Hand(name, one.odds, viewer.at(one.position, side)) for name, one in zip(names, shown, strict=True)]
    moves = list(dict.fromkeys(option.move for hand in hands for option in hand.view.options))
    left_out = len(held) - len(shown), max(0, len(moves) - MOST_MOVES)
    if left_out[1]:
        often = {move: sum(hand.odds_of(move) for hand in hands) for move in moves}
        kept = sorted(moves, key=lambda move: -often[move])[:MOST_MOVES]
        moves = [move for move in moves if move in kept]
    return PublicState(side, steps, hands, moves, left_out)


def apart(title: str, positions: Sequence[str]) -> tuple[list[str], list[str]]:
    """The parts that all positions share, and what is left of each."""
    parts = [_parts(position.removeprefix(title)) for position in positions]
    shared = [len(set(column)) == 1 for column in zip_longest(*parts)]
    public = [part for part, same in zip(parts[0], shared, strict=False) if same and part]
    return public, ["/".join(part for part, same in zip(row, shared, strict=False) if not same) for row in parts]


def _parts(told: str) -> list[str]:
    """A position without its title: the secret, then the steps."""
    secret, *steps = told.split("/")
    return [secret.lstrip("@"), *steps]
