"""The public tree of a game where hands are dealt in secret and everything else is seen by both sides.

A node is what both sides have seen; each side holds one of its hands there, and has one information set a hand. With
x[h] the weight of all that side 0 did on the way to an end while it held hand h, and y[k] that of side 1, an end adds

    sum over h, k of x[h] * scale * matrix[h, k] * y[k] / denominator

to what side 0 gets: odds of the deal and of chance are in the matrix, and few matrices serve many ends. The tree has as
many nodes as a play of open hands, where the sequence form has a line for every pair of hands.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import gcd
from typing import NamedTuple

import numpy as np

from ruse.core.arrays import Array
from ruse.core.capabilities import ChosenHands, Public, PublicRules
from ruse.core.clock import tick
from ruse.core.exact import INT64
from ruse.core.game import CHANCE, END, GameError, Move, PositionError, State

MOST_NODES = (1 << 31) - 2  # so that numbers of nodes fit in int32
MOST_STATES = 500_000  # different public states, to meet one by one
TURNS = (0, 1, CHANCE, END)


class TooManyStates(GameError):
    """A public tree whose different states are too many to go through."""


@dataclass(frozen=True)
class PublicTree:
    """Nodes breadth first: those of a level lie together, and so do the children of a node, in the order of moves.

    Descendants of one node at one level lie together too, so a subtree is a stretch of each level. A child stands for
    the move that leads to it: an array over (node, move, hand) is an array over (child, hand).
    """

    hands: tuple[int, int]  # how many each side may hold
    names: tuple[tuple[str, ...], tuple[str, ...]]  # of hands
    turn: Array  # int8[nodes]: 0, 1, CHANCE or END
    first: Array  # int32[nodes + 1]: the children of node n are first[n]:first[n+1]
    level: Array  # int64[levels + 1]: the nodes of level l are level[l]:level[l+1]
    pay: Array  # int32[nodes]: at END, which line of `matrix` and `scale`; -1 elsewhere
    matrix: Array  # int32[pays], which of `matrices`
    scale: Array  # int64[pays]
    matrices: Array  # int64[kinds, hands of side 0, hands of side 1]
    denominator: int
    mask: tuple[Array, Array]  # int32[nodes] a side: which line of `masks` says what hands it may hold at a node
    masks: tuple[Array, Array]  # bool[kinds, hands] a side; line 0 is all of them
    chosen: bool  # whether each side chooses its hand, rather than being dealt it
    largest: int  # no hand's value at a node is larger, in units of 1 / denominator, if those of the other side weigh 1

    @property
    def nodes(self) -> int:
        return len(self.turn)

    @property
    def masked(self) -> bool:
        """Whether some hands are impossible somewhere."""
        return any(len(lines) > 1 for lines in self.masks)

    @cached_property
    def unit(self) -> int:
        """All entries of matrices are multiples of it."""
        return max(int(np.gcd.reduce(self.matrices.ravel())), 1)

    def sizes(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Information sets and sequences of each side, the empty one included; forced moves count too."""
        sizes = []
        for side in (0, 1):
            counts = self.masks[side].sum(axis=1)
            mine = np.flatnonzero(self.turn == side)
            infosets = int(counts[self.mask[side][mine]].sum())
            parent = np.repeat(np.arange(self.nodes), np.diff(self.first))
            below = np.flatnonzero(self.turn[parent] == side) + 1
            sizes.append((infosets, 1 + int(counts[self.mask[side][below]].sum())))
        return sizes[0], sizes[1]


class PublicTreeSize(NamedTuple):
    """How large a public tree is."""

    nodes: int
    rows: tuple[int, int]  # moves of each side, at nodes where it has a choice; one more where it chooses its hand
    hands: tuple[int, int]
    matrices: int  # different ones


class _Kind(NamedTuple):
    """A public state that was met, whatever way led there."""

    turn: int
    children: list[int]
    pay: int
    masks: tuple[int, int]


class _Met:
    """The different public states of a game, and all that stands at them."""

    def __init__(self, rules: PublicRules, title: str, most: int | None = None) -> None:
        self.rules, self.title, self.most = rules, title, MOST_STATES if most is None else most
        self.hands = len(rules.hands[0]), len(rules.hands[1])
        self.kinds: list[_Kind] = []
        self.states: list[State] = []
        self.order: list[int] = []
        self.pays: dict[tuple[int, int], int] = {}
        self.matrices: dict[Hashable, int] = {}
        self.masks: tuple[dict[bytes, int], dict[bytes, int]] = ({}, {})
        for side in (0, 1):
            self.masks[side][np.ones(self.hands[side], dtype=bool).tobytes()] = 0

    def walk(self) -> None:
        """Meet all states, and check what stands at them."""
        number: dict[State, int] = {}
        waiting = [self.rules.start()]
        number[waiting[0]] = 0
        for state in waiting:  # which grows
            tick()
            turn = self.rules.turn(state)
            if turn not in TURNS:
                raise GameError(f"expected a turn of 0, 1, CHANCE or END in {self.title}, got {turn!r} at {state!r}")
            children = []
            for move in self.rules.moves(state) if turn != END else ():
                after = self.rules.play(state, move)
                if after not in number:
                    if len(waiting) == self.most:
                        raise TooManyStates(
                            f"expected at most {self.most:,} different public states, got more in {self.title}: "
                            "use mccfr, which never builds a tree, or smaller parameters"
                        )
                    number[after] = len(waiting)
                    waiting.append(after)
                children.append(number[after])
            if turn != END and not children:
                raise GameError(
                    f"expected moves or an end in the public tree of {self.title}, got neither at {state!r}"
                )
            masks = self._mask(state, 0), self._mask(state, 1)
            self.kinds.append(_Kind(turn, children, self._pay(state) if turn == END else -1, masks))
        self.states = waiting
        self._order()
        self._check_masks()

    def _order(self) -> None:
        """Put states in an order in which children come first."""
        done, on_way = [False] * len(self.kinds), [False] * len(self.kinds)
        stack = [0]
        while stack:
            at = stack[-1]
            left = [] if done[at] else [child for child in self.kinds[at].children if not done[child]]
            if left and on_way[at]:
                raise GameError(
                    f"the public tree of {self.title} must not return to a state, but returns to {self.states[at]!r}"
                )
            on_way[at] = True
            if left:
                stack += left
                continue
            stack.pop()
            if not done[at]:
                done[at] = True
                self.order.append(at)

    def _check_masks(self) -> None:
        """Hands become impossible only by what their own side does, or by chance, and can always do something."""
        lines = [np.stack([np.frombuffer(line, dtype=bool) for line in self.masks[side]]) for side in (0, 1)]
        for state, kind in zip(self.states, self.kinds, strict=True):
            for side in (0, 1):
                before = lines[side][kind.masks[side]]
                after = [lines[side][self.kinds[child].masks[side]] for child in kind.children]
                if any((mask & ~before).any() for mask in after):
                    raise GameError(f"a hand becomes possible again after {state!r} in the public tree of {self.title}")
                if kind.turn == 1 - side and any((mask != before).any() for mask in after):
                    raise GameError(
                        f"a move of side {kind.turn} after {state!r} tells what side {side} holds in {self.title}"
                    )
                if kind.turn == side and (before & ~np.any(after, axis=0)).any():
                    hand = self.rules.hands[side][int(np.argmax(before & ~np.any(after, axis=0)))]
                    raise GameError(
                        f"hand {hand} of side {side} has no move at {state!r} in the public tree of {self.title}"
                    )

    def counts(self) -> PublicTreeSize:
        below = [(0, 0, 0)] * len(self.kinds)
        for at in self.order:
            kind = self.kinds[at]
            nodes, first, second = (sum(below[child][number] for child in kind.children) for number in range(3))
            many = len(kind.children) if len(kind.children) > 1 else 0
            below[at] = nodes + 1, first + many * (kind.turn == 0), second + many * (kind.turn == 1)
        nodes, first, second = below[0]
        chosen = isinstance(self.rules, ChosenHands)  # then hands have a line of weights, too
        return PublicTreeSize(nodes, (first + chosen, second + chosen), self.hands, len(self.matrices))

    def largest(self, matrices: Array) -> int:
        """The bound of `PublicTree.largest`: of payoffs that sides choose among the largest counts, those of different
        chances add up, and weights of a side's moves add up to the weight of its hand.
        """
        entries = [int(entry) for entry in np.abs(matrices).max(axis=(1, 2), initial=0)]
        pays = [entries[matrix] * max(abs(scale), 1) for matrix, scale in self.pays]
        values = [0] * len(self.kinds)
        for at in self.order:
            kind = self.kinds[at]
            below = [values[child] for child in kind.children]
            values[at] = pays[kind.pay] if kind.turn == END else sum(below) if kind.turn == CHANCE else max(below)
        return values[0] * max(self.hands)

    def _pay(self, state: State) -> int:
        name, scale = self.rules.payoff(state)
        matrix = self.matrices.setdefault(name, len(self.matrices))
        return self.pays.setdefault((matrix, int(scale)), len(self.pays))

    def _mask(self, state: State, side: int) -> int:
        possible = self.rules.possible(state, side)
        if possible is None:
            return 0
        mask = np.asarray(possible)
        if mask.shape != (self.hands[side],) or mask.dtype != bool:
            raise GameError(
                f"expected {self.hands[side]} times whether a hand is possible in {self.title}, "
                f"got {mask.dtype}{list(mask.shape)} at {state!r}"
            )
        return self.masks[side].setdefault(mask.tobytes(), len(self.masks[side]))

    def matrix(self, name: Hashable) -> Array:
        entries = np.asarray(self.rules.matrix(name))
        if entries.shape != self.hands or entries.dtype.kind not in "iu":
            raise GameError(
                f"expected whole numbers for {self.hands[0]} x {self.hands[1]} hands as the matrix {name!r} of "
                f"{self.title}, got {entries.dtype}{list(entries.shape)}"
            )
        return entries.astype(np.int64)


def counted(game: Public) -> PublicTreeSize:
    """How large the public tree is, without writing it down."""
    met = _Met(game.public(), game.title)
    met.walk()
    return met.counts()


def public_tree(game: Public, most_states: int | None = None) -> PublicTree:
    """Write the public tree down, level by level. Raises TooManyStates beyond MOST_STATES, or as many as are given."""
    rules = game.public()
    met = _Met(rules, game.title, most_states)
    met.walk()
    nodes = met.counts().nodes
    if nodes > MOST_NODES:
        raise GameError(f"expected a public tree of at most {MOST_NODES:,} nodes, got {nodes:,} in {game.title}")
    kinds = met.kinds
    counts = np.array([len(kind.children) for kind in kinds], dtype=np.int64)
    starts = np.concatenate([[0], np.cumsum(counts)])
    children = np.array([child for kind in kinds for child in kind.children], dtype=np.int64)
    number = np.empty(nodes, dtype=np.int32)  # which state each node is
    first = np.empty(nodes + 1, dtype=np.int32)
    level, low, high = [0], 0, 1
    number[0] = 0
    while low < high:
        tick()
        here = number[low:high]
        many = counts[here]
        ends = high + np.cumsum(many)
        first[low:high] = ends - many
        level.append(high)
        below = int(ends[-1])
        # child j of a node is the j-th of its state's: one long gather
        number[high:below] = children[np.arange(below - high) + np.repeat(starts[here] - (ends - many - high), many)]
        low, high = high, below
    first[nodes] = nodes
    scale = [scale for _, scale in met.pays]
    if max(map(abs, scale), default=0) >= INT64 or rules.denominator < 1:
        raise GameError(f"expected payoffs in 64 bits over a positive denominator in the public tree of {game.title}")
    matrices = np.stack([met.matrix(name) for name in met.matrices])
    unit = gcd(int(rules.denominator), int(np.gcd.reduce(matrices, axis=None)))
    matrices //= unit
    table = [np.array([getattr(kind, name) for kind in kinds]) for name in ("turn", "pay")]
    return PublicTree(
        met.hands,
        (tuple(rules.hands[0]), tuple(rules.hands[1])),
        table[0].astype(np.int8)[number],
        first,
        np.array(level, dtype=np.int64),
        table[1].astype(np.int32)[number],
        np.array([matrix for matrix, _ in met.pays], dtype=np.int32),
        np.array(scale, dtype=np.int64),
        matrices,
        int(rules.denominator) // unit,
        _pair([np.array([kind.masks[side] for kind in kinds], dtype=np.int32)[number] for side in (0, 1)]),
        _pair([np.stack([np.frombuffer(line, dtype=bool) for line in met.masks[side]]) for side in (0, 1)]),
        isinstance(rules, ChosenHands),
        met.largest(matrices),
    )


def _pair(arrays: Sequence[Array]) -> tuple[Array, Array]:
    first, second = arrays
    return first, second


def node_of(tree: PublicTree, rules: PublicRules, moves: Sequence[Move]) -> tuple[int, State]:
    """The node after some public moves, and its state. Raises PositionError."""
    node, state = 0, rules.start()
    for move in moves:
        options = list(rules.moves(state)) if rules.turn(state) != END else []
        if move not in options:
            expected = f"one of {', '.join(map(str, options))}" if options else "no move after the end"
            raise PositionError(f"expected {expected}, got {move!r}")
        node = int(tree.first[node]) + options.index(move)
        state = rules.play(state, move)
    return node, state
