"""What strategies of The Resistance are worth on the columns of a program, in fractions.

A plan of the spies is its masses. Against a strategy of the resistance it concedes a sum over masses, whose least value
is found from the last decisions back: each passes on the lesser of its two columns. A plan of the resistance, against
given masses, is worth a sum over its choices and plans, whose greatest value is a best reply. In both, a bonus may stand
beside what is won: that is all it takes to check a proof about all optimal strategies (ruse.insight.model).

Both count spy sets: 1 of them dealt is worth 1, so all is ONE's column times their number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ruse.core.clock import tick
from ruse.core.exact import common_denominator
from ruse.core.game import PositionError
from ruse.core.types import StrategyTable
from ruse.games.resistance import notation
from ruse.games.resistance.cells import Cells, Counts
from ruse.games.resistance.insight_spots import OTHER, THIS, Plan, Spot, plan_worths
from ruse.games.resistance.program import ONE, ROOT, Endgame, ResistanceProgram

Array = np.ndarray[Any, np.dtype[Any]]
NOTHING = Fraction(0)
MOST_IN_FLOATS = 1 << 53  # sums of whole numbers below this are exact in floats


# The resistance's strategies.


def won_on(program: ResistanceProgram, table: StrategyTable) -> list[Fraction]:
    """What a strategy of the resistance wins for each unit of each mass."""
    won = [NOTHING] * len(program.upper)
    endgames = {endgame.cells: endgame for endgame in program.endgames}

    def fill(cells: Cells, weight: Fraction) -> None:
        tick()
        if cells in endgames:
            follow(endgames[cells], cells, weight, ())
            return
        for mission, share in missions(program, table, cells).items():
            out = cells.send(mission)
            fill(out.then("+"), weight * share)
            fill(out.then("-"), weight * share)

    def follow(endgame: Endgame, cells: Cells, weight: Fraction, plan: Plan) -> None:
        number = len(cells.results)
        if number == len(program.missions):
            _, _, columns, values = program.plan_row(endgame, plan)
            for column, value in zip(columns[1:], values[1:], strict=True):
                won[column] -= value * weight
            return
        for mission, share in missions(program, table, cells).items():
            sent = program.number_of(number, cells.first_seats(mission))
            goes_on = "-" if endgame.any_clean else "+"
            follow(endgame, cells.send(mission).then(goes_on), weight * share, (*plan, sent))

    fill(Cells.start(program.table), Fraction(1))
    return won


def missions(program: ResistanceProgram, table: StrategyTable, cells: Cells) -> dict[Counts, Fraction]:
    """What a strategy sends at a position."""
    position = cells.position(program.table)
    if position not in table:
        raise PositionError(f"expected a strategy that covers {position}, got nothing")
    odds = table[position]
    return {cells.counts(notation.read_seats(name, program.table)): share for name, share in odds.items() if share}


def least(program: ResistanceProgram, costs: Sequence[Fraction]) -> Fraction:
    """The least sum of costs over all plans of the spies."""
    found = list(costs)
    for decision in reversed(program.decisions):  # later ones first
        found[decision.mass] += min(found[decision.passed], found[decision.failed])
    return found[ONE]


# The spies' strategies.


def masses_of(program: ResistanceProgram, table: StrategyTable) -> list[Fraction]:
    """The masses that a strategy of the spies makes."""
    masses = [NOTHING] * len(program.upper)
    masses[ONE] = Fraction(1)
    for decision in program.decisions:
        whole = masses[decision.mass]
        if whole:
            share = Fraction(table[decision.cells.position(program.table, decision.spies)].get("sabotage", 0))
            masses[decision.failed] = whole * share
            masses[decision.passed] = whole * (1 - share)
    return masses


class Reply:
    """The resistance's best reply to masses, with a bonus where it comes to a spot, and another for one mission there."""

    def __init__(self, program: ResistanceProgram, masses: Sequence[Fraction]) -> None:
        self.program = program
        whole, self.unit = common_denominator(list(masses))
        self._whole = np.array([*whole, 0], dtype=object)
        self._exactly = bool(sum(whole) * program.table.spy_sets >= MOST_IN_FLOATS)
        self._worths: dict[int, Any] = {}  # of endgames

    def _mass(self, endgame: Endgame) -> Array:
        mass: Array = np.append(self._whole[endgame.masses], 0)[endgame.kind]
        return mass if self._exactly else mass.astype(float)

    def _worth(self, number: int) -> int:
        if number not in self._worths:
            endgame = self.program.endgames[number]
            mass = self._mass(endgame)
            found = plan_worths(self.program, endgame, mass).values() if mass.any() else [(0, ())]
            self._worths[number] = int(max(worth for worth, _ in found))
        found_before: int = self._worths[number]
        return found_before

    def worth(
        self,
        spot: Spot | None = None,
        mission: Counts = (),
        bonus: Mapping[int, Fraction | None] | None = None,
    ) -> Fraction:
        """How many spy sets it wins, with a bonus for kinds of choices at a spot; None forbids them."""
        program, bonus = self.program, bonus or {}
        worths: list[Fraction | None] = [None] * len(program.upper)
        for number, endgame in enumerate(program.endgames):
            if spot is None or number != spot.endgame:
                worths[endgame.worth] = Fraction(self._worth(number), self.unit)
                continue
            for kind, won, _ in spot.best(program, self._mass(endgame), mission):
                more = bonus.get(kind, NOTHING)
                if more is not None:
                    worths[endgame.worth] = _most(worths[endgame.worth], Fraction(int(won), self.unit) + more)
        for choice in reversed(program.choices):  # later positions first
            more = NOTHING if spot is None else bonus.get(spot.choice_kind(choice, mission), NOTHING)
            passed, failed = worths[choice.passed], worths[choice.failed]
            if more is not None:
                assert passed is not None and failed is not None
                worths[choice.before] = _most(worths[choice.before], passed + failed + more)
        found = worths[ROOT]
        assert found is not None
        return found


def _most(one: Fraction | None, other: Fraction) -> Fraction:
    return other if one is None else max(one, other)


def always(odds: int) -> dict[int, Fraction | None]:
    """The bonus that forbids all but one mission at a spot (odds 1), or that mission (odds 0)."""
    return {OTHER if odds else THIS: None}
