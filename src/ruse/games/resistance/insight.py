"""Insight into The Resistance: what all optimal strategies do, who may be a spy, and the value of a position.

All is by class: seats with the same record are alike, and so are missions that take as many from each group of them.
The spies sabotage whenever they can once a side has two points; that is taken as given (ruse.games.resistance.program).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, partial
from typing import TYPE_CHECKING

from threadpoolctl import ThreadpoolController

from ruse.core.clock import TimeIsUp
from ruse.core.game import GameError, PositionError, RuleError, side_number, with_article
from ruse.games.resistance import Resistance, insight_whole, notation
from ruse.games.resistance.cells import Cells, Counts, Place, Shown, aboard, splits
from ruse.games.resistance.evaluator import Evaluator, SpiesBestResponse
from ruse.games.resistance.insight_beliefs import Suspicion
from ruse.games.resistance.insight_program import NotProved
from ruse.games.resistance.insight_ranges import ResistanceRanges, turned
from ruse.games.resistance.insight_support import Support
from ruse.games.resistance.insight_whole import PositionValues, values
from ruse.games.resistance.program import ResistanceProgram, SabotageDecision
from ruse.games.resistance.rules import RESISTANCE, SPIES
from ruse.games.resistance.table import POINTS_TO_WIN
from ruse.insight.insight_file import InsightFile
from ruse.insight.memory import Key, Memory
from ruse.insight.model import (
    BeliefInsight,
    Bound,
    Guarantee,
    MoveInsight,
    PositionInsight,
    Range,
    RuleInsight,
    Simplest,
    Unique,
    Worst,
    bounded,
    least_denominator,
)
from ruse.insight.notebook import ShownInNotebooks
from ruse.solution.strategy import Solution

if TYPE_CHECKING:
    from ruse.games.resistance.insight_costs import ResistanceCosts

NOTHING, ALL = Fraction(0), Fraction(1)
ORDERS = ("pass", "sabotage")
BY_CLASS = (
    "Odds and costs hold for strategies that treat seats with the same record alike, against spies who sabotage "
    "whenever they can once a side has two points."
)
COUNTED = "By the facts alone every spy set that could have caused the results is equally likely."
NOT_COUNTING = "Spies who always slip make some results likelier than others, so counting spy sets gives other odds."
NOBODY_COMES = "No optimal strategy of {side} reaches this position."
NO_OPTIMAL_SPIES = "Optimal spies never let this happen, so optimal play does not tell who they are."
NOT_THE_STORED = "The stored spies never let this happen, so without slips there are no odds of who they are."
DECIDED = "A side has two points, so these ranges assume that the spies sabotage whenever they can."
TOO_FEW = "Too few spies are aboard to fail this mission, so there is nothing to decide."


class ResistanceInsight(ShownInNotebooks):
    facts = COUNTED

    def __init__(self, solution: Solution, *, file: InsightFile | None = None) -> None:
        """`file`: the answers stored beside the solution file."""
        game = solution.game
        if not isinstance(game, Resistance) or not solution.by_class:
            raise GameError(f"expected a solution of resistance with its reductions on, got {solution!r}")
        self.solution, self.game, self.table = solution, game, game.table
        self.evaluator = Evaluator(game.table, solution.tables)
        self.reply = Evaluator(game.table, ({}, solution.tables[SPIES]))
        self.answers = SpiesBestResponse(game.table, self.evaluator.missions)
        self._threads = ThreadpoolController()
        self.file, self.memory = file, Memory() if file is None else file.load(True)
        self.nobody: dict[tuple[Cells, Counts], Bound] = {}  # where no optimal spies come, given loyal seats

    # The linear programs, once they are asked for.

    @cached_property
    def optimal(self) -> Solution:
        """Optimal strategies: the stored ones, or where those are only near, others."""
        if self.solution.certificate.exact:
            return self.solution
        from ruse.solving.pipeline import solve

        return solve(self.game)

    @property
    def value(self) -> Fraction:
        return self.optimal.certificate.lower

    @cached_property
    def program(self) -> ResistanceProgram:
        return ResistanceProgram(self.table)

    @cached_property
    def ranges(self) -> ResistanceRanges:
        won = (self.value + 1) / 2 * self.table.spy_sets
        return ResistanceRanges(self.program, won, self.optimal.tables)

    @cached_property
    def support(self) -> Support:
        with self.alone():
            return Support(self.ranges)

    @cached_property
    def costs(self) -> ResistanceCosts | None:
        """The costs of moves against the reference pair; None if the stored strategies are not proved optimal."""
        from ruse.games.resistance.insight_costs import ResistanceCosts

        return ResistanceCosts(self) if self.solution.certificate.exact else None

    @cached_property
    def decisions(self) -> dict[tuple[Cells, Counts], SabotageDecision]:
        return {(decision.cells, decision.spies): decision for decision in self.program.decisions}

    @contextmanager
    def alone(self) -> Iterator[None]:
        """One thread for products of matrices."""
        with self._threads.limit(limits=1):  # many small products: more threads only wait for each other
            yield

    # Positions.

    def at(
        self,
        position: str,
        side: int | str | None = None,
        slip: Fraction = NOTHING,
        *,
        own: str = "",
        loyal: str = "",
        shown: Shown = (),
    ) -> PositionInsight:
        """All of a position. `own`: one's own seat, which is no spy's; `loyal`: more seats that are known to be no
        spies; `shown`: how many sabotages each mission showed, where somebody counted."""
        place = Place.at(self.table, position, None if side is None else side_number(self.game, side))
        loyal = "".join(sorted({*own, *loyal}))
        seats = self.table.players if place.side == RESISTANCE else 0
        self.memory.expect(2 * len(self._choices(place)) + seats)
        with self.alone():
            moves, notes = self._moves(place)
            beliefs = self.beliefs(place.text, slip, loyal=loyal, shown=shown) if place.side == RESISTANCE else []
        if moves:
            notes.insert(0, BY_CLASS)
            if all(entry.range is None for entry in moves):
                notes.append(NOBODY_COMES.format(side=with_article(self.game.sides[place.side])))
        if beliefs:
            notes.append(COUNTED)
        if beliefs and all(entry.range is None for entry in beliefs):
            notes.append(NO_OPTIMAL_SPIES)
        if beliefs and all(entry.stored is None for entry in beliefs):
            notes.append(NOT_THE_STORED)
        if beliefs and slip == 1:
            notes.append(NOT_COUNTING)
        insight = PositionInsight(place.text, place.side, moves, beliefs, slip, notes)
        if not insight.exact:
            insight = replace(insight, notes=[*notes, bounded(insight)])
        return insight

    def moves(self, position: str, side: int) -> list[MoveInsight]:
        with self.alone():
            return self._moves(Place.at(self.table, position, side))[0]

    def _choices(self, place: Place) -> Sequence[Counts | str]:
        """The moves of the side that knows a place, if it moves there."""
        if place.ended or (place.side == SPIES) != (place.read.out is not None):
            return ()
        number = len(place.read.done)
        return ORDERS if place.side == SPIES else splits(place.cells.sizes, self.table.missions[number])

    def _moves(self, place: Place) -> tuple[list[MoveInsight], list[str]]:
        if not self._choices(place):
            return [], []
        if place.side == RESISTANCE:
            return self._missions(place), []
        number = len(place.read.done)
        if aboard(place.cells, place.spies, number) < self.table.sabotages[number]:
            return [], [TOO_FEW]
        if POINTS_TO_WIN - 1 in place.read.score:
            return [], [DECIDED]
        return self._orders(place), []

    def _missions(self, place: Place) -> list[MoveInsight]:
        cells = place.cells
        losses = None
        if not self.evaluator.suspects(cells).slips:
            worths = self.reply.values(cells)
            losses = {mission: 2 * (max(worths.values()) - value) for mission, value in worths.items()}
        insights = []
        for mission in splits(cells.sizes, self.table.missions[len(cells.results)]):
            odds = self.odds_of_mission(cells, mission)
            guarantee = self._price_of_mission(cells, mission, odds)
            loss = None if losses is None else losses[mission]
            insights.append(_move(place.named(mission), odds, guarantee, self.value, loss))
        return insights

    def odds_of_mission(self, cells: Cells, mission: Counts) -> Range | None:
        return self.range_of(self._key("move", cells, mission), lambda: self.ranges.over_resistance(cells, mission))

    def _price_of_mission(self, cells: Cells, mission: Counts, odds: Range | None) -> Guarantee | None:
        key = self._key("always", cells, mission)
        return self._guarantee(key, lambda: self.ranges.price_of_mission(cells, mission, odds))

    def odds_of_order(self, spies_at: tuple[Cells, Counts], order: str) -> Range | None:
        sabotage = self._key_of_order("move", spies_at, "sabotage")
        odds = self.range_of(sabotage, lambda: self.ranges.odds_of_sabotage(self.decisions[spies_at]))
        return odds if odds is None or order == "sabotage" else turned(odds)

    def _price_of_order(self, spies_at: tuple[Cells, Counts], order: str, odds: Range | None) -> Guarantee | None:
        key = self._key_of_order("always", spies_at, order)
        return self._guarantee(key, lambda: self.ranges.price_of_order(self.decisions[spies_at], order, odds))

    def _key(self, kind: str, cells: Cells, mission: Counts) -> Key:
        return Key(kind, RESISTANCE, cells.position(self.table), notation.seats(cells.first_seats(mission)))

    def _key_of_order(self, kind: str, spies_at: tuple[Cells, Counts], order: str) -> Key:
        return Key(kind, SPIES, spies_at[0].position(self.table, spies_at[1]), order)

    def _orders(self, place: Place) -> list[MoveInsight]:
        spies_at = place.cells, place.spies
        losses: dict[str, Fraction] | None = None
        if self._sent(place):
            wins = {
                order: self.answers.least(place.cells.then(result), place.spies)
                for order, result in (("pass", "+"), ("sabotage", "-"))
            }
            losses = {order: 2 * (win - min(wins.values())) for order, win in wins.items()}
        insights = []
        for order in reversed(ORDERS):
            odds = self.odds_of_order(spies_at, order)
            guarantee = self._price_of_order(spies_at, order, odds)
            insights.append(_move(order, odds, guarantee, -self.value, None if losses is None else losses[order]))
        return insights[::-1]

    def _sent(self, place: Place) -> bool:
        """Whether the stored resistance sends the missions on the way here."""
        missions = zip([*place.earlier(), place.back()], place.read.missions, strict=False)
        return all(self.evaluator.missions(earlier.cells).get(earlier.counts(sent)) for earlier, sent in missions)

    def range_of(self, key: Key, find: Callable[[], Range | Bound]) -> Range | None:
        """What is found, once; where there is no time, the range of all odds, which nothing attains yet."""
        try:
            return self.memory.range(key, find)
        except TimeIsUp:
            return Range(*(Bound(end, None, NOTHING, {}, {}) for end in (NOTHING, ALL)))

    def _guarantee(self, key: Key, find: Callable[[], Guarantee]) -> Guarantee | None:
        """What is found, once; None where there is no time."""
        try:
            return self.memory.guarantee(key, find)
        except (TimeIsUp, NotProved):
            return None

    # Beliefs of the resistance.

    def beliefs(
        self, position: str, slip: Fraction = NOTHING, *, loyal: str = "", shown: Shown = ()
    ) -> list[BeliefInsight]:
        """That each seat is a spy."""
        asked = Suspicion.of(self, position, slip, loyal, shown)
        return [asked.seat(seat) for seat in range(self.table.players)]

    def suspects(
        self, position: str, slip: Fraction = NOTHING, *, loyal: str = "", shown: Shown = ()
    ) -> dict[str, Fraction] | None:
        """How likely each seat is a spy if the stored spies slip so often; None if they never come here.

        This needs no linear program, so that a slider can follow.
        """
        return Suspicion.of(self, position, slip, loyal, shown).with_slips()

    def team(
        self, position: str, spies: str, slip: Fraction = NOTHING, *, loyal: str = "", shown: Shown = ()
    ) -> BeliefInsight:
        """That some seats are the spies."""
        asked = Suspicion.of(self, position, slip, loyal, shown)
        seats = notation.read_seats(spies, self.table)
        if len(seats) != self.table.spies:
            raise PositionError(f"expected {self.table.spies} seats, got {spies!r}")
        return asked.team(seats)

    def own_facts(self, position: str, side: int) -> dict[str, str]:
        """To know oneself to be loyal, which the resistance as one mind does not know of its members."""
        if side != RESISTANCE:
            return {}
        seats = [notation.seats([seat]) for seat in range(self.table.players)]
        return {seat: f"I am seat {seat}, and loyal" for seat in seats}

    def worst(self, position: str, side: int) -> Worst | None:
        values = self.values(position, side)
        if values.worst is None:
            return None
        are = "is the spy" if self.table.spies == 1 else "are the spies"
        return Worst(values.worst, f"{notation.listed(values.worst_spies)} {are}")

    def values(self, position: str, side: int | None = None) -> PositionValues:
        """The value of a position, on all terms."""
        with self.alone():
            return values(self, Place.at(self.table, position, side))

    # The whole game.

    def positions(self) -> Iterator[tuple[int, str]]:
        """Every position where a side has something to decide, and the side."""
        return insight_whole.positions(self)

    def kinds(self, position: str, side: int) -> Mapping[str, str | None]:
        place = Place.at(self.table, position, side)
        if (place.side == SPIES) != (place.read.out is not None) or place.ended:
            raise PositionError(f"expected a position where {self.game.sides[side]} move, got {position}")
        with self.alone():
            if place.side == RESISTANCE:
                missions = splits(place.cells.sizes, self.table.missions[len(place.read.done)])
                missions_kinds = self.support.missions(place.cells)
                return {
                    place.named(sent): None if missions_kinds is None else missions_kinds[sent] for sent in missions
                }
            decision = self.decisions.get((place.cells, place.spies))
            orders = None if decision is None else self.support.orders(decision)
        return {order: None if orders is None else orders[order] for order in ("pass", "sabotage")}

    def unique(self) -> tuple[Unique, Unique]:
        """Up to the names of seats, with forced sabotages taken as given."""
        with self.alone():
            find = partial(insight_whole.unique, self)
            first, second = (self.memory.unique(side, partial(find, side)) for side in (RESISTANCE, SPIES))
        return first, second

    # Strategies.

    def simplest(self, side: int) -> Simplest:
        return self.memory.simplest(side, partial(self._simplest, side))

    def _simplest(self, side: int) -> Simplest:
        """The optimal strategy at hand, with the positions where every optimal one has to mix."""
        table = self.optimal.tables[side]
        sign = 1 if side == RESISTANCE else -1
        with self.alone():
            kept = self.ranges.where_it_comes(table, side)
        mixed = [position for position, odds in kept.items() if sum(share > 0 for share in odds.values()) > 1]
        must, ranges = list[str](), list[Range | None]()
        for position in mixed:
            moves = self.moves(position, side)
            if all(move.guarantee is not None and move.guarantee.most < sign * self.value for move in moves):
                must.append(position)
                ranges += [move.range for move in moves]
        denominator = max((Fraction(share).denominator for odds in kept.values() for share in odds.values()), default=1)
        return Simplest(side, kept, len(mixed), len(must), denominator, must, least_denominator(ranges))

    def watched(self, watch: Callable[[int, int], object]) -> None:
        self.memory.watch = watch

    def keep(self) -> None:
        """Write new answers beside the solution file, where there is one."""
        if self.file is not None and self.memory.new:
            self.file.save(self.game, True, self.value, self.optimal.tables, self.memory)

    def rule(self, side: int, odds: Mapping[str, Mapping[str, Fraction]]) -> RuleInsight:
        raise RuleError(
            f"expected a game whose rules go by position, got {self.game.title}: ruse score tells what rules win"
        )


def _move(
    name: str, odds: Range | None, guarantee: Guarantee | None, value: Fraction, loss: Fraction | None
) -> MoveInsight:
    kind = None if odds is None else odds.kind
    price = None if guarantee is None else value - guarantee.value
    return MoveInsight(name, odds, guarantee, price, loss, kind)
