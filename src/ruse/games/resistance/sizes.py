"""How large The Resistance is: the nodes of both knowledge trees, round by round (Bossle 2018, §4.3 and §5.3).

A knowledge tree has one node for every knowledge that its side can have (Definition 5). Spies act as one
and can fail a mission only with enough of them aboard. In the round of mission r there are

    the resistance   action nodes       a mission is to be picked: one for each public history
                     information nodes  a mission is out, its result is awaited
                     leaves             that result ended the game
    the spies        information nodes  a mission is awaited; or one is out with too few spies aboard to fail it
                     action nodes       a mission is out that they can fail
                     leaves             the result ended the game

The single node before the spies are dealt belongs to no round and is left out. With symmetry, positions
that differ by the names of the seats are one node: a public history is then how many seats went from each
cell of seats that have been on the same missions, and the spies also see how many spies are in each cell.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ruse.core.game import GameError
from ruse.games.resistance.table import Table
from ruse.games.resistance.tallies import NodeTally, resistance_tally, spies_tally

MOST_PLAYERS = 16  # beyond, counting takes many minutes and gigabytes


@dataclass(frozen=True)
class TreeNodes:
    """Nodes of one tree: Definition 5's sets A, I and L."""

    actions: int
    information: int
    leaves: int

    @property
    def total(self) -> int:
        return self.actions + self.information + self.leaves

    def __add__(self, other: TreeNodes) -> TreeNodes:
        return TreeNodes(self.actions + other.actions, self.information + other.information, self.leaves + other.leaves)


@dataclass(frozen=True)
class RoundSize:
    round: int | None  # 1 to 5; None: all of them
    resistance: TreeNodes
    spies: TreeNodes
    resistance_symmetric: TreeNodes
    spies_symmetric: TreeNodes


@dataclass(frozen=True)
class Sizes:
    table: Table
    forced: bool  # whether the spies must fail what they can once a side has two points
    rounds: tuple[RoundSize, ...]

    @property
    def totals(self) -> RoundSize:
        def add(nodes: Iterable[TreeNodes]) -> TreeNodes:
            return sum(nodes, TreeNodes(0, 0, 0))

        return RoundSize(
            None,
            add(size.resistance for size in self.rounds),
            add(size.spies for size in self.rounds),
            add(size.resistance_symmetric for size in self.rounds),
            add(size.spies_symmetric for size in self.rounds),
        )


def sizes(table: Table, *, forced: bool = False) -> Sizes:
    """The exact sizes of all four trees."""
    if table.players > MOST_PLAYERS:
        raise GameError(f"expected at most {MOST_PLAYERS} players to count, got {table.players} in {table.title}")
    rounds = zip(
        resistance_tally(table, symmetric=False, forced=forced),
        spies_tally(table, symmetric=False, forced=forced),
        resistance_tally(table, symmetric=True, forced=forced),
        spies_tally(table, symmetric=True, forced=forced),
        strict=True,
    )
    return Sizes(
        table,
        forced,
        tuple(
            RoundSize(
                number,
                resistance_nodes(resistance),
                spies_nodes(spies),
                resistance_nodes(resistance_classes),
                spies_nodes(spies_classes),
            )
            for number, (resistance, spies, resistance_classes, spies_classes) in enumerate(rounds, 1)
        ),
    )


def resistance_nodes(tally: NodeTally) -> TreeNodes:
    """Nodes of the resistance's tree."""
    return TreeNodes(tally.waiting, tally.out, tally.ends)


def spies_nodes(tally: NodeTally) -> TreeNodes:
    """Nodes of the spies' tree."""
    return TreeNodes(tally.choices, tally.waiting + tally.out - tally.choices, tally.ends)


def lp_size(table: Table, *, forced: bool = False, reachable: bool = True) -> tuple[int, int]:
    """Rows and columns of the sequence-form LP after symmetry, the resistance first.

    A row for each information set of the resistance and each sequence of the spies, a column for each
    sequence of the resistance and each information set of the spies. Without `reachable`, a spy set is kept at
    public histories that it rules out: those failures needed more spies aboard. It then costs rows that
    bind nothing, but needs no check.
    """
    resistance = resistance_tally(table, symmetric=True, forced=forced and reachable, reachable=reachable)
    spies = spies_tally(table, symmetric=True, forced=forced, reachable=reachable)
    sets = sum(tally.waiting for tally in resistance), sum(tally.choices for tally in spies)
    return sets[0] + 1 + 2 * sets[1], 1 + sum(tally.out for tally in resistance) + sets[1]


def text(sizes: Sizes) -> str:
    """The sizes as a plain table of at most 100 columns."""
    table = sizes.table
    lines = [
        f"{table.title}: {table}" + (" (forced moves made)" if sizes.forced else ""),
        "nodes of the knowledge trees (Bossle 2018, Definition 5)",
        "",
        _row("", "resistance", "spies", "resistance, by class", "spies, by class"),
    ]
    for size in (*sizes.rounds, sizes.totals):
        if size.round is None:
            lines.append("-" * len(lines[-1]))
        trees = (size.resistance, size.spies, size.resistance_symmetric, size.spies_symmetric)
        lines.append(_row(f"round {size.round}" if size.round else "all", *(f"{tree.total:,}" for tree in trees)))
    totals = sizes.totals
    for kind in ("actions", "information", "leaves"):
        trees = (totals.resistance, totals.spies, totals.resistance_symmetric, totals.spies_symmetric)
        lines.append(_row(f"  {kind}", *(f"{getattr(tree, kind):,}" for tree in trees)))
    return "\n".join(lines)


def _row(name: str, *cells: str) -> str:
    return f"{name:<15}" + "".join(f"{cell:>21}" for cell in cells)


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
    def nodes(tree: TreeNodes) -> dict[str, int]:
        return {"all": tree.total, "actions": tree.actions, "information": tree.information, "leaves": tree.leaves}

    return {
        "round": size.round,
        "resistance": nodes(size.resistance),
        "spies": nodes(size.spies),
        "resistance_symmetric": nodes(size.resistance_symmetric),
        "spies_symmetric": nodes(size.spies_symmetric),
    }
