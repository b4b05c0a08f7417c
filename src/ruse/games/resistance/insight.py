"""Insight into The Resistance: what all optimal strategies do, who may be a spy, what a position is worth and when.

All is by class: seats with the same record are alike, and so are missions that take as many from each group of them.
The spies sabotage whenever they can once a side has two points; that is taken as given (ruse.games.resistance.program).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from threadpoolctl import ThreadpoolController

from ruse.core.clock import TimeIsUp
from ruse.core.game import GameError, PositionError
from ruse.games.resistance import Resistance, notation
from ruse.games.resistance.answers import Answers
from ruse.games.resistance.cells import Cells, Counts, splits
from ruse.games.resistance.insight_beliefs import Beliefs, Shown, Slips, by_facts, fitting, spy_sets, with_slips
from ruse.games.resistance.insight_proofs import masses_of
from ruse.games.resistance.insight_ranges import Ranges
from ruse.games.resistance.insight_support import Support
from ruse.games.resistance.places import Place, aboard, before, gathered
from ruse.games.resistance.program import ONE, Decision, ResistanceProgram
from ruse.games.resistance.rules import RESISTANCE, SPIES
from ruse.games.resistance.table import POINTS_TO_WIN
from ruse.games.resistance.worth import Worth
from ruse.insight.model import MAY, MUST, NEVER, BeliefInsight, Guarantee, MoveInsight, PositionInsight, Range, Unique
from ruse.solution.strategy import Solution

NOTHING, ALL = Fraction(0), Fraction(1)
BY_CLASS = (
    "Ranges and prices are those of strategies that treat seats with the same record alike, against spies who sabotage "
    "whenever they can once a side has two points."
)
NOT_COUNTING = "Spies who always slip make some results likelier than others, so these are not the odds of counting."
NOBODY_COMES = "No optimal strategy of {side} ever comes here."
NO_OPTIMAL_SPIES = "No optimal spies let this happen, so what all of them would be cannot be said."
NOT_THE_STORED = "The stored spies never let this happen, so what they would be cannot be said without slips."
DECIDED = "A side has two points, so the spies sabotage whenever they can: that is taken as given."
TOO_FEW = "Too few spies are aboard to fail this mission, so there is nothing to decide."
BOUNDED = "The time was up: some ranges or prices are only bounded."


@dataclass(frozen=True)
class Values:
    """What a position is worth, as payoffs to the resistance, each on its own terms."""

    stored: Fraction | None  # if both sides follow the stored strategies; None if the stored spies never come here
    best: Fraction | None  # if the spies follow theirs and the resistance goes on as well as it can
    start: Fraction  # the value of the game, before anything happened
    worst: Fraction | None  # if the spies are whoever is worst, and do what is worst; None to the spies, who know
    worst_spies: str = ""  # such spies


class ResistanceInsight:
    def __init__(self, solution: Solution) -> None:
        game = solution.game
        if not isinstance(game, Resistance) or not solution.by_class:
            raise GameError(f"expected a solution of resistance with its reductions on, got {solution!r}")
        if not solution.certificate.exact:
            raise GameError(f"expected a solution with an exact value for insight, got {solution!r}")
        self.solution, self.game, self.table = solution, game, game.table
        self.value = solution.certificate.lower
        self.worth = Worth(game.table, solution.tables)
        self._reply = Worth(game.table, ({}, solution.tables[SPIES]))
        self._answers = Answers(game.table, self.worth.missions)
        self._threads = ThreadpoolController()
        self._known: dict[object, Range | None] = {}

    # The linear programs, once they are asked for.

    @cached_property
    def program(self) -> ResistanceProgram:
        return ResistanceProgram(self.table)

    @cached_property
    def ranges(self) -> Ranges:
        won = (self.value + 1) / 2 * self.table.spy_sets
        return Ranges(self.program, won, self.solution.tables)

    @cached_property
    def support(self) -> Support:
        with self._alone():
            return Support(self.ranges)

    @cached_property
    def _decisions(self) -> dict[tuple[Cells, Counts], Decision]:
        return {(decision.cells, decision.spies): decision for decision in self.program.decisions}

    @contextmanager
    def _alone(self) -> Iterator[None]:
        with self._threads.limit(limits=1):  # many small products: more threads only wait for each other
            yield

    # Positions.

    def at(
        self, position: str, side: int | None = None, slip: Fraction = NOTHING, *, loyal: str = "", shown: Shown = ()
    ) -> PositionInsight:
        """All of a position. `loyal`: seats that are known to be no spies, such as one's own; `shown`: how many
        sabotages each mission showed, where somebody counted."""
        place = Place.at(self.table, position, side)
        with self._alone():
            moves, notes = self._moves(place)
            beliefs = self.beliefs(place.text, slip, loyal=loyal, shown=shown) if place.side == RESISTANCE else []
        if moves:
            notes.insert(0, BY_CLASS)
            if all(one.range is None for one in moves):
                notes.append(NOBODY_COMES.format(side=("the resistance", "the spies")[place.side]))
        if beliefs and all(one.range is None for one in beliefs):
            notes.append(NO_OPTIMAL_SPIES)
        if beliefs and all(one.stored is None for one in beliefs):
            notes.append(NOT_THE_STORED)
        if beliefs and slip == 1:
            notes.append(NOT_COUNTING)
        found = PositionInsight(place.text, place.side, moves, beliefs, slip, notes)
        if not found.exact:
            found = PositionInsight(place.text, place.side, moves, beliefs, slip, [*notes, BOUNDED])
        return found

    def _moves(self, place: Place) -> tuple[list[MoveInsight], list[str]]:
        if place.ended or (place.side == SPIES) != (place.read.out is not None):
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
        if not self.worth.suspects(cells).slips:
            worths = self._reply.worths(cells)
            losses = {mission: 2 * (max(worths.values()) - worth) for mission, worth in worths.items()}
        found = []
        for mission in splits(cells.sizes, self.table.missions[len(cells.results)]):
            odds = self._range((cells, mission), lambda sent=mission: self.ranges.over_resistance(cells, sent))
            guarantee = self.ranges.price_of_mission(cells, mission, odds)
            loss = None if losses is None else losses[mission]
            found.append(_move(place.named(mission), odds, guarantee, self.value, loss))
        return found

    def _orders(self, place: Place) -> list[MoveInsight]:
        decision = self._decisions[place.cells, place.spies]
        losses: dict[str, Fraction] | None = None
        if self._sent(place):
            wins = {
                order: self._answers.least(place.cells.then(result), place.spies)
                for order, result in (("pass", "+"), ("sabotage", "-"))
            }
            losses = {order: 2 * (win - min(wins.values())) for order, win in wins.items()}
        found = []
        for order in ("sabotage", "pass"):
            odds = self._range((decision, order), lambda named=order: self.ranges.odds_of_order(decision, named))
            guarantee = self.ranges.price_of_order(decision, order, odds)
            found.append(_move(order, odds, guarantee, -self.value, None if losses is None else losses[order]))
        return found[::-1]

    def _sent(self, place: Place) -> bool:
        """Whether the stored resistance sends the missions on the way here."""
        missions = zip([*place.earlier(), place.back()], place.read.missions, strict=False)
        return all(self.worth.missions(earlier.cells).get(earlier.counts(sent)) for earlier, sent in missions)

    def _range(self, key: object, find: object) -> Range | None:
        if key in self._known:
            return self._known[key]
        assert callable(find)
        found: Range | None = find()
        if found is None or found.exact:
            self._known[key] = found
        return found

    # Beliefs of the resistance.

    def beliefs(
        self, position: str, slip: Fraction = NOTHING, *, loyal: str = "", shown: Shown = ()
    ) -> list[BeliefInsight]:
        """That each seat is a spy."""
        asked = _Asked.of(self, position, slip, loyal, shown)
        return [asked.seat(seat) for seat in range(self.table.players)]

    def team(
        self, position: str, spies: str, slip: Fraction = NOTHING, *, loyal: str = "", shown: Shown = ()
    ) -> BeliefInsight:
        """That some seats are the spies."""
        asked = _Asked.of(self, position, slip, loyal, shown)
        seats = notation.read_seats(spies, self.table)
        if len(seats) != self.table.spies:
            raise PositionError(f"expected {self.table.spies} seats, got {spies!r}")
        return asked.team(seats)

    def mass_column(self, cells: Cells, spies: Counts) -> int | None:
        """The column of the mass of spies of a class at a public position; None where they cannot have come."""
        column = ONE
        for number, result in enumerate(cells.results):
            out, origin = before(cells, number)
            counts = gathered(spies, origin)
            can_fail = aboard(out, counts, number) >= self.table.sabotages[number]
            if can_fail and POINTS_TO_WIN - 1 not in out.score:
                decision = self._decisions[out, counts]
                column = decision.failed if result == "-" else decision.passed
            elif can_fail != (result == "-"):
                return None
        return column

    # What a position is worth.

    def values(self, position: str, side: int | None = None) -> Values:
        """On all terms, as payoffs to the resistance."""
        from ruse.games.resistance.view import ResistanceViewer

        place = Place.at(self.table, position, side)
        with self._alone():
            viewer = ResistanceViewer(self.solution)
            viewer.worth = self.worth
            comes = (
                not self.worth.suspects(place.cells).slips
                if place.side == RESISTANCE
                else self.worth.dealt_and_played(place.cells, place.spies) > 0
            )
            stored = viewer.value(place) if comes else None
            if place.side == SPIES:
                return Values(stored, None, self.value, None)
            best = self._best(place) if comes else None
            worst, spies = self._worst(place)
        return Values(stored, best, self.value, worst, spies)

    def _best(self, place: Place) -> Fraction:
        if place.read.out is None:
            return 2 * self._reply.worth(place.cells) - 1
        return 2 * self._reply.worth_sent(place.back().cells, place.mission()) - 1

    def _worst(self, place: Place) -> tuple[Fraction, str]:
        """What the stored strategy of the resistance still wins, whoever the spies are and whatever they do."""
        out = place.read.out is not None
        least = self._answers.least_out if out else self._answers.least
        wins = {spies: least(place.cells, spies) for spies in fitting(self.table, place.cells)}
        if not wins:
            raise PositionError(f"expected results that some spies could cause, got {place.text}")
        worst = min(wins, key=wins.__getitem__)
        return 2 * wins[worst] - 1, place.letters(place.cells.first_seats(worst))

    # The whole game.

    def positions(self) -> Iterator[tuple[int, str]]:
        """Every position where a side has something to decide, and the side."""
        seen = dict.fromkeys(choice.cells for choice in self.program.choices)
        for cells in seen:
            yield RESISTANCE, cells.position(self.table)
        for endgame in self.program.endgames:
            stack = [endgame.cells]
            while stack:
                cells = stack.pop()
                yield RESISTANCE, cells.position(self.table)
                number = len(cells.results)
                if number + 1 < len(self.table.missions):
                    goes_on = "-" if endgame.any_clean else "+"
                    missions = splits(cells.sizes, self.table.missions[number])
                    stack += [cells.send(mission).then(goes_on) for mission in missions]
        for decision in self.program.decisions:
            yield SPIES, decision.cells.position(self.table, decision.spies)

    def kinds(self, position: str, side: int) -> Mapping[str, str | None]:
        place = Place.at(self.table, position, side)
        if (place.side == SPIES) != (place.read.out is not None) or place.ended:
            raise PositionError(f"expected a position where {self.game.sides[side]} move, got {position}")
        with self._alone():
            if place.side == RESISTANCE:
                missions = splits(place.cells.sizes, self.table.missions[len(place.read.done)])
                found = self.support.missions(place.cells)
                return {place.named(sent): None if found is None else found[sent] for sent in missions}
            decision = self._decisions.get((place.cells, place.spies))
            orders = None if decision is None else self.support.orders(decision)
        return {order: None if orders is None else orders[order] for order in ("pass", "sabotage")}

    def unique(self) -> tuple[Unique, Unique]:
        """Up to the names of seats, with forced sabotages taken as given."""
        with self._alone():
            return self._unique_resistance(), self._unique_spies()

    def _unique_spies(self) -> Unique:
        stored = self.solution.tables[SPIES]
        answer = self.solution.tables[RESISTANCE]
        masses = masses_of(self.program, stored)
        try:
            points = self.support.points
            for point in points[1:]:
                if list(point) != masses:
                    from ruse.core.exact import shares
                    from ruse.games.resistance.tables import spies_table

                    return Unique(SPIES, False, [stored, spies_table(self.program, point, shares)], answer)
            for decision in self.program.decisions:  # what has no mass never has: only odds where both have can differ
                if masses[decision.passed] and masses[decision.failed]:
                    found = self.ranges.over_spies({decision.failed: 1}, {decision.mass: 1})
                    if found is None or not found.exact:
                        return Unique(SPIES, None, [stored], answer)
                    if found.least.value < found.greatest.value:
                        return Unique(SPIES, False, [found.least.witness, found.greatest.witness], answer)
        except TimeIsUp:
            return Unique(SPIES, None, [stored], answer)
        return Unique(SPIES, True, [stored], answer, 0)

    def _unique_resistance(self) -> Unique:
        stored, answer = self.solution.tables[RESISTANCE], self.solution.tables[SPIES]
        try:
            for side, position in self.positions():
                if side != RESISTANCE:
                    continue
                cells = Place.at(self.table, position, RESISTANCE).cells
                kinds = self.support.missions(cells) or {}
                for mission in [mission for mission, kind in kinds.items() if kind == MAY]:
                    found = self.ranges.over_resistance(cells, mission)
                    if found is None or not found.exact:
                        return Unique(RESISTANCE, None, [stored], answer)
                    if found.least.value < found.greatest.value:
                        return Unique(RESISTANCE, False, [found.least.witness, found.greatest.witness], answer)
        except TimeIsUp:
            return Unique(RESISTANCE, None, [stored], answer)
        return Unique(RESISTANCE, True, [stored], answer, 0)


@dataclass(frozen=True)
class _Asked:
    """Beliefs at one public position, on all terms."""

    insight: ResistanceInsight
    place: Place
    loyal: tuple[int, ...]
    stored: Beliefs
    slipping: Beliefs
    facts: Beliefs

    @staticmethod
    def of(insight: ResistanceInsight, position: str, slip: Fraction, loyal: str, shown: Shown) -> _Asked:
        table = insight.table
        place = Place.at(table, position, RESISTANCE)
        seats = notation.read_seats(loyal, table) if loyal else ()
        counts = place.counts(seats)
        facts = by_facts(table, place.cells, counts, shown)
        if not facts.total:
            told = f" with {loyal} loyal" if loyal else ""
            raise PositionError(f"expected results that some spies could cause, got {place.text}{told}")
        sabotage = insight.worth.sabotage
        stored = with_slips(Slips(table, sabotage, NOTHING), place.cells, counts, shown)
        slipping = with_slips(Slips(table, sabotage, slip), place.cells, counts, shown)
        return _Asked(insight, place, seats, stored, slipping, facts)

    def seat(self, seat: int) -> BeliefInsight:
        cell, loyal = self.place.cell_of(seat), seat in self.loyal
        one = tuple(int(number == cell) for number in range(len(self.place.cells.sizes)))
        key = (self.place.cells, self.facts.loyal, cell, loyal)
        odds = self.insight._range(key, lambda: self._over_spies(None if loyal else one))
        stored, slip, facts = (kept.seat(cell, loyal) for kept in (self.stored, self.slipping, self.facts))
        return BeliefInsight(f"{notation.seats([seat])} is a spy", odds, stored, slip, facts or NOTHING)

    def team(self, seats: tuple[int, ...]) -> BeliefInsight:
        spies, none = self.place.counts(seats), bool(set(seats) & set(self.loyal))
        key = (self.place.cells, self.facts.loyal, spies, none)
        odds = self.insight._range(key, lambda: self._over_spies(None if none else spies))
        stored, slip, facts = (
            None if kept.total == 0 else NOTHING if none else kept.team(spies)
            for kept in (self.stored, self.slipping, self.facts)
        )
        return BeliefInsight(f"{notation.seats(seats)} are the spies", odds, stored, slip, facts or NOTHING)

    def _over_spies(self, inside: Counts | None) -> Range | None:
        """The range of the odds that seats, so many of each cell, are spies; None: seats that are not."""
        part: dict[int, int] = {}
        whole: dict[int, int] = {}
        cells, loyal = self.place.cells, self.facts.loyal
        for spies in fitting(self.insight.table, cells):
            column = self.insight.mass_column(cells, spies)
            if column is None:
                continue
            whole[column] = whole.get(column, 0) + spy_sets(cells.sizes, spies, loyal)
            if inside is not None:
                part[column] = part.get(column, 0) + spy_sets(cells.sizes, spies, loyal, inside)
        return self.insight.ranges.over_spies(part, whole)


def _move(
    name: str, odds: Range | None, guarantee: Guarantee | None, value: Fraction, loss: Fraction | None
) -> MoveInsight:
    kind = None
    if odds is not None:
        kind = MUST if odds.least.value == 1 else NEVER if odds.greatest.value == 0 else MAY if odds.exact else None
    price = None if guarantee is None else value - guarantee.value
    return MoveInsight(name, odds, guarantee, price, loss, kind)
