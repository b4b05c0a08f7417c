"""What playing well is worth: what players who slip, play at random or never mix win against an optimal one."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ruse.core import rationals
from ruse.core.capabilities import payoff_to
from ruse.core.game import with_article
from ruse.metrics.metric import Measure, MeasuredPlay
from ruse.metrics.move_costs import FormPlay
from ruse.metrics.plays import Number

SLIPS = (Fraction(1, 20), Fraction(1, 10), Fraction(1, 4))  # how often a player slips, at each decision
NO_FORM = "it takes the sequence form of the game, which is too large here or does not exist"
Odds = list[list[Number]]


def skill(play: MeasuredPlay) -> Measure:
    """What a player who moves at random loses against an optimal one, on average over both sides.

    The fields have, for each side, what it gets with an optimal strategy, with slips, at random, and by the rule to
    always make its most frequent move; and what that rule costs against a best response.
    """
    form = play.form
    if form is None:
        return Measure(None, reason=NO_FORM)
    fields: dict[str, Any] = {}
    losses: list[Number] = []
    for side in (0, 1):
        own = _of_side(play, form, side)
        fields[play.original.sides[side]] = own
        losses.append(own["optimal"] - own["uniform"])
    loss = (losses[0] + losses[1]) / 2
    first, second = (_text(play, side, fields[play.original.sides[side]]) for side in (0, 1))
    return Measure(loss, fields, text=f"{first}; {second}")


def _of_side(play: MeasuredPlay, form: FormPlay, side: int) -> Mapping[str, Any]:
    odds = form.odds[side]

    def gets(played: Odds) -> Number:
        return _measure(play, side, form.payoff(side, played))

    optimal = _measure(play, side, play.value[0])
    rule = most_frequent(play, odds)
    guaranteed = _measure(play, side, form.guarantee(side, rule))
    return {
        "optimal": optimal,
        "slips": {rationals.write(rate): gets(slipping(play, odds, rate)) for rate in SLIPS},
        "uniform": gets(slipping(play, odds, Fraction(1))),
        "never_mixes": gets(rule),
        "never_mixes_guarantees": guaranteed,
        "price": optimal - guaranteed,
    }


def slipping(play: MeasuredPlay, odds: Odds, rate: Fraction) -> Odds:
    """The odds of a player who makes any legal move, all equally likely, this often at each decision."""
    slip = play.number(rate)
    return [[(1 - slip) * share + slip / len(shares) for share in shares] for shares in odds]


def most_frequent(play: MeasuredPlay, odds: Odds) -> Odds:
    """The odds of a player who always makes the most frequent move, the first of those that are equally frequent."""
    return [[play.number(place == shares.index(max(shares))) for place in range(len(shares))] for shares in odds]


def _measure(play: MeasuredPlay, side: int, payoff: Number) -> Number:
    """A payoff to side 0 as what people measure: the win rate of a side, or its payoff."""
    if play.is_won:
        return (1 + payoff) / 2 if side == 0 else (1 - payoff) / 2
    return (
        play.number(payoff_to(play.original, side, Fraction(payoff))) if play.pair.exact else _float(play, side, payoff)
    )


def _float(play: MeasuredPlay, side: int, payoff: Number) -> float:
    return float(payoff_to(play.original, side, Fraction(payoff)))


def _text(play: MeasuredPlay, side: int, own: Mapping[str, Any]) -> str:
    name = with_article(play.original.sides[side])
    plural = name.endswith("s")

    def shown(amount: Number) -> str:
        exact = Fraction(amount)
        return rationals.percent(exact) if play.is_won else rationals.near(exact, 4)

    slips = f"{shown(own['slips']['1/10'])} slipping at one decision in ten"
    verb = ("win" if plural else "wins") if play.is_won else ("get" if plural else "gets")
    return f"{name} {verb} {shown(own['optimal'])}, {slips}, {shown(own['uniform'])} at random"
