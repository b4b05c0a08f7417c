"""Public histories of The Resistance for its verifier: cells of seats that have been on the same missions.

In representative positions seats are sorted by record, so a cell is a run of letters, a class of missions is how many
go from each cell (`Sent`), named after the member with the first letters, and a class of spy sets is how many spies sit
in each cell (`Counts`). Sending the first letters of each cell leaves the names as they are, so histories here never
need renaming.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, product
from math import comb, prod

from ruse.games.resistance.rules import Seats
from ruse.games.resistance.table import Table

Sent = tuple[int, ...]  # seats sent from each cell
Counts = tuple[int, ...]  # spies in each cell


@dataclass(frozen=True)
class PublicHistory:
    """A representative public position, with the sizes of its cells in the order of their letters."""

    done: tuple[tuple[Seats, bool], ...]
    cells: tuple[int, ...]

    @property
    def score(self) -> tuple[int, int]:
        passed = sum(passes for _, passes in self.done)
        return passed, len(self.done) - passed

    def sendings(self, size: int) -> Iterator[Sent]:
        """Every class of missions of that size."""
        return _shares(self.cells, size)

    def members(self, groups: tuple[int, ...]) -> Seats:
        """The seats with the first letters, that many from each cell."""
        starts = accumulate(self.cells, initial=0)
        return tuple(seat for start, count in zip(starts, groups, strict=False) for seat in range(start, start + count))

    def sent(self, mission: Seats) -> Sent:
        """How many of a mission come from each cell."""
        cells = zip(accumulate(self.cells, initial=0), self.cells, strict=False)
        return tuple(sum(start <= seat < start + size for seat in mission) for start, size in cells)

    def after(self, sent: Sent, passed: bool) -> PublicHistory:
        cells = tuple(size for pair in zip(sent, self._kept(sent), strict=True) for size in pair if size)
        return PublicHistory((*self.done, (self.members(sent), passed)), cells)

    def _kept(self, sent: Sent) -> tuple[int, ...]:
        return tuple(size - count for size, count in zip(self.cells, sent, strict=True))

    def splits(self, sent: Sent, spies: Counts) -> Iterator[tuple[int, int, Counts]]:
        """How a mission can split the spies: how many are aboard, how many members of the class of missions
        do it to one spy set, and the spies of each cell afterwards."""
        kept = self._kept(sent)
        ranges = [range(max(0, s - k), min(s, c) + 1) for s, k, c in zip(spies, kept, sent, strict=True)]
        for aboard in product(*ranges):
            cells = list(zip(sent, kept, spies, aboard, strict=True))
            ways = prod(comb(s, j) * comb(c + k - s, c - j) for c, k, s, j in cells)
            counts = tuple(count for c, k, s, j in cells for size, count in ((c, j), (k, s - j)) if size)
            yield sum(aboard), ways, counts


def _shares(cells: tuple[int, ...], size: int) -> Iterator[Sent]:
    if not cells:
        yield ()
        return
    for count in range(max(0, size - sum(cells[1:])), min(cells[0], size) + 1):
        for rest in _shares(cells[1:], size - count):
            yield (count, *rest)


def start(table: Table) -> PublicHistory:
    return PublicHistory((), (table.players,))
