"""How notebooks show insight: which solution it is into, without computing anything."""

from __future__ import annotations

from ruse.core.html import facts_table
from ruse.solution.strategy import Solution


class ShownInNotebooks:
    """A short repr and an HTML table for insight into `solution`."""

    solution: Solution

    def __repr__(self) -> str:
        return f"<insight into {self.solution.headline()}>"

    def _repr_html_(self) -> str:
        positions = sum(map(len, self.solution.tables))
        facts = [
            ("solution", self.solution.headline()),
            ("positions", f"{positions:,}"),
            ("next", "insight.at(POSITION) gives ranges, costs and beliefs; insight.unique() says what is unique"),
        ]
        return facts_table(f"insight into {self.solution.game.title}", facts)
