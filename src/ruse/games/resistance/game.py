"""The Resistance as ruse plays it: the rules, and all that ruse knows to do with them.

Each method hands on to a module of its own, imported where it is used: rules alone need no numpy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from ruse.core.capabilities import Adjustable, Bulk, ByClass, Known, Symmetric, Teamed
from ruse.core.types import StrategyTable, Tables
from ruse.games.resistance import notation
from ruse.games.resistance.rules import RESISTANCE, SPIES, Rules
from ruse.games.resistance.table import RESISTANCE_WINS

if TYPE_CHECKING:
    from ruse.games.resistance.arrays import ResistanceArrays
    from ruse.games.resistance.program import ResistanceProgram


class Resistance(Rules):
    provides = (Symmetric, ByClass, Bulk, Teamed, Known, Adjustable)
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
        return notation.file(self.table, position, side)

    def filed_moves(self, position: str, side: int) -> list[str]:
        """The moves at a filed position: pass and sabotage, or one mission of each class."""
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

    def shortcut(self) -> Tables | None:
        """A fixed plan and a rule for the spies, if those are optimal."""
        from ruse.games.resistance import fixed_plan

        found = fixed_plan.find(self.table)
        if found is None:
            return None
        return fixed_plan.plan_table(self.table, found.plan), fixed_plan.rule_table(self.table, found.passes)

    def lazy_program(self) -> ResistanceProgram:
        """The linear program for tables of any size."""
        from ruse.games.resistance.program import ResistanceProgram

        return ResistanceProgram(self.table)

    def candidates(self, program: ResistanceProgram, solved: Any) -> Iterator[Tables]:
        """Strategies in fractions out of a solved program."""
        from ruse.games.resistance.tables import candidates

        return candidates(program, solved)

    def bounds(self, tables: Tables) -> tuple[Fraction, Fraction]:
        """What strategies guarantee, exactly."""
        from ruse.games.resistance.verify import bounds

        return bounds(self.table, tables)

    def simplify(self, program: ResistanceProgram, tables: Tables, lower: Fraction) -> Tables:
        """The same guarantee, with fewer choices left to dice and good sense where any choice would do."""
        from ruse.games.resistance.simplify import sensible, simplify
        from ruse.games.resistance.verify import guarantee

        def good(strategy: StrategyTable) -> bool:
            return guarantee(self.table, RESISTANCE, strategy.__getitem__) >= lower

        plain = simplify(self.table, tables[RESISTANCE], good)
        return sensible(program, plain, good), tables[SPIES]

    def complete(self, tables: Tables) -> Tables:
        """Filed strategies, with advice at positions that a reduced game leaves out, and no needless entries."""
        from ruse.games.resistance.advice import complete, decided

        spies = {place: odds for place, odds in tables[SPIES].items() if not decided(self.table, place)}
        return complete(self.table, (tables[RESISTANCE], spies)), spies

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
