"""Ranges as people write them: `88+,A8s+,A5s-A2s:0.5,AJo+,KTo:0.25`, or `random`.

    77      a pair               88+      that pair and higher ones      99-22     all pairs between
    A8s     suited               A8s+     up to AKs                      A5s-A2s   all between
    KTo     of two suits         KTo+     up to KQo                      KT        both
    QJs-54s both cards go down together                                  AsKh      one hand

`:0.5` is the share of the time that a side holds such a hand, 1 if it is left out. If a hand stands twice, the last
entry counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction

from ruse.core.game import GameError
from ruse.core.parameters import number
from ruse.games.holdem.cards import NUMBERS, RANKS, Deck

Pair = tuple[int, int]  # two cards, the higher number first
ONE = re.compile(r"([2-9TJQKA])([2-9TJQKA])([so]?)", re.IGNORECASE)
HAND = re.compile(r"([2-9TJQKA][shdc]){2}", re.IGNORECASE)
ALL = ("random", "any", "*")


def read_range(text: str, deck: Deck, side: str) -> Mapping[Pair, Fraction]:
    """The weight of each hand of a range that it does not leave out."""
    weights: dict[Pair, Fraction] = {}
    begin = 0
    for entry in text.split(","):
        token, place = entry.strip(), begin + len(entry) - len(entry.lstrip()) + 1
        begin += len(entry) + 1
        if not token and not text.strip():
            break
        name, colon, said = token.partition(":")
        weight = _weight(said, token, side) if colon else Fraction(1)
        for hand in _hands(name.strip(), deck, f"{token!r} at character {place} of the range of {side}"):
            weights[hand] = weight
    return {hand: weight for hand, weight in weights.items() if weight}


def _weight(text: str, token: str, side: str) -> Fraction:
    try:
        weight = number(text)
    except GameError:
        weight = Fraction(-1)
    if not 0 <= weight <= 1:
        raise GameError(f"expected a weight from 0 to 1 in {token!r} of the range of {side}, got {text!r}")
    return weight


def _hands(name: str, deck: Deck, context: str) -> Iterator[Pair]:
    """The hands of an entry without its weight."""
    if name.lower() in ALL:
        cards = sorted(deck.cards, reverse=True)
        yield from ((high, low) for place, high in enumerate(cards) for low in cards[place + 1 :])
        return
    if HAND.fullmatch(name):
        cards = [NUMBERS[name[place].upper() + name[place + 1].lower()] for place in (0, 2)]
        if cards[0] == cards[1] or not set(cards) <= set(deck.cards):
            raise GameError(f"{context} is no hand of the deck {deck}")
        yield max(cards), min(cards)
        return
    first, dash, last = name.partition("-")
    if dash:
        yield from _between(first, last, deck, context)
        return
    upwards = name.endswith("+")
    high, low, kind = _read(name.removesuffix("+"), deck, context)
    if not upwards:
        yield from _combinations(high, low, kind, deck)
    elif high == low:
        for rank in range(high, 13):
            yield from _combinations(rank, rank, kind, deck)
    else:
        for rank in range(low, high):
            yield from _combinations(high, rank, kind, deck)


def _between(first: str, last: str, deck: Deck, context: str) -> Iterator[Pair]:
    """All between two hands: of one high card, or with both cards as far apart."""
    high, low, kind = _read(first, deck, context)
    other_high, other_low, other_kind = _read(last, deck, context)
    if (high, low) < (other_high, other_low):
        high, low, other_high, other_low = other_high, other_low, high, low
    if kind != other_kind or not (high == other_high or high - low == other_high - other_low):
        raise GameError(f"{context} does not name two ends, such as A5s-A2s, QJs-54s or 99-22")
    moves_high = high != other_high
    for step in range(low - other_low + 1):
        yield from _combinations(high - step * moves_high, low - step, kind, deck)


def _read(name: str, deck: Deck, context: str) -> tuple[int, int, str]:
    match = ONE.fullmatch(name)
    if match is None:
        raise GameError(f"{context} is not known; write hands such as 88+, A8s+, A5s-A2s, KTo:0.25, AsKh or random")
    first, second = (RANKS.index(match[group].upper()) for group in (1, 2))
    high, low, kind = max(first, second), min(first, second), match[3].lower()
    if high == low and kind:
        raise GameError(f"{context} is a pair, which is neither suited nor offsuit; leave {kind!r} out")
    if low < 13 - deck.ranks:
        raise GameError(f"{context} has the rank {RANKS[low]}, which the deck {deck} has not")
    return high, low, kind


def _combinations(high: int, low: int, kind: str, deck: Deck) -> Iterator[Pair]:
    suits = range(4 - deck.suits, 4)
    for first in suits:
        for second in suits:
            if kind and (first == second) != (kind == "s"):
                continue
            first_card, other = 4 * high + first, 4 * low + second
            if first_card > other or (high != low and first_card != other):
                yield max(first_card, other), min(first_card, other)
