"""What every optimal strategy of The Resistance must, may and never does: one pair of strategies that shows it all.

Of all optimal pairs, some are strictly complementary (Goldman and Tucker 1956): each column has mass, or loses by
having any; each row of the resistance has weight, or is worth less than the best. So masses m of the spies that have
mass on as much, and leave as few replies best, as any optimal masses tell both: the spies never do what has no mass in
m, and the resistance may do whatever is a best response to m, all the way from the start, and nothing else.

To find m: start from any optimal masses. With Z the columns without mass and T the best replies, maximise

    sum of Z's masses  +  sum of what T's rows are short of the best        over all optimal masses.

Every term is at least 0. If the maximum is more, take it into the average; else no optimal masses do better, and the
duals, in fractions, prove it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from ruse.core.arrays import Array
from ruse.core.clock import tick
from ruse.games.resistance.cells import Cells, Counts, splits
from ruse.games.resistance.insight_program import NotProved, OptimumQuery
from ruse.games.resistance.insight_proofs import ReplyToMasses, Spot, masses_of, plan_values, times
from ruse.games.resistance.insight_ranges import ResistanceRanges
from ruse.games.resistance.program import ROOT, Endgame, ResistanceProgram, SabotageDecision
from ruse.games.resistance.rules import SPIES
from ruse.insight.model import MAY, MUST, NEVER

NOTHING = Fraction(0)


class Support:
    """Masses that no optimal masses outdo: what has none never has any, and a best response to them always is one."""

    def __init__(self, ranges: ResistanceRanges) -> None:
        self.ranges, self.program = ranges, ranges.program
        self.points: list[Sequence[Fraction]] = [masses_of(self.program, ranges.tables[SPIES])]
        self.reply = ReplyToMasses(self.program, self.points[0])
        while self._outdone(self._in_floats()) or self._outdone(self._in_fractions()):
            pass

    def _in_floats(self) -> ReplyToMasses:
        """The best response to the average of the points, roughly: good enough to look for points that outdo it."""
        points = np.array([[float(mass) for mass in point] for point in self.points])
        return ReplyToMasses(self.program, points.mean(axis=0))

    def _in_fractions(self) -> ReplyToMasses:
        columns = zip(*self.points, strict=True)
        return ReplyToMasses(self.program, [sum(column, NOTHING) / len(self.points) for column in columns])

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
        return False

    # What is tight.

    @cached_property
    def _columns(self) -> list[int]:
        """Of masses that the spies choose."""
        return [column for decision in self.program.decisions for column in (decision.passed, decision.failed)]

    def _shortfall(self) -> dict[int, int]:
        """The objective: masses that are 0, and what best replies are short of the best."""
        cost = {column: 1 for column in self._columns if self.reply.none(column)}

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
