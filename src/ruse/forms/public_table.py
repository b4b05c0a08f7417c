"""A side's strategy on a public tree, looked up by position straight from the sums of its plans.

    position -> hand and node -> whole plan along the hand's own way -> odds of the last node's moves

The odds are those of the very plan that was certified (ruse.forms.public_bounds). Nothing is written out.
"""

from __future__ import annotations

from collections import deque
from collections.abc import ItemsView, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from random import Random

import numpy as np

from ruse.core.arrays import Array
from ruse.core.capabilities import ChosenHands, Public
from ruse.core.game import CHANCE, END, GameError, Move, PositionError, State, describe
from ruse.core.types import Odds, Tables
from ruse.forms.public_bounds import Bounds
from ruse.forms.public_layout import Layout, laid_out
from ruse.forms.public_tree import counted, node_of, public_tree

PLAYS = 20  # random ones, to see that positions are called as they are read here


class PublicTable(Mapping[str, Odds]):
    """From positions to odds. Positions are `title@hand/move/move`, with moves as people write them."""

    kept_as = "rows"

    def __init__(self, game: Public, side: int, bounds: Bounds, sums: Array) -> None:
        self.game, self.side, self.bounds, self.sums = game, side, bounds, sums
        self._rules = game.public()
        self._tree, self._row = bounds.layout.tree, bounds.layout.row
        self._hand = {name: number for number, name in enumerate(self._tree.names[side])}
        self._chosen = rules if isinstance(rules := self._rules, ChosenHands) else None
        self._start = bounds.start(side, sums)
        self._choosing = {} if self._chosen is None else _choosing(game, self._chosen, side, self._start)
        _check_notation(game)

    def __getitem__(self, position: str) -> Odds:
        if position in self._choosing:
            return self._choosing[position]
        try:
            hand, moves = self._read(position)
            node, state = node_of(self._tree, self._rules, moves)
        except PositionError as error:
            raise KeyError(position) from error
        if self._tree.turn[node] != self.side or not self._possible(node, hand):
            raise KeyError(position)
        units = self._units(node, hand, self._reached(hand, moves))
        return self._shares(node, hand, list(self._rules.moves(state)), units)

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
        node, state, whole = 0, self._rules.start(), self._start[hand]
        for move in moves:
            place = list(self._rules.moves(state)).index(move)
            if self._tree.turn[node] == self.side and whole and self._row[self._tree.first[node]] >= 0:
                whole = self._units(node, hand, whole)[place]
            node = int(self._tree.first[node]) + place
            state = self._rules.play(state, move)
        return whole

    def _read(self, position: str) -> tuple[int, Sequence[Move]]:
        if self._chosen is not None:
            place = self._chosen.read(self.side, position.removeprefix(self.game.title))
            if place is None or not position.startswith(self.game.title):
                raise PositionError(f"expected a position of {self.game.title}, got {position!r}")
            return place
        head, *steps = position.split("/")
        title, _, name = head.rpartition("@")
        if title != self.game.title or name not in self._hand:
            raise PositionError(f"expected {self.game.title}@ and a hand, got {position!r}")
        state, moves = self._rules.start(), list[Move]()
        for step in steps:
            options = self._rules.moves(state) if self._rules.turn(state) != END else ()
            matching = [move for move in options if self.game.label(move) == step]
            if len(matching) != 1:
                known = ", ".join(map(self.game.label, options))
                raise PositionError(f"expected one of the moves {known}, got {step!r}")
            moves += matching
            state = self._rules.play(state, matching[0])
        return self._hand[name], moves

    def __iter__(self) -> Iterator[str]:
        return (position for position, _ in self._positions())

    def items(self) -> ItemsView[str, Odds]:
        return _Items(self)

    def _positions(self, odds: bool = False) -> Iterator[tuple[str, Odds]]:
        """Return all positions, early ones first, with their odds if `odds` says so: quicker than one by one."""
        yield from self._choosing.items()
        names = self._tree.names[self.side]
        first_one: tuple[int, State, tuple[Move, ...], list[int]] = (0, self._rules.start(), (), self._start)
        waiting = deque([first_one])
        while waiting:
            node, state, way, wholes = waiting.popleft()
            turn = int(self._tree.turn[node])
            if turn == END:
                continue
            moves = list(self._rules.moves(state))
            first, split = int(self._tree.first[node]), [wholes] * len(moves)
            if turn == self.side:
                units = [self._units(node, hand, whole) if odds else [] for hand, whole in enumerate(wholes)]
                for hand in range(len(names)):
                    position = self._position(hand, way) if self._possible(node, hand) else None
                    if position is not None:
                        yield position, self._shares(node, hand, moves, units[hand]) if odds else {}
                if odds and len(moves) > 1:
                    reached = [parts if whole else [0] * len(moves) for parts, whole in zip(units, wholes, strict=True)]
                    split = [list(parts) for parts in zip(*reached, strict=True)]
            waiting += [
                (first + number, self._rules.play(state, move), (*way, move), split[number])
                for number, move in enumerate(moves)
            ]

    def _position(self, hand: int, way: Sequence[Move]) -> str | None:
        """The position of a hand after some public moves, if it is one."""
        if self._chosen is None:
            return position_of_hand(self.game, self._tree.names[self.side][hand], way)
        text = self._chosen.told(self.side, self._chosen.choices(self.side)[hand], way)
        return None if text is None else self.game.title + text

    def _shares(self, node: int, hand: int, moves: Sequence[Move], units: list[int]) -> Odds:
        """The odds of the moves that a hand can make."""
        first, whole = int(self._tree.first[node]), sum(units)
        return {
            self.game.label(move): Fraction(part, whole)
            for number, (move, part) in enumerate(zip(moves, units, strict=True))
            if self._possible(first + number, hand)
        }

    def weights(self) -> Array:
        """The sums as files hold them, which does not depend on any layout: float[children of this side's nodes with
        a choice, hands], children in the order of nodes.
        """
        width, hands = self.bounds.layout.sides[self.side].width, self._tree.hands[self.side]
        weights: Array = self.sums.reshape(-1, width)[_rows(self.bounds.layout, self.side), :hands]
        return weights

    def digest(self) -> str:
        numbers = np.ascontiguousarray(self.weights())
        return sha256(numbers.dtype.str.encode() + numbers.tobytes()).hexdigest()

    def __eq__(self, other: object) -> bool:
        if isinstance(other, PublicTable):
            return self.game.title == other.game.title and np.array_equal(self.weights(), other.weights())
        return Mapping.__eq__(self, other)

    __hash__ = None  # type: ignore[assignment]

    @cached_property
    def _count(self) -> int:
        if self._chosen is not None:  # where not every node is a position
            return sum(1 for _ in self)
        return self._tree.sizes()[self.side][0]

    def __len__(self) -> int:
        return self._count


class _Items(ItemsView[str, Odds]):
    def __init__(self, table: PublicTable) -> None:
        super().__init__(table)
        self._table = table

    def __iter__(self) -> Iterator[tuple[str, Odds]]:
        return self._table._positions(odds=True)


def public_tables(game: Public, weights: tuple[Array, Array], bounds: Bounds | None = None) -> Tables:
    """Both tables, of weights as files hold them. Raises GameError where those are not of this game's tree."""
    if bounds is None:
        counts = counted(game)
        expected = list(zip(counts.rows, counts.hands, strict=True))
        if [array.shape for array in weights] != expected:
            raise GameError(f"expected weights of {expected} moves and hands for {game.title}, got others")
        bounds = Bounds(laid_out(public_tree(game)))
    tables = []
    for number in (0, 1):
        array = np.asarray(weights[number])
        if not np.isfinite(array).all() or (array < 0).any():
            raise GameError(f"expected weights of at least 0 for {game.title}, got others")
        tables.append(PublicTable(game, number, bounds, in_layout(bounds.layout, number, array)))
    return tables[0], tables[1]


def in_layout(layout: Layout, side: int, weights: Array) -> Array:
    """A side's weights as files hold them, as the kernels take them."""
    fixed = layout.sides[side]
    sums = np.zeros((fixed.rows + layout.tree.chosen, fixed.width), dtype=weights.dtype)
    sums[_rows(layout, side), : weights.shape[1]] = weights
    return sums.ravel()


def _rows(layout: Layout, side: int) -> Array:
    """Where the children of a side's nodes have their rows, in the order of nodes."""
    tree = layout.tree
    mine = np.repeat(tree.turn == side, np.diff(tree.first))  # of every node but the first, whose child it is
    rows: Array = layout.row[1:][mine]
    return np.concatenate([rows[rows >= 0], np.arange(tree.chosen) + layout.sides[side].rows])


def position_of_hand(game: Public, name: str, moves: Sequence[Move]) -> str:
    """The position of a hand after some public moves."""
    return f"{game.title}@{name}" + "".join(f"/{game.label(move)}" for move in moves)


def _choosing(game: Public, rules: ChosenHands, side: int, units: Sequence[int]) -> dict[str, Odds]:
    """The odds of each step of choosing a hand: by the units of the hands that it leads to."""
    steps: dict[tuple[Move, ...], dict[Move, list[int]]] = {}
    for hand, choice in enumerate(rules.choices(side)):
        for length, move in enumerate(choice):
            steps.setdefault(tuple(choice[:length]), {}).setdefault(move, []).append(hand)
    table: dict[str, Odds] = {}
    for chosen, following in steps.items():
        weights = {move: sum(units[hand] for hand in hands) for move, hands in following.items()}
        if not any(weights.values()):
            weights = {move: len(hands) for move, hands in following.items()}
        whole = sum(weights.values())
        odds = {game.label(move): Fraction(weight, whole) for move, weight in weights.items()}
        table[f"{game.title}{rules.told(side, chosen, ())}"] = odds
    return table


def _check_notation(game: Public) -> None:
    """Refuse a game whose positions are called otherwise."""
    random, rules = Random(0), game.public()
    for _ in range(PLAYS):
        state = game.start()
        while (turn := game.turn(state)) != END:
            if turn != CHANCE:
                place, actual = rules.place(state), describe(game, game.knows(state, turn))
                if place is None:
                    state = game.play(state, random.choice(list(game.moves(state))))
                    continue
                hand = place[:2][turn]
                expected = position_of_hand(game, rules.hands[turn][hand], place[2])
                if isinstance(rules, ChosenHands):
                    expected = f"{game.title}{rules.told(turn, rules.choices(turn)[hand], place[2])}"
                if actual != expected:
                    raise GameError(
                        f"expected positions that name a hand and the public moves, such as {expected}, got {actual}"
                    )
            state = game.play(state, random.choice(list(game.moves(state))))
