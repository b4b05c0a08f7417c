"""Play after a move in a game with a small tree: what the other side does next, how often, and what that leaves.

Two plays have the same interface. `ReferencePlay` is against the reference opponent, with one's best response to it
from then on, as costs are counted on the path. `StoredPlay` has both sides follow a solution, as costs are counted
elsewhere. The values after the answers to a move, weighed by how often they come, add up to the value of the move.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol

from ruse.core.game import CHANCE, END
from ruse.present.nodes import Number, SolvedNodes, as_fraction

if TYPE_CHECKING:
    from ruse.insight.reference import ReferencePair
    from ruse.present.tree import TreeViewer

MOST_ALIKE = 20_000  # states of a public position, to look at the hands of the side that moves
NOTHING = Fraction(0)
Weighted = list[tuple[int, Fraction]]  # states with their probabilities


@dataclass(frozen=True)
class Answer:
    """Something that may happen right after a move: a move of the other side, or the end."""

    label: str  # the move of the other side; "" where chance is next, or the game is over
    odds: Fraction
    value: Fraction | None  # the payoff to side 0 then; None if what the side sees does not tell the answers apart
    states: Weighted  # after the answer, with their probabilities given the answer


@dataclass(frozen=True)
class HeldHand:
    """A secret that the side to move may have, as somebody sees it who knows only what is public."""

    secret: str
    before: Fraction  # how likely, before the move
    after: Fraction | None  # and after it; None if no secret makes the move
    often: Fraction | None  # how often the move is made with this secret; None if the secret is ruled out


class TreePlay(Protocol):
    """The play of both sides in a game with a small tree."""

    nodes: SolvedNodes

    def states(self, position: str, side: int) -> Weighted:
        """The states of a position of a side, with their probabilities to that side."""

    def answers(self, position: str, side: int, move: str) -> list[Answer]:
        """What may happen right after a move, the likeliest first."""

    def hands(self, position: str, side: int, move: str) -> list[HeldHand]:
        """What somebody thinks of the side's secret who sees only what is public, before and after a move."""


class _Walk:
    """What both plays share."""

    def __init__(self, nodes: SolvedNodes, plans: Sequence[Sequence[Number]]) -> None:
        self.nodes, self.plans = nodes, plans

    def child(self, at: int, side: int, move: str) -> int:
        """The state after a move of the side."""
        names = self.nodes.sets[side].moves[self.nodes.sets[side].index[self.nodes.known[side][at]]]
        return self.nodes.first[at] + names.index(move)

    def share(self, child: int) -> Fraction:
        """How likely chance or the plan of a side is to go from a state to one of those after it."""
        nodes, before = self.nodes, self.nodes.parent[child]
        turn = nodes.turn[before]
        if turn == CHANCE:
            return as_fraction(nodes.share[child])
        plan, own = self.plans[turn], nodes.sequence[turn]
        if not plan[own[before]]:
            return as_fraction(nodes.share[child])
        return as_fraction(plan[own[child]]) / as_fraction(plan[own[before]])

    def hands(self, position: str, side: int, move: str) -> list[HeldHand]:
        nodes, sets = self.nodes, self.nodes.sets[side]
        joined = nodes.joined(nodes.members[side][position])
        if len(joined) > MOST_ALIKE:
            return []
        weights: dict[str, Fraction] = {}
        made: dict[str, Fraction] = {}
        known = self._public_weights(sorted(at for at in joined if nodes.turn[at] == side), side)
        for at, weight in known:
            secret = self._secret(at, side)
            names = sets.moves[sets.index[nodes.known[side][at]]]
            share = self.share(nodes.first[at] + names.index(move)) if move in names else NOTHING
            weights[secret] = weights.get(secret, NOTHING) + weight
            made[secret] = made.get(secret, NOTHING) + weight * share
        total, after = sum(weights.values(), NOTHING), sum(made.values(), NOTHING)
        if not total:
            return []
        return [
            HeldHand(
                secret,
                weight / total,
                made[secret] / after if after else None,
                made[secret] / weight if weight else None,
            )
            for secret, weight in weights.items()
        ]

    def _public_weights(self, states: Sequence[int], side: int) -> Weighted:
        """The weights of states to somebody who sees what is public; none where a plan never leads here."""
        nodes = self.nodes
        first, second = self.plans
        weights = [nodes.chance[at] * first[nodes.sequence[0][at]] * second[nodes.sequence[1][at]] for at in states]
        return [(at, as_fraction(weight)) for at, weight in zip(states, weights, strict=True)]

    def _secret(self, at: int, side: int) -> str:
        """What the other side does not see of a state."""
        from ruse.core.registry import presentation

        nodes = self.nodes
        named = presentation(nodes.game).hidden_from(nodes.states[at], 1 - side)
        return nodes.known[side][at] if named is None else named

    def _responses(self, begun: Weighted, side: int) -> Iterator[tuple[str, int, Fraction]]:
        """Each state after the other side's first answer: the answer, the state and its probability."""
        for at, weight in begun:
            turn = self.nodes.turn[at]
            if turn == 1 - side:
                for child in self.nodes.children(at):
                    if share := self.share(child):
                        yield self.nodes.step[child], child, weight * share
            else:
                yield "", at, weight


class ReferencePlay(_Walk):
    """Against the reference opponent, with a best response of one's own from the move on."""

    def __init__(self, pair: ReferencePair) -> None:
        super().__init__(pair.nodes, pair.plans)
        self.pair = pair

    def states(self, position: str, side: int) -> Weighted:
        nodes, other = self.nodes, self.plans[1 - side]
        members = nodes.members[side][position]
        weights = [as_fraction(nodes.chance[at] * other[nodes.sequence[1 - side][at]]) for at in members]
        total = sum(weights)
        return [(at, weight / total) for at, weight in zip(members, weights, strict=True) if weight]

    def answers(self, position: str, side: int, move: str) -> list[Answer]:
        begun = [(self.child(at, side, move), weight) for at, weight in self.states(position, side)]
        groups: dict[str, Weighted] = {}
        for label, at, weight in self._responses(begun, side):
            groups.setdefault(label, []).append((at, weight))
        return _answers(
            groups, {label: self._value(group, side) for label, group in groups.items()}, self._shared(groups, side)
        )

    def _value(self, group: Weighted, side: int) -> Fraction:
        """The payoff to side 0, times the probability, of a group of states that the side tells from all others."""
        nodes, sign = self.nodes, 1 if side == 0 else -1
        positions, value = set[str](), NOTHING
        for at, weight in self._ends(group, side):
            if nodes.turn[at] == END:
                value += weight * as_fraction(nodes.payoff[at])
            else:
                positions.add(nodes.known[side][at])
        scale = self._scale(group, side)
        for position in positions:
            value += sign * max(self.pair.values(position, side)) * scale
        return value

    def _scale(self, group: Weighted, side: int) -> Fraction:
        """How much likelier states are once the position is known than from the start."""
        at, weight = group[0]
        other = self.plans[1 - side]
        return weight / as_fraction(self.nodes.chance[at] * other[self.nodes.sequence[1 - side][at]])

    def _ends(self, group: Weighted, side: int) -> Iterator[tuple[int, Fraction]]:
        """The states where the side moves next, or the game ends."""
        waiting = list(group)
        while waiting:
            at, weight = waiting.pop()
            if self.nodes.turn[at] in (side, END):
                yield at, weight
            else:
                waiting += [
                    (child, weight * share) for child in self.nodes.children(at) if (share := self.share(child))
                ]

    def _shared(self, groups: dict[str, Weighted], side: int) -> bool:
        """Whether the side may be in one position after two answers, so that they have no values of their own."""
        seen: dict[str, str] = {}
        for label, group in groups.items():
            for at, _ in self._ends(group, side):
                if self.nodes.turn[at] == side and seen.setdefault(self.nodes.known[side][at], label) != label:
                    return True
        return False


class StoredPlay(_Walk):
    """Both sides follow a solution, with its beliefs where they never lead."""

    def __init__(self, viewer: TreeViewer) -> None:
        super().__init__(viewer.nodes, viewer.nodes.plans)
        self.viewer = viewer

    def states(self, position: str, side: int) -> Weighted:
        members = self.nodes.members[side][position]
        shares = [as_fraction(share) for share in self.viewer.beliefs(members, side)]
        return [(at, share) for at, share in zip(members, shares, strict=True) if share]

    def share(self, child: int) -> Fraction:
        return as_fraction(self.nodes.share[child])

    def answers(self, position: str, side: int, move: str) -> list[Answer]:
        begun = [(self.child(at, side, move), weight) for at, weight in self.states(position, side)]
        groups: dict[str, Weighted] = {}
        for label, at, weight in self._responses(begun, side):
            groups.setdefault(label, []).append((at, weight))
        values = {
            label: sum((weight * as_fraction(self.nodes.value[at]) for at, weight in group), NOTHING)
            for label, group in groups.items()
        }
        return _answers(groups, values, shared=False)

    def _public_weights(self, states: Sequence[int], side: int) -> Weighted:
        weights = self.nodes.likely_to_all(states)
        return [(at, as_fraction(weight)) for at, weight in zip(states, weights, strict=True)]


def _answers(groups: dict[str, Weighted], values: dict[str, Fraction], shared: bool) -> list[Answer]:
    answers = []
    for label, group in groups.items():
        odds = sum((weight for _, weight in group), NOTHING)
        states = [(at, weight / odds) for at, weight in group]
        answers.append(Answer(label, odds, None if shared else values[label] / odds, states))
    return sorted(answers, key=lambda answer: -answer.odds)
