"""What all optimal strategies of The Resistance leave free over the whole game, and the values of a position."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

from ruse.core.clock import TimeIsUp
from ruse.core.game import PositionError
from ruse.core.types import StrategyTable
from ruse.games.resistance.cells import Cells, Counts, Place, fitting, possible, splits
from ruse.games.resistance.evaluator import payoff
from ruse.games.resistance.insight_program import NotProved
from ruse.games.resistance.program import SabotageDecision
from ruse.games.resistance.rules import RESISTANCE, SPIES
from ruse.insight.model import MAY, Range, Unique

if TYPE_CHECKING:
    from ruse.games.resistance.insight import ResistanceInsight


def positions(insight: ResistanceInsight) -> Iterator[tuple[int, str]]:
    """Every position where a side has something to decide, and the side."""
    seen = dict.fromkeys(choice.cells for choice in insight.program.choices)
    for cells in seen:
        if possible(insight.table, cells):
            yield RESISTANCE, cells.position(insight.table)
    for endgame in insight.program.endgames:
        stack = [endgame.cells]
        while stack:
            cells = stack.pop()
            if not possible(insight.table, cells):
                continue
            yield RESISTANCE, cells.position(insight.table)
            number = len(cells.results)
            if number + 1 < len(insight.table.missions):
                goes_on = "-" if endgame.any_clean else "+"
                missions = splits(cells.sizes, insight.table.missions[number])
                stack += [cells.send(mission).then(goes_on) for mission in missions]
    for decision in insight.program.decisions:
        yield SPIES, decision.cells.position(insight.table, decision.spies)


def unique(insight: ResistanceInsight, side: int) -> Unique:
    """Up to the names of seats, with forced sabotages taken as given."""
    try:
        if side == SPIES:
            plans, answer = insight.ranges.plans_of_spies(partial(_odds_of_sabotage, insight))
        else:
            plans, answer = _plans_of_the_resistance(insight), insight.optimal.tables[SPIES]
    except (TimeIsUp, NotProved):
        return Unique(side, None, [insight.optimal.tables[side]], insight.optimal.tables[1 - side])
    return Unique(side, len(plans) == 1, plans, answer, 0 if len(plans) == 1 else None)


def _odds_of_sabotage(insight: ResistanceInsight, decision: SabotageDecision) -> Range | None:
    return insight.odds_of_order((decision.cells, decision.spies), "sabotage")


def _plans_of_the_resistance(insight: ResistanceInsight) -> list[StrategyTable]:
    """Two optimal strategies that differ where they come, or the only one."""
    stored = insight.optimal.tables[RESISTANCE]
    for here in (insight.ranges.reached(stored), _free_positions(insight)):
        for cells, missions in here:
            for mission in missions:
                odds = insight.odds_of_mission(cells, mission)
                if odds is not None and not odds.exact:
                    raise NotProved(f"there are only bounds on the odds at {cells.position(insight.table)}")
                if odds is not None and odds.least.value < odds.greatest.value:
                    return [odds.least.witness, odds.greatest.witness]
    return [stored]


def _free_positions(insight: ResistanceInsight) -> Iterator[tuple[Cells, list[Counts]]]:
    """Where optimal strategies of the resistance may send several missions: where else could they differ?"""
    for side, position in positions(insight):
        if side == RESISTANCE:
            cells = Place.at(insight.table, position, RESISTANCE).cells
            kinds = insight.support.missions(cells) or {}
            yield cells, [mission for mission, kind in kinds.items() if kind == MAY]


@dataclass(frozen=True)
class PositionValues:
    """The value of a position as payoffs to the resistance, each on its own terms."""

    stored: Fraction | None  # if both sides follow the stored strategies; None if the stored spies never come here
    best: Fraction | None  # if the spies follow theirs and the resistance goes on as well as it can
    start: Fraction  # the value of the game, before anything happened
    worst: Fraction | None  # if the spies are whoever is worst, and do what is worst; None to the spies, who know
    worst_spies: str = ""  # such spies


def values(insight: ResistanceInsight, place: Place) -> PositionValues:
    """On all terms."""
    evaluator = insight.evaluator
    if place.side == SPIES:
        stored = None
        if evaluator.dealt_and_played(place.cells, place.spies):
            win = evaluator.win if place.read.out is None else evaluator.win_out
            stored = payoff(win(place.cells, place.spies))
        return PositionValues(stored, None, insight.value, None)
    assert place.side == RESISTANCE
    stored, best = None, None
    if not evaluator.suspects(place.cells).slips:
        stored, best = (
            payoff(
                source.value(place.cells)
                if place.read.out is None
                else source.value_sent(place.back().cells, place.mission())
            )
            for source in (evaluator, insight.reply)
        )
    return PositionValues(stored, best, insight.value, *_worst(insight, place))


def _worst(insight: ResistanceInsight, place: Place) -> tuple[Fraction, str]:
    """What the stored strategy of the resistance still wins, whoever the spies are and whatever they do."""
    least = insight.answers.least if place.read.out is None else insight.answers.least_out
    wins = {spies: least(place.cells, spies) for spies in fitting(insight.table, place.cells)}
    if not wins:
        raise PositionError(f"expected results that some spies could cause, got {place.text}")
    worst = min(wins, key=wins.__getitem__)
    return payoff(wins[worst]), place.letters(place.cells.first_seats(worst))
