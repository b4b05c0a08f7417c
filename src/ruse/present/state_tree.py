"""The opened part of the tree of a game's states, with numbered information sets.

A side's own tree (ruse.present.drawing) has a node for each position of that side. This tree has a node for each
state, chance moves included, and joins states that a side cannot distinguish.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from ruse.core.game import CHANCE, END, PositionError
from ruse.core.jsonable import Exact
from ruse.present.nodes import as_fraction
from ruse.present.svg import line_up
from ruse.present.tree import TreeViewer

MOST_NODES = 400  # of a picture
MOST_AT_FIRST = 120  # states of a picture before anybody opens one
MOST_BRANCHES = 12  # of a state, unless the page asks for all
MOST_HITS = 40
BETWEEN = re.compile(r"[\s,/]+")  # moves that are searched for
NAMES = {CHANCE: "chance", END: "end"}


@dataclass(frozen=True)
class TreeSelection:
    """The part of the tree to show. States have the numbers of `SolvedNodes`."""

    position: str
    side: int | None = None
    root: int | None = None  # by default the last common ancestor of the position's states
    depth: int = 2  # number of steps that are open at first
    opened: Collection[int] = ()
    shut: Collection[int] = ()
    every: Collection[int] = ()  # states with all branches shown, however many
    at: int | None = None  # the highlighted state


@dataclass
class ShownState:
    """A state in the picture."""

    state: int
    depth: int
    is_open: bool = False
    left_out: int = 0  # branches that are not shown
    set: int | None = None  # the number of its information set, in the order of the picture
    children: list[ShownState] = field(default_factory=list)
    place: float = 0.0  # among the ends


@dataclass(frozen=True)
class StateRow:
    """A state in the list of states."""

    state: int
    """its number: ?root=, open=, shut= and at= in addresses"""
    parent: int | None
    move: str | None
    """the move that leads here"""
    odds: Exact | None
    """the odds of the move"""
    often: Exact
    """how often play under both stored strategies comes here"""
    value: Exact
    """payoff to the first side"""
    turn: str
    """a side, chance or end"""
    position: str
    """the position of the side to move"""
    set: int | None
    """the number of its information set, in this picture"""
    open: bool
    below: int
    """how many states follow"""
    left_out: int
    """how many branches are not listed because there are too many"""


class StateTree:
    """The opened part of the tree, laid out for a picture."""

    def __init__(self, viewer: TreeViewer, selection: TreeSelection) -> None:
        self.viewer, self.nodes, self.selection = viewer, viewer.nodes, selection
        self.game = viewer.solution.game
        side = viewer.side(selection.position, selection.side)
        self.side = side
        self.members = frozenset(self.nodes.members[side][selection.position])
        for number in (selection.root, selection.at, *selection.opened, *selection.shut, *selection.every):
            if number is not None and not 0 <= number < len(self.nodes):
                raise PositionError(f"expected the number of a state below {len(self.nodes):,}, got {number}")
        self.root = self._common() if selection.root is None else selection.root
        self.top = ShownState(self.root, 0)
        self.cut = False  # whether states within `depth` stay closed because there are too many
        self.shown = self._grow()
        self.sets = self._number()
        self.rows = line_up(self.top)

    # What is shown.

    def _common(self) -> int:
        """The last common ancestor of the position's states."""
        paths = [list(self.path(at)) for at in self.members]
        common = 0
        for step in zip(*paths, strict=False):
            if len(set(step)) > 1:
                break
            common = step[0]
        return common

    def path(self, at: int) -> list[int]:
        """The path of states from the start to a state, both included."""
        states = [at]
        while states[-1]:
            states.append(self.nodes.parent[states[-1]])
        return states[::-1]

    @cached_property
    def ways(self) -> frozenset[int]:
        """The ancestors of the highlighted states, which are always open."""
        wanted = self.members if self.selection.at is None else {self.selection.at}
        return frozenset(state for at in sorted(wanted)[:MOST_AT_FIRST] for state in self.path(at)[:-1])

    def _grow(self) -> list[ShownState]:
        nodes, shown = self.nodes, [self.top]
        for node in shown:  # which grow
            branches = nodes.children(node.state)
            asked_for = node.state in self.selection.opened or node.state in self.ways
            near = node.depth < self.selection.depth and node.state not in self.selection.shut and bool(branches)
            early = near and len(shown) + min(len(branches), MOST_BRANCHES) <= MOST_AT_FIRST
            self.cut |= near and not (early or asked_for)
            room = MOST_NODES - len(shown)
            node.is_open = (
                bool(branches) and node.state not in self.selection.shut and (asked_for or early) and room > 0
            )
            if not node.is_open:
                continue
            most = room if node.state in self.selection.every else min(room, MOST_BRANCHES)
            first = sorted(branches, key=lambda at: (at not in self.ways and at not in self._looked, -nodes.share[at]))
            kept = sorted(first[:most])
            node.left_out = len(branches) - len(kept)
            node.children = [ShownState(at, node.depth + 1) for at in kept]
            shown += node.children
        return shown

    @cached_property
    def _looked(self) -> frozenset[int]:
        return self.members if self.selection.at is None else frozenset({self.selection.at})

    def _number(self) -> list[list[ShownState]]:
        """Number the information sets of the picture; a state alone in its set counts too."""
        by_knowledge: dict[tuple[int, str], list[ShownState]] = {}
        for node in self.in_order():
            turn = self.nodes.turn[node.state]
            if turn in (0, 1):
                by_knowledge.setdefault((turn, self.nodes.known[turn][node.state]), []).append(node)
        for number, states in enumerate(by_knowledge.values(), 1):
            for node in states:
                node.set = number
        return list(by_knowledge.values())

    def in_order(self) -> Iterator[ShownState]:
        """The states of the picture from top to bottom, each before its children."""
        stack = [self.top]
        while stack:
            node = stack.pop()
            yield node
            stack += reversed(node.children)

    # Facts about a state.

    def position(self, at: int) -> str:
        """The position of the side to move, or of the side that looks where no side moves."""
        turn = self.nodes.turn[at]
        return self.nodes.known[turn if turn in (0, 1) else self.side][at]

    def often(self, at: int) -> Fraction:
        """How often play under both strategies comes to a state."""
        return as_fraction(self.viewer.reach([at]))

    def value(self, at: int) -> Fraction:
        return as_fraction(self.nodes.value[at])

    def steps(self, at: int) -> list[str]:
        """The moves that lead to a state, chance's included."""
        return [self.nodes.step[state] for state in self.path(at)[1:]]

    @cached_property
    def below(self) -> list[int]:
        """How many states follow each."""
        counts = [0] * len(self.nodes)
        for at in range(len(self.nodes) - 1, 0, -1):
            counts[self.nodes.parent[at]] += 1 + counts[at]
        return counts

    def find(self, text: str) -> tuple[list[int], int]:
        """Find states by a move, several moves in a row, or a part of a position: the first hits, and their number."""
        text = text.strip().lower()
        if not text:
            return [], 0
        hits = self._after([text]) or self._after(BETWEEN.split(text)) or self._known(text)
        return hits[:MOST_HITS], len(hits)

    def _after(self, moves: list[str]) -> list[int]:
        """The states right after some moves in a row."""
        nodes, hits = self.nodes, []
        for at in range(1, len(nodes)):
            here = at
            for move in reversed(moves):
                if not here or nodes.step[here].lower() != move:
                    break
                here = nodes.parent[here]
            else:
                hits.append(at)
        return hits

    def _known(self, text: str) -> list[int]:
        """The states where a side's position first contains a text."""
        nodes = self.nodes
        known = [{position for position in set(side) if text in position.lower()} for side in nodes.known]
        return [
            at
            for at in range(len(nodes))
            if any(
                side[at] in texts and (not at or side[nodes.parent[at]] != side[at])
                for side, texts in zip(nodes.known, known, strict=True)
            )
        ]

    def listed(self) -> list[StateRow]:
        """The states of the picture and their numbers, from top to bottom."""
        return [self._row(node) for node in self.in_order()]

    def _row(self, node: ShownState) -> StateRow:
        nodes, at = self.nodes, node.state
        return StateRow(
            state=at,
            parent=None if node is self.top else nodes.parent[at],
            move=nodes.step[at] or None,
            odds=None if at == 0 else as_fraction(nodes.share[at]),
            often=self.often(at),
            value=self.value(at),
            turn=NAMES.get(nodes.turn[at]) or self.game.sides[nodes.turn[at]],
            position=self.position(at),
            set=node.set,
            open=node.is_open,
            below=self.below[at],
            left_out=node.left_out,
        )
