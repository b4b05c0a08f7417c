"""Pictures of what a person knows, made of sentences, a grid and a scene, for both the terminal and the page.

A terminal prints the sentences and the texts of the cells. A page draws the scene (`ruse.present.scene`), and makes a
table of the cells, with texts for screen readers, colours, and buttons for cells that are moves. A game draws itself in
its presentation (Presentation.picture); a user's game may return texts and rows of texts.
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
from ruse.core.game import Game, GameError, State, display_name
from ruse.core.presentation import Presentation
from ruse.present import scene_svg
from ruse.present.scene import BACK, CARD, NOTE, Piece, Row, Scene

if TYPE_CHECKING:
    from ruse.core.plain_games.matrix import Matrix

MOST_COLUMNS = 12  # of a table of payoffs
MOST_DRAWN = 100  # lines, rows and columns of a picture of a user's game
LONGEST = 1_000  # characters of a text in it
MOST_ON_CARD, MOST_KNOWN = 4, 12  # letters on a card, and pieces, of the picture of a game that draws none
ESCAPED = re.compile(r"(~[0-9A-F]{2})+")  # ruse.core.own.written
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
    sign: str = ""
    """what a page draws instead of the text: cross, nought, disc, ring, ship, hit, sunk, miss or wrestler"""


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
    """Sentences, a grid of cells, and a scene of things on a table. The sentences and the grid say all of it."""

    lines: Sequence[str] = ()
    grid: Grid | None = None
    scene: Scene | None = None

    def text(self) -> list[str]:
        """The lines for a terminal. Heads without a text are only for screen readers."""
        if self.grid is None:
            return list(self.lines) or ([] if self.scene is None else self.scene.text())
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


STONES = {"X": "cross", "O": "nought", "x": "disc", "o": "ring"}


def stone(letter: str, mine: bool) -> Cell:
    """A stone of the person or of the other side."""
    owner = "yours" if mine else "the other side's"
    return Cell(letter, f"{letter}, {owner}", "mine" if mine else "theirs", sign=STONES[letter])


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


def usual(game: Game, position: str) -> Picture:
    """The picture of a game that draws none: the parts of what the side knows."""
    first, *steps = position.removeprefix(game.title).split("/")
    held = [_known(text, MOST_ON_CARD) for text in first.split("@") if text]
    pieces = [*held, *(_known(step, 0) for step in steps if step)]
    older = [Piece(NOTE, "…", f"{len(pieces) - MOST_KNOWN} earlier things")] if len(pieces) > MOST_KNOWN else []
    scene = Scene([Row("You know", [*older, *pieces[-MOST_KNOWN:]])])
    return Picture(scene.text(), None, scene) if pieces else Picture()


def _known(text: str, most: int) -> Piece:
    """A part of a position, on a card if it is no longer than `most`, without what makes it safe in addresses."""
    words = ESCAPED.sub(lambda match: bytes.fromhex(match[0].replace("~", "")).decode("utf-8", "replace"), text)
    if words == "?":
        return Piece(BACK, says="something that you do not see")
    return Piece(CARD if len(words) <= most else NOTE, words)


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


def checked(drawn: Picture) -> Picture:
    """Return a picture that a user's game has made, once all of it can be drawn. Raises what drawing it raises."""
    drawn.text()
    if (scene := drawn.scene) is not None:
        for text in scene.text():
            _text(text)
        if max(len(scene.rows), len(scene.seats), *(len(row.pieces) for row in scene.rows), 0) > MOST_DRAWN:
            raise GameError(f"a scene has more than {MOST_DRAWN} rows, seats or pieces in a row")
        scene_svg.draw(scene, "")
    return drawn


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
