"""The worst that the facts allow: whatever is hidden, and whatever the other side does from here on."""

from __future__ import annotations

from fractions import Fraction

from ruse.core.capabilities import payoff_to
from ruse.core.clock import tick
from ruse.core.game import CHANCE, END
from ruse.insight.model import Worst
from ruse.insight.places import Places


def worst(places: Places, position: str, side: int) -> Worst | None:
    """Over the states of a position, the least that the stored strategy of a side still gets from there.

    The other side answers best, as if it knew the state: it sees of later moves what it would see in play.
    """
    facts = places.unseen(side, position)
    if set(facts) == {""}:
        return None
    nodes = places.nodes
    found = [
        (payoff_to(nodes.game, side, value), value, fact)
        for at, fact in zip(nodes.members[side][position], facts, strict=True)
        for value in [_answered(places, at, side)]
    ]
    _, value, fact = min(found)
    return Worst(value, fact or "nothing yet")


def _answered(places: Places, start: int, side: int) -> Fraction:
    """The payoff to side 0 from a state on, if `side` follows its stored strategy and the other answers it best."""
    nodes, other = places.nodes, 1 - side
    sets, answers = nodes.sets[side], nodes.sets[other]
    sequence = nodes.sequence[other]
    worth: dict[int, Fraction] = {}
    choices: set[int] = set()
    stack = [(start, Fraction(1))]
    while stack:
        tick()
        at, weight = stack.pop()
        turn, children = nodes.turn[at], nodes.children(at)
        if turn == END:
            payoff = weight * Fraction(nodes.game.payoff(nodes.states[at]))
            worth[sequence[at]] = worth.get(sequence[at], Fraction(0)) + payoff
        elif turn == other:
            choices.add(answers.index[nodes.known[other][at]])
            stack.extend((child, weight) for child in children)
        elif turn == CHANCE:
            stack.extend((child, weight * places.chance[child] / places.chance[at]) for child in children)
        else:
            odds = sets.odds[sets.index[nodes.known[side][at]]]
            stack.extend((child, weight * share) for child, share in zip(children, odds, strict=True) if share)
    best = max if other == 0 else min
    for number in sorted(choices, reverse=True):
        answer = best(worth.get(one, Fraction(0)) for one in range(answers.first[number], answers.first[number + 1]))
        parent = answers.parent[number]
        worth[parent] = worth.get(parent, Fraction(0)) + answer
    return worth[sequence[start]]
