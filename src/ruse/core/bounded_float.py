"""Floats that carry how far off they may be."""

from __future__ import annotations

from fractions import Fraction

from ruse.core import rationals


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
