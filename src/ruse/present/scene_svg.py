"""Scenes as SVG: a round table with seats and tokens, a board, or rows of cards, chips and other things.

Shapes, letters and numbers carry all information. Classes are there for pages that have colours; elsewhere the
attributes beside them give quiet ones, on light paper and on dark.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import cos, pi, sin
from typing import NamedTuple

from ruse.present import svg
from ruse.present.scene import (
    BACK,
    BETWEEN,
    BID,
    CARD,
    CHIPS,
    CUP,
    DIE,
    FACE,
    HEAD,
    LATER,
    MATCH,
    NEXT,
    Piece,
    Row,
    Scene,
    Square,
    TableSeat,
    Token,
)

WIDE = 440.0  # pixels of a scene
LARGE = 1.2  # times as large is a scene of few things shown
FONT = "system-ui, sans-serif"
NARROW = 200.0  # of rows, at least
MARGIN, GAP, NAME, ROW_GAP = 16.0, 8.0, 7.8, 16.0  # around a scene, between pieces, a letter of a name, between rows
TALL = 316.0  # pixels of a round table
SEAT, TOKEN = 29.0, 21.0  # radius
ACROSS, DOWN = 178.0, 112.0  # from the middle of the table to a seat
FELT_ACROSS, FELT_DOWN = 172.0, 104.0
LETTER = 9.0  # pixels of a letter in a note
MOST_LETTERS = 34  # in a note
SUITS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
RED = "hd"
PIPS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    5: [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
    6: [(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)],
}
INK, PAPER, SHADE = "#1f2327", "#ffffff", "#f1efe9"  # where no page has colours
SQUARE = 44.0  # pixels of a cell of a board
LEVELS = 5  # of suspicion, from cleared to certain


def draw(scene: Scene, name: str) -> str:
    """Return the picture of a scene; `name` says what it shows, and the scene's own texts describe it."""
    size, parts = _round_table(scene) if scene.seats else _board(scene.board) if scene.board else _rows(scene.rows)
    described = svg.described(" ".join(scene.text()))
    large = 1.0 if scene.seats else LARGE
    look: dict[str, svg.Attribute] = {"width": large * size[0], "height": large * size[1], "font_family": FONT}
    return svg.picture(size, name, [described, *parts], False, False, class_="scene", **look)


# A round table.


def _round_table(scene: Scene) -> tuple[svg.Point, list[str]]:
    middle = (WIDE / 2, TALL / 2)
    felt = svg.ellipse(middle, (FELT_ACROSS, FELT_DOWN), class_="felt", fill=SHADE)
    count = len(scene.seats)
    radius = min(SEAT, 2.3 * (ACROSS + DOWN) / count / 2)
    seats = []
    for number, seat in enumerate(scene.seats):
        angle = 2 * pi * number / count - pi / 2
        seats.append(_seat(seat, (middle[0] + ACROSS * cos(angle), middle[1] + DOWN * sin(angle)), radius))
    return (WIDE, TALL), [felt, *_tokens(scene.tokens, middle), *seats]


def suspicion(seat: TableSeat) -> str:
    """The class of a seat: how suspect it is, as far as that is known."""
    if seat.evil or seat.suspicion == 1:
        return "suspect certain"
    if seat.role or seat.suspicion is None:
        return "suspect"
    return f"suspect level{min(LEVELS - 1, int(LEVELS * seat.suspicion))}"


def _seat(seat: TableSeat, at: svg.Point, radius: float) -> str:
    x, y = at
    small = max(11.0, 0.45 * radius)
    below = seat.role or ("" if seat.suspicion is None else _percent(seat.suspicion))
    shift = 0.0 if not below else -0.18 * radius
    parts = [
        svg.title(seat.words()),
        svg.dot(at, radius, fill=PAPER, stroke=INK, stroke_width=1.5, class_="disc"),
        svg.label(seat.name, x, y + shift + 0.24 * radius, class_="name", text_anchor="middle", font_weight=700),
    ]
    if below:
        written = svg.label(below, x, y + 0.62 * radius, class_="small", text_anchor="middle", font_size=small)
        parts.append(written)
    if seat.aboard:
        parts.append(svg.dot(at, radius + 5, fill="none", stroke=INK, stroke_width=3, class_="ring"))
    return svg.group(*parts, class_=suspicion(seat), font_size=max(13.0, 0.66 * radius))


def _percent(share: Fraction) -> str:
    """Round to a whole percentage; only what is certain is 0% or 100%."""
    whole = round(100 * share)
    if share in (0, 1) or 0 < whole < 100:
        return f"{whole}%"
    return ">99%" if whole else "<1%"


def _tokens(tokens: Sequence[Token], middle: svg.Point) -> list[str]:
    pace = min(2 * TOKEN + 8, 1.55 * FELT_ACROSS / max(1, len(tokens)))
    radius, first = min(TOKEN, pace / 2 - 2), middle[0] - (len(tokens) - 1) / 2 * pace
    return [_token(token, (first + place * pace, middle[1] - 6), radius) for place, token in enumerate(tokens)]


def _token(token: Token, at: svg.Point, radius: float) -> str:
    x, y = at
    disc: dict[str, svg.Attribute] = {"fill": PAPER, "stroke": INK, "stroke_width": 2.5 if token.state == NEXT else 1.5}
    parts = [
        svg.title(token.says),
        svg.dot(at, radius, **disc, stroke_dasharray="4 3" if token.state == LATER else None, class_="disc"),
        svg.label(token.text, x, y + 7, text_anchor="middle", font_weight=700),
    ]
    size = min(13.0, 1.9 * (2 * radius + 8) / max(1, len(token.under)))
    if token.under:
        parts.append(svg.label(token.under, x, y + radius + 15, class_="small", text_anchor="middle", font_size=size))
    return svg.group(*parts, class_=f"token {token.state}", font_size=19)


# Rows of things.


class Shape(NamedTuple):
    """How large a piece is, and how it is drawn from its left upper corner."""

    width: float
    height: float
    draw: Callable[[Piece, float, float], str]


def _rows(rows: Sequence[Row]) -> tuple[svg.Point, list[str]]:
    """Draw rows below each other, with their names to the left."""
    indent = MARGIN + max((NAME * len(row.name) for row in rows), default=0) + 2 * GAP
    parts, top, right = [], MARGIN, NARROW
    for row in rows:
        lines = _lines(row.pieces, WIDE - MARGIN - indent)
        middle = top + max((shape.height for _, shape in lines[0]), default=0) / 2
        parts.append(svg.label(row.name, MARGIN, middle + 5, class_="small", font_size=14))
        for line in lines:
            drawn, end, height = _line_of(line, indent, top)
            parts += drawn
            right, top = max(right, end), top + height + GAP
        top += ROW_GAP - GAP
    size = (right + MARGIN, top - ROW_GAP + MARGIN)
    return size, [svg.box((0, 0), size, corner=18, class_="felt", fill=SHADE), *parts]


def _lines(pieces: Sequence[Piece], room: float) -> list[list[tuple[Piece, Shape]]]:
    """Break pieces into lines."""
    lines: list[list[tuple[Piece, Shape]]] = [[]]
    left = 0.0
    for piece in pieces:
        shape = _shape(piece)
        if left and left + shape.width > room:
            lines.append([])
            left = 0.0
        lines[-1].append((piece, shape))
        left += shape.width + GAP
    return lines


def _line_of(line: Sequence[tuple[Piece, Shape]], left: float, top: float) -> tuple[list[str], float, float]:
    """Draw a line of pieces around its middle; return where it ends, and how high it is."""
    height, parts = max((shape.height for _, shape in line), default=0.0), []
    for piece, shape in line:
        kinds = f"piece {piece.shape} {piece.kind}".rstrip()
        words = [svg.title(piece.words)] if piece.words else []
        parts.append(svg.group(*words, shape.draw(piece, left, top + (height - shape.height) / 2), class_=kinds))
        left += shape.width + GAP
    return parts, left - GAP, height


def _shape(piece: Piece) -> Shape:
    shapes = {
        CARD: Shape(48, 66, _card),
        BACK: Shape(48, 66, _back),
        CHIPS: Shape(52, 66, _chips),
        DIE: Shape(46, 46, lambda piece, left, top: die(piece.text, left, top, 46)),
        CUP: Shape(52, 52, _cup),
        BID: Shape(84, 46, _bid),
        MATCH: Shape(8, 52, _match),
        FACE: Shape(26, 34, _face),
    }
    return shapes.get(piece.shape) or Shape(LETTER * len(_short(piece.text)) + 26, 40, _note)


def _paper(left: float, top: float, width: float, height: float, corner: float = 6) -> str:
    return svg.box(
        (left, top), (width, height), corner=corner, class_="paper", fill=PAPER, stroke=INK, stroke_width=1.5
    )


def _text(words: str, x: float, y: float, size: float, **more: svg.Attribute) -> str:
    return svg.label(words, x, y, text_anchor="middle", font_size=size, **{"fill": INK, **more})


def _card(piece: Piece, left: float, top: float) -> str:
    text = piece.text
    suited = len(text) == 2 and text[1] in SUITS
    paper = _paper(left, top, 48, 66)
    if not suited:
        return paper + _text(text, left + 24, top + 43, max(12.0, 30 - 5 * max(0, len(text) - 2)), font_weight=700)
    red = "red" if text[1] in RED else "black"
    rank = _text(text[0], left + 24, top + 32, 27, font_weight=700, class_=red)
    return paper + rank + _text(SUITS[text[1]], left + 24, top + 57, 23, class_=red)


def _back(piece: Piece, left: float, top: float) -> str:
    inner = svg.box(
        (left + 5, top + 5), (38, 56), corner=4, class_="back", fill="none", stroke=INK, stroke_dasharray="3 3"
    )
    return _paper(left, top, 48, 66) + inner + _text("?", left + 24, top + 42, 26)


def _chips(piece: Piece, left: float, top: float) -> str:
    stack = [
        svg.ellipse((left + 26, top + 54 - 6 * level), (22, 9), class_="chip-edge", fill=PAPER, stroke=INK)
        for level in range(3)
    ]
    size = max(11.0, 19 - 2 * max(0, len(piece.text) - 3))
    return "".join(stack) + _text(piece.text, left + 26, top + 24, size, font_weight=700)


def die(face: str, left: float, top: float, size: float) -> str:
    """A die that shows a face: as pips up to six, else as a number."""
    paper = _paper(left, top, size, size, size / 5)
    x, y = left + size / 2, top + size / 2
    if not face.isdecimal() or int(face) not in PIPS:
        return paper + _text(face, x, y + size / 6, size / 2.2, font_weight=700)
    step = size / 3.7
    pips = PIPS[int(face)]
    return paper + "".join(
        svg.dot((x + step * at, y + step * down), size / 11, class_="pip", fill=INK) for at, down in pips
    )


def _cup(piece: Piece, left: float, top: float) -> str:
    corners = [(left + 10, top + 2), (left + 42, top + 2), (left + 50, top + 50), (left + 2, top + 50)]
    shape = svg.shape(corners, class_="cup", fill=PAPER, stroke=INK, stroke_width=1.5, stroke_linejoin="round")
    return shape + _text("?", left + 26, top + 36, 24, font_weight=700)


def _bid(piece: Piece, left: float, top: float) -> str:
    number, _, face = piece.text.partition("-")
    corners = [(left + 12, top + 40), (left + 8, top + 52), (left + 24, top + 40)]
    tail = svg.shape(corners, class_="paper", fill=PAPER, stroke=INK, stroke_width=1.5)
    paper = tail + _paper(left, top, 84, 41, 12)
    if not face:
        return paper + _text(_short(piece.text), left + 42, top + 27, 17, font_weight=700)
    return paper + _text(f"{number} ×", left + 27, top + 27, 18, font_weight=700) + die(face, left + 46, top + 6, 29)


def _match(piece: Piece, left: float, top: float) -> str:
    stick = svg.box((left + 2, top + 8), (4, 44), corner=1, class_="stick", fill=PAPER, stroke=INK)
    return stick + svg.ellipse((left + 4, top + 6), (4, 5), class_="head", fill=INK)


def _face(piece: Piece, left: float, top: float) -> str:
    paper = _paper(left, top, 26, 34, 4)
    head = svg.dot((left + 13, top + 12), 5.5, class_="person", fill=INK)
    shoulders = svg.ellipse((left + 13, top + 27), (8.5, 6), class_="person", fill=INK)
    return paper + head + shoulders


def _note(piece: Piece, left: float, top: float) -> str:
    words = _short(piece.text)
    width = LETTER * len(words) + 26
    return _paper(left, top, width, 40, 20) + _text(words, left + width / 2, top + 26, 16)


def _short(words: str) -> str:
    return words if len(words) <= MOST_LETTERS else f"{words[: MOST_LETTERS - 1]}…"


# Boards.


def _board(board: Sequence[Sequence[Square]]) -> tuple[svg.Point, list[str]]:
    """Draw cells in rows; columns of words are as wide as their longest word."""
    words = [["" if cell.sign else cell.text for cell in column] for column in zip(*board, strict=True)]
    wide = [max(SQUARE, LETTER * max(map(len, column)) + 14) for column in words]
    parts = []
    for down, row in enumerate(board):
        left = MARGIN
        for cell, width in zip(row, wide, strict=True):
            parts.append(_square(cell, (left, MARGIN + down * SQUARE), width))
            left += width
    size = (sum(wide) + 2 * MARGIN, len(board) * SQUARE + 2 * MARGIN)
    return size, [svg.box((0, 0), size, corner=18, class_="felt", fill=SHADE), *parts]


def _square(cell: Square, at: svg.Point, width: float) -> str:
    x, y = at
    parts = [svg.title(cell.says or cell.text)] if cell.says or cell.text else []
    if cell.kind not in (HEAD, BETWEEN):
        parts.append(svg.box(at, (width, SQUARE), class_="paper", fill=PAPER, stroke=INK))
    if cell.sign:
        shift = f"translate({x + width / 2 - 16:g} {y + SQUARE / 2 - 16:g})"
        parts.append(svg.group(*SIGNS[cell.sign](), transform=shift))
    elif cell.text:
        parts.append(_text(cell.text, x + width / 2, y + SQUARE / 2 + 6, 16))
    return svg.group(*parts, class_=f"cell {cell.kind}".rstrip())


# Signs in the cells of a board.


def sign(name: str) -> str:
    """Return a small picture for a cell of a board, beside a text that says the same."""
    return svg.icon(32, 32, *SIGNS[name](), class_=f"sign {name}")


def _line(start: svg.Point, end: svg.Point) -> str:
    return svg.straight(start, end, stroke="currentColor", stroke_width=4, stroke_linecap="round")


SIGNS: dict[str, Callable[[], list[str]]] = {
    "cross": lambda: [_line((7, 7), (25, 25)), _line((25, 7), (7, 25))],
    "nought": lambda: [svg.dot((16, 16), 10, fill="none", stroke="currentColor", stroke_width=4)],
    "disc": lambda: [svg.dot((16, 16), 13, fill="currentColor")],
    "ring": lambda: [svg.dot((16, 16), 11, fill="none", stroke="currentColor", stroke_width=5)],
    "hit": lambda: [_line((9, 9), (23, 23)), _line((23, 9), (9, 23))],
    "sunk": lambda: [
        svg.box((2, 2), (28, 28), corner=4, fill="none", stroke="currentColor", stroke_width=2),
        _line((9, 9), (23, 23)),
        _line((23, 9), (9, 23)),
    ],
    "miss": lambda: [svg.dot((16, 16), 4, fill="currentColor")],
    "ship": lambda: [svg.box((4, 10), (24, 13), corner=6, fill="currentColor")],
    "wrestler": lambda: [
        svg.dot((16, 9), 6, fill="currentColor"),
        svg.ellipse((16, 24), (11, 8), fill="currentColor"),
    ],
}
