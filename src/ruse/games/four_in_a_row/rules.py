"""4-in-a-row: stones fall into columns, in turns, and nothing is hidden; the first line of four wins.

On the usual board of six rows and seven columns the first side wins (Allen 1988; Allis 1988). Columns are a, b, c, …
from left to right. A position names the board, as it does not matter how it came about: the columns from left to right,
each from the ground up, x for stones of the first side and o for those of the second: `4-in-a-row@-,-,-,xo,x,-,-` after
d, d, e. A full board without a line is a draw.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, ClassVar, NamedTuple

from ruse.core.capabilities import Memoryless
from ruse.core.game import END, GameError, PositionError, Titled
from ruse.core.parameters import game_factory

if TYPE_CHECKING:
    pass

ROWS, COLUMNS, LINE = 6, 7, 4
MOST_BITS = 62  # of a board: a bit a cell, and one above each column that stays empty
MOST_COUNTED = 16  # cells of a board whose positions can be visited one by one


class Stones(NamedTuple):
    """Bits column by column, from the ground up, with one more above each column that stays empty."""

    first: int
    second: int


class FourInARow(Titled):
    name = "4-in-a-row"
    sides = ("first", "second")
    wins = ("first", "second", "draw")
    provides = (Memoryless,)
    parts: ClassVar[Mapping[str, str]] = {
        "solve": "ruse.games.four_in_a_row.solve",
        "verify": "ruse.games.four_in_a_row.verify",
        "presentation": "ruse.games.four_in_a_row.presentation:FourInARowPresentation",
    }

    def __init__(self, rows: int, columns: int, line: int) -> None:
        if rows < 1 or columns < 1 or columns * (rows + 1) > MOST_BITS:
            raise GameError(
                f"expected rows and columns with columns × (rows + 1) of at most {MOST_BITS}, got {rows} and {columns}"
            )
        if not 2 <= line <= max(rows, columns):
            raise GameError(f"expected a line of 2 to {max(rows, columns)} stones, got {line}")
        self.rows, self.columns, self.line = rows, columns, line
        self.parameters: dict[str, object] = {"rows": rows, "columns": columns, "line": line}
        usual = {"rows": ROWS, "columns": COLUMNS, "line": LINE}
        changed = ",".join(f"{key}={value}" for key, value in self.parameters.items() if value != usual[key])
        self.title = f"{self.name}({changed})" if changed else self.name

    @property
    def cells(self) -> int:
        return self.rows * self.columns

    def check_countable(self, purpose: str) -> None:
        """Refuse what would visit every position of a large board."""
        if self.cells > MOST_COUNTED:
            raise GameError(
                f"expected a board of at most {MOST_COUNTED} cells {purpose}, got {self.cells} in {self.title}: "
                "use alpha-beta"
            )

    def start(self) -> Stones:
        return Stones(0, 0)

    def turn(self, state: Stones) -> int:
        first, second = state.first.bit_count(), state.second.bit_count()
        if first + second == self.cells or self._lined(state.second if first == second else state.first):
            return END
        return first - second

    def _lined(self, stones: int) -> bool:
        """Whether some stones have a line: stones that have others at the same step from them, again and again."""
        for step in (1, self.rows, self.rows + 1, self.rows + 2):
            left = stones
            for number in range(1, self.line):
                left &= stones >> number * step
            if left:
                return True
        return False

    def moves(self, state: Stones) -> Sequence[int]:
        """The columns that have room."""
        taken = state.first | state.second
        return [column for column in range(self.columns) if not taken >> self._ground(column) + self.rows - 1 & 1]

    def _ground(self, column: int) -> int:
        return column * (self.rows + 1)

    def odds(self, state: Stones) -> Sequence[Fraction]:
        raise PositionError(f"expected a state where chance moves, got {state!r}")

    def play(self, state: Stones, move: int) -> Stones:
        taken = state.first | state.second
        column = taken >> self._ground(move) & (1 << self.rows) - 1
        stone = column + 1 << self._ground(move)  # stones lie on each other, so this is the lowest bit without one
        if state.first.bit_count() == state.second.bit_count():
            return state._replace(first=state.first | stone)
        return state._replace(second=state.second | stone)

    def knows(self, state: Stones, side: int) -> Stones:
        return state

    def payoff(self, state: Stones) -> Fraction:
        return Fraction(self._lined(state.first) - self._lined(state.second))

    def label(self, move: int) -> str:
        return chr(ord("a") + move)

    def format_position(self, knowledge: Stones) -> str:
        columns = []
        for column in range(self.columns):
            cells = range(self._ground(column), self._ground(column) + self.rows)
            columns.append(
                "".join("xo"[knowledge.second >> cell & 1] for cell in cells if self._taken(knowledge, cell))
            )
        return "@" + ",".join(column or "-" for column in columns)

    def _taken(self, state: Stones, cell: int) -> bool:
        return bool((state.first | state.second) >> cell & 1)

    def read(self, position: str) -> Stones:
        """The board of a position where somebody moves."""
        title, _, board = position.partition("@")
        columns = ["" if column == "-" else column for column in board.split(",")]
        first = second = 0
        for number, column in enumerate(columns):
            for height, stone in enumerate(column):
                cell = 1 << self._ground(number) + height
                first, second = first | cell * (stone == "x"), second | cell * (stone == "o")
        state = Stones(first, second)
        if (
            title != self.title
            or len(columns) != self.columns
            or max(map(len, columns)) > self.rows
            or self.format_position(state) != f"@{board}"
            or first.bit_count() - second.bit_count() not in (0, 1)
            or self._lined(first)
            or self._lined(second)
        ):
            raise PositionError(
                f"expected a board such as {self.title}{self.format_position(Stones(0, 0))}, got {position!r}"
            )
        return state

    def board(self, state: Stones) -> Stones:
        return state

    def returns(self) -> bool:
        return False


@game_factory
def four_in_a_row(
    rows: Annotated[int, "cells of a column"] = ROWS,
    columns: Annotated[int, "how many columns there are"] = COLUMNS,
    line: Annotated[int, "how many in a row win"] = LINE,
) -> FourInARow:
    """4-in-a-row: stones fall into columns, and nothing is hidden."""
    return FourInARow(rows, columns, line)
