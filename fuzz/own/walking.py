"""Any rules object as a tree of the oracle, and what it is worth. Nothing here comes from ruse but the rules."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from fuzz.oracle import Chance, Choice, Flat, Leaf, Node

CHANCE, END = -1, -2
MOST_NODES = 10_000
MOST_ROUNDS = 60  # of best answers
CLOSE = 1e-13  # a sweep over states that changes no value by more is the last


class TooLarge(Exception):
    """A game that the oracle would take long to solve."""


def walk(rules: Any, seen: bool = False) -> Node:
    """The tree of a game. Where all is `seen`, what a side knows is how it came about, whatever the game says."""
    numbers: tuple[dict[Any, int], dict[Any, int]] = ({}, {})
    count = 0

    def node(state: Any, path: tuple[Any, ...]) -> Node:
        nonlocal count
        count += 1
        if count > MOST_NODES:
            raise TooLarge
        turn = rules.turn(state)
        if turn == END:
            return Leaf(Fraction(rules.payoff(state)))
        moves = tuple(rules.moves(state))
        after = tuple(node(rules.play(state, move), (*path, move)) for move in moves)
        names = tuple(map(str, moves))
        if turn == CHANCE:
            return Chance(names, tuple(Fraction(share) for share in rules.odds(state)), after)
        known = path if seen else rules.knows(state, turn)
        number = numbers[turn].setdefault(known, len(numbers[turn]))
        return Choice(turn, f"{turn}.{number}", names, after)

    return node(rules.start(), ())


class Worth:
    """What a game is worth, and an optimal plan of each side."""

    def __init__(self, tree: Node) -> None:
        self.tree, self.flat = tree, Flat(tree)
        value, self.plans = self.flat.solve(MOST_ROUNDS)
        if value is None:
            raise TooLarge
        self.value = value


def returning_value(rules: Any) -> float:
    """The value of a game without secrets whose play can come back to a state, by value iteration in floats."""
    values: dict[Any, float] = {}
    following: dict[Any, tuple[int, list[Any], list[float]]] = {}
    stack = [rules.start()]
    while stack:
        state = stack.pop()
        if state in values:
            continue
        turn = rules.turn(state)
        values[state] = float(rules.payoff(state)) if turn == END else 0.0
        if turn != END:
            after = [rules.play(state, move) for move in rules.moves(state)]
            following[state] = turn, after, [float(share) for share in rules.odds(state)] if turn == CHANCE else []
            stack.extend(after)
    change = 1.0
    while change > CLOSE:
        change = 0.0
        for state, (turn, after, odds) in following.items():
            worths = [values[one] for one in after]
            if turn == CHANCE:
                found = sum(share * worth for share, worth in zip(odds, worths, strict=True))
            else:
                found = max(worths) if turn == 0 else min(worths)
            change = max(change, abs(found - values[state]))
            values[state] = found
    return values[rules.start()]
