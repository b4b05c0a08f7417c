"""How often each move is made."""

from __future__ import annotations

from fractions import Fraction

from ruse.core import rationals
from ruse.core.game import display_name
from ruse.metrics.metric import Measure, MeasuredPlay
from ruse.metrics.plays import Number

MOST_LISTED = 6


def moves(play: MeasuredPlay) -> Measure:
    """The share of each move among all moves that are made; the scalar is the share of the most frequent one."""
    made = counts(play)
    total = sum(made.values(), play.number(0))
    if not total:
        return Measure(None, reason="nobody moves")
    shares = {name: weight / total for name, weight in sorted(made.items(), key=lambda item: -item[1])}
    listed = [f"{name} {rationals.percent(Fraction(share))}" for name, share in list(shares.items())[:MOST_LISTED]]
    more = f" and {len(shares) - MOST_LISTED} more" if len(shares) > MOST_LISTED else ""
    return Measure(max(shares.values()), shares, text=", ".join(listed) + more, more={"moves_by_side": by_side(play)})


def counts(play: MeasuredPlay, side: int | None = None) -> dict[str, Number]:
    """How often each move is made in a game, by one side or both; 0 of a move that could be made and never is."""
    made: dict[str, Number] = {}
    for choice in play.choices:
        if side in (None, choice.side):
            for move, share in choice.odds.items():
                made[move] = made.get(move, play.number(0)) + choice.reach * share
    return made


def by_side(play: MeasuredPlay) -> dict[str, dict[str, Number]]:
    """The share of each move among the moves of each side."""
    shares: dict[str, dict[str, Number]] = {}
    for side in (0, 1):
        made = counts(play, side)
        total = sum(made.values(), play.number(0))
        if total:
            shares[display_name(play.original.sides[side])] = {move: weight / total for move, weight in made.items()}
    return shares
