"""What a position of The Resistance is worth, on each of the terms that people may have in mind."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from ruse.core.game import PositionError
from ruse.games.resistance.insight_beliefs import fitting
from ruse.games.resistance.places import Place
from ruse.games.resistance.rules import RESISTANCE, SPIES

if TYPE_CHECKING:
    from ruse.games.resistance.insight import ResistanceInsight


@dataclass(frozen=True)
class Values:
    """What a position is worth, as payoffs to the resistance, each on its own terms."""

    stored: Fraction | None  # if both sides follow the stored strategies; None if the stored spies never come here
    best: Fraction | None  # if the spies follow theirs and the resistance goes on as well as it can
    start: Fraction  # the value of the game, before anything happened
    worst: Fraction | None  # if the spies are whoever is worst, and do what is worst; None to the spies, who know
    worst_spies: str = ""  # such spies


def values(insight: ResistanceInsight, place: Place) -> Values:
    """On all terms."""
    worth = insight.worth
    if place.side == SPIES:
        stored = None
        if worth.dealt_and_played(place.cells, place.spies):
            win = worth.win if place.read.out is None else worth.win_out
            stored = _payoff(win(place.cells, place.spies))
        return Values(stored, None, insight.value, None)
    assert place.side == RESISTANCE
    stored, best = None, None
    if not worth.suspects(place.cells).slips:
        stored, best = (
            _payoff(
                one.worth(place.cells)
                if place.read.out is None
                else one.worth_sent(place.back().cells, place.mission())
            )
            for one in (worth, insight.reply)
        )
    return Values(stored, best, insight.value, *_worst(insight, place))


def _worst(insight: ResistanceInsight, place: Place) -> tuple[Fraction, str]:
    """What the stored strategy of the resistance still wins, whoever the spies are and whatever they do."""
    least = insight.answers.least if place.read.out is None else insight.answers.least_out
    wins = {spies: least(place.cells, spies) for spies in fitting(insight.table, place.cells)}
    if not wins:
        raise PositionError(f"expected results that some spies could cause, got {place.text}")
    worst = min(wins, key=wins.__getitem__)
    return _payoff(wins[worst]), place.letters(place.cells.first_seats(worst))


def _payoff(win: Fraction) -> Fraction:
    return 2 * win - 1
