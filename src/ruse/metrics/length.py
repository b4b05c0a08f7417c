"""How many moves a game has."""

from __future__ import annotations

from fractions import Fraction

from ruse.core import rationals
from ruse.metrics.metric import Measure, MeasuredPlay
from ruse.metrics.plays import Number


def length(play: MeasuredPlay) -> Measure:
    """The mean number of moves that the sides make in a game, its distribution, the least and the greatest."""
    distribution: dict[int, Number] = {}
    for end in play.ends:
        moves = play.depth[end]
        distribution[moves] = distribution.get(moves, play.number(0)) + play.reach[end]
    mean = sum((moves * share for moves, share in distribution.items()), play.number(0))
    least, greatest = min(distribution), max(distribution)
    fields = {
        "mean": mean,
        "least": least,
        "greatest": greatest,
        "distribution": {moves: distribution[moves] for moves in sorted(distribution)},
    }
    between = f"always {least}" if least == greatest else f"from {least} to {greatest}"
    return Measure(mean, fields, text=f"{rationals.near(Fraction(mean), 4)} moves a game, {between}")
