"""Losses of moves and beliefs against the stored opponent, and against one who sometimes slips."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property

from ruse.insight.places import Places


class Opponent:
    """Each side as the opponent of the other."""

    def __init__(self, places: Places) -> None:
        self.places, self.nodes = places, places.nodes
        self._slipping: dict[tuple[int, Fraction], list[Fraction]] = {}

    def slipping(self, side: int, slip: Fraction) -> list[Fraction]:
        """The plan of a side that moves uniformly at random with probability `slip`, and else by its stored odds."""
        if (side, slip) in self._slipping:
            return self._slipping[side, slip]
        sets = self.nodes.sets[side]
        plan = [Fraction(1)] + [Fraction(0)] * (sets.first[-1] - 1)
        for number, (parent, sequences) in enumerate(sets):
            for odds, sequence in zip(sets.odds[number], sequences, strict=True):
                plan[sequence] = plan[parent] * ((1 - slip) * odds + slip / len(sequences))
        self._slipping[side, slip] = plan
        return plan

    @cached_property
    def stored(self) -> tuple[list[Fraction], list[Fraction]]:
        """The stored strategies as plans of the game itself."""
        return self.slipping(0, Fraction(0)), self.slipping(1, Fraction(0))

    def beliefs(self, position: str, side: int, slip: Fraction) -> dict[str, Fraction] | None:
        """The probability of each hidden fact against an opponent who slips; None if that opponent never comes here."""
        weights = self._weights(position, side, self.slipping(1 - side, slip))
        facts = self.places.unseen(side, position)
        if not (total := sum(weights)):
            return None
        odds = dict.fromkeys(facts, Fraction(0))
        for fact, weight in zip(facts, weights, strict=True):
            odds[fact] += weight / total
        return odds

    def _weights(self, position: str, side: int, plan: Sequence[Fraction]) -> list[Fraction]:
        """The weight of each state of a position by chance and a plan of the other side."""
        sequence = self.nodes.sequence[1 - side]
        return [self.places.chance[at] * plan[sequence[at]] for at in self.nodes.members[side][position]]

    def losses(self, position: str, side: int) -> dict[str, Fraction] | None:
        """The loss of each move against the stored opponent, compared with the best move, with optimal play afterwards.

        None if that opponent never lets play come here.
        """
        sets, places = self.nodes.sets[side], self.places
        own = sets.index[position]
        weights = self._weights(position, side, self.stored[1 - side])
        if not (total := sum(weights)):
            return None
        values = self._worths[side][sets.first[own] : sets.first[own + 1]]
        names = places.names(side, places.sets[side][position])
        first = int(places.form.trees[side].first[places.sets[side][position]])
        losses: dict[str, Fraction] = {}
        for place, value in enumerate(values):
            name = names[places.sequences[side][sets.first[own] + place][0] - first]
            loss = (max(values) - value) / total
            losses[name] = min(loss, losses.get(name, loss))
        return losses

    @cached_property
    def _worths(self) -> tuple[list[Fraction], list[Fraction]]:
        """The payoff of each sequence of a side against the other's stored strategy, with optimal play afterwards."""
        first, second = (self._value(side) for side in (0, 1))
        return first, second

    def _value(self, side: int) -> list[Fraction]:
        nodes, plan = self.nodes, self.stored[1 - side]
        values = [Fraction(0)] * nodes.sets[side].first[-1]
        sign = 1 if side == 0 else -1
        for at in nodes.payoff:
            if weight := plan[nodes.sequence[1 - side][at]]:
                payoff = Fraction(nodes.game.payoff(nodes.states[at]))
                values[nodes.sequence[side][at]] += sign * payoff * self.places.chance[at] * weight
        for parent, sequences in reversed(list(nodes.sets[side])):
            values[parent] += max(values[sequence] for sequence in sequences)
        return values
