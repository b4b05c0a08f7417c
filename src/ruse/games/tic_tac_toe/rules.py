"""Tic-tac-toe: nothing is hidden, so it is solved by backward induction (Bossle 2018, §3.2), and drawn.

The cells are a to i, row by row; a state is the cells in the order they were taken, X (side 0) first.
Plays that give the same board are representative under one: the cells of each side in the order of the alphabet,
but for the last, which is the last letter of those that could have been taken last.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import ClassVar

from ruse.core.capabilities import Open, Representatives
from ruse.core.game import END, PositionError, Titled
from ruse.core.parameters import game_factory

Cells = tuple[str, ...]
CELLS = "abcdefghi"
LINES = [frozenset(line) for line in ("abc", "def", "ghi", "adg", "beh", "cfi", "aei", "ceg")]
THROUGH = {cell: [line for line in LINES if cell in line] for cell in CELLS}


def _lined(cells: Sequence[str]) -> bool:
    return any(line.issubset(cells) for line in LINES)


class TicTacToe(Titled):
    name = title = "tic-tac-toe"
    sides = ("first", "second")
    wins = ("first", "second", "draw")
    provides = (Representatives, Open)
    parts: ClassVar[Mapping[str, str]] = {"presentation": "ruse.games.tic_tac_toe.presentation:TicTacToePresentation"}

    def __init__(self) -> None:
        self.parameters: dict[str, object] = {}

    def start(self) -> Cells:
        return ()

    def turn(self, state: Cells) -> int:
        if state:
            mine = state[(len(state) + 1) % 2 :: 2]  # of the side that moved last
            if len(state) == len(CELLS) or any(line.issubset(mine) for line in THROUGH[state[-1]]):
                return END
        return len(state) % 2

    def moves(self, state: Cells) -> Sequence[str]:
        return [cell for cell in CELLS if cell not in state] if self.turn(state) != END else []

    def odds(self, state: Cells) -> Sequence[Fraction]:
        raise PositionError(f"expected a state where chance moves, got {state!r}")

    def play(self, state: Cells, move: str) -> Cells:
        return (*state, move)

    def knows(self, state: Cells, side: int) -> Cells:
        return state

    def payoff(self, state: Cells) -> Fraction:
        return Fraction(_lined(state[::2]) - _lined(state[1::2]))

    def label(self, move: str) -> str:
        return move

    def format_position(self, knowledge: Cells) -> str:
        return "".join(f"/{cell}" for cell in knowledge)

    def board(self, state: Cells) -> str:
        """The board row by row, such as "X...O...."; it also tells whose turn it is."""
        return "".join("XO"[state.index(cell) % 2] if cell in state else "." for cell in CELLS)

    def read(self, position: str) -> Cells:
        """The state of a position such as "tic-tac-toe/e/a"."""
        head, *steps = position.split("/")
        if head != self.title:
            raise PositionError(f"expected {self.title} and cells, such as {self.title}/e/a, got {position!r}")
        state = self.start()
        for step in steps:
            if self.turn(state) == END:
                raise PositionError(f"expected no cell after the end, got {step!r} in {position!r}")
            if step not in (options := self.moves(state)):
                raise PositionError(f"expected a free cell of {', '.join(options)}, got {step!r} in {position!r}")
            state = self.play(state, step)
        return state

    def representative_position(self, position: str, side: int) -> tuple[str, Callable[[str], str]]:
        """One play represents all that give the same board; cells keep their names."""
        state = self.read(position)
        columns = [sorted(state[::2]), sorted(state[1::2])]
        if state:
            mine = columns[(len(state) + 1) % 2]  # of the side that moved last, whose line came last if it has one
            last = max(cell for cell in mine if not _lined([other for other in mine if other != cell]))
            mine.remove(last)
            mine.append(last)
        representative = tuple(columns[number % 2][number // 2] for number in range(len(state)))
        return self.title + self.format_position(representative), lambda move: move


@game_factory
def tic_tac_toe() -> TicTacToe:
    """Tic-tac-toe: both sides can draw."""
    return TicTacToe()
