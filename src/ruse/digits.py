"""Fractions as text, however long: Python's own str and int stop at 4,300 digits, and exact bases do not."""

from __future__ import annotations

import re
from decimal import Context, Decimal
from fractions import Fraction
from numbers import Rational

NUMBER = re.compile(r"(-?(?:0|[1-9][0-9]*))(?:/([1-9][0-9]*))?")
MOST_CHARACTERS = 100_000
MOST_IN_SENTENCES = 200
LONGEST_READ = 15  # characters that people read
SHOWN = 60


def write(number: Rational) -> str:
    """A fraction as "2/3", "-1" or "0"."""
    top = str(Decimal(int(number.numerator)))
    return top if number.denominator == 1 else f"{top}/{Decimal(int(number.denominator))}"


def brief(number: Rational) -> str:
    """A fraction in a sentence: exactly, unless nobody would read that."""
    if len(text := write(number)) <= MOST_IN_SENTENCES:
        return text
    return f"about {Context(prec=12).divide(Decimal(int(number.numerator)), Decimal(int(number.denominator)))}"


def short(number: Rational) -> str:
    """A fraction in a sentence, exactly only if it is short."""
    text = brief(number)
    return text if len(text) <= LONGEST_READ else f"about {float(number):.4g}"


def count(number: int) -> str:
    """A count in a sentence: exactly, or its order of magnitude if it is beyond counting."""
    return f"{number:,}" if number < 10**9 else f"about 10^{Decimal(number).adjusted()}"


def read(text: str) -> Fraction:
    """The fraction that `write` writes that way, or a ValueError in one sentence."""
    match = NUMBER.fullmatch(text) if len(text) <= MOST_CHARACTERS else None
    if match is None:
        shown = repr(text) if len(text) <= SHOWN else f"{text[:SHOWN]!r}… of {len(text):,} characters"
        raise ValueError(f"expected a fraction such as 2/3 of at most {MOST_CHARACTERS:,} characters, got {shown}")
    return Fraction(int(Decimal(match[1])), int(Decimal(match[2] or 1)))
