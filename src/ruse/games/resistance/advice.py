"""What to do at positions where a strategy never comes: after somebody's mistake, or out of curiosity.

Spies: sabotage if a side has two points and enough of them are aboard. The resistance: a best response to the
spies' strategy, given who they may be. That is what their strategy makes likely after such a history; if they
would never have played so, all spy sets that fit the facts are as likely.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np

from ruse.game import PositionError
from ruse.games.resistance import notation
from ruse.games.resistance.cells import Cells, splits
from ruse.games.resistance.notation import Position
from ruse.games.resistance.program import Endgame, ResistanceProgram
from ruse.games.resistance.table import POINTS_TO_WIN, Table

Array = np.ndarray[Any, np.dtype[Any]]
Odds = Mapping[str, Fraction]
StrategyTable = Mapping[str, Odds]
ONE = Fraction(1)


def advise(table: Table, position: str, side: int, spies: StrategyTable) -> Odds:
    """Sensible odds at a filed position, given the spies' strategy."""
    read = notation.read(table, position)
    if side == 1:
        if read.spies is None or read.out is None:
            raise PositionError(f"expected the spies and a mission that is out, such as @bd/ab?, got {position!r}")
        return {"pass": 1 - _sabotages(table, read, spies), "sabotage": _sabotages(table, read, spies)}
    if read.out is not None or POINTS_TO_WIN in read.score:
        raise PositionError(f"expected a position where the resistance sends a mission, got {position!r}")
    mission = _best_mission(_program(table), Cells.at(read, table), beliefs(table, read, spies), spies)[1]
    return {mission: ONE}


def _sabotages(table: Table, position: Position, spies: StrategyTable) -> Fraction:
    """The odds of a sabotage of the mission that is out."""
    assert position.spies is not None and position.out is not None
    if len(set(position.out).intersection(position.spies)) < table.sabotages[len(position.done)]:
        return Fraction(0)
    if POINTS_TO_WIN - 1 in position.score:
        return ONE
    filed = position.renamed(position.names(table.players)).text(table)
    if filed not in spies:
        raise PositionError(f"expected the spies' strategy to cover {filed}, got nothing")
    return spies[filed]["sabotage"]


def beliefs(table: Table, position: Position, spies: StrategyTable) -> Array:
    """How much each spy set weighs after a public history: float64[spy sets], not all of them 0."""
    weights, fits = [], []
    for suspects in combinations(range(table.players), table.spies):
        weight, fitting = ONE, True
        for number, (mission, passed) in enumerate(position.done):
            aboard = len(set(mission).intersection(suspects))
            fitting = fitting and (passed or aboard >= table.sabotages[number])
            share = _sabotages(table, Position(suspects, position.done[:number], mission), spies) if weight else ONE
            weight *= 1 - share if passed else share
        weights.append(float(weight))
        fits.append(float(fitting))
    if not any(fits):
        raise PositionError(f"expected a history that some spies could cause, got {position.text(table)!r}")
    return np.array(weights if any(weights) else fits)


def decided(table: Table, position: str) -> bool:
    """Whether the spies have nothing to decide because a side has two points."""
    return POINTS_TO_WIN - 1 in notation.read(table, position).score


def complete(table: Table, tables: tuple[StrategyTable, StrategyTable]) -> StrategyTable:
    """The resistance's strategy, with advice wherever its own choices lead and it says nothing.

    Reduced games leave out positions with nothing to decide, and those that only a blunder of the spies leads to.
    """
    strategy, spies = dict(tables[0]), tables[1]
    level = [table.title]
    while level:
        following = []
        for position in level:
            if position not in strategy:
                try:
                    strategy[position] = advise(table, position, 0, spies)
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


@lru_cache(maxsize=4)
def _program(table: Table) -> ResistanceProgram:
    return ResistanceProgram(table)


def _best_mission(program: ResistanceProgram, cells: Cells, mass: Array, spies: StrategyTable) -> tuple[float, str]:
    """The mass of spy sets won on, and the mission to send first."""
    table = program.table
    if POINTS_TO_WIN - 1 in cells.score:
        endgame = Endgame(cells, 0, np.empty(0, dtype=np.int32), np.empty(0, dtype=np.int32))
        won, plan = program.best_plan(endgame, mass)
        return won, notation.seats(cells.first_seats(program.classes(cells, plan)[0]))
    best = (-1.0, "")
    for mission in splits(cells.sizes, table.missions[len(cells.results)]):
        out = notation.read(table, cells.send(mission).position(table))
        suspects = zip(combinations(range(table.players), table.spies), mass, strict=True)
        share = np.array(
            [
                float(_sabotages(table, replace(out, spies=spy_set), spies)) if weight else 0
                for spy_set, weight in suspects
            ]
        )
        after = cells.send(mission)
        won = sum(
            _best_mission(program, after.then(result), mass * odds, spies)[0]
            for result, odds in (("+", 1 - share), ("-", share))
        )
        best = max(best, (won, notation.seats(cells.first_seats(mission))), key=lambda found: found[0])
    return best
