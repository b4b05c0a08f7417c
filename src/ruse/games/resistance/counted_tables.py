"""Strategies of the resistance that see the number of sabotages, position by position.

A position is that of its strategy by class, with a number after a mission that showed neither no sabotage nor just as
many as it takes: resistance-5/ab-2. Where a strategy lists no such position, it plays as without the number.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from fractions import Fraction

from ruse.core.types import Odds, StrategyTable
from ruse.games.resistance.table import Table

CARDS = re.compile(r"(?<=[-+])\d+")
NEVER: Odds = {}


def without_cards(position: str) -> str:
    """The position without the numbers of sabotages."""
    head, slash, steps = position.partition("/")
    return head + slash + CARDS.sub("", steps)


def without(table: StrategyTable, positions: Collection[str]) -> dict[str, Odds]:
    """A strategy without its entries from some positions on, which then plays as without the numbers there."""
    return {
        place: odds
        for place, odds in table.items()
        if not any(place == position or place.startswith(f"{position}/") for position in positions)
    }


def odds_at(table: StrategyTable, position: str) -> Odds:
    """The odds at a position, with its numbers or without."""
    return table.get(position) or table.get(without_cards(position)) or NEVER


def reach(table: StrategyTable, position: str) -> Fraction:
    """How likely the strategy's own choices lead to a position."""
    head, *steps = position.split("/")
    likely = Fraction(1)
    for step in steps:
        likely *= odds_at(table, head).get(step.rstrip("+-0123456789"), 0)
        if not likely:
            break
        head = f"{head}/{step}"
    return likely


def mixed(table: Table, first: StrategyTable, second: StrategyTable, part: Fraction) -> dict[str, Odds]:
    """The strategy that draws lots before the game: the second with odds `part`, else the first."""
    both: dict[str, Odds] = {}
    for position in {**first, **second}:
        weights = (1 - part) * reach(first, position), part * reach(second, position)
        if not (total := sum(weights, Fraction(0))):
            continue
        odds: dict[str, Fraction] = {}
        for weight, strategy in zip(weights, (first, second), strict=True):
            for mission, share in odds_at(strategy, position).items() if weight else ():
                odds[mission] = odds.get(mission, Fraction(0)) + weight * share / total
        both[position] = odds
    return both
