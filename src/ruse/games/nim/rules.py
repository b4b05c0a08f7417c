"""Misère Nim, also known as Marienbad: who takes the last match loses.

There are some heaps of matches, 1, 3, 5 and 7 unless others are asked for. In turn each side takes as many as it likes
from one heap, at least one. Who takes the last match loses (Cauwet and Teytaud 2018, §III, who count 383 states that
are not the end: 2 · 4 · 6 · 8 - 1, which is how many ways there are to have matches left on these heaps).

`nim@first/1,3,5,7` is the start: first to move, and the heaps. Heaps are called a, b, c, …; `d7` takes seven from d.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import prod
from string import ascii_lowercase
from typing import Annotated, ClassVar, NamedTuple

from ruse.core.capabilities import Memoryless
from ruse.core.game import END, GameError, PositionError, Titled
from ruse.core.parameters import game_factory

HEAPS = (1, 3, 5, 7)
MOST_STATES = 100_000  # with one side to move


class Heaps(NamedTuple):
    turn: int
    heaps: tuple[int, ...]


class Nim(Titled):
    name = "nim"
    sides = ("first", "second")
    wins = ("first", "second")
    provides = (Memoryless,)
    parts: ClassVar[Mapping[str, str]] = {"presentation": "ruse.games.nim.presentation:NimPresentation"}

    def __init__(self, heaps: Sequence[int]) -> None:
        if not 1 <= len(heaps) <= len(ascii_lowercase):
            raise GameError(f"expected 1 to {len(ascii_lowercase)} heaps, got {len(heaps)}")
        if min(heaps) < 1:
            raise GameError(f"expected at least one match on every heap, got {min(heaps)}")
        if (states := prod(heap + 1 for heap in heaps)) > MOST_STATES:
            raise GameError(f"expected heaps with at most {MOST_STATES:,} ways to be taken from, got {states:,}")
        self.heaps = tuple(heaps)
        changed = self.heaps != HEAPS
        self.title = f"{self.name}(heaps={'-'.join(map(str, heaps))})" if changed else self.name
        self.parameters: dict[str, object] = {"heaps": list(heaps)}

    def start(self) -> Heaps:
        return Heaps(0, self.heaps)

    def turn(self, state: Heaps) -> int:
        return state.turn if any(state.heaps) else END

    def moves(self, state: Heaps) -> Sequence[tuple[int, int]]:
        """(heap, matches) to take."""
        return [(heap, taken) for heap, left in enumerate(state.heaps) for taken in range(1, left + 1)]

    def odds(self, state: Heaps) -> Sequence[Fraction]:
        raise PositionError(f"expected a state where chance moves, got {state!r}")

    def play(self, state: Heaps, move: tuple[int, int]) -> Heaps:
        heap, taken = move
        heaps = list(state.heaps)
        heaps[heap] -= taken
        return Heaps(1 - state.turn, tuple(heaps))

    def knows(self, state: Heaps, side: int) -> Heaps:
        return state

    def payoff(self, state: Heaps) -> Fraction:
        return Fraction(1 if state.turn == 0 else -1)  # the other side took the last match

    def label(self, move: tuple[int, int]) -> str:
        heap, taken = move
        return f"{ascii_lowercase[heap]}{taken}"

    def format_position(self, knowledge: Heaps) -> str:
        return f"@{self.sides[knowledge.turn]}/{','.join(map(str, knowledge.heaps))}"

    def board(self, state: Heaps) -> Heaps:
        return state

    def returns(self) -> bool:
        return False


@game_factory
def nim(heaps: Annotated[Sequence[int], "how many matches are in each heap"] = HEAPS) -> Nim:
    """Misère Nim (Marienbad): who takes the last match loses."""
    return Nim(heaps)
