"""A tree of the oracle as a game that ruse takes: by numbers of nodes, so that nothing has to be looked for."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from fuzz.oracle import Chance, Choice, Leaf, Node

CHANCE, END = -1, -2


class Rules:
    """The tree by the protocol of `ruse.Game`. A side that waits knows what it last did."""

    wins: tuple[str, ...] = ()

    def __init__(self, root: Node, title: str = "toy", sides: tuple[str, str] = ("first", "second")) -> None:
        self.name = self.title = title
        self.sides = sides
        self.parameters: dict[str, Any] = {}
        self.nodes: list[Node] = [root]
        self.after: list[range] = []
        self.did: list[tuple[str, str]] = [("", "")]
        for at, node in enumerate(self.nodes):  # which grow
            below = () if isinstance(node, Leaf) else node.after
            self.after.append(range(len(self.nodes), len(self.nodes) + len(below)))
            self.nodes.extend(below)
            for place in range(len(below)):
                first, second = self.did[at]
                if isinstance(node, Choice):
                    last = f"{node.known}/{node.moves[place]}"
                    first, second = (last, second) if node.side == 0 else (first, last)
                self.did.append((first, second))

    def __repr__(self) -> str:
        return f"<{len(self.nodes)} nodes called {self.title!r}>"

    def start(self) -> int:
        return 0

    def turn(self, state: int) -> int:
        node = self.nodes[state]
        if isinstance(node, Choice):
            return node.side
        return CHANCE if isinstance(node, Chance) else END

    def moves(self, state: int) -> Sequence[str]:
        node = self.nodes[state]
        return () if isinstance(node, Leaf) else node.moves

    def odds(self, state: int) -> Sequence[Fraction]:
        node = self.nodes[state]
        assert isinstance(node, Chance)
        return node.odds

    def play(self, state: int, move: str) -> int:
        node = self.nodes[state]
        assert not isinstance(node, Leaf)
        return self.after[state][node.moves.index(move)]

    def knows(self, state: int, side: int) -> tuple[str, str]:
        node = self.nodes[state]
        if isinstance(node, Choice) and node.side == side:
            return ("at", node.known)
        return ("did", self.did[state][side])

    def payoff(self, state: int) -> Fraction:
        node = self.nodes[state]
        assert isinstance(node, Leaf)
        return node.payoff

    def label(self, move: str) -> str:
        return move

    def format_position(self, knowledge: tuple[str, str]) -> str:
        return f"@{knowledge[1]}" if knowledge[1] else ""
