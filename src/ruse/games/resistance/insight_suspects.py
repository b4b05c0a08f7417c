"""Who may be a spy at a public position: to all optimal spies, the stored ones, those who slip, and by the facts."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from ruse.core.game import PositionError
from ruse.games.resistance import notation
from ruse.games.resistance.cells import Cells, Counts
from ruse.games.resistance.insight_beliefs import Beliefs, Shown, Slips, by_facts, fitting, spy_sets, with_slips
from ruse.games.resistance.places import Place, aboard, before, gathered
from ruse.games.resistance.program import ONE
from ruse.games.resistance.rules import RESISTANCE
from ruse.games.resistance.table import POINTS_TO_WIN
from ruse.insight.memory import Key
from ruse.insight.model import BeliefInsight, Bound, Range

if TYPE_CHECKING:
    from ruse.games.resistance.insight import ResistanceInsight

NOTHING = Fraction(0)


@dataclass(frozen=True)
class Suspicion:
    """Beliefs at one public position."""

    insight: ResistanceInsight
    place: Place
    loyal: tuple[int, ...]
    stored: Beliefs
    slipping: Beliefs
    facts: Beliefs

    @staticmethod
    def of(insight: ResistanceInsight, position: str, slip: Fraction, loyal: str, shown: Shown) -> Suspicion:
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
        return Suspicion(insight, place, seats, stored, slipping, facts)

    def with_slips(self) -> dict[str, Fraction] | None:
        """Of each seat, against the stored spies who slip."""
        found = {}
        for seat in range(self.insight.table.players):
            odds = self.slipping.seat(self.place.cell_of(seat), seat in self.loyal)
            if odds is None:
                return None
            found[notation.seats([seat])] = odds
        return found

    def seat(self, seat: int) -> BeliefInsight:
        cell, loyal = self.place.cell_of(seat), seat in self.loyal
        one = tuple(int(number == cell) for number in range(len(self.place.cells.sizes)))
        key = self._key(f"{notation.seats(self._seats(one, loyal))} is a spy")
        odds = self.insight.range_of(key, lambda: self._over_spies(None if loyal else one))
        stored, slip, facts = (kept.seat(cell, loyal) for kept in (self.stored, self.slipping, self.facts))
        return BeliefInsight(f"{notation.seats([seat])} is a spy", odds, stored, slip, facts or NOTHING)

    def team(self, seats: tuple[int, ...]) -> BeliefInsight:
        spies, none = self.place.counts(seats), bool(set(seats) & set(self.loyal))
        key = self._key(f"{notation.seats(self._seats(spies, none))} are the spies")
        odds = self.insight.range_of(key, lambda: self._over_spies(None if none else spies))
        stored, slip, facts = (
            None if kept.total == 0 else NOTHING if none else kept.team(spies)
            for kept in (self.stored, self.slipping, self.facts)
        )
        return BeliefInsight(f"{notation.seats(seats)} are the spies", odds, stored, slip, facts or NOTHING)

    def _seats(self, counts: Counts, loyal: bool) -> list[int]:
        """Seats of the filed position, so many a cell; the first of each are loyal, and only meant where that is so."""
        found, offset = list[int](), 0
        for size, count, out in zip(self.place.cells.sizes, counts, self.facts.loyal, strict=True):
            first = offset if loyal else offset + out
            found += range(first, first + count)
            offset += size
        return found

    def _key(self, fact: str) -> Key:
        cells, loyal = self.place.cells, self.place.cells.first_seats(self.facts.loyal)
        given = f", {notation.seats(loyal)} loyal" if loyal else ""
        return Key("belief", RESISTANCE, cells.position(self.insight.table), fact + given)

    def _over_spies(self, inside: Counts | None) -> Range | Bound:
        """The range of the odds that seats, so many of each cell, are spies; None: seats that are not."""
        part: dict[int, int] = {}
        whole: dict[int, int] = {}
        cells, loyal = self.place.cells, self.facts.loyal
        for spies in fitting(self.insight.table, cells):
            column = mass_column(self.insight, cells, spies)
            if column is None:
                continue
            whole[column] = whole.get(column, 0) + spy_sets(cells.sizes, spies, loyal)
            if inside is not None:
                part[column] = part.get(column, 0) + spy_sets(cells.sizes, spies, loyal, inside)
        if (cells, loyal) in self.insight.nobody:
            return self.insight.nobody[cells, loyal]
        found = self.insight.ranges.over_spies(part, whole)
        if isinstance(found, Bound):
            self.insight.nobody[cells, loyal] = found
        return found


def mass_column(insight: ResistanceInsight, cells: Cells, spies: Counts) -> int | None:
    """The column of the mass of spies of a class at a public position; None where they cannot have come."""
    column = ONE
    for number, result in enumerate(cells.results):
        out, origin = before(cells, number)
        counts = gathered(spies, origin)
        can_fail = aboard(out, counts, number) >= insight.table.sabotages[number]
        if can_fail and POINTS_TO_WIN - 1 not in out.score:
            decision = insight.decisions[out, counts]
            column = decision.failed if result == "-" else decision.passed
        elif can_fail != (result == "-"):
            return None
    return column
