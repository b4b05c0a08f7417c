"""Ranges over all optimal strategies of The Resistance, and prices of moves, each with its proof in fractions.

Ranges are those of symmetric strategies, which treat seats with the same record alike: every strategy can be made so
without loss, by naming the seats at random.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from ruse.core.clock import TimeIsUp
from ruse.core.types import StrategyTable, Tables
from ruse.games.resistance import notation
from ruse.games.resistance.cells import Cells, Counts, cells_at, mission_at, splits
from ruse.games.resistance.insight_program import (
    ONLY_THIS,
    NotProved,
    OptimalProgram,
    OptimumQuery,
    Weights,
    range_terms,
)
from ruse.games.resistance.insight_proofs import (
    OTHER,
    THIS,
    ReplyToMasses,
    Spot,
    always,
    least,
    masses_of,
    missions,
    won_on,
)
from ruse.games.resistance.program import ROOT, ResistanceProgram, SabotageDecision
from ruse.games.resistance.rules import RESISTANCE, SPIES
from ruse.games.resistance.table import POINTS_TO_WIN
from ruse.insight.model import Bound, Guarantee, Range

NOTHING, ALL = Fraction(0), Fraction(1)


class ResistanceRanges:
    """Asks and proves; `tables` are optimal strategies of both sides."""

    def __init__(self, program: ResistanceProgram, won: Fraction, tables: Tables) -> None:
        self.program, self.won, self.tables = program, won, tables
        self.optimal = OptimalProgram(program, won)
        self.spy_sets = program.table.spy_sets
        self._seen_resistance: list[StrategyTable] = [tables[RESISTANCE]]  # optimal strategies, to look for ends in
        self._seen_spies: list[tuple[StrategyTable, list[Fraction]]] = [
            (tables[SPIES], masses_of(program, tables[SPIES]))
        ]
        self._unreached: dict[Cells, Bound] = {}

    def payoff(self, won: Fraction) -> Fraction:
        """To the resistance, of so many spy sets won."""
        return 2 * won / self.spy_sets - 1

    # Over all optimal spies.

    def over_spies(self, part: Weights, whole: Weights) -> Range | Bound:
        """The ends of part'm / whole'm, where no mass counts more in the part; a bound of 0 if whole'm always is."""
        low = self._over_spies(part, whole, 1)
        if low.value > 1:
            return _nobody(low)
        high = self._over_spies(part, whole, -1)
        return _nobody(high) if high.value < 0 else Range(low, high)

    def _over_spies(self, part: Weights, whole: Weights, sign: int) -> Bound:
        """One end: 1 for the least, -1 for the greatest. If nothing comes here it is 2, or -1."""
        outmost = NOTHING if sign == 1 else ALL
        for table, masses in self._seen_spies:
            if (total := _sum(whole, masses)) and _sum(part, masses) == outmost * total:
                return Bound(outmost, outmost, NOTHING, self.tables[RESISTANCE], table)
        missing = len(self.program.upper)  # a column that makes up for what is not there, at a price beyond any ratio
        cost = {column: sign * value for column, value in part.items()}
        try:
            optimum = self.optimal.find(
                OptimumQuery(
                    cost={**cost, missing: 2 if sign == 1 else 1},
                    cone=True,
                    sum_to_one={**whole, missing: 1},
                    extra=(0, 1),
                )
            )
        except TimeIsUp:
            optimum = None
        trivial = Bound(outmost, None, NOTHING, self.tables[RESISTANCE], {})
        if optimum is None:
            return trivial
        value, weight = sign * optimum.value, optimum.top
        answer = optimum.resistance() if weight else self.tables[RESISTANCE]
        costs = [weight * won for won in won_on(self.program, answer)] if weight else [NOTHING] * missing
        for column, number in part.items():
            costs[column] += sign * number
        for column, number in whole.items():
            costs[column] -= sign * value * number
        if least(self.program, costs) < weight * self.won:
            return trivial
        if not 0 <= value <= 1:
            return Bound(value, None, weight * self.spy_sets / 2, answer, {})
        witness = optimum.spies()
        masses = masses_of(self.program, witness)
        total = _sum(whole, masses)
        optimal = total > 0 and ReplyToMasses(self.program, masses).value() == self.won
        attained = _sum(part, masses) / total if optimal else None
        if optimal:
            self._seen_spies.append((witness, masses))
        return Bound(value, attained, weight * self.spy_sets / 2, answer, witness if optimal else {})

    def odds_of_sabotage(self, decision: SabotageDecision) -> Range | Bound:
        """The ends of the odds of a sabotage at a decision."""
        return self.over_spies({decision.failed: 1}, {decision.mass: 1})

    # Over all optimal strategies of the resistance.

    def over_resistance(self, cells: Cells, mission: Counts) -> Range | Bound:
        """The ends of the odds of a mission at a position; a bound of 0 if no optimal strategy comes there."""
        if cells in self._unreached:
            return self._unreached[cells]
        high = self._over_resistance(cells, mission, 1)
        if high.value < 0:
            self._unreached[cells] = _nobody(high)
            return self._unreached[cells]
        low = self._over_resistance(cells, mission, -1)
        return _nobody(low) if low.value > 1 else Range(low, high)

    def _over_resistance(self, cells: Cells, mission: Counts, sign: int) -> Bound:
        """One end: 1 for the greatest, -1 for the least. If nothing comes here it is -2, or 2."""
        outmost = ALL if sign == 1 else NOTHING
        steps, (here, name) = self._steps(cells), self._named(cells, mission)
        for table in self._seen_resistance:
            if _follows(table, steps) and table[here].get(name, NOTHING) == outmost:
                return Bound(outmost, outmost, NOTHING, self.tables[SPIES], table)
        spot = Spot.of(self.program, cells)
        extra = len(self.program.upper)
        try:
            optimum = self.optimal.find(
                OptimumQuery(
                    cost={extra: 1}, cone=True, extra=(-2, 2), spot=spot, mission=mission, terms=range_terms(sign)
                )
            )
        except TimeIsUp:
            optimum = None
        trivial = Bound(outmost, None, NOTHING, self.tables[SPIES], {})
        if optimum is None:
            return trivial
        value, scale = sign * optimum.value, optimum.scale
        answer = optimum.spies() if scale else self.tables[SPIES]
        if scale:
            bonus = {OTHER: -sign * value / scale, THIS: sign * (1 - value) / scale}
            if ReplyToMasses(self.program, masses_of(self.program, answer)).value(spot, mission, bonus) > self.won:
                return trivial
        elif sign * value < (sign + 1) // 2 and len(spot.missions(self.program)) > 1:
            return trivial
        if not 0 <= value <= 1:
            return Bound(value, None, scale * self.spy_sets / 2, answer, {})
        witness = optimum.resistance()
        optimal = self.comes(witness, cells) and least(self.program, won_on(self.program, witness)) == self.won
        attained = missions(self.program, witness, cells).get(mission, NOTHING) if optimal else None
        if optimal:
            self._seen_resistance.append(witness)
        return Bound(value, attained, scale * self.spy_sets / 2, answer, witness if optimal else {})

    def comes(self, table: StrategyTable, cells: Cells) -> bool:
        """Whether a strategy of the resistance comes to a position, if the spies let it."""
        return _follows(table, self._steps(cells))

    def _steps(self, cells: Cells) -> list[tuple[str, str]]:
        """The positions on the way to one, and what was sent there."""
        numbers = range(len(cells.results))
        return [self._named(cells_at(cells, number)[0], mission_at(cells, number)) for number in numbers]

    def _named(self, cells: Cells, mission: Counts) -> tuple[str, str]:
        return cells.position(self.program.table), notation.seats(cells.first_seats(mission))

    # Whole strategies.

    def plans_of_spies(
        self, odds: Callable[[SabotageDecision], Range | None]
    ) -> tuple[list[StrategyTable], StrategyTable]:
        """Two optimal strategies of the spies that differ where they come, or the only one, and a strategy of the
        resistance against which all best answers keep to its moves; `odds` are those of a sabotage."""
        table, masses = self._seen_spies[0]
        none = [
            column
            for decision in self.program.decisions
            for column in (decision.passed, decision.failed)
            if not masses[column]
        ]
        cost = dict.fromkeys(none, -1)
        optimum = self.optimal.find(OptimumQuery(cost=cost, face=True))
        if optimum is None:
            raise TimeIsUp(
                "expected masses that the stored spies have not, or a proof that there are none, got neither"
            )
        if optimum.value:
            other = optimum.spies()
            if ReplyToMasses(self.program, masses_of(self.program, other)).value() == self.won:
                return [table, other], self.tables[RESISTANCE]
        answer = optimum.resistance() if optimum.top else self.tables[RESISTANCE]
        costs = [optimum.top * won for won in won_on(self.program, answer)]
        for column in none:
            costs[column] -= 1
        if optimum.value or least(self.program, costs) < optimum.top * self.won:
            raise NotProved("expected a proof in fractions of what optimal spies never do, got none")
        for decision in self.program.decisions:  # what has no mass never has: only odds where both have can differ
            if masses[decision.passed] and masses[decision.failed]:
                ends = odds(decision)
                if ends is None or not ends.exact:
                    raise NotProved("expected the odds of an order, got bounds only")
                if ends.least.value < ends.greatest.value:
                    return [ends.least.witness, ends.greatest.witness], answer
        return [table], answer

    def reached(self, table: StrategyTable) -> Iterator[tuple[Cells, tuple[Counts, ...]]]:
        """Where a strategy of the resistance comes, and what it does not always send there."""
        stack = [Cells.start(self.program.table)]
        while stack:
            cells = stack.pop()
            sent = missions(self.program, table, cells)
            every = splits(cells.sizes, self.program.table.missions[len(cells.results)])
            yield cells, tuple(mission for mission in every if sent.get(mission) != 1)
            for mission in sent:
                for result in "+-":
                    after = cells.send(mission).then(result)
                    if POINTS_TO_WIN not in after.score:
                        stack.append(after)

    def where_it_comes(self, table: StrategyTable, side: int) -> StrategyTable:
        """A strategy without what it would do where it never comes."""
        program = self.program
        if side == RESISTANCE:
            positions = [cells.position(program.table) for cells, _ in self.reached(table)]
        else:
            masses = masses_of(program, table)
            decided = zip(program.decisions, program.decided_at, strict=True)
            positions = [position for decision, position in decided if masses[decision.mass]]
        return {position: table[position] for position in positions}

    # Prices.

    def price_of_mission(self, cells: Cells, mission: Counts, odds: Range | None) -> Guarantee:
        """What the resistance can still guarantee if it always sends a mission at a position. Raises TimeIsUp."""
        stored, value = self.tables, self.payoff(self.won)
        if odds is None or not self.comes(stored[RESISTANCE], cells):
            return Guarantee(value, value, stored[RESISTANCE], stored[SPIES])
        if odds.greatest.attained == 1:
            return Guarantee(value, value, odds.greatest.witness, stored[SPIES])
        spot = Spot.of(self.program, cells)
        optimum = self.optimal.find(OptimumQuery(cost={ROOT: 1}, spot=spot, mission=mission, terms=ONLY_THIS))
        if optimum is None:
            raise NotProved(f"expected the price of a mission at {cells.position(self.program.table)}, got floats only")
        strategy, answer = optimum.resistance((spot, mission)), optimum.spies()
        guaranteed = least(self.program, won_on(self.program, strategy))
        most = ReplyToMasses(self.program, masses_of(self.program, answer)).value(spot, mission, always(1))
        return Guarantee(self.payoff(guaranteed), self.payoff(most), strategy, answer)

    def price_of_order(self, decision: SabotageDecision, order: str, odds: Range | None) -> Guarantee:
        """What the spies can still guarantee if they always give an order at a decision, as their payoff.

        Raises TimeIsUp.
        """
        stored, value = self.tables, -self.payoff(self.won)
        if odds is None or not masses_of(self.program, stored[SPIES])[decision.mass]:
            return Guarantee(value, value, stored[SPIES], stored[RESISTANCE])
        if odds.greatest.attained == 1:
            return Guarantee(value, value, odds.greatest.witness, stored[RESISTANCE])
        shut = decision.failed if order == "pass" else decision.passed
        optimum = self.optimal.find(OptimumQuery(cost={ROOT: 1}, shut=frozenset({shut})))
        if optimum is None:
            raise NotProved("expected the price of an order, got floats only")
        strategy, answer = optimum.spies(), optimum.resistance()
        guaranteed = ReplyToMasses(self.program, masses_of(self.program, strategy)).value()
        costs = won_on(self.program, answer)
        costs[shut] += self.spy_sets  # more than can be lost
        most = least(self.program, costs)
        return Guarantee(-self.payoff(guaranteed), -self.payoff(most), strategy, answer)


def _nobody(bound: Bound) -> Bound:
    """That no optimal plan comes, by the proof of an end that no odds have.

    With n'x from 0 to d'x, w (v - u(x, y)) is at least 2 d'x - n'x >= d'x if it proves a least of 2, and at least
    d'x + n'x or 2 d'x + n'x if it proves a greatest of -1 or -2.
    """
    return replace(bound, value=NOTHING, attained=NOTHING)


def turned(odds: Range) -> Range:
    """What is left of 1, of the other of two moves, by the same proofs."""
    least, greatest = (
        replace(end, value=1 - end.value, attained=None if end.attained is None else 1 - end.attained)
        for end in (odds.greatest, odds.least)
    )
    return Range(least, greatest)


def _sum(weights: Mapping[int, int], masses: list[Fraction]) -> Fraction:
    return sum((number * masses[column] for column, number in weights.items()), NOTHING)


def _follows(table: StrategyTable, steps: Sequence[tuple[str, str]]) -> bool:
    return all(position in table and table[position].get(sent) for position, sent in steps)
