"""Who the spies may be, if they follow a strategy but slip now and then, and by the facts alone.

The spies aboard carry out an order: pass, or sabotage, which the first so many of them do as it takes. Each of them,
one by one, slips with probability e and then passes or sabotages evenly. So with j spies aboard, d of them ordered to
sabotage, the sabotages shown are a sum of d that appear with probability 1 - e/2 and j - d with e/2. What the
resistance chooses tells nothing about the spies, so its own slips do not matter here.

By the facts, every spy set that could have caused the results is as likely as any other. With e = 1 that is not so:
spies who pass and sabotage evenly still make some results likelier than others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, prod
from typing import TYPE_CHECKING

from ruse.core.game import PositionError
from ruse.games.resistance import notation
from ruse.games.resistance.cells import Cells, Counts, Place, Shown, aboard, before, fitting, gathered
from ruse.games.resistance.program import ONE
from ruse.games.resistance.rules import RESISTANCE
from ruse.games.resistance.table import POINTS_TO_WIN, Table
from ruse.insight.engine import a_share
from ruse.insight.memory import Key
from ruse.insight.model import BeliefInsight, Bound, Range

if TYPE_CHECKING:
    from ruse.games.resistance.insight import ResistanceInsight


NOTHING, ALL = Fraction(0), Fraction(1)
Sabotage = Callable[[Cells, Counts], Fraction]  # the odds that spies fail the mission that is out


def shown(ordered: int, spies: int, slip: Fraction) -> list[Fraction]:
    """The odds of 0, 1, 2, ... sabotages from so many spies aboard of whom so many are ordered to sabotage."""
    odds = [ALL]
    for number in range(spies):
        share = 1 - slip / 2 if number < ordered else slip / 2
        passes, sabotages = (
            [*(share_before * (1 - share) for share_before in odds), NOTHING],
            [NOTHING, *(share_before * share for share_before in odds)],
        )
        odds = [share_before + other for share_before, other in zip(passes, sabotages, strict=True)]
    return odds


class Slips:
    """Spies who follow odds of sabotage by class, and slip with a probability."""

    def __init__(self, table: Table, sabotage: Sabotage, slip: Fraction) -> None:
        self.table, self.sabotage, self.slip = table, sabotage, a_share(slip)
        self._odds: dict[tuple[Cells, Counts], Sequence[Fraction]] = {}

    def sabotages(self, out: Cells, spies: Counts) -> Sequence[Fraction]:
        """The odds of each number of sabotages on the mission that is out."""
        odds = self._odds.get((out, spies))
        if odds is None:
            number = len(out.results)
            inside, fails = aboard(out, spies, number), self.table.sabotages[number]
            share = self.sabotage(out, spies)
            passing, failing = shown(0, inside, self.slip), shown(min(fails, inside), inside, self.slip)
            odds = [(1 - share) * passed + share * other for passed, other in zip(passing, failing, strict=True)]
            self._odds[out, spies] = odds
        return odds

    def likely(self, cells: Cells, spies: Counts, counts: Shown = ()) -> Fraction:
        """How likely spies of a class make the results so far, and the sabotages shown where they are given."""
        odds = ALL
        for number, result in enumerate(cells.results):
            out, origin = before(cells, number)
            fails = self.table.sabotages[number]
            each = self.sabotages(out, gathered(spies, origin))
            count = counts[number] if number < len(counts) else None
            if count is None:
                odds *= sum(each[fails:] if result == "-" else each[:fails], NOTHING)
            else:
                odds *= each[count] if count < len(each) and (count >= fails) == (result == "-") else NOTHING
            if not odds:
                break
        return odds


@dataclass(frozen=True)
class SpySetWeights:
    """How much each class of spy sets weighs at a public position; `loyal` seats, so many a cell, are no spies."""

    cells: Cells
    weights: Mapping[Counts, Fraction]  # of one spy set of the class
    loyal: Counts

    @property
    def total(self) -> Fraction:
        weights = self.weights.items()
        return sum((self._sets(spies) * weight for spies, weight in weights), NOTHING)

    def _sets(self, spies: Counts, seats: Counts | None = None) -> int:
        return spy_sets(self.cells.sizes, spies, self.loyal, seats)

    def seat(self, cell: int, loyal: bool = False) -> Fraction | None:
        """How likely a seat of a cell, one of the loyal or not, is a spy; None if no spy set weighs anything."""
        total = self.total
        if not total:
            return None
        if loyal:
            return NOTHING
        seats = tuple(int(number == cell) for number in range(len(self.cells.sizes)))
        weights = self.weights.items()
        return sum((self._sets(spies, seats) * weight for spies, weight in weights), NOTHING) / total

    def team(self, spies: Counts) -> Fraction | None:
        """How likely one given spy set, of this class and without loyal seats, is."""
        total = self.total
        return self.weights.get(spies, NOTHING) / total if total else None


def spy_sets(sizes: Counts, spies: Counts, loyal: Counts, seats: Counts | None = None) -> int:
    """How many spy sets of a class leave out given loyal seats and hold other given seats, so many of each cell."""
    rows = zip(sizes, spies, loyal, seats or (0,) * len(sizes), strict=True)
    return prod(
        comb(size - out - inside, count - inside) if count >= inside else 0 for size, count, out, inside in rows
    )


def check_counts(table: Table, cells: Cells, counts: Shown) -> None:
    """A PositionError if sabotages were shown that do not go with the results."""
    for number, (result, count) in enumerate(zip(cells.results, counts, strict=False)):
        fails = table.sabotages[number]
        if count is not None and (count < 0 or (count >= fails) != (result == "-")):
            needed = f"at least {fails}" if result == "-" else f"fewer than {fails}"
            raise PositionError(f"expected {needed} sabotages on mission {number + 1}, got {count}")


def by_facts(table: Table, cells: Cells, loyal: Counts, counts: Shown = ()) -> SpySetWeights:
    """Every spy set that the facts allow, alike."""
    check_counts(table, cells, counts)
    return SpySetWeights(cells, dict.fromkeys(fitting(table, cells, counts), ALL), loyal)


def with_slips(slips: Slips, cells: Cells, loyal: Counts, counts: Shown = ()) -> SpySetWeights:
    """Each spy set weighs as much as its spies make the results likely."""
    check_counts(slips.table, cells, counts)
    classes = fitting(slips.table, cells, counts)
    return SpySetWeights(cells, {spies: slips.likely(cells, spies, counts) for spies in classes}, loyal)


NOTHING = Fraction(0)


@dataclass(frozen=True)
class Suspicion:
    """Beliefs at one public position."""

    insight: ResistanceInsight
    place: Place
    loyal: tuple[int, ...]
    stored: SpySetWeights
    slipping: SpySetWeights
    facts: SpySetWeights

    @staticmethod
    def of(insight: ResistanceInsight, position: str, slip: Fraction, loyal: str, shown: Shown) -> Suspicion:
        table = insight.table
        place = Place.at(table, position, RESISTANCE)
        seats = notation.read_seats(loyal, table) if loyal else ()
        counts = place.counts(seats)
        facts = by_facts(table, place.cells, counts, shown)
        if not facts.total:
            given = f" with {loyal} loyal" if loyal else ""
            raise PositionError(f"expected results that some spies could cause, got {place.text}{given}")
        sabotage = insight.evaluator.sabotage
        stored = with_slips(Slips(table, sabotage, NOTHING), place.cells, counts, shown)
        slipping = with_slips(Slips(table, sabotage, slip), place.cells, counts, shown)
        return Suspicion(insight, place, seats, stored, slipping, facts)

    def with_slips(self) -> dict[str, Fraction] | None:
        """Of each seat, against the stored spies who slip."""
        odds_by_seat = {}
        for seat in range(self.insight.table.players):
            odds = self.slipping.seat(self.place.cell_of(seat), seat in self.loyal)
            if odds is None:
                return None
            odds_by_seat[notation.seats([seat])] = odds
        return odds_by_seat

    def seat(self, seat: int) -> BeliefInsight:
        cell, loyal = self.place.cell_of(seat), seat in self.loyal
        inside = tuple(int(number == cell) for number in range(len(self.place.cells.sizes)))
        key = self._key(f"{notation.seats(self._seats(inside, loyal))} is a spy")
        odds = self.insight.range_of(key, lambda: self._over_spies(None if loyal else inside))
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
        """Seats of the representative position, so many per cell: the first, or those after the loyal."""
        seats, offset = list[int](), 0
        for size, count, out in zip(self.place.cells.sizes, counts, self.facts.loyal, strict=True):
            first = offset if loyal else offset + out
            seats += range(first, first + count)
            offset += size
        return seats

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
        ends = self.insight.ranges.over_spies(part, whole)
        if isinstance(ends, Bound):
            self.insight.nobody[cells, loyal] = ends
        return ends


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
