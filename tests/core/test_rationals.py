"""Fractions, as ruse reads them; how they are rounded, tests/text/test_rounding.py says."""

from __future__ import annotations

from fractions import Fraction as F

from ruse.core import rationals


def test_the_simplest_fraction_between_two() -> None:
    for low, high in (
        (F(1, 3), F(2, 3)),
        (F(2, 7), F(3, 10)),
        (F(1, 3), F(1, 3)),
        (F(0), F(1, 9)),
        (F(5, 7), F(8, 11)),
    ):
        found = rationals.simplest_between(low, high)
        assert low <= found <= high
        smaller = [F(p, q) for q in range(1, found.denominator) for p in range(q + 1)]
        assert not [one for one in smaller if low <= one <= high]
