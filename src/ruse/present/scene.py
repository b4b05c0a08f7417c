"""Scenes: what lies on a table and who sits around it, as data. `scene_svg` draws a scene.

A game describes its scene in its presentation (`Presentation.picture`); it never writes SVG. Everything that a scene
shows has a text: the texts of a scene are what a screen reader says, and what a page without pictures shows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from ruse.core import rationals
from ruse.core.jsonable import Exact

CARD, BACK, CHIPS, DIE, CUP, BID, MATCH, FACE, NOTE = SHAPES = (
    "card",
    "back",
    "chips",
    "die",
    "cup",
    "bid",
    "match",
    "face",
    "note",
)
HEAD, BETWEEN = "head", "between"  # kinds of squares that are no cells: of a row or column, and between two boards
PASSED, FAILED, OUT, NEXT, LATER = "passed", "failed", "out", "next", "later"  # states of a token


@dataclass(frozen=True)
class Piece:
    """A thing on the table."""

    shape: str
    """card, back, chips, die, cup, bid, match, face or note"""
    text: str = ""
    """what is written on it: Ks on a card, 5 on a die, 2-5 on a bid"""
    says: str = ""
    """what a screen reader says, if it differs from the text"""
    kind: str = ""
    """the colour on a page: mine, theirs, passed, failed, out or ashore"""

    @property
    def words(self) -> str:
        return self.says or self.text


@dataclass(frozen=True)
class Row:
    """Things that belong to one side, or to the middle of the table."""

    name: str
    pieces: Sequence[Piece]

    def words(self) -> str:
        said = [piece.words for piece in self.pieces if piece.words]
        return f"{self.name}: {', '.join(said) or 'nothing'}."


@dataclass(frozen=True)
class TableSeat:
    """Somebody at a round table."""

    name: str
    role: str = ""
    """what it is, where that is known"""
    evil: bool = False
    """whether it is known to be on the secret side"""
    aboard: bool = False
    """whether it is on the team that is out"""
    suspicion: Exact | None = None
    """how likely it is on the secret side; None if nobody asks"""

    def words(self) -> str:
        odds = "" if self.suspicion is None or self.role else f", {rationals.percent(self.suspicion)} suspect"
        role = f", {self.role}" if self.role else ""
        return f"Seat {self.name}{role}{odds}{', in the team' if self.aboard else ''}."


@dataclass(frozen=True)
class Token:
    """A round of the game, in the middle of the table."""

    text: str
    says: str
    """what a screen reader says"""
    state: str = LATER
    """passed, failed, out, next or later"""
    under: str = ""
    """what stands below it"""


@dataclass(frozen=True)
class Square:
    """A cell of a board or a table."""

    text: str = ""
    says: str = ""
    """what a screen reader says, if it differs from the text"""
    kind: str = ""
    """the colour on a page: mine, theirs, ashore or free; or head or between, around which nothing is drawn"""
    sign: str = ""
    """what is drawn instead of the text: one of the signs of `scene_svg`"""


@dataclass(frozen=True)
class Scene:
    """Rows of things, a round table, or the cells of a board."""

    rows: Sequence[Row] = ()
    seats: Sequence[TableSeat] = ()
    tokens: Sequence[Token] = ()
    board: Sequence[Sequence[Square]] = ()

    def text(self) -> list[str]:
        """The sentences that say all that the scene shows."""
        seats = [seat.words() for seat in self.seats]
        cells = [f"{', '.join(filter(None, (cell.says or cell.text for cell in row)))}." for row in self.board]
        return [*seats, *(token.says for token in self.tokens), *(row.words() for row in self.rows), *cells]

    def suspecting(self, odds: Mapping[str, Fraction]) -> Scene:
        """Return the scene with the suspicion of each seat, by name, but for seats that spies know not to be spies."""
        known = any(seat.evil for seat in self.seats)
        seats = [
            replace(seat, suspicion=None if known and not odds.get(seat.name) else odds.get(seat.name, seat.suspicion))
            for seat in self.seats
        ]
        return replace(self, seats=seats)


# Pieces that several games put on the table.


def cards(names: Sequence[str], kind: str = "") -> list[Piece]:
    """Cards that lie open."""
    return [Piece(CARD, name, card_name(name), kind) for name in names]


def hidden_cards(count: int) -> list[Piece]:
    return [Piece(BACK, says="a hidden card") for _ in range(count)]


def chips(count: int | Fraction, purpose: str = "") -> Piece:
    amount = rationals.write(Fraction(count))
    return Piece(CHIPS, amount, f"{amount} chip{'s' * (count != 1)}{f' {purpose}' if purpose else ''}")


def rolled(faces: Sequence[str], kind: str = "") -> list[Piece]:
    return [Piece(DIE, face, f"a die that shows {face}", kind) for face in faces]


RANK_NAMES = {"A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "ten"}
SUIT_NAMES = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}


def card_name(card: str) -> str:
    """Name a card as people do: "king of hearts" for Kh; another text stays as it is."""
    if len(card) == 2 and card[1] in SUIT_NAMES:
        return f"{RANK_NAMES.get(card[0], card[0])} of {SUIT_NAMES[card[1]]}"
    return RANK_NAMES.get(card, card)
