"""Public positions up to the names of seats: seats with the same record share a cell.

A position is its cells in filing order (most often aboard first) and the results so far. A mission is how
many go from each cell, a class of spy sets is how many spies sit in each cell. Sending the first seats of
each cell keeps the seats of the filed position where they are, so one naming serves a whole game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from math import comb, prod

from ruse.core.game import PositionError
from ruse.games.resistance import notation
from ruse.games.resistance.table import Table

Counts = tuple[int, ...]  # one number a cell


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
    def at(position: notation.Position, table: Table) -> Cells:
        """The cells of a filed public position."""
        records = [tuple(seat in mission for mission in position.missions) for seat in range(table.players)]
        if records != sorted(records, reverse=True):
            raise PositionError(f"expected a filed position, got {position.text(table)}")
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

    def counts(self, seats: Sequence[int]) -> Counts:
        """How many of these seats sit in each cell."""
        numbers = []
        offset = 0
        for size in self.sizes:
            numbers.append(sum(offset <= seat < offset + size for seat in seats))
            offset += size
        return tuple(numbers)

    def position(self, table: Table, spies: Counts | None = None) -> str:
        """The filed position, for the resistance or for spies with so many of them in each cell."""
        missions = [
            self.first_seats(tuple(size * record[number] for size, record in zip(self.sizes, self.aboard, strict=True)))
            for number in range(len(self.aboard[0]))
        ]
        out = missions[len(self.results)] if len(missions) > len(self.results) else None
        done = tuple((mission, result == "+") for mission, result in zip(missions, self.results, strict=False))
        return notation.Position(spies and self.first_seats(spies), done, out).text(table)
