"""Two people at a card table: their cards, what they have put in, and what they did last. Shared by the poker games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ruse.play.pictures import Picture
from ruse.present.scene import NOTE, Piece, Row, Scene, cards, chips, hidden_cards


@dataclass(frozen=True)
class Player:
    """One side at the table, as the person sees it."""

    cards: Sequence[str]
    hidden: int = 0
    """cards that the person does not see"""
    paid: int = 0
    """chips put in"""
    bets: Sequence[str] = field(default=())
    """what it did, the last thing last"""

    def row(self, name: str, kind: str) -> Row:
        did = [Piece(NOTE, self.bets[-1], f"last did: {self.bets[-1]}")] if self.bets else []
        put_in = [chips(self.paid, "put in")] if self.paid else []
        return Row(name, [*cards(self.cards, kind), *hidden_cards(self.hidden), *put_in, *did])


RANK_WORDS = {"T": "a ten", "J": "a jack", "Q": "a queen", "K": "a king", "A": "an ace", "8": "an 8"}


def held(rank: str) -> str:
    """What a person says to hold: "a king", "an 8", "a 7"."""
    return RANK_WORDS.get(rank[:1], f"a {rank}")


def card_table(
    you: Player, other: Player, public: Sequence[str] = (), public_lines: Sequence[str] = (), before: int = 0
) -> Picture:
    """Return the picture of a table; empty before cards are dealt. `before` is what the pot had at first."""
    if not you.cards:
        return Picture()
    lines = [f"You hold {', '.join(you.cards)}.", *public_lines]
    if other.cards:
        lines.append(f"The other side holds {', '.join(other.cards)}.")
    at_first = f"{before} at first, " if before else ""
    lines.append(
        f"The pot has {before + you.paid + other.paid} chips: {at_first}{you.paid} from you, "
        f"{other.paid} from the other side."
    )
    middle = [Row("On the table", cards(public))] if public else []
    pot = [Row("In the pot", [chips(before, "at first")])] if before else []
    rows = [other.row("Other side", "theirs"), *middle, *pot, you.row("You", "mine")]
    return Picture(lines, scene=Scene(rows))
