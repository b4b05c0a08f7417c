"""Pictures of what a person knows, for the terminal and the page alike: sentences and a grid.

A drawing is made once, of cells with a text. A terminal writes the texts; a page makes a table of them, with what a
screen reader says, a colour beside the letter, and buttons where a cell is a move. A game draws itself in its
presentation (Presentation.picture); that of somebody's own may return texts and rows of texts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ruse.core.capabilities import constant
from ruse.core.contract import shown
from ruse.core.game import GameError, State, display_name
from ruse.core.presentation import Presentation

if TYPE_CHECKING:
    from ruse.core.plain_games.matrix import Matrix

MOST_COLUMNS = 12  # of a table of payoffs
MOST_DRAWN = 100  # lines, rows and columns of somebody's picture
LONGEST = 1_000  # characters of a text in it
NUMBER = re.compile(r"[-−]?[\d/.]*")


@dataclass(frozen=True)
class Cell:
    text: str
    says: str = ""
    """for those who cannot see what a sign means"""
    kind: str = ""
    """how a page colours it"""
    move: str = ""
    """that it stands for, if it is one"""


@dataclass(frozen=True)
class Grid:
    title: str
    heads: Sequence[Cell]
    """of the columns"""
    rows: Sequence[Sequence[Cell]]
    """the first cell of each is its head"""
    kind: str = ""
    """how a page draws it: a board has square cells, and one of nine cells or so has large ones"""


@dataclass(frozen=True)
class Picture:
    """What is drawn: sentences, and a grid of cells."""

    lines: Sequence[str] = ()
    grid: Grid | None = None

    def text(self) -> list[str]:
        """For a terminal. Heads that have no text are for screen readers only."""
        if self.grid is None:
            return list(self.lines)
        table = [self.grid.heads, *self.grid.rows]
        columns = [[row[place].text for row in table] for place in range(len(self.grid.heads))]
        written = [_column(column) for column in columns if any(column)]
        rows = [f"  {' '.join(row)}".rstrip() for row in zip(*written, strict=True)]
        title = [f"{self.grid.title}:"] if self.grid.title else []
        return [*self.lines, *title, *(row for row in rows if row)]

    def moves(self) -> set[str]:
        """Those that can be made by choosing a cell."""
        cells = [] if self.grid is None else [*self.grid.heads, *(cell for row in self.grid.rows for cell in row)]
        return {cell.move for cell in cells if cell.move}


def _column(texts: Sequence[str]) -> list[str]:
    """Texts of one width, numbers to the right."""
    wide = max(map(len, texts))
    numbers = all(NUMBER.fullmatch(text) for text in texts[1:])
    return [f"{text:>{wide}}" if numbers else f"{text:<{wide}}" for text in texts]


# What several games draw.


def stone(sign: str, mine: bool) -> Cell:
    """A stone of the person's, or of the other side's."""
    whose = "yours" if mine else "the other side's"
    return Cell(sign, f"{sign}, {whose}", "mine" if mine else "theirs")


class MatrixPresentation(Presentation["Matrix"]):
    """Of payoff tables."""

    def openspiel_name(self) -> str:
        return self.game.openspiel_name

    def picture(self, knowledge: Any, side: int, end: State | None) -> Picture:
        """What the columns of a table pay the rows, if that fits."""
        game = self.game
        if max(len(game.rows), len(game.columns)) > MOST_COLUMNS:
            return Picture()
        lines = [] if end is not None else [f"You choose {('a row', 'a column')[side]}."]
        return Picture(lines, _payoffs(game))


def _payoffs(game: Matrix) -> Grid:
    heads = [Cell("", display_name(game.sides[0])), *map(Cell, game.columns)]
    rows = [[Cell(row), *(Cell(str(game.payoffs[row, one])) for one in game.columns)] for row in game.rows]
    first, second = map(display_name, game.sides)
    title = f"What {second} {'pay' if second.endswith('s') else 'pays'} {first}"
    if constant(game):
        title = f"What {first} {'get' if first.endswith('s') else 'gets'}"
    return Grid(title, heads, rows)


# What somebody's own game draws.


def read(found: object, options: Sequence[str]) -> Picture:
    """A picture out of plain values: a text is a line, a list of texts a row of the grid. Raises GameError.

    Where the first row begins with an empty text, that row and the first column are heads. Where each of the moves
    stands in one cell, those cells are the moves.
    """
    if isinstance(found, Picture):
        return found
    if isinstance(found, str):
        found = found.splitlines()
    if not isinstance(found, list | tuple):
        raise GameError(f"expected a picture, a list of lines and of rows of texts, got {shown(found)}")
    lines, rows = list[str](), list[list[str]]()
    for one in found:
        if isinstance(one, str):
            lines += _text(one).splitlines() or [""]
        elif isinstance(one, list | tuple):
            rows.append([" ".join(_text(cell).split()) for cell in one])
        else:
            raise GameError(f"expected a line or a row of texts in a picture, got {shown(one)}")
    if max(len(lines), len(rows), *map(len, rows), 0) > MOST_DRAWN:
        raise GameError(f"a picture has more than {MOST_DRAWN} lines, rows or columns")
    return Picture(lines, _grid(rows, options) if any(map(any, rows)) else None)


def _text(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | Fraction | Decimal):
        raise GameError(f"expected a text or an exact number in a picture, got {shown(value)}")
    if len(text := str(value).encode("utf-8", "replace").decode()) > LONGEST:
        raise GameError(f"expected texts of at most {LONGEST:,} characters in a picture, got {len(text):,}")
    return text


def _grid(rows: Sequence[Sequence[str]], options: Sequence[str]) -> Grid:
    wide = max(map(len, rows))
    table = [[*row, *[""] * (wide - len(row))] for row in rows]
    headed = not table[0][0]
    if not headed:
        table = [[""] * (wide + 1), *(["", *row] for row in table)]
    texts = [text for row in table for text in row]
    board = bool(options) and all(texts.count(option) == 1 for option in options)

    def cell(text: str, place: str = "") -> Cell:
        move = text if board and text in options else ""
        return Cell(text, "" if text else place, "free" if move else "", move)

    heads = [cell(table[0][0], "row"), *(cell(text, f"column {at}") for at, text in enumerate(table[0][1:], 1))]
    body = [[cell(row[0], f"row {at}"), *map(cell, row[1:])] for at, row in enumerate(table[1:], 1)]
    return Grid("", heads, body, "" if headed else "board")
