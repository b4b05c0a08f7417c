"""Positions of The Resistance up to the names of seats: seats with the same mission record share a cell.

A position is its cells, ordered by record (most often aboard first), and the results so far. A class of missions is how
many seats go from each cell, and a class of spy sets is how many spies sit in each cell. Sending the first seats of
each cell keeps the seats of the representative position where they are, so one naming serves a whole game. A `Place` is
a position in anybody's letters, together with its cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import groupby, product
from math import comb, gcd, prod

from ruse.core.game import PositionError
from ruse.games.resistance import notation
from ruse.games.resistance.notation import MissionHistory
from ruse.games.resistance.table import POINTS_TO_WIN, Table

Counts = tuple[int, ...]  # one number per cell
Shown = Sequence[int | None]  # how many sabotages each mission showed; None where nobody counted


@lru_cache(maxsize=1 << 16)
def splits(sizes: Counts, total: int) -> tuple[Counts, ...]:
    """Every way to take `total` from cells of these sizes, the first cells' largest shares first."""

    def ways(cell: int, left: int) -> Iterator[Counts]:
        if cell == len(sizes):
            if left == 0:
                yield ()
            return
        if left > sum(sizes[cell:]):
            return
        for taken in range(min(sizes[cell], left), -1, -1):
            for rest in ways(cell + 1, left - taken):
                yield (taken, *rest)

    return tuple(ways(0, total))


def members(sizes: Counts, counts: Counts) -> int:
    """How many sets of seats take these numbers from the cells."""
    return prod(comb(size, count) for size, count in zip(sizes, counts, strict=True))


@dataclass(frozen=True)
class Cells:
    sizes: Counts
    aboard: tuple[tuple[bool, ...], ...]  # for each cell: on which missions it went
    results: str  # "+-": shorter than the records while a mission is out

    @staticmethod
    def start(table: Table) -> Cells:
        return Cells((table.players,), ((),), "")

    @staticmethod
    def at(position: notation.MissionHistory, table: Table) -> Cells:
        """The cells of a representative public position."""
        records = [tuple(seat in mission for mission in position.missions) for seat in range(table.players)]
        if records != sorted(records, reverse=True):
            raise PositionError(f"expected a representative position, got {position.text(table)}")
        cells = [(record, len(list(group))) for record, group in groupby(records)]
        results = "".join("-+"[passed] for _, passed in position.done)
        return Cells(tuple(size for _, size in cells), tuple(record for record, _ in cells), results)

    @property
    def score(self) -> tuple[int, int]:
        return self.results.count("+"), self.results.count("-")

    def send(self, counts: Counts) -> Cells:
        """The cells once a mission takes these many from each."""
        sizes, aboard = [], []
        for size, taken, record in zip(self.sizes, counts, self.aboard, strict=True):
            for part, goes in ((taken, True), (size - taken, False)):
                if part:
                    sizes.append(part)
                    aboard.append((*record, goes))
        return Cells(tuple(sizes), tuple(aboard), self.results)

    def then(self, result: str) -> Cells:
        return Cells(self.sizes, self.aboard, self.results + result)

    def parents(self, counts: Counts) -> tuple[int, ...]:
        """Which of these cells each cell of `send(counts)` comes from."""
        return tuple(
            cell
            for cell, (size, taken) in enumerate(zip(self.sizes, counts, strict=True))
            for part in (taken, size - taken)
            if part
        )

    def first_seats(self, counts: Counts) -> tuple[int, ...]:
        """The member of a class that is named: the first seats of each cell."""
        seats: list[int] = []
        offset = 0
        for size, count in zip(self.sizes, counts, strict=True):
            seats.extend(range(offset, offset + count))
            offset += size
        return tuple(seats)

    def sent(self, number: int) -> tuple[int, ...]:
        """The seats that went on a mission, counted from 0."""
        sizes = zip(self.sizes, self.aboard, strict=True)
        return self.first_seats(tuple(size * record[number] for size, record in sizes))

    def counts(self, seats: Sequence[int]) -> Counts:
        """How many of these seats sit in each cell."""
        numbers = []
        offset = 0
        for size in self.sizes:
            numbers.append(sum(offset <= seat < offset + size for seat in seats))
            offset += size
        return tuple(numbers)

    def position(self, table: Table, spies: Counts | None = None) -> str:
        """The representative position, for the resistance or for spies with so many of them in each cell."""
        missions = [self.sent(number) for number in range(len(self.aboard[0]))]
        out = missions[len(self.results)] if len(missions) > len(self.results) else None
        done = tuple((mission, result == "+") for mission, result in zip(missions, self.results, strict=False))
        return notation.MissionHistory(spies and self.first_seats(spies), done, out).text(table)


@dataclass(frozen=True)
class Place:
    """A position that one side knows."""

    table: Table
    read: MissionHistory  # in the letters of whoever asks
    side: int

    @staticmethod
    def at(table: Table, text: str, side: int | None) -> Place:
        """The place that a text means; without a side, that of the spies if it names them."""
        read = notation.read(table, text)
        if side not in (0, 1, None):
            raise PositionError(f"expected side 0 or 1, got {side!r}")
        if side is None:
            side = 0 if read.spies is None else 1
        if side == 1 and read.spies is None:
            example = f"{table.title}@{notation.seats(range(table.spies))}"
            raise PositionError(f"expected a position that names the spies, such as {example}, got {text!r}")
        return Place(table, read if side == 1 else MissionHistory(None, read.done, read.out), side)

    @property
    def text(self) -> str:
        return self.read.text(self.table)

    @cached_property
    def names(self) -> dict[int, int]:
        """The name of each seat in the representative position."""
        return MissionHistory(None, self.read.done, self.read.out).names(self.table.players)

    @cached_property
    def cells(self) -> Cells:
        return Cells.at(MissionHistory(None, self.read.done, self.read.out).renamed(self.names), self.table)

    @cached_property
    def spies(self) -> Counts:
        """How many spies sit in each cell, where they are known."""
        assert self.read.spies is not None
        return self.counts(self.read.spies)

    @property
    def ended(self) -> bool:
        return POINTS_TO_WIN in self.read.score

    def counts(self, seats: Sequence[int]) -> Counts:
        return self.cells.counts([self.names[seat] for seat in seats])

    def cell_of(self, seat: int) -> int:
        return self.counts([seat]).index(1)

    def seats(self, cell: int) -> list[int]:
        """The seats of a cell."""
        return [seat for seat in range(self.table.players) if self.cell_of(seat) == cell]

    def letters(self, places: Sequence[int]) -> str:
        """Seats of the representative position, in the letters of whoever asks."""
        back = {place: seat for seat, place in self.names.items()}
        return notation.seats(sorted(back[place] for place in places))

    def named(self, mission: Counts) -> str:
        """One mission of a class."""
        return self.letters(self.cells.first_seats(mission))

    def named_with(self, mission: Counts, spies_aboard: Counts) -> str:
        """One mission of a class with so many spies of each cell aboard."""
        chosen: list[int] = []
        for cell, (taken, inside) in enumerate(zip(mission, spies_aboard, strict=True)):
            seats = self.seats(cell)
            guilty = [seat for seat in seats if seat in (self.read.spies or ())]
            chosen += guilty[:inside] + [seat for seat in seats if seat not in guilty][: taken - inside]
        return notation.seats(sorted(chosen))

    # Other places.

    def then(self, step: str) -> Place:
        """After a step such as "abc?" from where no mission is out."""
        return Place.at(self.table, f"{self.text}/{step}", self.side)

    def ends(self, result: str) -> Place:
        """After the mission that is out passed (+) or failed (-)."""
        assert self.read.out is not None
        return self.back().then(f"{notation.seats(self.read.out)}{result}")

    def back(self) -> Place:
        """Before the mission that is out was sent."""
        return Place(self.table, MissionHistory(self.read.spies, self.read.done, None), self.side)

    def mission(self) -> Counts:
        """The class of the mission that is out, by the cells before it."""
        assert self.read.out is not None
        return self.back().counts(self.read.out)

    def earlier(self) -> Iterator[Place]:
        """The places on the way here, the start first; no mission is out at any of them."""
        for length in range(len(self.read.done)):
            yield Place(self.table, MissionHistory(self.read.spies, self.read.done[:length], None), self.side)


@dataclass(frozen=True)
class Split:
    """A way in which a mission splits the spies of a class."""

    aboard: Counts  # spies aboard, of each cell before
    ways: int  # missions of the class that do so to one spy set
    spies: Counts  # in each cell afterwards


def spy_splits(cells: Cells, mission: Counts, spies: Counts) -> Iterator[Split]:
    """Every way in which missions of a class can split the spies of a class."""
    ranges = [
        range(max(0, guilty - (size - taken)), min(guilty, taken) + 1)
        for size, taken, guilty in zip(cells.sizes, mission, spies, strict=True)
    ]
    for aboard in product(*ranges):
        rows = list(zip(cells.sizes, mission, spies, aboard, strict=True))
        after = tuple(
            count
            for size, taken, guilty, inside in rows
            for part, count in ((taken, inside), (size - taken, guilty - inside))
            if part
        )
        ways = prod(comb(guilty, inside) * comb(size - guilty, taken - inside) for size, taken, guilty, inside in rows)
        yield Split(aboard, ways, after)


def average_over_missions(
    cells: Cells, missions: Mapping[Counts, Fraction], spies: Counts, value: Callable[[Cells, Counts], Fraction]
) -> Fraction:
    """The average of a value over the missions that may be drawn: classes by their odds, members at random."""
    average = Fraction(0)
    for mission, share in missions.items():
        out, size = cells.send(mission), members(cells.sizes, mission)
        for split in spy_splits(cells, mission, spies):
            average += share * split.ways * value(out, split.spies) / size
    return average


def before(cells: Cells, number: int) -> tuple[Cells, tuple[int, ...]]:
    """The cells when a mission of that number was out, and which of them each of these cells comes from."""
    sizes: list[int] = []
    records: list[tuple[bool, ...]] = []
    origin = []
    for size, record in zip(cells.sizes, cells.aboard, strict=True):
        if records and records[-1] == record[: number + 1]:
            sizes[-1] += size
        else:
            sizes.append(size)
            records.append(record[: number + 1])
        origin.append(len(sizes) - 1)
    return Cells(tuple(sizes), tuple(records), cells.results[:number]), tuple(origin)


def cells_at(cells: Cells, length: int) -> tuple[Cells, tuple[int, ...]]:
    """The cells after so many missions, and which of them each of these cells comes from."""
    if length == 0:
        size = sum(cells.sizes)
        return Cells((size,), ((),), ""), (0,) * len(cells.sizes)
    earlier, origin = before(cells, length - 1)
    return earlier.then(cells.results[length - 1]), origin


def mission_at(cells: Cells, number: int) -> Counts:
    """How many went on a mission from each of the cells before it."""
    earlier, origin = cells_at(cells, number)
    counts = [0] * len(earlier.sizes)
    for size, record, cell in zip(cells.sizes, cells.aboard, origin, strict=True):
        counts[cell] += size * record[number]
    return tuple(counts)


def gathered(counts: Counts, origin: tuple[int, ...]) -> Counts:
    """Numbers of each cell, once cells are put together again."""
    totals = [0] * (origin[-1] + 1)
    for count, cell in zip(counts, origin, strict=True):
        totals[cell] += count
    return tuple(totals)


def aboard(cells: Cells, spies: Counts, number: int) -> int:
    """How many spies went on a mission."""
    return sum(count for count, record in zip(spies, cells.aboard, strict=True) if record[number])


def fitting(table: Table, cells: Cells, counts: Shown = ()) -> Iterator[Counts]:
    """The classes of spy sets that could have caused the results, and shown so many sabotages where those are given."""
    for spies in splits(cells.sizes, table.spies):
        inside = [aboard(cells, spies, number) for number in range(len(cells.results))]
        if all(
            result == "+" or there >= fails
            for result, there, fails in zip(cells.results, inside, table.sabotages, strict=False)
        ) and all(count is None or count <= there for count, there in zip(counts, inside, strict=False)):
            yield spies


def possible(table: Table, cells: Cells) -> bool:
    """Whether some spies could have caused the results."""
    return any(True for _ in fitting(table, cells))


@dataclass(frozen=True)
class Suspects:
    """Who may be spies at a public position. One spy set of a class has odds of its mass over the total."""

    slips: int  # how often the spies have departed from their strategy, at least
    masses: Mapping[Counts, int]
    total: int  # over all spy sets

    @staticmethod
    def of(slips: int, cells: Cells, masses: Mapping[Counts, int]) -> Suspects:
        divisor = gcd(*masses.values())
        whole = {spies: mass // divisor for spies, mass in masses.items()}
        return Suspects(slips, whole, sum(members(cells.sizes, spies) * mass for spies, mass in whole.items()))

    def odds(self, spies: Counts) -> Fraction:
        return Fraction(self.masses.get(spies, 0), self.total)

    def by_cell(self, cells: Cells) -> list[Fraction]:
        """For each cell, how likely a seat of it is a spy."""
        odds = []
        for cell, size in enumerate(cells.sizes):
            weight = sum(spies[cell] * members(cells.sizes, spies) * mass for spies, mass in self.masses.items())
            odds.append(Fraction(weight, size * self.total))
        return odds
