"""How to choose at random at a table: by the second hand of a watch, a card, or the last digits of a phone number.

`draws` turns exact odds into instructions. A watch has 60 seconds, a pack 52 cards, a coin 2 sides, and the last digits
of a phone number 10 or 100 values. A draw is exact if it splits its values in just these odds; if none is, the watch
and two digits come nearest, with the largest error of any move.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor

from ruse.core import rationals
from ruse.core.jsonable import Exact

COIN, SUITS, DIGIT, CARDS, SECONDS, DIGITS = 2, 4, 10, 52, 60, 100
RANKS = 13
RANK_NAMES = ("ace", *map(str, range(2, 11)), "jack", "queen", "king")
SUIT_NAMES = ("hearts", "diamonds", "clubs", "spades")
MOST_MOVES = 6  # that people can tell apart by one draw


@dataclass(frozen=True)
class RandomDevice:
    """One way to choose at random."""

    device: str
    """what to look at"""
    instruction: str
    """what to do for which value"""
    error: Exact
    """the largest difference between the odds of a move and those that it gets; 0 if the draw is exact"""

    def text(self) -> str:
        """The instruction as a sentence, with its error if it has one."""
        off = "" if not self.error else f" (within {rationals.above(100 * self.error, 2)} percentage points)"
        return f"{self.device}: {self.instruction}{off}."


def split(odds: Sequence[Fraction], values: int) -> tuple[list[int], Fraction]:
    """Share out values in odds that sum to 1, by the largest remainder; and the largest error of any."""
    shares = [share * values for share in odds]
    counts = [floor(share) for share in shares]
    by_remainder = sorted(range(len(odds)), key=lambda number: (counts[number] - shares[number], number))
    for number in by_remainder[: values - sum(counts)]:
        counts[number] += 1
    return counts, max(abs(Fraction(count, values) - share) for count, share in zip(counts, odds, strict=True))


def draws(odds: Mapping[str, Fraction]) -> list[RandomDevice]:
    """The ways to choose between moves in these odds, the best first; none if there is nothing to choose.

    `odds` sum to 1; moves with odds 0 are left out. If there are too many moves for one draw, all must be as likely.
    """
    played = {move: share for move, share in odds.items() if share}
    if len(played) < 2 or sum(played.values()) != 1 or len(played) > MOST_MOVES:
        return []
    moves = sorted(played, key=lambda move: (-played[move], move))
    shares = [played[move] for move in moves]
    exact = [
        made
        for made in (
            _coin(moves, shares),
            _watch(moves, shares),
            _cards(moves, shares),
            _digits(moves, shares, DIGIT),
            _digits(moves, shares, DIGITS),
        )
        if not made.error
    ]
    if exact:
        return exact[:3]
    return sorted((_watch(moves, shares), _digits(moves, shares, DIGITS)), key=lambda made: made.error)


def _coin(moves: list[str], shares: list[Fraction]) -> RandomDevice:
    counts, error = split(shares, COIN)
    sides = [name for name, count in zip(moves, counts, strict=True) for _ in range(count)]
    return RandomDevice("Toss a coin", f"heads, {sides[0]}; tails, {sides[1]}", error)


def _watch(moves: list[str], shares: list[Fraction]) -> RandomDevice:
    counts, error = split(shares, SECONDS)
    return RandomDevice("Look at the seconds of a watch", _spans(moves, counts, SECONDS), error)


def _digits(moves: list[str], shares: list[Fraction], values: int) -> RandomDevice:
    counts, error = split(shares, values)
    which = "the last digit" if values == DIGIT else "the last two digits"
    return RandomDevice(f"Take {which} of a phone number", _spans(moves, counts, values), error)


def _spans(moves: list[str], counts: list[int], values: int) -> str:
    """ "below 40, check; from 40 on, bet" """
    parts, start = [], 0
    for move, count in zip(moves, counts, strict=True):
        end = start + count
        if not count:
            continue
        if not start:
            span = f"below {end}" if end > 1 else "0"
        elif end == values:
            span = f"from {start} on" if count > 1 else f"{start}"
        else:
            span = f"{start} to {end - 1}" if count > 1 else f"{start}"
        parts.append(f"{span}, {move}")
        start = end
    return "; ".join(parts)


def _cards(moves: list[str], shares: list[Fraction]) -> RandomDevice:
    """By suits if they do, else by ranks: an ace is 1."""
    counts, error = split(shares, SUITS)
    if not error:
        suits = list(SUIT_NAMES)
        parts = []
        for move, count in zip(moves, counts, strict=True):
            mine, suits = suits[:count], suits[count:]
            parts.append(f"{' or '.join(mine)}, {move}")
        return RandomDevice("Draw a card", "; ".join(parts), error)
    counts, error = split(shares, RANKS)
    parts, start = [], 0
    for move, count in zip(moves, counts, strict=True):
        if count:
            first, last = RANK_NAMES[start], RANK_NAMES[start + count - 1]
            parts.append(f"{first}, {move}" if count == 1 else f"{first} to {last}, {move}")
        start += count
    return RandomDevice("Draw a card", "; ".join(parts), error)
