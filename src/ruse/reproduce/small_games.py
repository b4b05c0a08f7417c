"""Games that papers draw: a tree written out by hand."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from ruse.core.game import CHANCE, END, Titled


class ChanceNode(NamedTuple):
    """Chance: what comes up, with its odds."""

    outcomes: Sequence[tuple[str, Fraction, Node]]


class DecisionNode(NamedTuple):
    """A side moves, which knows `known` and no more."""

    side: int
    known: str
    moves: Sequence[tuple[str, Node]]


Node = ChanceNode | DecisionNode | Fraction  # a number ends the game
Path = tuple[str, ...]


class DrawnGame(Titled):
    """A tree as a game: a state is the way to it."""

    sides = ("first", "second")
    wins = ()

    def __init__(self, name: str, root: Node) -> None:
        self.name = self.title = name
        self.root = root
        self.parameters: dict[str, object] = {}

    def _at(self, state: Path) -> Node:
        node = self.root
        for step in state:
            if isinstance(node, ChanceNode):
                node = next(after for name, _, after in node.outcomes if name == step)
            elif isinstance(node, DecisionNode):
                node = dict(node.moves)[step]
        return node

    def start(self) -> Path:
        return ()

    def turn(self, state: Path) -> int:
        node = self._at(state)
        return CHANCE if isinstance(node, ChanceNode) else node.side if isinstance(node, DecisionNode) else END

    def moves(self, state: Path) -> Sequence[str]:
        node = self._at(state)
        if isinstance(node, ChanceNode):
            return [name for name, _, _ in node.outcomes]
        return [name for name, _ in node.moves] if isinstance(node, DecisionNode) else ()

    def odds(self, state: Path) -> Sequence[Fraction]:
        node = self._at(state)
        assert isinstance(node, ChanceNode)
        return [odds for _, odds, _ in node.outcomes]

    def play(self, state: Path, move: str) -> Path:
        return (*state, move)

    def knows(self, state: Path, side: int) -> tuple[str, ...]:
        """What it knew where it last moved, and what it did there."""
        known: tuple[str, ...] = ()
        for length in range(len(state) + 1):
            node = self._at(state[:length])
            if isinstance(node, DecisionNode) and node.side == side:
                known = (node.known, *state[length : length + 1])
        return known

    def payoff(self, state: Path) -> Fraction:
        node = self._at(state)
        assert isinstance(node, Fraction)
        return node

    def label(self, move: str) -> str:
        return move

    def format_position(self, knowledge: tuple[str, ...]) -> str:
        return "".join(f"/{step}" for step in knowledge)
