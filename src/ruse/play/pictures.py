"""Pictures of what a person knows, made of sentences and a grid, for both the terminal and the page.

A terminal prints the texts of the cells; a page makes a table of them, with texts for screen readers, colours, and
buttons for cells that are moves. A game draws itself in its presentation (Presentation.picture); a user's game may
return texts and rows of texts.
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
MOST_DRAWN = 100  # lines, rows and columns of a picture of a user's game
LONGEST = 1_000  # characters of a text in it
NUMBER = re.compile(r"[-−]?[\d/.]*")


@dataclass(frozen=True)
class Cell:
    text: str
    says: str = ""
    """what a screen reader says, if it differs from the text"""
    kind: str = ""
    """the colour on a page"""
    move: str = ""
    """the move that choosing this cell makes, if it makes one"""


@dataclass(frozen=True)
class Grid:
    title: str
    heads: Sequence[Cell]
    """of the columns"""
    rows: Sequence[Sequence[Cell]]
    """the first cell of each is its head"""
    kind: str = ""
    """the style on a page: a board has square cells, and a board of about nine cells has large ones"""


@dataclass(frozen=True)
class Picture:
    """Sentences, and a grid of cells."""

    lines: Sequence[str] = ()
    grid: Grid | None = None

    def text(self) -> list[str]:
        """The lines for a terminal. Heads without a text are only for screen readers."""
        if self.grid is None:
            return list(self.lines)
        table = [self.grid.heads, *self.grid.rows]
        columns = [[row[place].text for row in table] for place in range(len(self.grid.heads))]
        written = [_column(column) for column in columns if any(column)]
        rows = [f"  {' '.join(row)}".rstrip() for row in zip(*written, strict=True)]
        title = [f"{self.grid.title}:"] if self.grid.title else []
        return [*self.lines, *title, *(row for row in rows if row)]

    def moves(self) -> set[str]:
        """The moves that choosing a cell makes."""
        cells = [] if self.grid is None else [*self.grid.heads, *(cell for row in self.grid.rows for cell in row)]
        return {cell.move for cell in cells if cell.move}


def _column(texts: Sequence[str]) -> list[str]:
    """Pad texts to one width, with numbers to the right."""
    wide = max(map(len, texts))
    numbers = all(NUMBER.fullmatch(text) for text in texts[1:])
    return [f"{text:>{wide}}" if numbers else f"{text:<{wide}}" for text in texts]


# What several games draw.


def stone(sign: str, mine: bool) -> Cell:
    """A stone of the person or of the other side."""
    owner = "yours" if mine else "the other side's"
    return Cell(sign, f"{sign}, {owner}", "mine" if mine else "theirs")


class MatrixPresentation(Presentation["Matrix"]):
    """The presentation of payoff tables."""

    def openspiel_name(self) -> str:
        return self.game.openspiel_name

    def picture(self, knowledge: Any, side: int, end: State | None) -> Picture:
        """The payoff table, if it is small enough to draw."""
        game = self.game
        if max(len(game.rows), len(game.columns)) > MOST_COLUMNS:
            return Picture()
        lines = [] if end is not None else [f"You choose {('a row', 'a column')[side]}."]
        return Picture(lines, _payoffs(game))


def _payoffs(game: Matrix) -> Grid:
    heads = [Cell("", display_name(game.sides[0])), *map(Cell, game.columns)]
    rows = [[Cell(row), *(Cell(str(game.payoffs[row, column])) for column in game.columns)] for row in game.rows]
    first, second = map(display_name, game.sides)
    title = f"What {second} {'pay' if second.endswith('s') else 'pays'} {first}"
    if constant(game):
        title = f"What {first} {'get' if first.endswith('s') else 'gets'}"
    return Grid(title, heads, rows)


# Pictures of users' games.


def read(drawn: object, options: Sequence[str]) -> Picture:
    """Read a picture from plain values: a text is a line, a list of texts a row of the grid. Raises GameError.

    If the first row begins with an empty text, that row and the first column are heads. If each move is the text of
    exactly one cell, those cells make the moves.
    """
    if isinstance(drawn, Picture):
        return drawn
    if isinstance(drawn, str):
        drawn = drawn.splitlines()
    if not isinstance(drawn, list | tuple):
        raise GameError(f"expected a picture, which is a list of lines and rows of texts, got {shown(drawn)}")
    lines, rows = list[str](), list[list[str]]()
    for line in drawn:
        if isinstance(line, str):
            lines += _text(line).splitlines() or [""]
        elif isinstance(line, list | tuple):
            rows.append([" ".join(_text(cell).split()) for cell in line])
        else:
            raise GameError(f"expected a line or a row of texts in a picture, got {shown(line)}")
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
