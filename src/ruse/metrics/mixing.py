"""How often a side draws its move at random."""

from __future__ import annotations

from fractions import Fraction

from ruse.core import rationals
from ruse.metrics.metric import Measure, MeasuredPlay


def mixing(play: MeasuredPlay) -> Measure:
    """The share of decisions with two or more moves in use, by how often play comes to them."""
    mixed = play.share(lambda choice: len(choice.used) > 1, lambda choice: choice.is_decision)
    if mixed is None:
        return Measure(None, reason="nobody has a decision to make")
    return Measure(mixed, text=f"{rationals.percent(Fraction(mixed))} of decisions have two or more moves in use")
