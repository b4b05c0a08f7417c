"""What it is worth to move first."""

from __future__ import annotations

from fractions import Fraction

from ruse.core import rationals
from ruse.core.capabilities import constant
from ruse.metrics.metric import Measure, MeasuredPlay
from ruse.metrics.plays import Number

EVEN = Fraction(1, 2)


def first_mover(play: MeasuredPlay) -> Measure:
    """How much more than half the side wins that makes the first move; in payoffs, how much more than half it gets."""
    first: list[int | None] = [None] * len(play)
    for node in range(len(play)):
        parent = play.parent[node]
        first[node] = first[parent] if node else None
        if first[node] is None and play.turn[node] in (0, 1):
            first[node] = play.turn[node]
    total = play.number(constant(play.original))
    gained = play.number(0)
    for end, payoff in play.payoff.items():
        if first[end] is not None:
            gained += play.reach[end] * (payoff - total / 2 if first[end] == 0 else total / 2 - payoff)
    advantage: Number = gained / 2 if play.is_won else gained
    size = abs(Fraction(advantage))
    amount = rationals.points(size) if play.is_won else rationals.short(size)
    half = "half" if play.is_won else "half of the payoffs"
    return Measure(advantage, text=f"{amount} {'less' if advantage < 0 else 'more'} than {half}")
