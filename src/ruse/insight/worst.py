"""The worst case that the facts allow, over what is hidden and what the other side does from here on."""

from __future__ import annotations

from fractions import Fraction

from ruse.core.capabilities import payoff_to
from ruse.core.clock import tick
from ruse.core.game import CHANCE, END
from ruse.insight.model import Worst
from ruse.insight.places import Places


def worst(places: Places, position: str, side: int) -> Worst | None:
    """The least payoff of a side's stored strategy over the states of a position; None if nothing is hidden.

    The other side plays its best response as if it knew the state; of later moves it sees what it would see in play.
    """
    facts = places.unseen(side, position)
    if set(facts) == {""}:
        return None
    nodes = places.nodes
    outcomes = [
        (payoff_to(nodes.game, side, value), value, fact)
        for at, fact in zip(nodes.members[side][position], facts, strict=True)
        for value in [_answered(places, at, side)]
    ]
    _, value, fact = min(outcomes)
    return Worst(value, fact or "nothing yet")


def _answered(places: Places, start: int, side: int) -> Fraction:
    """The payoff to side 0 from a state on, if `side` follows its stored strategy against a best response."""
    nodes, other = places.nodes, 1 - side
    sets, answers = nodes.sets[side], nodes.sets[other]
    sequence = nodes.sequence[other]
    values: dict[int, Fraction] = {}
    choices: set[int] = set()
    stack = [(start, Fraction(1))]
    while stack:
        tick()
        at, weight = stack.pop()
        turn, children = nodes.turn[at], nodes.children(at)
        if turn == END:
            payoff = weight * Fraction(nodes.game.payoff(nodes.states[at]))
            values[sequence[at]] = values.get(sequence[at], Fraction(0)) + payoff
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
        answer = best(
            values.get(sequence, Fraction(0)) for sequence in range(answers.first[number], answers.first[number + 1])
        )
        parent = answers.parent[number]
        values[parent] = values.get(parent, Fraction(0)) + answer
    return values[sequence[start]]
