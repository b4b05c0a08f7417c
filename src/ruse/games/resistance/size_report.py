"""The sizes of a table's trees and linear programs; docs/explanation/sizes.md says what counts."""

from __future__ import annotations

from typing import Any

from ruse.core.game import GameError
from ruse.games.resistance.sizes import Nodes, RoundSize, lp_size, sizes, text
from ruse.games.resistance.table import Table


class ResistanceSizes:
    def __init__(self, table: Table) -> None:
        self.table = table
        self.sizes = sizes(table)
        self.programs = {
            "sequence form by class": lp_size(table),
            "the same with impossible spy sets": lp_size(table, reachable=False),
        }
        self.lazy = self._lazy_program()

    def text(self) -> str:
        lines = [text(self.sizes), "", "linear programs (rows × columns, the resistance first, no forced moves)"]
        lines += [f"  {name:<36} {rows:>15,} × {columns:,}" for name, (rows, columns) in self.programs.items()]
        if self.lazy is not None:
            columns, rows, endgames = self.lazy
            lines.append(f"  {'ruse, before cuts':<36} {rows:>15,} × {columns:,}, with {endgames:,} endgames")
        return "\n".join(lines)

    def _lazy_program(self) -> tuple[int, int, int] | None:
        """Columns, first rows and endgames of the program that ruse solves, if it would."""
        from ruse.games.resistance.program import ResistanceProgram

        try:
            program = ResistanceProgram(self.table)
        except GameError:
            return None
        return len(program.upper), len(program.rows), len(program.endgames)

    def to_json(self) -> dict[str, Any]:
        return {
            "game": "resistance",
            "parameters": self.table.parameters,
            "rounds": [_round(size) for size in self.sizes.rounds],
            "all": _round(self.sizes.totals),
            "programs": {name: {"rows": rows, "columns": columns} for name, (rows, columns) in self.programs.items()},
            "lazy": None if self.lazy is None else dict(zip(("columns", "rows", "endgames"), self.lazy, strict=True)),
        }


def _round(size: RoundSize) -> dict[str, Any]:
    def nodes(tree: Nodes) -> dict[str, int]:
        return {"all": tree.total, "actions": tree.actions, "information": tree.information, "leaves": tree.leaves}

    return {
        "round": size.round,
        "resistance": nodes(size.resistance),
        "spies": nodes(size.spies),
        "resistance_symmetric": nodes(size.resistance_symmetric),
        "spies_symmetric": nodes(size.spies_symmetric),
    }
