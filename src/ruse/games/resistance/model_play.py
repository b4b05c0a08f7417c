"""The best answer to a model of the spies, with the number of sabotages in view.

A mass is how likely a spy set was dealt and played as the history shows. All masses are whole numbers: after mission k
they are in units of 1 / (D1 … Dk), where Dk is a common denominator of the model's odds on mission k. Values are in
units of 1 / (D1 … D5), and count spy sets.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import prod

import numpy as np

from ruse.core.arrays import Array
from ruse.core.clock import tick
from ruse.games.resistance.cells import Cells, Counts, splits
from ruse.games.resistance.exploit_verify import Cards, with_cards
from ruse.games.resistance.spies_model import Score, SpiesModel
from ruse.games.resistance.table import POINTS_TO_WIN, ROUNDS, Table

LONGEST_INT = 1 << 62


@dataclass(frozen=True, eq=False)
class ModelNode:
    """A public position up to names with the number of sabotages on each mission, and the masses of all spy sets."""

    cells: Cells
    cards: Cards
    mass: Array  # int64 or object [spy sets]

    @property
    def number(self) -> int:
        return len(self.cards)

    @property
    def score(self) -> Score:
        return self.cells.score

    @property
    def key(self) -> tuple[Cells, Cards]:
        return self.cells, self.cards

    def position(self, table: Table) -> str:
        return with_cards(table, self.cells.position(table), self.cards)


class ModelPlay:
    """Play of one model at one table."""

    def __init__(self, model: SpiesModel) -> None:
        self.model, self.table = model, model.table
        seats = range(self.table.players)
        self.spy_sets = list(combinations(seats, self.table.spies))
        members = np.array([[seat in spies for seat in seats] for spies in self.spy_sets], dtype=np.int64)
        self.missions = [list(combinations(seats, size)) for size in self.table.missions]
        self._number = [{mission: number for number, mission in enumerate(missions)} for missions in self.missions]
        self.aboard = [  # int64[missions, spy sets], a round
            np.array([[seat in mission for seat in seats] for mission in missions], dtype=np.int64) @ members.T
            for missions in self.missions
        ]
        self.wholes = list(model.denominators())
        self.unit = prod(self.wholes)  # of values
        self.kind = np.int64 if self.unit * len(self.spy_sets) < LONGEST_INT else object
        self._values: dict[tuple[Cells, Cards], tuple[int, Counts]] = {}
        self._odds: dict[tuple[int, Score], Array] = {}

    @cached_property
    def start(self) -> ModelNode:
        return ModelNode(Cells.start(self.table), (), np.array([1] * len(self.spy_sets), dtype=self.kind))

    def rest(self, number: int) -> int:
        """What masses after `number` missions have to be multiplied with to be in units of values."""
        return prod(self.wholes[number:])

    def number_of(self, number: int, seats: tuple[int, ...]) -> int:
        return self._number[number][seats]

    # Moves of the model.

    def by_aboard(self, number: int, score: Score) -> Array:
        """The odds of each number of cards by spies aboard, in units of 1 / Dk, where nothing else counts.

        That is so once a side has two points.
        """
        if (number, score) not in self._odds:
            most = min(self.table.spies, self.table.missions[number])
            table = np.zeros((most + 1, most + 1), dtype=self.kind)
            table[0, 0] = self.wholes[number]
            for aboard in range(1, most + 1):
                for cards, share in enumerate(self.model.cards(number, score, aboard, str)):
                    table[cards, aboard] = int(share * self.wholes[number])
            self._odds[number, score] = table
        return self._odds[number, score]

    def odds(self, node: ModelNode, mission: Counts) -> Array:
        """The odds of each number of cards on a class of missions, by spy set: whole numbers [cards, spy sets]."""
        number = node.number
        aboard = self.aboard[number][self.number_of(number, node.cells.first_seats(mission))]
        if POINTS_TO_WIN - 1 in node.score:
            chosen: Array = self.by_aboard(number, node.score)[:, aboard]
            return chosen
        out = node.cells.send(mission)
        most = int(aboard.max())
        table = np.zeros((most + 1, len(self.spy_sets)), dtype=self.kind)
        known: dict[Counts, list[int]] = {}
        for place in np.flatnonzero(node.mass).tolist():
            spies = out.counts(self.spy_sets[place])
            if spies not in known:
                shares = self.model.cards(
                    number,
                    node.score,
                    int(aboard[place]),
                    lambda spies=spies: out.position(self.table, spies),  # type: ignore[misc]
                )
                known[spies] = [int(share * self.wholes[number]) for share in shares]
            table[: len(known[spies]), place] = known[spies]
        return table

    def children(self, node: ModelNode, mission: Counts) -> Iterator[ModelNode]:
        """The positions after a class of missions that the model comes to, in the order of the number of cards."""
        out, needed = node.cells.send(mission), self.table.sabotages[node.number]
        for cards, odds in enumerate(self.odds(node, mission)):
            mass = node.mass * odds
            if mass.any():
                yield ModelNode(out.then("-" if cards >= needed else "+"), (*node.cards, cards), mass)

    def is_plain(self, cards: int, number: int) -> bool:
        """Whether a number of cards is what spies show who waste none."""
        return cards in (0, self.table.sabotages[number])

    def by_facts(self, cells: Cells, cards: Cards) -> ModelNode | None:
        """A position that the model never comes to, with all spy sets alike that fit; None if there are none."""
        missions = [
            cells.first_seats(
                tuple(size * record[number] for size, record in zip(cells.sizes, cells.aboard, strict=True))
            )
            for number in range(len(cards))
        ]
        fits = np.ones(len(self.spy_sets), dtype=np.bool_)
        for number, (mission, count) in enumerate(zip(missions, cards, strict=True)):
            fits &= self.aboard[number][self.number_of(number, mission)] >= count
        return ModelNode(cells, cards, fits.astype(self.kind)) if fits.any() else None

    # Best answers.

    def value(self, node: ModelNode) -> int:
        """The most that the resistance wins from here, over all spy sets by their masses."""
        return self._best(node)[0]

    def best_mission(self, node: ModelNode) -> Counts:
        """The class of missions to send."""
        return self._best(node)[1]

    def _best(self, node: ModelNode) -> tuple[int, Counts]:
        if POINTS_TO_WIN in node.score:
            won = node.score[0] == POINTS_TO_WIN
            return (int(node.mass.sum()) * self.rest(node.number) if won else 0), ()
        if node.key not in self._values:
            tick()
            if node.number == ROUNDS - 1:
                self._values[node.key] = self._last(node)
            else:
                classes = splits(node.cells.sizes, self.table.missions[node.number])
                best = max((self._sent(node, mission), mission) for mission in classes)
                self._values[node.key] = best[0][0], best[1]
        return self._values[node.key]

    def _sent(self, node: ModelNode, mission: Counts) -> tuple[int, int]:
        """What a mission wins, and how often it passes, which decides between missions that win as much."""
        children = list(self.children(node, mission))
        passed = sum(int(child.mass.sum()) for child in children if child.cells.results[-1] == "+")
        return sum(map(self.value, children)), passed

    def _last(self, node: ModelNode) -> tuple[int, Counts]:
        """The last mission: one that passes most often."""
        values = self.pass_odds(node.number, node.score)[self.aboard[node.number]] @ node.mass
        best = int(values.argmax())
        return int(values[best]), node.cells.counts(self.missions[node.number][best])

    def pass_odds(self, number: int, score: Score) -> Array:
        """How often a mission passes, by spies aboard, once a side has two points."""
        odds: Array = self.by_aboard(number, score)[: self.table.sabotages[number]].sum(axis=0)
        return odds
