"""Johansson's reduced tree of The Resistance (Optimal Strategies for The Resistance, §2.4), and its size.

Seats that have been on the same missions are one cell. The resistance picks how many seats go from each
cell, and only then does chance say how many spies are among them: spies are placed as missions split them,
with no chance node where only one placing is left. The spies choose only with enough spies aboard and both
scores below two; else a mission that can fail fails. The resistance never resends a mission that failed.

His text removes "options that contain a previously failed mission". His sizes for 5, 6 and 7 players count
a tree without missions that contain a failed one (`supersets`); his size for 8 players counts one without
the failed missions themselves (`repeats`). Where a mission takes two sabotages the two are not alike: a
mission that failed by one spy says little about a larger one that takes two. `safe` removes what contains a
failed mission only where it takes no more sabotages than that one.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import comb, prod
from typing import NamedTuple

from ruse.core.game import CHANCE, END, GameError, Titled
from ruse.games.resistance import notation
from ruse.games.resistance.cells import Counts, splits
from ruse.games.resistance.rules import RESISTANCE, SPIES
from ruse.games.resistance.table import POINTS_TO_WIN, Table

PRUNINGS = ("supersets", "repeats", "safe", "none")

# Johansson's Table 2: nodes for each number of players, and the pruning that gives them.
PRINTED = {5: (12_162, "supersets"), 6: (42_438, "supersets"), 7: (369_869, "supersets"), 8: (4_110_657, "repeats")}


class TreeCell(NamedTuple):
    record: tuple[bool, ...]  # whether its seats were ashore, for each mission: those aboard sort first
    seats: int
    spies: int | None  # None where the resistance looks


class TreePosition(NamedTuple):
    """A state, and what a side knows of it."""

    cells: tuple[TreeCell, ...]  # sorted
    results: tuple[bool, ...]  # whether each mission passed
    picked: Counts | None  # a mission whose spies chance has not placed yet


class JohanssonTree(Titled):
    name = "johansson"
    sides = ("resistance", "spies")
    wins = ("resistance", "spies")

    def __init__(self, table: Table, pruning: str = "supersets") -> None:
        if pruning not in PRUNINGS:
            raise GameError(f"expected one of the prunings {', '.join(PRUNINGS)}, got {pruning!r}")
        self.table = table
        self.pruning = pruning
        self.title = table.title
        self.parameters = {**table.parameters, "pruning": pruning}

    def start(self) -> TreePosition:
        return TreePosition((TreeCell((), self.table.players, self.table.spies),), (), None)

    def score(self, state: TreePosition) -> tuple[int, int]:
        passed = sum(state.results)
        return passed, len(state.results) - passed

    def turn(self, state: TreePosition) -> int:
        if state.picked is not None:
            return CHANCE
        if len(state.cells[0].record) > len(state.results):
            return SPIES
        return END if POINTS_TO_WIN in self.score(state) else RESISTANCE

    def moves(self, state: TreePosition) -> Sequence[Counts] | Sequence[str]:
        turn = self.turn(state)
        if turn == SPIES:
            return ("pass", "sabotage")
        if state.picked is not None:
            return self._placings(state.cells, state.picked)
        size = self.table.missions[len(state.results)]
        options = splits(tuple(cell.seats for cell in state.cells), size)
        return [taken for taken in options if not self._pruned(state, taken)] or options

    def _pruned(self, state: TreePosition, taken: Counts) -> bool:
        if self.pruning == "none":
            return False
        size, fails = self.table.missions[len(state.results)], self.table.sabotages[len(state.results)]
        for number, passed in enumerate(state.results):
            if passed:
                continue
            contained = all(
                sent == cell.seats or cell.record[number] for sent, cell in zip(taken, state.cells, strict=True)
            )
            if self.pruning == "repeats":
                contained = contained and size == self.table.missions[number]
            if self.pruning == "safe":
                contained = contained and fails <= self.table.sabotages[number]
            if contained:
                return True
        return False

    @staticmethod
    def _placings(cells: Sequence[TreeCell], taken: Counts) -> list[Counts]:
        """How many spies can be aboard from each cell."""
        ranges = []
        for cell, sent in zip(cells, taken, strict=True):
            spies = cell.spies or 0
            ranges.append(range(max(0, sent + spies - cell.seats), min(sent, spies) + 1))
        return list(product(*ranges))

    def odds(self, state: TreePosition) -> Sequence[Fraction]:
        assert state.picked is not None
        return [
            prod(
                (
                    Fraction(comb(sent, of) * comb(seats - sent, (spies or 0) - of), comb(seats, spies or 0))
                    for (_, seats, spies), sent, of in zip(state.cells, state.picked, placed, strict=True)
                ),
                start=Fraction(1),
            )
            for placed in self._placings(state.cells, state.picked)
        ]

    def play(self, state: TreePosition, move: Counts | str) -> TreePosition:
        if isinstance(move, str):
            return state._replace(results=(*state.results, move == "pass"))
        if state.picked is not None:
            return self._placed(state, state.picked, move)
        placings = self._placings(state.cells, move)
        return self._placed(state, move, placings[0]) if len(placings) == 1 else state._replace(picked=move)

    def _placed(self, state: TreePosition, taken: Counts, placed: Counts) -> TreePosition:
        """The cells split; and the result, where the spies have nothing to choose."""
        cells = []
        for (record, seats, spies), sent, of in zip(state.cells, taken, placed, strict=True):
            cells.append(TreeCell((*record, False), sent, of))
            cells.append(TreeCell((*record, True), seats - sent, (spies or 0) - of))
        after = TreePosition(tuple(cell for cell in cells if cell.seats), state.results, None)
        can_fail = sum(placed) >= self.table.sabotages[len(state.results)]
        if can_fail and max(self.score(state)) < POINTS_TO_WIN - 1:
            return after
        return after._replace(results=(*state.results, not can_fail))

    def knows(self, state: TreePosition, side: int) -> TreePosition:
        if side == SPIES:
            return state
        return state._replace(cells=tuple(cell._replace(spies=None) for cell in state.cells))

    def payoff(self, state: TreePosition) -> Fraction:
        return Fraction(1 if self.score(state)[RESISTANCE] == POINTS_TO_WIN else -1)

    def label(self, move: Counts | str) -> str:
        return move if isinstance(move, str) else "-".join(map(str, move))

    def format_position(self, knowledge: TreePosition) -> str:
        """Write a position in the notation of the whole game; a mission without placed spies is counts by cell."""
        records: list[tuple[bool, ...]] = []
        spies: list[int] = []
        for record, seats, hidden in knowledge.cells:
            spies += range(len(records), len(records) + (hidden or 0))
            records += [record] * seats
        text = f"@{notation.seats(spies)}" if spies else ""
        for number in range(len(records[0])):
            aboard = notation.seats(seat for seat, record in enumerate(records) if not record[number])
            result = "?" if number == len(knowledge.results) else "-+"[knowledge.results[number]]
            text += f"/{aboard}{result}"
        return text if knowledge.picked is None else f"{text}/{self.label(knowledge.picked)}"

    def alike(self, state: TreePosition) -> tuple[object, ...]:
        """Equal for states with the same future: the order of cells does not matter, nor who was on what passed."""
        missions = range(len(state.cells[0].record))
        matter = [number for number in missions if not any(state.results[number : number + 1])]  # failed, or out
        picked = state.picked or (0,) * len(state.cells)
        cells = sorted(
            (tuple(cell.record[number] for number in matter), cell.seats, cell.spies or 0, sent)
            for cell, sent in zip(state.cells, picked, strict=True)
        )
        return tuple(matter), len(state.results), state.picked is None, tuple(cells)


def johansson_nodes(table: Table, pruning: str = "supersets") -> int:
    """Nodes of the tree, ends and chance included: a walk that visits states with the same future once."""
    tree = JohanssonTree(table, pruning)
    known: dict[tuple[object, ...], int] = {}

    def nodes(state: TreePosition) -> int:
        if tree.turn(state) == END:
            return 1
        key = tree.alike(state)
        if key not in known:
            known[key] = 1 + sum(nodes(tree.play(state, move)) for move in tree.moves(state))
        return known[key]

    return nodes(tree.start())
