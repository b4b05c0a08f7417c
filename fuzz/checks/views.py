"""What `ruse.present` says of a position: values, odds and beliefs against the oracle's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

from fuzz.case import Contradiction, expect
from fuzz.checks.solutions import policies, position
from fuzz.oracle import Chance, Choice, Leaf, Node
from ruse.present.viewer import viewer
from ruse.solution.strategy import Solution

MOST = 4  # positions of a game


@dataclass(frozen=True)
class Place:
    """A node on the way from the root: how it is reached, and what follows."""

    node: Node
    state: Any
    chance: Fraction
    own: tuple[Fraction, Fraction]  # the odds of each side's moves on the way
    slips: tuple[int, int]  # moves of each side that its strategy never makes
    even: tuple[Fraction, Fraction]  # the same odds where such moves are drawn evenly
    value: Fraction
    after: tuple[Fraction, ...]  # the values below


class Places:
    def __init__(self, tree: Node, solution: Solution) -> None:
        self.game = solution.game
        self.policies = policies(tree, solution)
        self.found: list[Place] = []
        one = Fraction(1)
        self._follow(tree, self.game.start(), one, (one, one), (0, 0), (one, one))

    def _follow(
        self,
        node: Node,
        state: Any,
        chance: Fraction,
        own: tuple[Fraction, Fraction],
        slips: tuple[int, int],
        even: tuple[Fraction, Fraction],
    ) -> Fraction:
        if isinstance(node, Leaf):
            self.found.append(Place(node, state, chance, own, slips, even, node.payoff, ()))
            return node.payoff
        shares: Sequence[Fraction] = node.odds if isinstance(node, Chance) else self.policies[node.side][node.known]
        values = []
        for place, (move, share, after) in enumerate(zip(self.game.moves(state), shares, node.after, strict=True)):
            if isinstance(node, Chance):
                if share:
                    below = self._follow(after, self.game.play(state, move), chance * share, own, slips, even)
                else:
                    below = Fraction(0)
            else:
                side, count = node.side, len(node.moves)
                below = self._follow(
                    after,
                    self.game.play(state, move),
                    chance,
                    _at(own, side, own[side] * share),
                    slips if share else _at(slips, side, slips[side] + 1),
                    _at(even, side, even[side] * (share or Fraction(1, count))),
                )
            values.append(below)
            assert place < len(shares)
        value = sum((share * below for share, below in zip(shares, values, strict=True)), Fraction(0))
        self.found.append(Place(node, state, chance, own, slips, even, value, tuple(values)))
        return value

    def weights(self, places: Sequence[Place], side: int) -> list[Fraction]:
        """How likely each is by chance and by the other side, who slips as seldom as it takes."""
        other = 1 - side
        likely = [one.chance * one.own[other] for one in places]
        if not any(likely):
            fewest = min(one.slips[other] for one in places)
            likely = [one.chance * one.even[other] if one.slips[other] == fewest else Fraction(0) for one in places]
        return [weight / sum(likely) for weight in likely]


def _at(pair: tuple[Any, Any], side: int, new: Any) -> tuple[Any, Any]:
    return (new, pair[1]) if side == 0 else (pair[0], new)


def check_views(tree: Node, solution: Solution, random: Random, named_alike: bool = False) -> None:
    """Random positions where a side moves. `named_alike`: the game's presentation calls all hidden things the same."""
    if not solution.certificate.exact:
        return  # views are floats there
    places, seen = Places(tree, solution), viewer(solution)
    sets: dict[tuple[int, str], list[Place]] = {}
    for one in places.found:
        if isinstance(one.node, Choice):
            sets.setdefault((one.node.side, one.node.known), []).append(one)
    for start in (0, 1):
        expect("the value at the start", seen.at(seen.start(start), start).value, solution.certificate.lower)
    for side, known in random.sample(sorted(sets), min(MOST, len(sets))):
        here = sets[side, known]
        _check_view(seen.at(position(places.game, here[0].state, side), side), places, here, side, named_alike)


def _check_view(view: Any, places: Places, here: list[Place], side: int, named_alike: bool) -> None:
    where = f"at {view.position!r}"
    weights = places.weights(here, side)

    def mean(numbers: Sequence[Fraction]) -> Fraction:
        return sum((weight * number for weight, number in zip(weights, numbers, strict=True)), Fraction(0))

    node = here[0].node
    assert isinstance(node, Choice)
    expect(f"the value {where}", view.value, mean([one.value for one in here]))
    expect(f"how often play comes {where}", view.reach, sum(one.chance * one.own[0] * one.own[1] for one in here))
    odds = places.policies[side][node.known]
    worth = [mean([one.after[place] for one in here]) for place in range(len(node.moves))]
    best = max(worth) if side == 0 else min(worth)
    said = [(option.odds, option.value, option.loss) for option in view.options]
    expect(
        f"odds, values and losses of the moves {where}",
        said,
        [(share, value, abs(best - value)) for share, value in zip(odds, worth, strict=True)],
    )
    hidden: dict[str, Fraction] = {}
    for one, weight in zip(here, weights, strict=True):
        what = "" if named_alike else position(places.game, one.state, 1 - side)
        hidden[what] = hidden.get(what, Fraction(0)) + weight
    believed = sorted(belief.odds for belief in view.beliefs if belief.odds)
    if view.beliefs and believed != sorted(share for share in hidden.values() if share):
        raise Contradiction(f"beliefs {where}", [(one.what, str(one.odds)) for one in view.beliefs], hidden)
    if not view.beliefs and sum(1 for share in hidden.values() if share) > 1:
        raise Contradiction(f"beliefs {where}", "none", hidden)
