"""The tree of a game's states, as much of it as somebody has opened, with information sets numbered.

A side's own tree (ruse.present.drawing) has a node for each position that it can be in. This one has a node for each
state, as a person sees it who sees everything: chance moves too, and states that a side cannot tell apart are joined.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from ruse.core.game import CHANCE, END, PositionError
from ruse.core.jsonable import Exact
from ruse.present.nodes import told
from ruse.present.svg import line_up
from ruse.present.tree import TreeViewer

MOST_NODES = 400  # of a picture
MOST_AT_FIRST = 120  # without having been asked for
MOST_BRANCHES = 12  # of a state, unless all are asked for
MOST_HITS = 40
BETWEEN = re.compile(r"[\s,/]+")  # moves that are searched for
NAMES = {CHANCE: "chance", END: "end"}


@dataclass(frozen=True)
class Asked:
    """What of the tree to show. States are numbered as `Nodes` numbers them."""

    position: str
    side: int | None = None
    root: int | None = None  # else the last state that all states of the position come from
    depth: int = 2  # number of steps that are open at first
    opened: Collection[int] = ()
    shut: Collection[int] = ()
    every: Collection[int] = ()  # whose branches are all shown, however many
    at: int | None = None  # the state that is looked at


@dataclass
class Node:
    """A state that is shown."""

    state: int
    depth: int
    is_open: bool = False
    left_out: int = 0  # branches that are not shown
    set: int | None = None  # the number of its information set, in the order of the picture
    children: list[Node] = field(default_factory=list)
    place: float = 0.0  # among the ends


@dataclass(frozen=True)
class StateRow:
    """A state as a list says it."""

    state: int
    """its number: ?root=, open=, shut= and at= in addresses"""
    parent: int | None
    move: str | None
    """that leads here"""
    odds: Exact | None
    """of the move"""
    often: Exact
    """how often both stored strategies come here"""
    value: Exact
    """payoff to the first side"""
    turn: str
    """a side, chance or end"""
    position: str
    """of whoever moves"""
    set: int | None
    """the number of its information set, in this picture"""
    open: bool
    below: int
    """how many states follow"""
    left_out: int
    """branches that are not listed, as they would be too many"""


class StateTree:
    def __init__(self, viewer: TreeViewer, asked: Asked) -> None:
        self.viewer, self.nodes, self.asked = viewer, viewer.nodes, asked
        self.game = viewer.solution.game
        side = viewer.side(asked.position, asked.side)
        self.side = side
        self.members = frozenset(self.nodes.members[side][asked.position])
        for number in (asked.root, asked.at, *asked.opened, *asked.shut, *asked.every):
            if number is not None and not 0 <= number < len(self.nodes):
                raise PositionError(f"expected the number of a state below {len(self.nodes):,}, got {number}")
        self.root = self._common() if asked.root is None else asked.root
        self.top = Node(self.root, 0)
        self.cut = False  # whether states that are near enough stay shut, as there would be too many
        self.shown = self._grow()
        self.sets = self._number()
        self.rows = line_up(self.top)

    # What is shown.

    def _common(self) -> int:
        """The last state that all states of the position come from."""
        paths = [list(self.path(at)) for at in self.members]
        common = 0
        for step in zip(*paths, strict=False):
            if len(set(step)) > 1:
                break
            common = step[0]
        return common

    def path(self, at: int) -> list[int]:
        """The states on the way to one, the start first and itself last."""
        found = [at]
        while found[-1]:
            found.append(self.nodes.parent[found[-1]])
        return found[::-1]

    @cached_property
    def ways(self) -> frozenset[int]:
        """States on the way to what is looked at: they are open, whatever is not."""
        wanted = self.members if self.asked.at is None else {self.asked.at}
        return frozenset(one for at in sorted(wanted)[:MOST_AT_FIRST] for one in self.path(at)[:-1])

    def _grow(self) -> list[Node]:
        nodes, shown = self.nodes, [self.top]
        for node in shown:  # which grow
            branches = nodes.children(node.state)
            asked_for = node.state in self.asked.opened or node.state in self.ways
            near = node.depth < self.asked.depth and node.state not in self.asked.shut and bool(branches)
            early = near and len(shown) + min(len(branches), MOST_BRANCHES) <= MOST_AT_FIRST
            self.cut |= near and not (early or asked_for)
            room = MOST_NODES - len(shown)
            node.is_open = bool(branches) and node.state not in self.asked.shut and (asked_for or early) and room > 0
            if not node.is_open:
                continue
            most = room if node.state in self.asked.every else min(room, MOST_BRANCHES)
            first = sorted(branches, key=lambda at: (at not in self.ways and at not in self._looked, -nodes.share[at]))
            kept = sorted(first[:most])
            node.left_out = len(branches) - len(kept)
            node.children = [Node(at, node.depth + 1) for at in kept]
            shown += node.children
        return shown

    @cached_property
    def _looked(self) -> frozenset[int]:
        return self.members if self.asked.at is None else frozenset({self.asked.at})

    def _number(self) -> list[list[Node]]:
        """The information sets of the picture, each with its states that are shown; alone, one is a set as well."""
        found: dict[tuple[int, str], list[Node]] = {}
        for node in self.in_order():
            turn = self.nodes.turn[node.state]
            if turn in (0, 1):
                found.setdefault((turn, self.nodes.known[turn][node.state]), []).append(node)
        for number, together in enumerate(found.values(), 1):
            for node in together:
                node.set = number
        return list(found.values())

    def in_order(self) -> Iterator[Node]:
        """All that are shown, from top to bottom, each before what follows it."""
        stack = [self.top]
        while stack:
            node = stack.pop()
            yield node
            stack += reversed(node.children)

    # What is said of a state.

    def position(self, at: int) -> str:
        """Of whoever moves there; elsewhere of the side that looks."""
        turn = self.nodes.turn[at]
        return self.nodes.known[turn if turn in (0, 1) else self.side][at]

    def often(self, at: int) -> Fraction:
        """How often both strategies come to a state."""
        return told(self.viewer.reach([at]))

    def worth(self, at: int) -> Fraction:
        return told(self.nodes.value[at])

    def steps(self, at: int) -> list[str]:
        """The moves on the way, chance's included."""
        return [self.nodes.step[one] for one in self.path(at)[1:]]

    @cached_property
    def below(self) -> list[int]:
        """How many states follow each."""
        found = [0] * len(self.nodes)
        for at in range(len(self.nodes) - 1, 0, -1):
            found[self.nodes.parent[at]] += 1 + found[at]
        return found

    def find(self, text: str) -> tuple[list[int], int]:
        """States that a move, several in a row or a part of a position leads to: the first, and how many there are."""
        text = text.strip().lower()
        if not text:
            return [], 0
        hits = self._after([text]) or self._after(BETWEEN.split(text)) or self._known(text)
        return hits[:MOST_HITS], len(hits)

    def _after(self, moves: list[str]) -> list[int]:
        """States that some moves lead to, the last of them just made."""
        nodes, found = self.nodes, []
        for at in range(1, len(nodes)):
            here = at
            for move in reversed(moves):
                if not here or nodes.step[here].lower() != move:
                    break
                here = nodes.parent[here]
            else:
                found.append(at)
        return found

    def _known(self, text: str) -> list[int]:
        """States where a side first knows what has the text in it."""
        nodes = self.nodes
        known = [{position for position in set(side) if text in position.lower()} for side in nodes.known]
        return [
            at
            for at in range(len(nodes))
            if any(
                side[at] in some and (not at or side[nodes.parent[at]] != side[at])
                for side, some in zip(nodes.known, known, strict=True)
            )
        ]

    def listed(self) -> list[StateRow]:
        """The states of the picture and their numbers, from top to bottom."""
        return [self._row(node) for node in self.in_order()]

    def _row(self, node: Node) -> StateRow:
        nodes, at = self.nodes, node.state
        return StateRow(
            state=at,
            parent=None if node is self.top else nodes.parent[at],
            move=nodes.step[at] or None,
            odds=None if at == 0 else told(nodes.share[at]),
            often=self.often(at),
            value=self.worth(at),
            turn=NAMES.get(nodes.turn[at]) or self.game.sides[nodes.turn[at]],
            position=self.position(at),
            set=node.set,
            open=node.is_open,
            below=self.below[at],
            left_out=node.left_out,
        )
