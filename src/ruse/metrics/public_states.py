"""What both sides know in common, and the winning chance that somebody computes who knows only that.

Two histories are in one public state if some side cannot tell them apart, or if a chain of such histories joins them:
the finest partition that both sides' knowledge implies (Aumann 1976). The observer knows both strategies.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from ruse.core.clock import tick
from ruse.core.registry import presentation
from ruse.metrics.plays import Number, PlayTree


@dataclass(frozen=True)
class PublicChances:
    """The public state of every node of the plays, and the winning chance of side 0 there."""

    state: list[int]  # of each node
    chance: dict[int, Number]  # of each public state

    def at(self, node: int) -> Number:
        """The winning chance at a node, given public information."""
        return self.chance[self.state[node]]


def public_chances(plays: PlayTree) -> PublicChances:
    """The winning chances of side 0 given public information."""
    state = public_states(plays)
    weight: dict[int, Number] = {}
    value: dict[int, Number] = {}
    for node in range(len(plays)):
        number = state[node]
        if node and state[plays.parent[node]] == number:
            continue  # play was in this public state already
        weight[number] = weight.get(number, plays.number(0)) + plays.reach[node]
        value[number] = value.get(number, plays.number(0)) + plays.value[node]
    return PublicChances(state, {number: plays.chance(value[number] / total) for number, total in weight.items()})


def public_states(plays: PlayTree) -> list[int]:
    """The public state of every node, named by one of its nodes."""
    game, shown = plays.game, presentation(plays.original)
    hidden = [node > 0 and not shown.is_public_moment(state) for node, state in enumerate(plays.states)]
    joined = [plays.parent[node] if hidden[node] else node for node in range(len(plays))]

    def root(node: int) -> int:
        while joined[node] != node:
            joined[node] = joined[joined[node]]
            node = joined[node]
        return node

    for side in (0, 1):
        first: dict[Hashable, int] = {}
        for node, state in enumerate(plays.states):
            tick()
            if hidden[node]:
                continue
            known = plays.known[node] if plays.turn[node] == side else game.knows(state, side)
            other = first.setdefault(known, node)
            if other != node:
                joined[root(node)] = root(other)
    return [root(node) for node in range(len(plays))]
