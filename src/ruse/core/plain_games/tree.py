"""Games written out node by node, as files hold them.

A state is the number of a node. A side that is to move knows its information set, by number; one that is not
knows what it last did, as the number of the set and of the move there, or () before it has done anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from ruse.core.capabilities import ConstantSum, Ranged
from ruse.core.game import END, Parameters, PositionError, Titled

Did = tuple[int, ...]  # (set, move), or () for nothing yet
Known = int | Did


class TreeChoice(NamedTuple):
    """Where somebody moves: an information set of a side, or a chance move."""

    side: int  # 0, 1 or CHANCE
    position: str  # what follows the title
    moves: tuple[str, ...]
    odds: tuple[Fraction, ...]  # of chance


class Node(NamedTuple):
    choice: int  # the number of its TreeChoice, or END
    after: list[int]  # the node that each move leads to
    did: tuple[Did, Did]  # what each side last did
    payoff: Fraction | None  # at the end


class ExplicitTree(Titled):
    """A game over a tree in memory. The first node is the start; who makes the tree answers for perfect recall."""

    wins = ()
    provides = (Ranged, ConstantSum)

    def __init__(
        self,
        name: str,
        title: str,
        sides: tuple[str, str],
        parameters: Parameters,
        choices: Sequence[TreeChoice],
        nodes: Sequence[Node],
        constant: Fraction | int = 0,
    ) -> None:
        self.name, self.title, self.sides, self.parameters = name, title, sides, parameters
        self.choices, self.nodes = choices, nodes
        self._constant = Fraction(constant)
        self._numbers = [{move: number for number, move in enumerate(choice.moves)} for choice in choices]

    def content(self) -> object:
        """All of it, where no text is at hand that says the same: ruse.core.identity."""
        if "text" in self.parameters:
            return None
        return [self.choices, self.nodes, *([self._constant] if self._constant else [])]

    def start(self) -> int:
        return 0

    def turn(self, state: int) -> int:
        choice = self.nodes[state].choice
        return END if choice == END else self.choices[choice].side

    def moves(self, state: int) -> Sequence[str]:
        choice = self.nodes[state].choice
        return () if choice == END else self.choices[choice].moves

    def odds(self, state: int) -> Sequence[Fraction]:
        return self.choices[self.nodes[state].choice].odds

    def play(self, state: int, move: str) -> int:
        choice, after, _, _ = self.nodes[state]
        return after[self._numbers[choice][move]]

    def knows(self, state: int, side: int) -> Known:
        choice, _, did, _ = self.nodes[state]
        return choice if choice != END and self.choices[choice].side == side else did[side]

    def payoff(self, state: int) -> Fraction:
        payoff = self.nodes[state].payoff
        if payoff is None:
            raise PositionError(f"expected a state where the game has ended, got {state}")
        return payoff

    def constant(self) -> Fraction:
        return self._constant

    def payoff_range(self) -> tuple[Fraction, Fraction]:
        payoffs = [node.payoff for node in self.nodes if node.payoff is not None]
        return Fraction(min(payoffs)), Fraction(max(payoffs))

    def label(self, move: str) -> str:
        return move

    def format_position(self, knowledge: Known) -> str:
        if isinstance(knowledge, int):
            return self.choices[knowledge].position
        if not knowledge:
            return ""
        choice, move = knowledge
        return f"{self.choices[choice].position}/{self.choices[choice].moves[move]}"
