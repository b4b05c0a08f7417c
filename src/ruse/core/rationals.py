"""Every number as people read it: fractions however long, decimals, percent, and bounds, which are rounded outward.

Python's own str and int stop at 4,300 digits, and exact bases do not. A bound that is shown must still be one:

    below(lower)  <=  lower  <=  value  <=  upper  <=  above(upper),

whatever the digits, so the rounding is decided by exact division, never by that of a float.
"""

from __future__ import annotations

import re
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from math import ceil, floor, inf, isfinite, nextafter
from numbers import Rational
from sys import float_info

from ruse.core import rationals

NUMBER = re.compile(r"(-?(?:0|[1-9][0-9]*))(?:/([1-9][0-9]*))?")
MOST_CHARACTERS = 100_000
MOST_IN_SENTENCES = 200
LONGEST_READ = 15  # characters that people read
SHOWN = 60
USUAL, PERCENT = 6, 4  # digits of a value, and of a share in percent
FEWEST, MOST = 4, 17  # digits of a bound
PLAIN = range(-5, 16)  # powers of ten that are written out
TINY = Fraction(1, 100_000)  # people do not read smaller odds


def write(number: Rational) -> str:
    """A fraction as "2/3", "-1" or "0"."""
    top = str(Decimal(int(number.numerator)))
    return top if number.denominator == 1 else f"{top}/{Decimal(int(number.denominator))}"


def brief(number: Rational) -> str:
    """A fraction in a sentence: exactly, unless nobody would read that."""
    if len(text := write(number)) <= MOST_IN_SENTENCES:
        return text
    return f"about {near(number, 12)}"


def short(number: Rational) -> str:
    """A fraction in a sentence, exactly only if it is short."""
    text = brief(number)
    return text if len(text) <= LONGEST_READ else f"about {near(number, 4)}"


def near(number: Rational | float, count: int) -> str:
    """A number rounded to so many digits. Not for bounds: it may be on either side."""
    return _decimal(number, count, ROUND_HALF_EVEN)


def below(number: Rational | float, count: int) -> str:
    """A lower bound in so many digits: the greatest such decimal that is not above it."""
    return _decimal(number, count, ROUND_FLOOR)


def above(number: Rational | float, count: int) -> str:
    """An upper bound in so many digits: the least such decimal that is not below it."""
    return _decimal(number, count, ROUND_CEILING)


def _decimal(number: Rational | float, count: int, rounding: str) -> str:
    if isinstance(number, float):
        if not isfinite(number):
            return str(number)
        number = Fraction(number)
    top, bottom = Decimal(int(number.numerator)), Decimal(int(number.denominator))
    quotient = Context(prec=count, rounding=rounding).divide(top, bottom)
    if not quotient:
        return "0"
    if quotient.adjusted() in PLAIN:
        text = f"{quotient:f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    figures = "".join(map(str, quotient.as_tuple().digits)).rstrip("0")
    head = f"{figures[0]}.{figures[1:]}".rstrip(".")
    return f"{'-' * quotient.is_signed()}{head}e{quotient.adjusted():+03d}"


def equals(number: Rational, count: int = USUAL) -> str:
    """A fraction as a decimal with the sign that fits: "= 0.25", "≈ 0.333333"."""
    text = near(number, count)
    return f"{'=' if Fraction(text) == number else '≈'} {text}"


def float_below(number: Fraction) -> float:
    """The greatest float that is not above a lower bound, neither as a number nor as it is written."""
    nearest = _float(number)
    while nearest > -inf and (Fraction(nearest) > number or Fraction(repr(nearest)) > number):
        nearest = nextafter(nearest, -inf)
    return nearest


def float_above(number: Fraction) -> float:
    """The least float that is not below an upper bound, neither as a number nor as it is written."""
    return 0.0 - float_below(-number)


def _float(number: Fraction) -> float:
    try:
        return float(number)
    except OverflowError:
        return float_info.max if number > 0 else -float_info.max


def interval(lower: Rational, upper: Rational, unit: str = "") -> str:
    """Bounds in brackets, rounded outward: "[-0.06012, -0.05499]"; the unit "%" is for shares."""
    low, high = outward(lower, upper, unit)
    return f"[{low}, {high}]"


def outward(lower: Rational, upper: Rational, unit: str = "") -> tuple[str, str]:
    """A lower bound rounded down and an upper one rounded up.

    The digits are as few as leave the bounds no more than twice as far apart as they are, or all that are shown.
    """
    low, high, per = _in(lower, upper, unit)
    for count in range(FEWEST, MOST + 1):
        texts = below(low, count), above(high, count)
        if Fraction(texts[1]) - Fraction(texts[0]) <= 2 * (high - low):
            break
    return texts[0] + per, texts[1] + per


def within(lower: Rational, upper: Rational, unit: str = "") -> str:
    """A number known within bounds: "about 0.5427" where both round to that, else "between 0.52 and 0.55"."""
    low, high, per = _in(lower, upper, unit)
    count = PERCENT if unit else USUAL
    if (text := near(low, count)) == near(high, count):
        return f"about {text}{per}"
    first, last = outward(lower, upper, unit)
    return f"between {first} and {last}"


def settled(lower: Rational, upper: Rational, unit: str = "") -> bool:
    """Whether bounds agree in all digits that are shown of a number between them."""
    return within(lower, upper, unit).startswith("about")


def _in(lower: Rational, upper: Rational, unit: str) -> tuple[Fraction, Fraction, str]:
    times = 100 if unit == "%" else 1
    return Fraction(lower) * times, Fraction(upper) * times, unit


def bounds(lower: Rational, upper: Rational) -> tuple[str, str]:
    """Both bounds in a sentence: exactly, unless nobody would read that; then in twelve digits, rounded outward."""
    low, high = write(lower), write(upper)
    return (
        low if len(low) <= MOST_IN_SENTENCES else below(lower, 12),
        high if len(high) <= MOST_IN_SENTENCES else above(upper, 12),
    )


def percent(share: Rational) -> str:
    """A share in percent, rounded: "33.33%"."""
    return f"{near(Fraction(share) * 100, PERCENT)}%"


def simplest_between(low: Fraction, high: Fraction) -> Fraction:
    """The fraction from low to high that has the smallest denominator (Stern 1858, Brocot 1861)."""
    if ceil(low) <= high:
        return Fraction(ceil(low))
    whole = floor(low)
    return whole + 1 / simplest_between(1 / (high - whole), 1 / (low - whole))


def points(difference: Rational) -> str:
    """A difference of two shares, rounded: "10 percentage points"."""
    text = near(Fraction(difference) * 100, 3)
    return f"{text} percentage point{'s' * (text != '1')}"


def count(number: int) -> str:
    """A count in a sentence: exactly, or its order of magnitude if it is beyond counting."""
    return f"{number:,}" if number < 10**9 else magnitude(number)


def magnitude(number: int) -> str:
    """The order of magnitude of a count that is a rough one, or beyond counting: "about 10^12"."""
    return f"about 10^{Decimal(number).adjusted()}"


def read(text: str) -> Fraction:
    """The fraction that `write` writes that way, or a ValueError in one sentence."""
    match = NUMBER.fullmatch(text) if len(text) <= MOST_CHARACTERS else None
    if match is None:
        shown = repr(text) if len(text) <= SHOWN else f"{text[:SHOWN]!r}… of {len(text):,} characters"
        raise ValueError(f"expected a fraction such as 2/3 of at most {MOST_CHARACTERS:,} characters, got {shown}")
    return Fraction(int(Decimal(match[1])), int(Decimal(match[2] or 1)))


# Floats that carry how far off they may be.


class BoundedFloat(float):
    """A float with exact bounds on the number that it stands for.

    It works as a float everywhere. `lower` and `upper` are fractions, and the number lies between them.
    """

    lower: Fraction
    upper: Fraction

    def __new__(cls, lower: Fraction, upper: Fraction) -> BoundedFloat:
        if not lower <= upper:
            raise ValueError(f"expected a lower bound that is at most the upper bound, got {lower} and {upper}")
        number = super().__new__(cls, (lower + upper) / 2)
        number.lower, number.upper = lower, upper
        return number

    @property
    def error(self) -> float:
        """The most by which the float may differ from the number that it stands for."""
        middle = Fraction(float(self))
        return rationals.float_above(max(self.upper - middle, middle - self.lower))

    def __repr__(self) -> str:
        return f"{float(self)!r} ± {self.error:.1g}"

    def __str__(self) -> str:
        return float.__repr__(self)

    def __reduce__(self) -> tuple[type[BoundedFloat], tuple[Fraction, Fraction]]:
        return BoundedFloat, (self.lower, self.upper)
