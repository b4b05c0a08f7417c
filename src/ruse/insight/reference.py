"""The reference pair of a game with a small tree, and what moves cost against it (docs/explanation/costs.md).

The pair holds one optimal plan of each side, in the relative interior of all its optimal plans. Let y be the plan of
the other side, and r(I) how often chance and y let play come to the information set I. The best responses to y give
each sequence j of the side a value V(j), and the cost of the move j at I is (max V - V(j)) / r(I).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from ruse.core.exact import common_denominator
from ruse.core.types import StrategyTable
from ruse.forms.certificate import Plan
from ruse.insight.costs import CONDITIONS, QUASI_PERFECT, PositionCosts, ViewCosts, against_reference, costs_in
from ruse.present.off_path import refined
from ruse.solution.strategy import Solution

if TYPE_CHECKING:
    from ruse.insight.engine import TreeInsight


class ReferencePair:
    """Both plans of the pair as plans of the game itself, with the best responses to each."""

    def __init__(self, insight: TreeInsight) -> None:
        self.nodes, self.places = insight.nodes, insight.places
        first, second = (insight.places.lifted(side, insight.optimal.middle(side)) for side in (0, 1))
        self.plans: tuple[Plan, Plan] = (first, second)

    def reach(self, position: str, side: int) -> Fraction:
        """How often chance and the other side let play come to a position where a side moves."""
        plan, sequence = self.plans[1 - side], self.nodes.sequence[1 - side]
        states = self.nodes.members[side][position]
        return sum((self.places.chance[at] * plan[sequence[at]] for at in states), Fraction(0))

    def comes(self, position: str, side: int) -> bool:
        """Whether the side's own plan of the pair, and so some optimal plan, comes to a position where it moves."""
        sets = self.nodes.sets[side]
        return self.plans[side][sets.parent[sets.index[position]]] > 0

    def values(self, position: str, side: int) -> list[Fraction]:
        """The value of each move to the side, with its best response afterwards, times how often play comes there."""
        sets = self.nodes.sets[side]
        number = sets.index[position]
        values, scale = self._responses[side]
        return [Fraction(value, scale) for value in values[sets.first[number] : sets.first[number + 1]]]

    def shares(self, position: str, side: int) -> Sequence[Fraction]:
        """The weight of each move in the side's own plan of the pair."""
        sets = self.nodes.sets[side]
        number = sets.index[position]
        return self.plans[side][sets.first[number] : sets.first[number + 1]]

    @cached_property
    def _responses(self) -> tuple[tuple[list[int], int], tuple[list[int], int]]:
        return self._response(0), self._response(1)

    def _response(self, side: int) -> tuple[list[int], int]:
        """The value of each sequence of a side against the other's plan, in whole numbers, and their scale."""
        sets = self.nodes.sets[side]
        whole, common = common_denominator(self.plans[1 - side])
        payoffs, scale = self._payoffs
        sign = 1 if side == 0 else -1
        values = [0] * sets.first[-1]
        for pair, payoff in zip(self.nodes.payoffs, payoffs, strict=True):
            if weight := whole[pair[1 - side]]:
                values[pair[side]] += sign * payoff * weight
        for parent, sequences in reversed(list(sets)):
            values[parent] += max(values[sequence] for sequence in sequences)
        return values, common * scale

    @cached_property
    def _payoffs(self) -> tuple[list[int], int]:
        whole, scale = common_denominator([Fraction(payoff) for payoff in self.nodes.payoffs.values()])
        return list(whole), scale

    def table(self, side: int) -> StrategyTable:
        """The odds of the side's plan where it comes, and the stored odds elsewhere."""
        sets, plan = self.nodes.sets[side], self.plans[side]
        return {
            position: dict(
                zip(
                    sets.moves[number],
                    [plan[sequence] / plan[parent] for sequence in sequences] if plan[parent] else sets.odds[number],
                    strict=True,
                )
            )
            for position, number in sets.index.items()
            for parent, sequences in [(sets.parent[number], range(sets.first[number], sets.first[number + 1]))]
        }


class TreeCosts:
    """The costs of moves in a solved game with a small tree."""

    def __init__(self, insight: TreeInsight) -> None:
        self.solution, self._insight = insight.solution, insight

    @cached_property
    def pair(self) -> ReferencePair:
        return ReferencePair(self._insight)

    @cached_property
    def _quasi_perfect(self) -> ViewCosts | None:
        """The costs in quasi-perfect play, where that is quick to find."""
        viewer = self._insight.viewer
        rational = viewer if self.solution.mistakes is not None else refined(viewer)
        return None if rational is None else ViewCosts(rational.solution, rational)

    @cached_property
    def reference(self) -> Solution:
        tables = self.pair.table(0), self.pair.table(1)
        by_position = {**self.solution.options, "symmetry": False}
        return replace(self.solution, tables=tables, options=by_position, mistakes=None)

    def at(self, position: str, side: int | None = None) -> PositionCosts:
        side, pair = self._insight.side(position, side), self.pair
        if position not in pair.nodes.sets[side].index:
            return PositionCosts(position, side)
        met = pair.reach(position, side) > 0
        if met and pair.comes(position, side):
            return self.against_reference(position, side)
        if self._quasi_perfect is not None:
            there = self._quasi_perfect.at(position, side)
            return replace(there, basis=QUASI_PERFECT, condition=CONDITIONS[QUASI_PERFECT])
        return self.against_reference(position, side) if met else self._stored(position, side)

    def keep(self) -> None:
        self._insight.keep()

    def met(self, position: str, side: int) -> PositionCosts | None:
        if position not in self.pair.nodes.sets[side].index or not self.pair.reach(position, side):
            return None
        return self.against_reference(position, side)

    def reached(self, position: str, side: int) -> dict[str, Fraction]:
        return {name: move.cost for name, move in self.against_reference(position, side).moves.items()}

    def _stored(self, position: str, side: int) -> PositionCosts:
        viewer = self._insight.viewer
        return costs_in(self.solution, viewer.at(position, side))

    def against_reference(self, position: str, side: int) -> PositionCosts:
        """The costs where chance and the other side's plan of the pair let play come, also after own mistakes."""
        pair, reach = self.pair, self.pair.reach(position, side)
        sets, sign = pair.nodes.sets[side], 1 if side == 0 else -1
        names = sets.moves[sets.index[position]]
        payoffs = [sign * value / reach for value in pair.values(position, side)]
        own = dict(zip(names, pair.shares(position, side), strict=True)) if pair.comes(position, side) else None
        return against_reference(self.solution.game, position, side, dict(zip(names, payoffs, strict=True)), own)
