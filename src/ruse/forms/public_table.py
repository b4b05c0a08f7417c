"""A side's strategy on a public tree, looked up by position straight from the sums of its plans.

    position -> hand and node -> whole plan along the hand's own way -> odds of the last node's moves

The odds are those of the very plan that was certified (ruse.forms.public_bounds). Nothing is written out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from random import Random
from typing import Any

import numpy as np

from ruse.core.capabilities import Public
from ruse.core.game import CHANCE, END, GameError, Move, PositionError, State, describe
from ruse.core.types import Odds
from ruse.forms.public_bounds import Bounds
from ruse.forms.public_tree import node_of

Array = np.ndarray[Any, np.dtype[Any]]
PLAYS = 20  # random ones, to see that positions are called as they are read here


class PublicTable(Mapping[str, Odds]):
    """From positions to odds. Positions are `title@hand/move/move`, with moves as people write them."""

    def __init__(self, game: Public, side: int, bounds: Bounds, sums: Array) -> None:
        self.game, self.side, self.bounds, self.sums = game, side, bounds, sums
        self._rules = game.public()
        self._tree, self._row = bounds.layout.tree, bounds.layout.row
        self._hand = {name: number for number, name in enumerate(self._tree.names[side])}
        _check_notation(game)

    def __getitem__(self, position: str) -> Odds:
        try:
            hand, moves = self._read(position)
            node, state = node_of(self._tree, self._rules, moves)
        except PositionError as error:
            raise KeyError(position) from error
        if self._tree.turn[node] != self.side or not self._possible(node, hand):
            raise KeyError(position)
        options = list(self._rules.moves(state))
        units = self._units(node, hand, self._reached(hand, moves))
        can = [self._possible(int(self._tree.first[node]) + number, hand) for number in range(len(options))]
        return {
            self.game.label(move): Fraction(part, sum(units))
            for move, part, possible in zip(options, units, can, strict=True)
            if possible
        }

    def _possible(self, node: int, hand: int) -> bool:
        return bool(self._tree.masks[self.side][self._tree.mask[self.side][node], hand])

    def _units(self, node: int, hand: int, whole: int) -> list[int]:
        """How the moves of a node share a hand's units; where the plan never comes, how they would."""
        first, end = int(self._tree.first[node]), int(self._tree.first[node + 1])
        row = int(self._row[first])
        if row < 0:
            return [1]
        return self.bounds.shares(self.side, self.sums, hand, row, end - first, whole or None)

    def _reached(self, hand: int, moves: Sequence[Move]) -> int:
        """The units of the plan that come along some moves."""
        node, state, whole = 0, self._rules.start(), 1 << self.bounds.bits
        for move in moves:
            place = list(self._rules.moves(state)).index(move)
            if self._tree.turn[node] == self.side and whole and self._row[self._tree.first[node]] >= 0:
                whole = self._units(node, hand, whole)[place]
            node = int(self._tree.first[node]) + place
            state = self._rules.play(state, move)
        return whole

    def _read(self, position: str) -> tuple[int, list[Move]]:
        head, *steps = position.split("/")
        title, _, name = head.rpartition("@")
        if title != self.game.title or name not in self._hand:
            raise PositionError(f"expected {self.game.title}@ and a hand, got {position!r}")
        state, moves = self._rules.start(), []
        for step in steps:
            options = self._rules.moves(state) if self._rules.turn(state) != END else ()
            found = [move for move in options if self.game.label(move) == step]
            if len(found) != 1:
                raise PositionError(f"expected a move out of {', '.join(map(self.game.label, options))}, got {step!r}")
            moves += found
            state = self._rules.play(state, found[0])
        return self._hand[name], moves

    def __iter__(self) -> Iterator[str]:
        stack: list[tuple[int, State, str]] = [(0, self._rules.start(), "")]
        names = self._tree.names[self.side]
        while stack:
            node, state, told = stack.pop()
            turn = int(self._tree.turn[node])
            if turn == END:
                continue
            if turn == self.side:
                for hand, name in enumerate(names):
                    if self._possible(node, hand):
                        yield f"{self.game.title}@{name}{told}"
            first = int(self._tree.first[node])
            moves = list(self._rules.moves(state))
            stack += [
                (first + number, self._rules.play(state, move), f"{told}/{self.game.label(move)}")
                for number, move in reversed(list(enumerate(moves)))
            ]

    @cached_property
    def _count(self) -> int:
        return self._tree.sizes()[self.side][0]

    def __len__(self) -> int:
        return self._count


def _check_notation(game: Public) -> None:
    """Refuse a game whose positions are called otherwise."""
    random, rules = Random(0), game.public()
    for _ in range(PLAYS):
        state = game.start()
        while (turn := game.turn(state)) != END:
            if turn != CHANCE:
                place = rules.place(state)
                assert place is not None
                steps = "".join(f"/{game.label(move)}" for move in place[2])
                expected = f"{game.title}@{rules.hands[turn][place[turn]]}{steps}"
                found = describe(game, game.knows(state, turn))
                if found != expected:
                    raise GameError(
                        f"expected positions that name a hand and the public moves, such as {expected}, got {found}"
                    )
            state = game.play(state, random.choice(list(game.moves(state))))
