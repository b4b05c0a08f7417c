"""What to do at positions where a strategy never comes: after somebody's mistake, or out of curiosity.

Spies: sabotage if a side has two points and enough of them are aboard. The resistance: a best reply to the spies'
strategy, given who they may be (ruse.games.resistance.worth).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache

from ruse.core.game import PositionError
from ruse.core.types import Odds, StrategyTable
from ruse.games.resistance import notation
from ruse.games.resistance.places import Place
from ruse.games.resistance.rules import RESISTANCE, SPIES
from ruse.games.resistance.table import POINTS_TO_WIN, Table
from ruse.games.resistance.worth import Worth

ONE = Fraction(1)


def adviser(table: Table, side: int, tables: tuple[StrategyTable, StrategyTable]) -> Callable[[str], Odds]:
    """Sensible odds at any filed position where a side moves, given both strategies."""

    @cache
    def worth() -> Worth:
        return Worth(table, tables)

    def advise(position: str) -> Odds:
        place = Place.at(table, position, side)
        if side == SPIES:
            if place.read.out is None:
                raise PositionError(f"expected a mission under way, such as @bd/ab?, got {position!r}")
            share = worth().sabotage(place.cells, place.spies)
            return {"pass": 1 - share, "sabotage": share}
        if place.read.out is not None or place.ended:
            raise PositionError(f"expected a position where the resistance sends a mission, got {position!r}")
        return {place.named(mission): share for mission, share in worth().missions(place.cells).items()}

    return advise


def decided(table: Table, position: str) -> bool:
    """Whether the spies have nothing to decide because a side has two points."""
    return POINTS_TO_WIN - 1 in notation.read(table, position).score


def complete(table: Table, tables: tuple[StrategyTable, StrategyTable]) -> StrategyTable:
    """The resistance's strategy, with advice wherever its own choices lead and it says nothing.

    Reduced games leave out positions with nothing to decide, and those that only a blunder of the spies leads to.
    """
    strategy, spies = dict(tables[0]), tables[1]
    advise = adviser(table, RESISTANCE, ({}, spies))
    level = [table.title]
    while level:
        following = []
        for position in level:
            if position not in strategy:
                try:
                    strategy[position] = advise(position)
                except PositionError:  # no spies could cause this history: any mission will do
                    size = table.missions[len(notation.read(table, position).done)]
                    strategy[position] = {notation.seats(range(size)): ONE}
            for mission, share in strategy[position].items():
                for result in "+-" if share else "":
                    after = notation.read(table, f"{position}/{mission}{result}")
                    if POINTS_TO_WIN not in after.score:
                        following.append(after.text(table))
        level = following
    return strategy


def reason(side: int) -> str:
    """Why a strategy of a side can leave a position out."""
    if side == SPIES:
        return "There is nothing to decide: a side has two points, or too few spies are aboard."
    return "The strategy never reaches this position; this is a best response from here on."
