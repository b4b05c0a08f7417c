"""A public state of a solved game: all hands that the side to move may hold, side by side.

Two states belong to one public state if a chain of states joins them in which each two neighbours look the same to
one of the sides: what holds in all states of the chain is common knowledge (Aumann 1976). So a game need not declare
what is public; its `knows` implies it. A part of a position (its secret, or a step) that all hands share is public,
and the other parts name the hand.
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
class HandRow:
    """A hand that a side may hold, and what the side does with it."""

    name: str  # the parts of its position that differ from other hands; empty if there is only one
    odds: Fraction  # its probability to somebody who sees only what is public
    view: View

    def option(self, move: str) -> Option | None:
        """The option of a move; None if this hand cannot make it."""
        return next((option for option in self.view.options if option.move == move), None)

    def odds_of(self, move: str) -> Fraction:
        """How often this hand makes a move."""
        option = self.option(move)
        return Fraction(0) if option is None else option.odds


@dataclass(frozen=True)
class PublicState:
    """All hands of a side that may be to move, in one public state."""

    side: int
    steps: Sequence[str]  # the public steps, the earliest first
    hands: Sequence[HandRow]
    moves: Sequence[str]  # the moves of all hands
    left_out: tuple[int, int]  # how many hands and moves are left out because there are too many

    @property
    def reached(self) -> bool:
        return any(hand.view.reached for hand in self.hands)

    def often(self, move: str) -> Fraction:
        """How often the hands shown make a move, weighted by their probabilities."""
        total = sum(hand.odds for hand in self.hands)
        made = sum((hand.odds * hand.odds_of(move) for hand in self.hands), Fraction(0))
        return made / total if total else Fraction(0)


def public_states(viewer: Viewer, position: str, side: int | None = None) -> list[PublicState]:
    """The hands of the side to move at the public state of a position; empty if nobody moves. Raises PositionError.

    There are two states if the public cannot tell whose turn it is.
    """
    held = viewer.hands(position, side)
    movers = sorted({hand.side for hand in held})
    return [_state(viewer, mover, [hand for hand in held if hand.side == mover]) for mover in movers]


def _state(viewer: Viewer, side: int, held: Sequence[Held]) -> PublicState:
    shown = held
    if len(held) > MOST_HANDS:
        likeliest = {hand.position for hand in sorted(held, key=lambda hand: -hand.odds)[:MOST_HANDS]}
        shown = [hand for hand in held if hand.position in likeliest]
    steps, names = apart(viewer.solution.game.title, [hand.position for hand in shown])
    hands = [HandRow(name, hand.odds, viewer.at(hand.position, side)) for name, hand in zip(names, shown, strict=True)]
    moves = list(dict.fromkeys(option.move for hand in hands for option in hand.view.options))
    left_out = len(held) - len(shown), max(0, len(moves) - MOST_MOVES)
    if left_out[1]:
        often = {move: sum(hand.odds_of(move) for hand in hands) for move in moves}
        kept = sorted(moves, key=lambda move: -often[move])[:MOST_MOVES]
        moves = [move for move in moves if move in kept]
    return PublicState(side, steps, hands, moves, left_out)


def apart(title: str, positions: Sequence[str]) -> tuple[list[str], list[str]]:
    """Split positions into the parts that all of them share and the rest of each."""
    parts = [_parts(position.removeprefix(title)) for position in positions]
    shared = [len(set(column)) == 1 for column in zip_longest(*parts)]
    public = [part for part, same in zip(parts[0], shared, strict=False) if same and part]
    return public, ["/".join(part for part, same in zip(row, shared, strict=False) if not same) for row in parts]


def _parts(position: str) -> list[str]:
    """Split a position without its title into the secret and the steps."""
    secret, *steps = position.split("/")
    return [secret.lstrip("@"), *steps]
