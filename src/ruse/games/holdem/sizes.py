"""Sizes of bets and raises as people write them, and what they come to in chips.

    33%     of the pot; of a raise, of the pot after the call, on top of the call
    2.5x    of the last bet: raises only
    40c     chips; of a raise, how much the raise is in all
    a       all-in
    e, 2e   geometric: the same share of the pot on each street left (or on 2), so that the last bet is all-in

Streets are divided by commas, several sizes by `+`: `33%+75%,50%,a`. One entry serves every street; the last entries
serve the last streets. `oop:33%;ip:50%,75%` says it for each side.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from ruse.core.game import GameError

STREETS = ("flop", "turn", "river")
SIZE = re.compile(r"(\d+(?:\.\d+)?)([%xc])|(a)|(\d?)e", re.IGNORECASE)
MOST_PERCENT = 100_000
SIDES = ("oop", "ip")


class Size(NamedTuple):
    kind: str  # "%", "x", "c", "a" or "e"
    amount: Fraction  # share of the pot, times, chips or streets


Sizes = tuple[Size, ...]  # of one street
Plan = tuple[tuple[Sizes, ...], tuple[Sizes, ...]]  # of each side, by street


def read_sizes(text: str, streets: int, label: str, stack: int) -> Plan:
    """Read the sizes of both sides for the last `streets` streets."""
    by_side = dict.fromkeys(SIDES, text)
    if ":" in text:
        by_side = dict.fromkeys(SIDES, "")
        for part in text.split(";"):
            side, colon, sizes = part.partition(":")
            if side.strip().lower() not in SIDES or not colon:
                raise GameError(f"expected oop:SIZES;ip:SIZES for the {label}, got {text!r}")
            by_side[side.strip().lower()] = sizes
    first, second = (_of_side(by_side[side], streets, label, stack) for side in SIDES)
    return first, second


def _of_side(text: str, streets: int, label: str, stack: int) -> tuple[Sizes, ...]:
    entries = [_street(entry, label, stack) for entry in text.split(",")]
    if len(entries) == 1:
        return tuple(entries * streets)
    if not streets <= len(entries) <= len(STREETS):
        raise GameError(
            f"expected {label} for {streets} street{'s' * (streets > 1)}, or one entry for all of them, got {text!r}"
        )
    return tuple(entries[-streets:])


def _street(text: str, label: str, stack: int) -> Sizes:
    return tuple(_size(word.strip(), label, stack) for word in text.split("+")) if text.strip() else ()


def _size(word: str, label: str, stack: int) -> Size:
    match = SIZE.fullmatch(word)
    if match is None:
        raise GameError(f"{word!r} is no size for the {label}; write 33%, 2.5x, 40c, a or e, several as 33%+75%")
    if match[3]:
        return Size("a", Fraction(0))
    if match[1] is None:
        return Size("e", Fraction(int(match[4] or 0)))
    amount, kind = Fraction(match[1]), match[2].lower()
    if amount == 0:
        raise GameError(f"expected {label} above 0, got {word!r}")
    if kind == "c" and (amount > stack or amount.denominator > 1):
        raise GameError(f"expected {label} of whole chips up to the stack of {stack:,}, got {word!r}")
    if kind == "x" and label != "raises":
        raise GameError(f"{word!r} is a multiple of the last bet, which only raises have; write {label} such as 33%")
    if kind == "x" and amount <= 1:
        raise GameError(f"expected raises of more than 1x the last bet, got {word!r}")
    if kind == "%":
        if amount > MOST_PERCENT:
            raise GameError(f"expected {label} of at most {MOST_PERCENT:,}% of the pot, got {word!r}")
        amount /= 100
    return Size(kind, amount)


def nearest(amount: Fraction) -> int:
    """Whole chips; halves are rounded up."""
    return (2 * amount.numerator + amount.denominator) // (2 * amount.denominator)


def geometric(pot: int, left: int, streets: int) -> Fraction:
    """The share of the pot that, bet and called on so many streets, puts exactly what is left in."""
    return Fraction(((1 + 2 * left / pot) ** (1 / streets) - 1) / 2).limit_denominator(10**6)


def chips(sizes: Sequence[Size], pot: int, call: int, last: int, left: int, streets: int) -> list[int]:
    """What each size comes to on this street: what a side bets or raises to, beyond `last` by `call` at least.

    `pot` is the pot after the call, `last` the last bet of the street, `left` the most that can be bet on it.
    """
    amounts = []
    for size in sizes:
        if size.kind == "a":
            amount = left
        elif size.kind == "%":
            amount = last + nearest(pot * size.amount)
        elif size.kind == "x":
            amount = nearest(last * size.amount)
        elif size.kind == "c":
            amount = int(size.amount)
        else:
            amount = last + nearest(pot * geometric(pot, left - last, int(size.amount) or streets))
        amounts.append(min(max(amount, min(last + call, left)), left))
    return amounts
