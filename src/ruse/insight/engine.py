"""Insight into a game that can be walked: its sequence form for what all optimal plans do, its states for beliefs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property

from ruse.core import clock
from ruse.core.game import GameError, PositionError
from ruse.core.types import StrategyTable
from ruse.insight.guarantees import Kept
from ruse.insight.memory import Memory
from ruse.insight.model import (
    BeliefInsight,
    Bound,
    Guarantee,
    MoveInsight,
    PositionInsight,
    Range,
    RuleInsight,
    Simplest,
    Unique,
)
from ruse.insight.optimal import Optimal
from ruse.insight.places import Places
from ruse.insight.ranges import End
from ruse.insight.sides import Ratio
from ruse.solution.strategy import Solution
from ruse.view.tree import TreeViewer, unseen

UP_TO_SYMMETRY = (
    "Ranges and prices are over strategies that treat alike what is alike (suits, seats); "
    "without that, single moves may have wider ranges."
)
UNREACHED = "No optimal strategy of {side} ever comes here."
BOUNDED = "The time was up: some ranges or prices are only bounded."


class TreeInsight:
    def __init__(self, solution: Solution, *, symmetry: bool = True, memory: Memory | None = None) -> None:
        """`symmetry`: over strategies up to the symmetry that the game declares; else over all. Answers are kept in
        `memory`, and taken from there."""
        if not solution.written:
            raise GameError(f"expected a solution with strategies for insight, got none for {solution.game.title}")
        self.solution = solution
        self.viewer = TreeViewer(solution)
        self.nodes = self.viewer.nodes
        self.places = Places(self.nodes, solution.game, symmetry)
        self.memory = Memory() if memory is None else memory

    @cached_property
    def optimal(self) -> Optimal:
        """Of the form, from the stored plans where they are optimal."""
        first, second = (self.places.plan(side, self.nodes.sets[side].odds) for side in (0, 1))
        return Optimal(self.places.form, (first, second) if self.solution.certificate.exact else None)

    @property
    def value(self) -> Fraction:
        if self.solution.certificate.exact:
            return self.solution.certificate.lower
        return self.optimal.values[0]

    @property
    def up_to_symmetry(self) -> bool:
        return self.places.symmetry is not None

    # Positions

    def side(self, position: str, side: int | None = None) -> int:
        return self.viewer.side(position, side)

    def positions(self) -> Iterator[tuple[int, str]]:
        for side in (0, 1):
            for position in self.nodes.sets[side].index:
                yield side, position

    def at(self, position: str, side: int | None = None, slip: Fraction = Fraction(0)) -> PositionInsight:
        side = self.side(position, side)
        slip = a_share(slip)
        moves = self.moves(position, side) if position in self.nodes.sets[side].index else []
        beliefs = self.beliefs(position, side, slip)
        notes = [UP_TO_SYMMETRY] if self.up_to_symmetry else []
        if moves and all(one.range is None for one in moves):
            notes.append(UNREACHED.format(side=self.solution.game.sides[side]))
        if beliefs and all(one.range is None for one in beliefs):
            notes.append(UNREACHED.format(side=self.solution.game.sides[1 - side]))
        found = PositionInsight(position, side, moves, beliefs, slip, notes)
        if not found.exact:
            found = PositionInsight(position, side, moves, beliefs, slip, [*notes, BOUNDED])
        return found

    # Moves

    def moves(self, position: str, side: int) -> list[MoveInsight]:
        """Every move, or class of moves that are alike."""
        number = self.places.sets[side][position]
        first = int(self.places.form.trees[side].first[number])
        losses = self.losses(position, side)
        return [
            self._move(side, number, first + place, name, losses)
            for place, name in enumerate(self.places.names(side, number))
        ]

    def _move(
        self, side: int, number: int, sequence: int, name: str, losses: Mapping[str, Fraction] | None
    ) -> MoveInsight:
        filed = self.places.positions[side][number]
        found = self.memory.range(("move", side, filed, name), lambda: self._odds(side, sequence))
        guarantee = self.memory.guarantee(("always", side, filed, name), lambda: self._always(side, sequence))
        value = self.value if side == 0 else -self.value
        return MoveInsight(
            name,
            found,
            guarantee,
            value - guarantee.value,
            None if losses is None else losses[name],
            self.memory.kind(("kind", side, filed, name), lambda: self.optimal.kind(side, sequence)),
        )

    def _odds(self, side: int, sequence: int) -> Range | None:
        return self._range(side, self.optimal.odds(side, sequence))

    def _always(self, side: int, sequence: int) -> Guarantee:
        return self._guarantee(side, self.optimal.always(side, sequence))

    def _range(self, side: int, ends: tuple[End, End] | None) -> Range | None:
        return None if ends is None else Range(self._bound(side, ends[0]), self._bound(side, ends[1]))

    def _bound(self, side: int, end: End) -> Bound:
        answer = self.places.table(1 - side, end.answer) if end.weight else {}
        witness = {} if end.witness is None else self.places.table(side, end.witness)
        return Bound(end.value, end.attained, end.weight, answer, witness)

    def _guarantee(self, side: int, kept: Kept) -> Guarantee:
        plan, answer = self.places.table(side, kept.plan), self.places.table(1 - side, kept.answer)
        return Guarantee(kept.lower, kept.upper, plan, answer)

    def kinds(self, position: str, side: int) -> dict[str, str | None]:
        number = self.places.sets[side][position]
        first = int(self.places.form.trees[side].first[number])
        names = self.places.names(side, number)
        return {name: self.optimal.kind(side, sequence) for sequence, name in enumerate(names, first)}

    def losses(self, position: str, side: int) -> dict[str, Fraction] | None:
        """What each move loses against the stored opponent beside the best, both with the best play after it.

        None where that opponent never lets play come here.
        """
        sets, places = self.nodes.sets[side], self.places
        own = sets.index[position]
        weights = self._weights(position, side, self.stored[1 - side])
        if not (total := sum(weights)):
            return None
        worth = self._worths[side][sets.first[own] : sets.first[own + 1]]
        names = places.names(side, places.sets[side][position])
        first = int(places.form.trees[side].first[places.sets[side][position]])
        found: dict[str, Fraction] = {}
        for place, one in enumerate(worth):
            name = names[places.sequences[side][sets.first[own] + place][0] - first]
            loss = (max(worth) - one) / total
            found[name] = min(loss, found.get(name, loss))
        return found

    @cached_property
    def _worths(self) -> tuple[list[Fraction], list[Fraction]]:
        """What each sequence of a side gains against the other's stored strategy, with the best play after it."""
        first, second = (self._worth(side) for side in (0, 1))
        return first, second

    def _worth(self, side: int) -> list[Fraction]:
        nodes, plan = self.nodes, self.stored[1 - side]
        worth = [Fraction(0)] * nodes.sets[side].first[-1]
        sign = 1 if side == 0 else -1
        for at in nodes.payoff:
            if weight := plan[nodes.sequence[1 - side][at]]:
                payoff = Fraction(nodes.game.payoff(nodes.states[at]))
                worth[nodes.sequence[side][at]] += sign * payoff * self.places.chance[at] * weight
        for parent, sequences in reversed(list(nodes.sets[side])):
            worth[parent] += max(worth[one] for one in sequences)
        return worth

    # Beliefs

    def beliefs(self, position: str, side: int, slip: Fraction) -> list[BeliefInsight]:
        """Everything that the side cannot see there, as the views name it."""
        nodes = self.nodes
        states = nodes.members[side][position]
        game = self.solution.game
        facts = [unseen(game, nodes.states[at], side, position, nodes.known[1 - side][at]) for at in states]
        if set(facts) == {""}:
            return []
        below: dict[int, Fraction] = {}
        above: dict[str, dict[int, Fraction]] = {fact: {} for fact in facts}
        for at, fact in zip(states, facts, strict=True):
            sequence, times = self.places.sequences[1 - side][nodes.sequence[1 - side][at]]
            for terms in (below, above[fact]):
                terms[sequence] = terms.get(sequence, Fraction(0)) + self.places.chance[at] * times
        stored, slipped, even = (
            _shares(facts, self._weights(position, side, plan))
            for plan in (self.stored[1 - side], self.slipping(1 - side, slip), self.slipping(1 - side, Fraction(1)))
        )
        return [
            BeliefInsight(
                fact or "nothing yet",
                self.memory.range(
                    ("belief", side, position, fact),
                    lambda terms=terms: self._range(1 - side, self.optimal.ends(1 - side, Ratio(terms, below))),  # type: ignore[misc]
                ),
                None if stored is None else stored[fact],
                None if slipped is None else slipped[fact],
                (even or {})[fact],
            )
            for fact, terms in above.items()
        ]

    def _weights(self, position: str, side: int, plan: Sequence[Fraction]) -> list[Fraction]:
        """How likely each state of a position is by chance and a plan of the other side, not scaled."""
        sequence = self.nodes.sequence[1 - side]
        return [self.places.chance[at] * plan[sequence[at]] for at in self.nodes.members[side][position]]

    @cached_property
    def stored(self) -> tuple[list[Fraction], list[Fraction]]:
        """The stored strategies as plans of the game itself."""
        return self.slipping(0, Fraction(0)), self.slipping(1, Fraction(0))

    def slipping(self, side: int, slip: Fraction) -> list[Fraction]:
        """The plan of a side that at each decision slips so often from its stored odds, and then moves evenly."""
        sets = self.nodes.sets[side]
        plan = [Fraction(1)] + [Fraction(0)] * (sets.first[-1] - 1)
        for number, (parent, sequences) in enumerate(sets):
            clock.tick()
            for odds, sequence in zip(sets.odds[number], sequences, strict=True):
                plan[sequence] = plan[parent] * ((1 - slip) * odds + slip / len(sequences))
        return plan

    # Whole strategies

    def unique(self) -> tuple[Unique, Unique]:
        first, second = (self.memory.unique(side, lambda side=side: self._unique(side)) for side in (0, 1))  # type: ignore[misc]
        return first, second

    def _unique(self, side: int) -> Unique:
        found = self.optimal.unique(side)
        plans = [self.places.table(side, plan) for plan in found.plans]
        return Unique(side, found.unique, plans, self.places.table(1 - side, found.answer), found.freedom)

    def simplest(self, side: int) -> Simplest:
        from ruse.insight.simple import simplest

        return self.memory.simplest(side, lambda: simplest(self, side))

    def rule(self, side: int, odds: Mapping[str, Mapping[str, Fraction]]) -> RuleInsight:
        from ruse.insight.thumb import rule

        return rule(self, side, odds)

    def proof(self) -> tuple[StrategyTable, StrategyTable]:
        """Strategies of both sides that prove the value."""
        first, second = (self.places.table(side, self.optimal.plans[side]) for side in (0, 1))
        return first, second


def _shares(facts: Sequence[str], weights: Sequence[Fraction]) -> dict[str, Fraction] | None:
    total = sum(weights)
    if not total:
        return None
    found = dict.fromkeys(facts, Fraction(0))
    for fact, weight in zip(facts, weights, strict=True):
        found[fact] += weight / total
    return found


def a_share(slip: Fraction) -> Fraction:
    """How often somebody slips. Raises PositionError unless that is from 0 to 1."""
    if not 0 <= slip <= 1:
        raise PositionError(f"expected a slip from 0 to 1, got {slip}")
    return slip
