"""How many decisions a game has, and how many of them matter."""

from __future__ import annotations

from fractions import Fraction

from ruse.core import rationals
from ruse.metrics.metric import Measure, MeasuredPlay

SMALL = Fraction(1, 100)  # of the payoff range: a move that costs no more does not matter
TOO_LARGE = "the costs of all moves take too long for a game of this size"


def decisions(play: MeasuredPlay) -> Measure:
    """The mean number of times in a game that a side moves and has two or more legal moves."""
    mean = sum((choice.reach for choice in play.choices if choice.is_decision), play.number(0))
    return Measure(mean, text=f"{rationals.near(Fraction(mean), 4)} a game")


def matter(play: MeasuredPlay) -> Measure:
    """The mean number of decisions in a game in which some move costs more than 1% of the payoff range."""
    costs = play.costs
    if costs is None:
        return Measure(None, reason=TOO_LARGE)
    low, high = play.span
    least = (high - low) * play.number(SMALL)
    mean = play.number(0)
    for choice in play.choices:
        if choice.is_decision:
            here = costs.at(choice)
            if here is None:
                return Measure(None, reason=TOO_LARGE)
            if max(here.values()) > least:
                mean += choice.reach
    return Measure(mean, text=f"{rationals.near(Fraction(mean), 4)} a game, where some move costs over 1% of the range")
