"""The Resistance as ruse plays it: the rules, and what ruse can do with them beyond playing them.

Methods import the modules that do the work where they are called, because the rules alone need no numpy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from ruse.core.capabilities import Adjustable, Bulk, ByClass, Ranged, Symmetric, Teamed
from ruse.core.types import Tables
from ruse.games.resistance import notation
from ruse.games.resistance.rules import SPIES, ResistanceRules
from ruse.games.resistance.table import RESISTANCE_WINS

if TYPE_CHECKING:
    from ruse.games.resistance.arrays import ResistanceArrays


class Resistance(ResistanceRules):
    provides = (Symmetric, ByClass, Bulk, Teamed, Ranged, Adjustable)
    parts: ClassVar[Mapping[str, str]] = {
        "solve": "ruse.games.resistance.solve",
        "verify": "ruse.games.resistance.verify",
        "presentation": "ruse.games.resistance.presentation:ResistancePresentation",
        "companion": "ruse.games.resistance.companion",
        "insight": "ruse.games.resistance.insight:ResistanceInsight",
    }

    # Positions.

    def representative_position(self, position: str, side: int) -> tuple[str, Callable[[str], str]]:
        """One position represents all that differ from it by the names of the seats."""
        return notation.representative_position(self.table, position, side)

    def representative_moves(self, position: str, side: int) -> list[str]:
        """The moves at a representative position: pass and sabotage, or one mission of each class."""
        if side == SPIES:
            return ["pass", "sabotage"]
        from ruse.games.resistance.cells import Cells, splits

        cells = Cells.at(notation.read(self.table, position), self.table)
        size = self.table.missions[len(cells.results)]
        return [notation.seats(cells.first_seats(mission)) for mission in splits(cells.sizes, size)]

    # Solving.

    def arrays(self) -> ResistanceArrays:
        from ruse.games.resistance.arrays import ResistanceArrays

        return ResistanceArrays(self.table)

    def nodes(self, symmetry: bool = False) -> int:
        """How many nodes the spies' knowledge tree has, by class or seat by seat."""
        from ruse.games.resistance.sizes import sizes

        totals = sizes(self.table).totals
        return totals.spies_symmetric.total if symmetry else totals.spies.total

    def complete(self, tables: Tables) -> Tables:
        """Strategies by class, with advice at positions that a reduced game leaves out, and no needless entries."""
        from ruse.games.resistance.tables import complete

        return complete(self.table, tables)

    def payoff_range(self) -> tuple[Fraction, Fraction]:
        return Fraction(-1), Fraction(1)

    def known_value(self) -> Fraction | None:
        """Of the official tables."""
        return 2 * RESISTANCE_WINS[self.table.players] - 1 if self.table.is_official else None

    # Variants (docs/explanation/balance.md has the proofs).

    def canonical(self) -> Mapping[str, object]:
        """Missions 4 and 5 in order, and missions that can always fail as one that sends everybody."""
        return self.table.canonical().parameters

    def directions(self) -> Mapping[str, int | Sequence[int]]:
        """Larger missions and more spies never help the resistance; more sabotages needed never hurt it."""
        rounds = len(self.table.missions)
        return {"spies": -1, "missions": [-1] * rounds, "sabotages": [1] * rounds}

    def span(self) -> Mapping[str, str]:
        """Missions of 2 seats to all but 2, which take a sabotage or two."""
        rounds, most = len(self.table.missions), min(2, self.table.spies)
        return {
            "missions": ",".join([f"2..{max(2, self.table.players - 2)}"] * rounds),
            "sabotages": ",".join([f"1..{most}"] * rounds),
        }
