"""What every optimal strategy of The Resistance must, may and never does: one pair of strategies that shows it all.

Of all optimal pairs, some are strictly complementary (Goldman and Tucker 1956): each column has mass, or loses by
having any; each row of the resistance has weight, or is worth less than the best. So masses m of the spies that have
mass on as much, and leave as few replies best, as any optimal masses tell both: the spies never do what has no mass in
m, and the resistance may do whatever is a best response to m, all the way from the start, and nothing else.

To find m: start from any optimal masses. With Z the columns without mass and T the best replies, maximise

    sum of Z's masses  +  sum of what T's rows are short of the best        over all optimal masses.

Every term is at least 0. If the maximum is more, take it into the average; else no optimal masses do better, and the
duals, in fractions, prove it. Those duals, each row of T counted once more, are the other strategy of such a pair: with
them every column of Z loses, and every row of T has weight (`pair`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from ruse.core.arrays import Array
from ruse.core.clock import tick
from ruse.core.exact import shares
from ruse.core.types import Tables
from ruse.games.resistance.cells import Cells, Counts, splits
from ruse.games.resistance.insight_program import ExactOptimum, NotProved, OptimumQuery
from ruse.games.resistance.insight_proofs import ReplyToMasses, Spot, masses_of, plan_values, times
from ruse.games.resistance.insight_ranges import ResistanceRanges
from ruse.games.resistance.program import ONE, ROOT, Endgame, ResistanceProgram, SabotageDecision
from ruse.games.resistance.rules import SPIES
from ruse.games.resistance.tables import Plans, spies_table, weighted_table
from ruse.insight.model import MAY, MUST, NEVER

NOTHING = Fraction(0)
MOST_COLUMNS = 20_000  # of all programs for strategies against which *never* moves cost much
NEVER_WEIGHT = 100  # of masses in the sum, so that the duals make what spies never do cost more than next to nothing
INTERIOR = Fraction(1, 8)  # of the reference strategy: the part that has weight on every row in T


@dataclass
class Weights:
    """A strategy of the resistance as weights of choices, in the order of the program, and of plans for endgames."""

    choices: list[Fraction]
    plans: dict[tuple[Cells, tuple[Counts, ...]], Fraction]

    @staticmethod
    def of(program: ResistanceProgram, optimum: ExactOptimum) -> Weights:
        """The duals of an optimum."""
        plans: dict[tuple[Cells, tuple[Counts, ...]], Fraction] = {}
        for plan, dual in optimum.plans.items():
            cells = program.endgames[plan.endgame].cells
            named = cells, program.classes(cells, plan.missions)
            plans[named] = plans.get(named, NOTHING) + dual
        return Weights([optimum.rows[choice.row] for choice in program.choices], plans)

    def scaled(self, program: ResistanceProgram) -> Weights:
        """With a weight of 1 in all."""
        first = program.choices[0].before
        whole = sum(
            (weight for weight, choice in zip(self.choices, program.choices, strict=True) if choice.before == first),
            NOTHING,
        )
        plans = {plan: weight / whole for plan, weight in self.plans.items()}
        return Weights([weight / whole for weight in self.choices], plans)

    def won_on(self, program: ResistanceProgram) -> list[Fraction]:
        """What it wins for each unit of each mass."""
        won = [NOTHING] * len(program.upper)
        endgames = {endgame.cells: endgame for endgame in program.endgames}
        for (cells, missions), weight in self.plans.items():
            if weight:
                _, _, columns, values = program.plan_row(endgames[cells], program.numbers(cells, missions))
                for column, value in zip(columns[1:], values[1:], strict=True):
                    won[column] -= value * weight
        return won


class Support:
    """Masses that no optimal masses outdo: what has none never has any, and a best response to them always is one."""

    def __init__(self, ranges: ResistanceRanges) -> None:
        self.ranges, self.program = ranges, ranges.program
        self.points: list[Sequence[Fraction]] = [masses_of(self.program, ranges.tables[SPIES])]
        self.reply = ReplyToMasses(self.program, self.points[0])
        self._duals: ExactOptimum | None = None  # of the last program, which prove that nothing outdoes the average
        while self._outdone(self._in_floats()) or self._outdone(self._in_fractions()):
            pass

    def _in_floats(self) -> ReplyToMasses:
        """The best response to the average of the points, roughly: good enough to look for points that outdo it."""
        points = np.array([[float(mass) for mass in point] for point in self.points])
        return ReplyToMasses(self.program, points.mean(axis=0))

    def _in_fractions(self) -> ReplyToMasses:
        return ReplyToMasses(self.program, self._average())

    def _average(self) -> list[Fraction]:
        columns = zip(*self.points, strict=True)
        return [sum(column, NOTHING) / len(self.points) for column in columns]

    def _outdone(self, reply: ReplyToMasses) -> bool:
        """Whether some optimal masses have mass where the average has none, or fewer best replies; they join in."""
        self.reply = reply
        cost = {column: -value for column, value in self._shortfall().items()}
        optimum = self.ranges.optimal.find(OptimumQuery(cost=cost, face=True))
        if optimum is None:
            raise NotProved("expected a basis that can be solved in fractions, got none")
        if optimum.value:
            self.points.append(optimum.columns[: len(self.program.upper)])
            return True
        if reply.exact and not self.ranges.optimal.bounded_by_duals(optimum, cost):
            raise NotProved("the duals do not prove what no optimal strategy does")
        self._duals = optimum
        return False

    # What is tight.

    @cached_property
    def _columns(self) -> list[int]:
        """Of masses that the spies choose."""
        return [column for decision in self.program.decisions for column in (decision.passed, decision.failed)]

    def _shortfall(self) -> dict[int, int]:
        """The objective: masses that are 0, and what best replies are short of the best."""
        cost = {column: NEVER_WEIGHT for column in self._columns if self.reply.none(column)}

        def add(column: int, value: int) -> None:
            cost[column] = cost.get(column, 0) + value

        worths, live = self.reply.values(), {ROOT}
        for choice in self.program.choices:
            if choice.before in live and self.reply.as_good(
                worths[choice.passed] + worths[choice.failed], worths[choice.before]
            ):
                live |= {choice.passed, choice.failed}
                add(choice.before, 1)
                add(choice.passed, -1)
                add(choice.failed, -1)
        self.live = live
        for endgame in self.program.endgames:
            if endgame.value not in live:
                continue
            if all(self.reply.none(int(column)) for column in endgame.masses):
                add(endgame.value, 1)
                continue
            count, won = 0, np.zeros(len(endgame.kind), dtype=np.int64)
            for _, _, wins in best_lines(self.program, endgame, self.reply):
                count += len(wins)
                won += wins.sum(axis=0)
            add(endgame.value, count)
            for kind in np.unique(endgame.kind[endgame.kind >= 0]).tolist():
                add(int(endgame.masses[kind]), -int(won[endgame.kind == kind].sum()))
        return {column: value for column, value in cost.items() if value}

    # Answers.

    def pair(self) -> Tables:
        """A strictly complementary pair of strategies, against which *never* moves of the spies cost a good deal."""
        program, masses = self.program, self._average()
        parts = [(self._interior(), INTERIOR)]
        spread = list(self._costly())
        parts += [(weights, (1 - INTERIOR) / len(spread)) for weights in spread]
        choices: dict[Cells, list[tuple[Counts, Fraction]]] = {}
        for number, choice in enumerate(program.choices):
            weight = sum((part * weights.choices[number] for weights, part in parts), NOTHING)
            choices.setdefault(choice.cells, []).append((choice.mission, weight))
        plans: Plans = {}
        for weights, part in parts:
            for (cells, missions), weight in weights.plans.items():
                here = plans.setdefault(cells, {})
                here[missions] = here.get(missions, NOTHING) + part * weight
        point = np.array([float(mass) for mass in masses])
        return weighted_table(program, choices, plans, point, shares), spies_table(program, masses, shares)

    def _interior(self) -> Weights:
        """A strategy of the resistance with weight on every row in T, against which every column in Z loses."""
        assert self._duals is not None
        worths, weights = self.reply.values(), Weights.of(self.program, self._duals)
        for number, choice in enumerate(self.program.choices):
            if choice.before in self.live and worths[choice.passed] + worths[choice.failed] == worths[choice.before]:
                weights.choices[number] += 1
        for endgame in self.program.endgames:
            if endgame.value in self.live and not all(self.reply.none(int(column)) for column in endgame.masses):
                for earlier, lasts, _ in best_lines(self.program, endgame, self.reply):
                    for last in lasts:
                        plan = endgame.cells, (*earlier, last)
                        weights.plans[plan] = weights.plans.get(plan, NOTHING) + 1
        return weights.scaled(self.program)

    def _costly(self) -> Iterator[Weights]:
        """Optimal strategies of the resistance, against each of which *never* moves together cost as much as they can.

        Let m be masses of at least 1 on some columns of Z. The least that such masses concede beyond the value has as
        duals an optimal strategy with the greatest sum of what those columns lose. What loses nothing comes next.
        """
        won = self.ranges.won
        costs = {ROOT: won.denominator, ONE: -won.numerator}
        open_still = {
            column
            for decision in self.program.decisions
            for column in (decision.passed, decision.failed)
            if self.never(column) and not self.never(decision.mass)
        }
        for _ in range(max(MOST_COLUMNS // len(self.program.upper), 1)):
            if not open_still:
                return
            optimum = self.ranges.optimal.find(
                OptimumQuery(cost=costs, any_masses=True, at_least_one=frozenset(open_still))
            )
            if optimum is None or not optimum.value:
                return
            weights = Weights.of(self.program, optimum).scaled(self.program)
            lost = self._lost(weights)
            settled = {column for column in open_still if lost[column]}
            if not settled:
                return
            open_still -= settled
            yield weights

    def _lost(self, weights: Weights) -> list[Fraction]:
        """What each mass loses against a strategy of the resistance, compared with the other order."""
        won = weights.won_on(self.program)
        lost = [NOTHING] * len(won)
        for decision in reversed(self.program.decisions):  # later ones first
            passed, failed = won[decision.passed], won[decision.failed]
            lost[decision.passed], lost[decision.failed] = max(NOTHING, passed - failed), max(NOTHING, failed - passed)
            won[decision.mass] += min(passed, failed)
        return lost

    def never(self, column: int) -> bool:
        return self.reply.none(column)

    def orders(self, decision: SabotageDecision) -> dict[str, str] | None:
        """Of pass and sabotage; None where no optimal spies come."""
        if self.never(decision.mass):
            return None
        columns = {"pass": decision.passed, "sabotage": decision.failed}
        return _kinds({order: not self.never(column) for order, column in columns.items()})

    def missions(self, cells: Cells) -> dict[Counts, str] | None:
        """Of each class of missions; None where no optimal strategy of the resistance comes."""
        spot = Spot.of(self.program, cells)
        if spot.endgame is None:
            choices = [choice for choice in self.program.choices if choice.cells == cells]
            worths = self.reply.values()
            if choices[0].before not in self.live:
                return None
            best = worths[choices[0].before]
            return _kinds(
                {
                    choice.mission: self.reply.as_good(worths[choice.passed] + worths[choice.failed], best)
                    for choice in choices
                }
            )
        endgame = self.program.endgames[spot.endgame]
        if endgame.value not in self.live:
            return None
        mass = self.reply.mass(endgame)
        best = self.reply.best(spot.endgame)
        here = plan_values(self.program, endgame, mass, spot.prefix)
        if not any(self.reply.as_good(value, best) for value, _ in here.values()):
            return None
        return _kinds({mission: bool(self.reply.as_good(value, best)) for mission, (value, _) in here.items()})


def _kinds(may: Mapping[Any, bool]) -> dict[Any, str]:
    alone = sum(may.values()) == 1
    return {move: (MUST if alone else MAY) if does else NEVER for move, does in may.items()}


def best_lines(
    program: ResistanceProgram, endgame: Endgame, reply: ReplyToMasses
) -> Iterator[tuple[tuple[Counts, ...], Sequence[Counts], Array]]:
    """The best plans at an endgame by class: missions but the last, the last ones, and bool[last ones, spy sets]."""
    shapes, mass = program.dirty if endgame.any_clean else program.clean, reply.mass(endgame)
    best = max(value for value, _ in plan_values(program, endgame, mass).values())
    most = mass.sum() - best if endgame.any_clean else best  # what stays open under the best plans
    number, cells = len(endgame.cells.results), endgame.cells
    openings: list[tuple[tuple[Counts, ...], Cells, Array]] = [((), cells, np.ones(len(mass), dtype=bool))]
    for ahead in range(number, len(shapes) - 2):
        openings = [
            ((*missions, sent), before.send(sent), stays & (shapes[ahead][row] == 1))
            for missions, before, stays in openings
            for sent, row in _named(program, before, ahead)
        ]
    for missions, before, stays in openings:
        tick()
        seconds = program.named(before, len(shapes) - 2)
        staying = times(shapes[-2][seconds], np.where(stays, mass, 0), shapes[-1])
        for (sent, row), sums in zip(_named(program, before, len(shapes) - 2), staying, strict=True):
            after = before.send(sent)
            lasts = program.named(after, len(shapes) - 1)
            tight = reply.as_good(-sums[lasts], -most) if endgame.any_clean else reply.as_good(sums[lasts], most)
            if tight.any():
                open_still = stays & (shapes[-2][row] == 1) & (shapes[-1][lasts[tight]] == 1)
                classes = splits(after.sizes, program.table.missions[-1])
                chosen = [mission for mission, does in zip(classes, tight.tolist(), strict=True) if does]
                yield (*missions, sent), chosen, ~open_still if endgame.any_clean else open_still


def _named(program: ResistanceProgram, cells: Cells, number: int) -> Iterator[tuple[Counts, int]]:
    classes = splits(cells.sizes, program.table.missions[number])
    return zip(classes, program.named(cells, number).tolist(), strict=True)
