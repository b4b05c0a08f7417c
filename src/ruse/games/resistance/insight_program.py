"""Linear programs over all optimal strategies of The Resistance, with rows found as they are needed.

The program of ruse.games.resistance.program with its column ONE set free is a cone: all rows are homogeneous. Cut by

    U(start) <= V * ONE,    V the spy sets that the resistance wins on,

it is the cone of the optimal spies, and its dual that of the optimal resistance. So the least n'm / d'm over all
optimal spies is the least n'm with d'm = 1 (Charnes and Cooper 1962). The greatest odds x(h, a) / x(h) of a mission
over all optimal strategies of the resistance are, by duality, the least L for which masses exist with

    U(h) >= U(h, a', pass) + U(h, a', fail) + [a' = a] - L     for every mission a' at h,

and the rest as before; inside an endgame the same holds of the rows of its plans. The duals of the one are a strategy
of the resistance that proves the end of a range, and the masses of the other one of the spies. Floats only propose:
what is told is checked by ruse.games.resistance.insight_proofs.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from ruse.core.arrays import Array
from ruse.core.clock import tick
from ruse.core.exact import shares
from ruse.core.game import RuseError
from ruse.core.types import StrategyTable
from ruse.games.resistance.cells import Counts
from ruse.games.resistance.insight_proofs import ELSEWHERE, OTHER, THIS, Spot
from ruse.games.resistance.program import ONE, ROOT, VIOLATED, PlanRow, ResistanceProgram, Row
from ruse.games.resistance.tables import resistance_table, spies_table
from ruse.solvers.highs import Highs, Optimum, Program, Rows
from ruse.solvers.lazy_lp import lazy_lp

Terms = Mapping[int, tuple[int, int] | None]  # kind of row -> coefficient of the extra column, right side; None: no row
Weights = Mapping[int, int]  # column -> coefficient


class NotProved(RuseError):
    """What floats propose could not be had in fractions."""


@dataclass(frozen=True, kw_only=True)
class OptimumQuery:
    """A question to the program: costs to minimise, and how its rows and columns differ."""

    cost: Weights
    face: bool = False  # U(start) <= V * ONE: optimal masses only
    cone: bool = False  # the same with ONE free
    any_masses: bool = False  # ONE free, and masses need not be optimal
    at_least_one: frozenset[int] = frozenset()  # columns of at least 1
    sum_to_one: Weights = field(default_factory=dict)
    shut: frozenset[int] = frozenset()  # columns that are 0
    extra: tuple[int, int] | None = None  # the bounds of one more column
    spot: Spot | None = None
    mission: Counts = ()
    terms: Terms = field(default_factory=dict)  # at the spot


@dataclass(frozen=True)
class ExactOptimum:
    """An optimum in fractions: columns and duals in the order of the program, and of the rows beside it."""

    program: ResistanceProgram
    value: Fraction
    columns: Sequence[Fraction]
    rows: Sequence[Fraction]
    plans: Mapping[PlanRow, Fraction]
    top: Fraction  # the dual of U(start) <= V * ONE, in units of U(start)

    @property
    def scale(self) -> Fraction:
        return self.columns[ONE]

    def spies(self) -> StrategyTable:
        return spies_table(self.program, self.columns, shares)

    def resistance(self, only: tuple[Spot, Counts] | None = None) -> StrategyTable:
        """The duals as a strategy; `only`: where they say nothing at a spot, it is to send one mission there."""
        program, rows, plans = self.program, list(self.rows), dict(self.plans)
        point = np.array([float(number) for number in self.columns[: len(program.upper)]])
        if only is not None:
            spot, mission = only
            if spot.endgame is None:
                here = {spot.choice_kind(choice, mission): choice.row for choice in program.choices}
                if rows[here[THIS]] <= 0:
                    rows[here[THIS]] = Fraction(1)
            elif not any(weight > 0 for plan, weight in plans.items() if plan.endgame == spot.endgame):
                mass = program.masses(program.endgames[spot.endgame], point)
                best = [(value, plan) for kind, value, plan in spot.best(program, mass, mission) if kind != OTHER]
                chosen = PlanRow(spot.endgame, max(best)[1])
                program.add([chosen] if chosen not in program.known else [])
                plans[chosen] = Fraction(1)
        duals = [*rows, *(plans.get(plan, Fraction(0)) for plan in program.plans)]
        return resistance_table(program, duals, point, shares)


class OptimalProgram:
    """Asks a program about its optimal solutions; the cuts that one question needs, the next ones have."""

    def __init__(self, program: ResistanceProgram, won: Fraction) -> None:
        self.program, self.won = program, won
        self._choices = {choice.row: choice for choice in program.choices}
        self._rows: dict[PlanRow, Row] = {}
        self._hot: set[int] = set()  # endgames that gave cuts last, which mostly give more

    @property
    def top_row(self) -> Row:
        """U(start) <= V * ONE, in whole numbers."""
        return (0, np.inf, [ONE, ROOT], [self.won.numerator, -self.won.denominator])

    def find(self, asked: OptimumQuery) -> ExactOptimum | None:
        """The optimum in fractions; None if it could not be had from the basis."""
        program, width = self.program, len(self.program.upper)
        if not program.plans:  # the cuts that solving takes serve every question
            lazy: Any = program
            lazy_lp(lazy)
        lower, upper = np.array(program.lower), np.array(program.upper)
        if asked.cone or asked.any_masses:
            lower[ONE], upper[ONE] = 0.0, np.inf
        lower[list(asked.at_least_one)] = 1.0
        upper[list(asked.shut)] = 0.0
        if asked.extra is not None:
            lower, upper = np.append(lower, asked.extra[0]), np.append(upper, asked.extra[1])
        cost = np.zeros(len(lower), dtype=np.int64)
        for column, value in asked.cost.items():
            cost[column] = value
        owners: list[int | str | PlanRow] = []
        rows: list[Row] = []
        for number, row in enumerate(program.rows):
            choice = self._choices.get(number)
            kind = ELSEWHERE if choice is None or asked.spot is None else asked.spot.choice_kind(choice, asked.mission)
            if (changed := _changed(row, asked.terms.get(kind, (0, 0)), width)) is not None:
                rows.append(changed)
                owners.append(number)
        if asked.cone or asked.face:
            rows.append(self.top_row)
            owners.append("top")
        if asked.sum_to_one:
            rows.append((1, 1, list(asked.sum_to_one), list(asked.sum_to_one.values())))
            owners.append("sum")
        self._know(self._first_plans(asked))
        for plan in program.plans:
            if (changed := self._plan(plan, asked)) is not None:
                rows.append(changed)
                owners.append(plan)
        highs = Highs(Program(cost, lower, upper, Rows.of(rows)))
        there = set(owners)
        while cuts := self._cuts(highs.run().columns, asked, there):
            self._know(cuts)
            fresh = {plan: made for plan in cuts if (made := self._plan(plan, asked)) is not None}
            highs.add(Rows.of(list(fresh.values())))
            owners.extend(fresh)
            there.update(cuts)
        exact = highs.run_exactly()
        return None if exact is None else self._read(exact, owners)

    def _read(self, exact: Optimum, owners: Sequence[int | str | PlanRow]) -> ExactOptimum:
        rows, plans, top = [Fraction(0)] * len(self.program.rows), dict[PlanRow, Fraction](), Fraction(0)
        for owner, dual in zip(owners, exact.duals, strict=True):
            if isinstance(owner, int):
                rows[owner] = dual
            elif isinstance(owner, PlanRow):
                plans[owner] = dual
            elif owner == "top":
                top = dual * self.won.denominator
        return ExactOptimum(self.program, exact.value, exact.columns, rows, plans, top)

    def bounded_by_duals(self, optimum: ExactOptimum, cost: Weights) -> bool:
        """Whether duals prove that no optimal masses cost less than 0: no row has a negative one, no column a way down.

        All rows but those that are equal to 0 are at least 0, so costs are at least what the duals leave of them.
        """
        left = [Fraction(0)] * len(self.program.upper)
        for column, value in cost.items():
            left[column] += value
        rows = [(row, dual) for row, dual in zip(self.program.rows, optimum.rows, strict=True) if dual]
        rows.append((self.top_row, optimum.top / self.won.denominator))
        for plan, dual in optimum.plans.items():
            if dual:
                rows.append((self.program.plan_row(self.program.endgames[plan.endgame], plan.missions), dual))
        for (_, upper, columns, values), dual in rows:
            if dual < 0 and upper == np.inf:
                return False
            for column, value in zip(columns, values, strict=True):
                left[column] -= value * dual
        return all(number >= 0 for number in left)

    def _plan(self, plan: PlanRow, asked: OptimumQuery) -> Row | None:
        kind = ELSEWHERE
        if asked.spot is not None:
            kind = asked.spot.plan_kind(self.program, plan.endgame, plan.missions, asked.mission)
        row = self._rows.get(plan)
        if row is None:
            row = self._rows[plan] = self.program.plan_row(self.program.endgames[plan.endgame], plan.missions)
        return _changed(row, asked.terms.get(kind, (0, 0)), len(self.program.upper))

    def _first_plans(self, asked: OptimumQuery) -> list[PlanRow]:
        """One plan of each kind at the spot: without any, nothing would hold its extra column."""
        if asked.spot is None or asked.spot.endgame is None:
            return []
        endgame = self.program.endgames[asked.spot.endgame]
        best = asked.spot.best(self.program, np.ones(len(endgame.kind)), asked.mission)
        return [PlanRow(asked.spot.endgame, plan) for _, _, plan in best]

    def _know(self, plans: Sequence[PlanRow]) -> None:
        self.program.add([plan for plan in plans if plan not in self.program.known])

    def _cuts(self, point: Array, asked: OptimumQuery, there: Container[object]) -> list[PlanRow]:
        """Plans that a point underrates and that are not there yet: where some were last, or else anywhere."""
        if cuts := [plan for plan in self._underrated(point, asked, self._hot) if plan not in there]:
            return cuts
        others = [number for number in range(len(self.program.endgames)) if number not in self._hot]
        cuts = [plan for plan in self._underrated(point, asked, others) if plan not in there]
        self._hot = {plan.endgame for plan in cuts}
        return cuts

    def _underrated(self, point: Array, asked: OptimumQuery, numbers: Iterable[int]) -> list[PlanRow]:
        """The plans that a point underrates most, one an endgame; at the spot, one of each kind."""
        program, spot, cuts = self.program, asked.spot, list[PlanRow]()
        more = float(point[-1]) if asked.extra is not None else 0.0
        for number in numbers:
            tick()
            endgame = program.endgames[number]
            mass = program.masses(endgame, point)
            if spot is None or number != spot.endgame:
                if mass.any():
                    value, plan = program.best_plan(endgame, mass)
                    if value > point[endgame.value] + VIOLATED:
                        cuts.append(PlanRow(number, plan))
                continue
            for kind, value, plan in spot.best(program, mass, asked.mission):
                terms = asked.terms.get(kind, (0, 0))
                if terms is not None and value + terms[1] > point[endgame.value] + terms[0] * more + VIOLATED:
                    cuts.append(PlanRow(number, plan))
        return cuts


def _changed(row: Row, terms: tuple[int, int] | None, extra: int) -> Row | None:
    """A row with a coefficient of the extra column and a right side."""
    if terms is None or terms == (0, 0):
        return row if terms is not None else None
    lower, upper, columns, values = row
    coefficient, right = terms
    if coefficient:
        columns, values = [*columns, extra], [*values, coefficient]
    return (lower + right, upper, columns, values)


def range_terms(sign: int) -> Terms:
    """Rows at a spot, to find the greatest odds of a mission (1) or minus the least (-1)."""
    return {OTHER: (1, 0), THIS: (1, sign)}


ONLY_THIS: Terms = {OTHER: None}
