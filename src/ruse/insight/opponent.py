"""The stored opponent, and one who slips: what moves lose against it, and what may be believed of it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property

from ruse.insight.places import Places


class Opponent:
    """Either side, as the other meets it."""

    def __init__(self, places: Places) -> None:
        self.places, self.nodes = places, places.nodes
        self._slipping: dict[tuple[int, Fraction], list[Fraction]] = {}

    def slipping(self, side: int, slip: Fraction) -> list[Fraction]:
        """The plan of a side that at each decision slips so often from its stored odds, and then moves evenly."""
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
        """How likely each hidden fact is to a side, about an opponent who slips; None where that never comes there."""
        weights = self._weights(position, side, self.slipping(1 - side, slip))
        facts = self.places.unseen(side, position)
        if not (total := sum(weights)):
            return None
        found = dict.fromkeys(facts, Fraction(0))
        for fact, weight in zip(facts, weights, strict=True):
            found[fact] += weight / total
        return found

    def _weights(self, position: str, side: int, plan: Sequence[Fraction]) -> list[Fraction]:
        """How likely each state of a position is by chance and a plan of the other side, not scaled."""
        sequence = self.nodes.sequence[1 - side]
        return [self.places.chance[at] * plan[sequence[at]] for at in self.nodes.members[side][position]]

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
