"""Games in which neither side ever sees the board: each writes a list of places before the first stone is laid.

Stones are laid in turns, side 0 first. A turn takes the first place of the side's list that has room and that it has
not passed yet; a place has room for one stone (a cell) or for several, which then lie on each other (a column). The
first line of stones of one side wins, a full board is a draw. As a full place stays full, an entry that was passed
over is passed over for good, and a list that names each place as often as it has room says all that a pure strategy
can say: the game is a table with a row and a column a list. As a tree, side 0 picks a list and side 1 picks one
without seeing it, as in a matrix game: `TITLE/?` is all that side 1 knows.

The board has renamings of its places (it can be turned or mirrored) that change nothing. So some optimal strategy
plays a list and all its images equally often, and is told as one line for all of them.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import factorial
from typing import ClassVar, overload

from ruse.core.game import GameError
from ruse.core.plain_games.matrix import HIDDEN, AtOnce, Chosen

Line = tuple[int, ...]  # cells: place * room + height
LETTERS = "abcdefghijklmnopqrstuvwxyz"
MOST_CELLS = 62  # bits of an integer


class Lists(Sequence[str]):
    """All lists that name each place as often as it has room, in order, without writing them down."""

    def __init__(self, places: str, room: int) -> None:
        self.places, self.room = places, room
        self.total: int = factorial(len(places) * room) // factorial(room) ** len(places)

    def __len__(self) -> int:
        return min(self.total, sys.maxsize)  # Python cannot count further

    def __contains__(self, item: object) -> bool:
        return (
            isinstance(item, str)
            and len(item) == len(self.places) * self.room
            and sorted(item) == sorted(self.places * self.room)
        )

    def __iter__(self) -> Iterator[str]:
        return (self[number] for number in range(self.total))

    @overload
    def __getitem__(self, number: int) -> str: ...

    @overload
    def __getitem__(self, number: slice) -> Sequence[str]: ...

    def __getitem__(self, number: int | slice) -> str | Sequence[str]:
        if isinstance(number, slice):
            return [self[place] for place in range(*number.indices(len(self)))]
        if not -self.total <= number < self.total:
            raise IndexError(f"expected a number below {self.total:,}, got {number}")
        rest, ways = number % self.total, self.total
        left, text = self.places * self.room, ""
        while left:
            for place in self.places:
                begin = ways * left.count(place) // len(left)  # lists that go on with this place
                if rest < begin:
                    text, ways, left = text + place, begin, left.replace(place, "", 1)
                    break
                rest -= begin
        return text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Lists) and (self.places, self.room) == (other.places, other.room)

    def __hash__(self) -> int:
        return hash((self.places, self.room))


class Unseen(AtOnce):
    sides = ("first", "second")
    wins = ("first", "second", "draw")
    parts: ClassVar[Mapping[str, str]] = {
        "solve": "ruse.games.phantom.solve",
        "verify": "ruse.games.phantom.verify",
        "presentation": "ruse.games.phantom.presentation:UnseenPresentation",
    }

    def __init__(
        self,
        name: str,
        usual: Mapping[str, object],
        parameters: Mapping[str, object],
        places: str,
        room: int,
        lines: Sequence[Line],
        renamings: Sequence[str],
    ) -> None:
        """`renamings` are what the places are called after each way to turn or mirror the board."""
        self.name = name
        self.parameters = dict(parameters)
        changed = ",".join(f"{key}={value}" for key, value in parameters.items() if value != usual[key])
        self.title = f"{name}({changed})" if changed else name
        self.places, self.room, self.lines, self.renamings = places, room, tuple(lines), tuple(dict.fromkeys(renamings))
        self.lists = Lists(places, room)

    def moves(self, state: Chosen) -> Sequence[str]:
        return self.lists if len(state) < 2 else ()

    def payoff(self, state: Chosen) -> Fraction:
        first, second = state
        return Fraction(self.outcome(first, second))

    def outcome(self, first: str, second: str) -> int:
        """1 if the first list wins against the second, -1 if it loses, 0 if the board fills."""
        return self.laid(first, second)[1]

    def laid(self, first: str, second: str) -> tuple[list[int], int]:
        """The cells that stones are laid on, in turns, up to the first line or all of them; and the outcome."""
        cells: list[int] = []
        entries = iter(first), iter(second)
        stones: tuple[set[int], set[int]] = (set(), set())
        heights = dict.fromkeys(self.places, 0)
        for turn in range(len(first)):
            side = turn % 2
            place = next(entry for entry in entries[side] if heights[entry] < self.room)
            cells.append(self.places.index(place) * self.room + heights[place])
            stones[side].add(cells[-1])
            heights[place] += 1
            if any(stones[side].issuperset(line) for line in self.lines):
                return cells, 1 - 2 * side
        return cells, 0

    def images(self, name: str) -> list[str]:
        """A list under each renaming of the places."""
        return [name.translate(str.maketrans(self.places, names)) for names in self.renamings]

    def position(self, side: int) -> str:
        """The one position of a side."""
        return self.title + ("", f"/{HIDDEN}")[side]


def read_board(board: str, line: int, most: int) -> tuple[int, int]:
    """Rows and columns of a board such as 3x3, on which a line of so many fits."""
    match = re.fullmatch(r"(\d{1,2})x(\d{1,2})", board)
    rows, columns = map(int, match.groups()) if match else (0, 0)
    if not 1 <= rows * columns <= most:
        raise GameError(f"expected a board of rows x columns, such as 3x3, of 1 to {most} cells, got {board!r}")
    if not 2 <= line <= max(rows, columns):
        raise GameError(f"expected a line of 2 to {max(rows, columns)} stones on a board of {board}, got {line}")
    return rows, columns


def straight_lines(rows: int, columns: int, length: int) -> list[list[tuple[int, int]]]:
    """All straight lines of that length, as cells (row, column)."""
    lines = []
    for row in range(rows):
        for column in range(columns):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                if 0 <= row + down * (length - 1) < rows and 0 <= column + right * (length - 1) < columns:
                    lines.append([(row + down * step, column + right * step) for step in range(length)])
    return lines
