"""A game to check, and what to say where ruse and the oracle differ."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

from fuzz.oracle import Chance, Leaf, Node


class Contradiction(Exception):
    """ruse says one thing, the oracle another."""

    def __init__(self, about: str, said: object, expected: object) -> None:
        super().__init__(about)
        self.about, self.said, self.expected = about, str(said), str(expected)

    def __reduce__(self) -> tuple[Any, ...]:
        return Contradiction, (self.about, self.said, self.expected)

    def __str__(self) -> str:
        return f"{self.about}\n  ruse:   {self.said}\n  oracle: {self.expected}"


@dataclass(frozen=True)
class Case:
    """A game, and the seed of all that is drawn while it is checked: a smaller game is checked alike."""

    tree: Node | None
    seed: int
    more: dict[str, Any] = field(default_factory=dict)

    @property
    def random(self) -> Random:
        return Random(self.seed)


def expect(about: str, said: object, expected: object) -> None:
    if said != expected:
        raise Contradiction(about, said, expected)


def drawn(node: Node, indent: str = "") -> str:
    """A tree as lines of text."""
    if isinstance(node, Leaf):
        return f"{indent}pays {node.payoff}\n"
    if isinstance(node, Chance):
        heads = [f"{move!r} ({share})" for move, share in zip(node.moves, node.odds, strict=True)]
        who = "chance"
    else:
        heads, who = [repr(move) for move in node.moves], f"side {node.side} at {node.known!r}"
    below = zip(heads, node.after, strict=True)
    return "".join(f"{indent}{who}: {head}\n{drawn(after, indent + '  ')}" for head, after in below)
