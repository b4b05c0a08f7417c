"""Random games with a public tree: hands dealt unevenly, chance whose odds depend on them, masks, few payoffs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any, NamedTuple

import numpy as np

from ruse.core.capabilities import Public
from ruse.core.game import CHANCE, END, Titled

Array = np.ndarray[Any, np.dtype[Any]]
ODDS = 6  # a draw of chance has odds in multiples of 1 / ODDS
TURNS = (0, 1, CHANCE)


class Node(NamedTuple):
    turn: int
    moves: tuple[str, ...] = ()
    can: Array | None = None  # bool[moves, hands of who moves]
    odds: Array | None = None  # int[moves, hands, hands], at CHANCE
    pay: tuple[int, int] = (0, 0)  # which matrix, and the scale


class Dealt(NamedTuple):
    hands: tuple[int, int] | None
    path: tuple[str, ...]


class RandomPublic(Titled):
    """A game by its seed. Payoffs are spread widely, so that no two plans are equally good by accident."""

    provides = (Public,)

    name = "random-public"
    sides = ("first", "second")
    wins = ()

    def __init__(self, seed: int, depth: int = 4, masks: bool = True, chances: bool = True) -> None:
        self.title = f"random-public-{seed}"
        self.parameters: dict[str, object] = {"seed": seed}
        random = Random(seed)
        self.hands = (random.randint(1, 4), random.randint(1, 4))
        self.deal = np.array(
            [[random.choice((0, 1, 1, 2, 5)) for _ in range(self.hands[1])] for _ in range(self.hands[0])]
        )
        self.deal[0, 0] = max(self.deal[0, 0], 1)
        self.payoffs = [
            np.array([[random.randint(-97, 97) for _ in range(self.hands[1])] for _ in range(self.hands[0])])
            for _ in range(3)
        ]
        self.nodes: dict[tuple[str, ...], Node] = {}
        self._depth = depth
        self._grow(random, (), depth, masks, chances)

    def _grow(self, random: Random, path: tuple[str, ...], depth: int, masks: bool, chances: bool) -> None:
        if depth == 0 or (path and random.random() < 0.25):
            self.nodes[path] = Node(END, pay=(random.randrange(3), random.choice((-1, 1)) * random.randint(1, 30)))
            return
        turn = random.choice(TURNS if chances else TURNS[:2])
        moves = tuple("abc"[: random.choice((1, 2, 2, 3))])
        can = odds = None
        if turn == CHANCE:
            draws = [[self._draw(random, len(moves)) for _ in range(self.hands[1])] for _ in range(self.hands[0])]
            odds = np.array(draws).transpose(2, 0, 1)
        elif masks and random.random() < 0.4:
            can = np.array([[random.random() < 0.6 for _ in range(self.hands[turn])] for _ in moves])
            can[random.randrange(len(moves))] |= ~can.any(axis=0)
        self.nodes[path] = Node(turn, moves, can, odds)
        for move in moves:
            self._grow(random, (*path, move), depth - 1, masks, chances)

    def _draw(self, random: Random, moves: int) -> list[int]:
        cuts = sorted(random.randint(0, ODDS) for _ in range(moves - 1))
        return [high - low for low, high in zip([0, *cuts], [*cuts, ODDS], strict=True)]

    # The rules.

    def start(self) -> Dealt:
        return Dealt(None, ())

    def turn(self, state: Dealt) -> int:
        return CHANCE if state.hands is None else self.nodes[state.path].turn

    def moves(self, state: Dealt) -> Sequence[Any]:
        if state.hands is None:
            return [(one, two) for one in range(self.hands[0]) for two in range(self.hands[1])]
        node = self.nodes[state.path]
        if node.can is None:
            return node.moves
        return [move for move, can in zip(node.moves, node.can[:, state.hands[node.turn]], strict=True) if can]

    def odds(self, state: Dealt) -> Sequence[Fraction]:
        if state.hands is None:
            return [Fraction(int(weight), int(self.deal.sum())) for weight in self.deal.ravel()]
        odds = self.nodes[state.path].odds
        assert odds is not None
        return [Fraction(int(part), ODDS) for part in odds[:, state.hands[0], state.hands[1]]]

    def play(self, state: Dealt, move: Any) -> Dealt:
        return Dealt(move, ()) if state.hands is None else state._replace(path=(*state.path, move))

    def knows(self, state: Dealt, side: int) -> Any:
        return (None if state.hands is None else state.hands[side]), state.path

    def payoff(self, state: Dealt) -> Fraction:
        assert state.hands is not None
        matrix, scale = self.nodes[state.path].pay
        return Fraction(int(self.payoffs[matrix][state.hands]) * scale, 1000)

    def label(self, move: Any) -> str:
        return move if isinstance(move, str) else f"{move[0]}-{move[1]}"

    def format_position(self, knowledge: Any) -> str:
        hand, path = knowledge
        return ("" if hand is None else f"@h{hand}") + "".join(f"/{move}" for move in path)

    def public(self) -> RandomRules:
        return RandomRules(self)


class RandomRules:
    """The public rules of such a game."""

    def __init__(self, game: RandomPublic) -> None:
        self.game = game
        self.hands = tuple(f"h{n}" for n in range(game.hands[0])), tuple(f"h{n}" for n in range(game.hands[1]))
        self.denominator = int(game.deal.sum()) * 1000 * ODDS**game._depth

    def start(self) -> tuple[str, ...]:
        return ()

    def turn(self, state: tuple[str, ...]) -> int:
        return self.game.nodes[state].turn

    def moves(self, state: tuple[str, ...]) -> Sequence[str]:
        return self.game.nodes[state].moves

    def play(self, state: tuple[str, ...], move: str) -> tuple[str, ...]:
        return (*state, move)

    def possible(self, state: tuple[str, ...], side: int) -> Array | None:
        found = np.ones(self.game.hands[side], dtype=bool)
        for length, move in enumerate(state):
            node = self.game.nodes[state[:length]]
            if node.turn == side and node.can is not None:
                found &= node.can[node.moves.index(move)]
        return found

    def payoff(self, state: tuple[str, ...]) -> tuple[tuple[str, ...], int]:
        return state, self.game.nodes[state].pay[1]

    def matrix(self, name: tuple[str, ...]) -> Array:
        weights = self.game.deal * ODDS**self.game._depth
        for length, move in enumerate(name):
            node = self.game.nodes[name[:length]]
            if node.odds is not None:
                weights = weights * node.odds[node.moves.index(move)] // ODDS
        possible = np.outer(self.possible(name, 0), self.possible(name, 1))
        return weights * possible * self.game.payoffs[self.game.nodes[name].pay[0]]

    def place(self, state: Dealt) -> tuple[int, int, Sequence[str]] | None:
        return None if state.hands is None else (*state.hands, state.path)
