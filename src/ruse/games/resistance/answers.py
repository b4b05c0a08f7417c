"""What spies can make of a strategy of the resistance that they know.

They see everything but the dice, so their best answer needs no beliefs: with q the odds of a class of missions and the
member drawn at random, least(h, spies) = sum of q * min(least(h, pass), least(h, fail)).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from ruse.games.resistance.cells import Cells, Counts
from ruse.games.resistance.places import aboard, sent_on_average
from ruse.games.resistance.table import POINTS_TO_WIN, Table

Missions = Callable[[Cells], Mapping[Counts, Fraction]]  # the odds of each class of missions


class Answers:
    """The best answer of the spies to what the resistance sends."""

    def __init__(self, table: Table, missions: Missions) -> None:
        self.table, self.missions = table, missions
        self._least: dict[tuple[Cells, Counts], Fraction] = {}

    def least(self, cells: Cells, spies: Counts) -> Fraction:
        """How often the resistance wins at least against spies of a class; no mission is out."""
        if POINTS_TO_WIN in cells.score:
            return Fraction(cells.score[0] == POINTS_TO_WIN)
        found = self._least.get((cells, spies))
        if found is None:
            found = sent_on_average(cells, self.missions(cells), spies, self.least_out)
            self._least[cells, spies] = found
        return found

    def least_out(self, out: Cells, spies: Counts) -> Fraction:
        return min(self.least(out.then(result), spies) for result in self.results(out, spies))

    def result(self, out: Cells, spies: Counts, usual: str) -> str:
        """How the spies let a mission end; where it makes no difference, as usual."""
        results = self.results(out, spies)
        return min(sorted(results, key=lambda one: one != usual), key=lambda one: self.least(out.then(one), spies))

    def results(self, out: Cells, spies: Counts) -> str:
        number = len(out.results)
        return "+-" if aboard(out, spies, number) >= self.table.sabotages[number] else "+"
