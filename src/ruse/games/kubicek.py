"""Kubíček's running example (lecture slides, 2023): two choices in a row, of which the opponent sees one.

Side 0 picks A or B, in the open, then C or D after A, or E or F after B, in secret. Side 1 answers g or h
after A, i or j after B. So each branch is a matrix game; A's is worth 11/7 and B's 3/2.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ruse.core.capabilities import Ranged
from ruse.core.game import END, PositionError, Titled
from ruse.core.parameters import game_factory

Moves = tuple[str, ...]
HIDDEN = "?"
AFTER = {"A": (("C", "D"), ("g", "h")), "B": (("E", "F"), ("i", "j"))}
PAYOFFS = {"ACg": 3, "ACh": 1, "ADg": -2, "ADh": 3, "BEi": 2, "BEj": 0, "BFi": 1, "BFj": 3}


class Kubicek(Titled):
    name = title = "kubicek"
    sides = ("first", "second")
    wins = ()
    provides = (Ranged,)

    def __init__(self) -> None:
        self.parameters: dict[str, object] = {}

    def start(self) -> Moves:
        return ()

    def turn(self, state: Moves) -> int:
        return (0, 0, 1, END)[len(state)]

    def moves(self, state: Moves) -> Sequence[str]:
        if not state:
            return tuple(AFTER)
        return AFTER[state[0]][len(state) - 1] if len(state) < 3 else ()

    def odds(self, state: Moves) -> Sequence[Fraction]:
        raise PositionError(f"expected a state where chance moves, got {state!r}")

    def play(self, state: Moves, move: str) -> Moves:
        return (*state, move)

    def knows(self, state: Moves, side: int) -> Moves:
        return (state[0], HIDDEN, *state[2:]) if side == 1 and len(state) > 1 else state

    def payoff(self, state: Moves) -> Fraction:
        return Fraction(PAYOFFS["".join(state)])

    def payoff_range(self) -> tuple[Fraction, Fraction]:
        return Fraction(min(PAYOFFS.values())), Fraction(max(PAYOFFS.values()))

    def label(self, move: str) -> str:
        return move

    def format_position(self, knowledge: Moves) -> str:
        return "".join(f"/{move}" for move in knowledge)


@game_factory
def kubicek() -> Kubicek:
    """Kubíček's running example: A or B in the open, then a secret choice; the value is 11/7."""
    return Kubicek()
