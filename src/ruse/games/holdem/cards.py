"""Cards, decks and the ranking of hands: the best five of seven cards, by the usual rules.

A card is a number, 4 * rank + suit; `Ts` is the ten of spades. A deck of R x S has the R highest ranks and the first S
of the suits s, h, d and c; hands rank as they do with 52 cards.

`strengths` judges many hands at once on masks of ranks: each suit has one, 13 bits wide. `plain_strength` judges one
hand by counting, as one would at the table. Tests compare the two, and both with another library.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from ruse.core.arrays import Array
from ruse.core.game import GameError

RANKS, SUITS = "23456789TJQKA", "cdhs"
NAMES = tuple(rank + suit for rank in RANKS for suit in SUITS)  # by number
NUMBERS = {name: number for number, name in enumerate(NAMES)}
CARDS = len(NAMES)
ACE = 1 << 12
WHEEL = ACE | 0b1111  # 5432A, in which the ace is low
DECK = re.compile(r"(\d{1,2})x(\d)")
HIGH, PAIR, TWO_PAIRS, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH = range(9)
SHIFT = 13  # bits of a mask of ranks


class Deck(NamedTuple):
    ranks: int
    suits: int

    @property
    def cards(self) -> tuple[int, ...]:
        return tuple(4 * rank + suit for rank in range(13 - self.ranks, 13) for suit in range(4 - self.suits, 4))

    @property
    def named_ranks(self) -> str:
        return RANKS[13 - self.ranks :]

    def __str__(self) -> str:
        return f"{self.ranks}x{self.suits}"


def read_deck(text: str) -> Deck:
    """Read "13x4", ranks and suits."""
    match = DECK.fullmatch(text.strip())
    deck = Deck(*map(int, match.groups())) if match else Deck(0, 0)
    if not (2 <= deck.ranks <= 13 and 1 <= deck.suits <= 4):
        raise GameError(f"expected a deck of 2 to 13 ranks and 1 to 4 suits, such as 13x4 or 5x2, got {text!r}")
    return deck


def read_cards(text: str, deck: Deck, label: str) -> tuple[int, ...]:
    """Read cards such as "QsJh2h", blanks allowed."""
    joined = "".join(text.split())
    cards: list[int] = []
    for place in range(0, len(joined), 2):
        name = joined[place : place + 2]
        number = NUMBERS.get(name[:1].upper() + name[1:].lower())
        if number is None:
            raise GameError(
                f"{name!r} in the {label} {text!r} is not a card; write a rank and a suit, such as Qs or Td"
            )
        if number not in deck.cards:
            raise GameError(f"the card {NAMES[number]} of the {label} {text!r} is not in the deck {deck}")
        if number in cards:
            raise GameError(f"the {label} {text!r} has the card {NAMES[number]} twice; each card is there once")
        cards.append(number)
    return tuple(cards)


def text_of(cards: Sequence[int]) -> str:
    return "".join(NAMES[card] for card in cards)


def pairs_of(cards: Sequence[int]) -> Array:
    """All hands of two of these cards, the higher card first: int64[hands, 2]."""
    ordered = sorted(cards, reverse=True)
    return np.array([(a, b) for i, a in enumerate(ordered) for b in ordered[i + 1 :]], dtype=np.int64).reshape(-1, 2)


# Ranking.


@cache
def _tables() -> tuple[Array, Array]:
    """By mask of ranks: the highest rank of the best straight as a mask, or 0; and masks of the n highest ranks."""
    masks = np.arange(1 << 13, dtype=np.int64)
    straight = np.where(masks & WHEEL == WHEEL, 1 << 3, 0)
    for high in range(4, 13):
        five = 0b11111 << (high - 4)
        straight = np.where(masks & five == five, 1 << high, straight)
    highest = np.zeros((6, 1 << 13), dtype=np.int64)
    left = masks.copy()
    for count in range(1, 6):
        top = np.where(left > 0, 1 << np.floor(np.log2(np.maximum(left, 1))).astype(np.int64), 0)
        highest[count] = highest[count - 1] | top
        left &= ~top
    return straight, highest


def strengths(hands: Array, boards: Sequence[Sequence[int]]) -> Array:
    """How strong each hand is with the cards of each board: int64[boards, hands]; the larger, the better."""
    straight, highest = _tables()
    suited = []
    for suit in range(4):
        on_board = np.array([sum(1 << (card >> 2) for card in board if card & 3 == suit) for board in boards])
        mask = np.broadcast_to(on_board[:, None], (len(boards), len(hands))).astype(np.int64)
        for place in (0, 1):
            mask |= np.where(hands[:, place] & 3 == suit, 1 << (hands[:, place] >> 2), 0)
        suited.append(mask)
    a, b, c, d = suited
    any_suit = a | b | c | d
    twice = (a & b) | (c & d) | ((a | b) & (c | d))
    thrice = (a & b & (c | d)) | (c & d & (a | b))
    quads = a & b & c & d
    trips, pairs = thrice & ~quads, twice & ~thrice
    best = _value(HIGH, 0, highest[5][any_suit])
    pair = highest[1][pairs]
    best = np.where(pairs > 0, _value(PAIR, pair, highest[3][any_suit & ~pair]), best)
    two = highest[2][pairs]
    best = np.where(pairs & ~pair > 0, _value(TWO_PAIRS, two, highest[1][any_suit & ~two]), best)
    three = highest[1][trips]
    best = np.where(trips > 0, _value(TRIPS, three, highest[2][any_suit & ~three]), best)
    best = np.where(straight[any_suit] > 0, _value(STRAIGHT, 0, straight[any_suit]), best)
    for mask in suited:
        flush = highest[5][mask]
        best = np.where(np.bitwise_count(flush) == 5, np.maximum(best, _value(FLUSH, 0, flush)), best)
    full = twice & ~three
    best = np.where((trips > 0) & (full > 0), np.maximum(best, _value(FULL_HOUSE, three, highest[1][full])), best)
    four = highest[1][quads]
    best = np.where(quads > 0, np.maximum(best, _value(QUADS, four, highest[1][any_suit & ~four])), best)
    for mask in suited:
        run = straight[mask]
        best = np.where(run > 0, np.maximum(best, _value(STRAIGHT_FLUSH, 0, run)), best)
    return np.asarray(best)


def _value(category: int, first: Array | int, then: Array) -> Array:
    return (category << 2 * SHIFT) | (np.asarray(first, dtype=np.int64) << SHIFT) | then


def plain_strength(cards: Sequence[int]) -> tuple[int, ...]:
    """How strong the best five of these cards are: the larger, the better."""
    ranks = sorted((card >> 2 for card in cards), reverse=True)
    return max(_by_equal_ranks(ranks), _straight_or_flush(cards, ranks))


def _by_equal_ranks(ranks: Sequence[int]) -> tuple[int, ...]:
    """The best hand that takes no notice of suits and straights. Ranks come highest first."""
    groups = sorted(((count, rank) for rank, count in Counter(ranks).items()), reverse=True)
    most, top = groups[0]
    kickers = [rank for rank in dict.fromkeys(ranks) if rank != top]
    if most == 4:
        return QUADS, top, *kickers[:1]
    paired = [rank for count, rank in groups if count >= 2]
    if most == 3 and len(paired) > 1:
        return FULL_HOUSE, top, max(paired[1:])
    if most == 3:
        return TRIPS, top, *kickers[:2]
    if len(paired) > 1:
        return TWO_PAIRS, *paired[:2], *[rank for rank in kickers if rank != paired[1]][:1]
    if most == 2:
        return PAIR, top, *kickers[:3]
    return HIGH, *ranks[:5]


def _straight_or_flush(cards: Sequence[int], ranks: Sequence[int]) -> tuple[int, ...]:
    """The best straight, flush or straight flush; empty if there is none. Ranks come highest first."""
    by_suit = (sorted((card >> 2 for card in cards if card & 3 == suit), reverse=True) for suit in range(4))
    suited = next((those for those in by_suit if len(those) >= 5), [])
    if (high := _straight(suited)) is not None:
        return STRAIGHT_FLUSH, high
    if suited:
        return FLUSH, *suited[:5]
    return () if (high := _straight(ranks)) is None else (STRAIGHT, high)


def _straight(ranks: Sequence[int]) -> int | None:
    """The highest rank of the best straight."""
    present = {*ranks, -1} if 12 in ranks else {*ranks}
    return next((high for high in range(12, 2, -1) if all(high - step in present for step in range(5))), None)
