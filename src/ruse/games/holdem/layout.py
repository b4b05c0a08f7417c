"""A spot on arrays: streets with their rows, boards with the hands that they leave (ruse.kernels.runouts).

Hands of a board of the last street lie in order of strength, those of other boards in the order of the range. `root`
says which hand of the range each of them is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import zip_longest
from math import lcm, prod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ruse.core.arrays import Array
from ruse.core.clock import tick
from ruse.core.game import CHANCE, END
from ruse.games.holdem.cards import CARDS, strengths
from ruse.games.holdem.suits import Renaming, classes, keeping, renamed_pair, renamings
from ruse.kernels.showdowns import FOLDS, LANES, SHOWS
from ruse.kernels.vectors import VECTOR_WIDTH

if TYPE_CHECKING:
    from ruse.games.holdem.betting import BetNode, BettingTree
    from ruse.games.holdem.rules import Holdem

Pair = tuple[Array, Array]
Step = tuple[int, int]  # a decision and the number of the move there; or -1 and the number of the root


class Runout(NamedTuple):
    """Cards that came since the spot began, and the boards that it stands for."""

    dealt: tuple[int, ...]
    parent: int  # on the street before
    members: tuple[Renaming, ...]  # into each board that it stands for, itself first
    group: tuple[Renaming, ...]  # that change nothing from here on


class StreetEnd(NamedTuple):
    slots: tuple[int, int]
    folded: int  # the side that folded, or -1
    node: int


@dataclass
class StreetSide:
    """A side's decisions on a street."""

    runs: Array  # int64[runs, 4]: nodes low:high with so many moves, whose rows begin at
    parent: Array  # int64[nodes], slots
    nodes: list[int]  # of the tree of bets, in this order
    rows: int
    row: dict[int, int]  # where the moves of a node begin


@dataclass
class Street:
    number: int
    roots: list[int]  # nodes of the tree of bets
    sides: tuple[StreetSide, StreetSide]
    ends: list[StreetEnd]
    deals: Array  # int64[roots of the next street, 2]: slots
    deal_nodes: list[int]  # the node after each
    boards: list[Runout] = field(default_factory=list)
    root: Any = None  # for each side and board: which hands of the range are left, in order
    counts: Any = None  # int64[boards] a side
    widths: Any = None  # with padding
    places: Any = None  # where a board's hands begin, in padded hands

    def slots(self, side: int) -> int:
        return len(self.roots) + self.sides[side].rows

    def numbers(self, side: int) -> int:
        """How many numbers there are, one for each row and hand of each board."""
        return self.sides[side].rows * int(self.widths[side].sum())


def padded(count: int) -> int:
    return -(-max(count, 1) // VECTOR_WIDTH) * VECTOR_WIDTH


def streets_of(tree: BettingTree) -> list[Street]:
    """The tree of bets by streets."""
    streets: list[Street] = []
    roots = [0]
    while roots:
        street = _street(tree, len(streets), roots)
        streets.append(street)
        roots = street.deal_nodes
    return streets


def _street(tree: BettingTree, number: int, roots: list[int]) -> Street:
    """The nodes of a street: what each side does first comes first, and nodes with equally many moves lie together."""
    collected: tuple[list[tuple[int, int, int]], list[tuple[int, int, int]]] = ([], [])  # depth, moves, node
    first: dict[int, tuple[Step, Step]] = {}  # of a node, by side: last decision and move
    stack = [(root, ((-1, place), (-1, place)), (0, 0)) for place, root in reversed(list(enumerate(roots)))]
    order: list[int] = []
    while stack:
        at, last, depth = stack.pop()
        node = tree.nodes[at]
        first[at] = last
        order.append(at)
        if node.turn in (CHANCE, END):
            continue
        side = node.turn
        collected[side].append((depth[side], len(node.moves), at))
        deeper = (depth[0] + (side == 0), depth[1] + (side == 1))
        for move, child in reversed(list(enumerate(node.children))):
            now = ((at, move), last[1]) if side == 0 else (last[0], (at, move))
            stack.append((child, now, deeper))
    sides = []
    for side in (0, 1):
        sides.append(_side(tree, collected[side], first, side, len(roots)))

    def slot(at: int, side: int) -> int:
        decision, move = first[at][side]
        return move if decision < 0 else len(roots) + sides[side].row[decision] + move

    ends: list[StreetEnd] = []
    deals: list[tuple[int, int]] = []
    following: list[int] = []
    for at in order:
        node = tree.nodes[at]
        if node.turn == END:
            ends.append(StreetEnd((slot(at, 0), slot(at, 1)), node.folded, at))
        elif node.turn == CHANCE:
            deals.append((slot(at, 0), slot(at, 1)))
            following.append(node.children[0])
    return Street(number, roots, (sides[0], sides[1]), ends, np.array(deals, dtype=np.int64).reshape(-1, 2), following)


def _side(tree: BettingTree, collected: list[tuple[int, int, int]], first: Any, side: int, roots: int) -> StreetSide:
    ordered = sorted(collected, key=lambda entry: entry[:2])  # stable: in the order of the tree otherwise
    row: dict[int, int] = {}
    rows = 0
    for _, many, at in ordered:
        row[at] = rows
        rows += many
    parent = []
    for _, _, at in ordered:
        decision, move = first[at][side]
        parent.append(move if decision < 0 else roots + row[decision] + move)
    runs: list[list[int]] = []
    before = None
    for place, (depth, many, at) in enumerate(ordered):
        if (depth, many) != before:
            runs.append([place, place, many, row[at]])
            before = (depth, many)
        runs[-1][1] = place + 1
    nodes = [at for _, _, at in ordered]
    return StreetSide(np.array(runs, dtype=np.int64).reshape(-1, 4), np.array(parent, dtype=np.int64), nodes, rows, row)


EndPair = tuple[StreetEnd | None, StreetEnd | None]  # a showdown and a fold


def _end_pairs(street: Street, side: int) -> list[EndPair]:
    """Each showdown with a fold that the side comes to by the same move: showdowns alone first, folds alone last."""
    by_slot: dict[int, tuple[list[StreetEnd], list[StreetEnd]]] = {}
    for end in street.ends:
        by_slot.setdefault(end.slots[side], ([], []))[end.folded >= 0].append(end)
    pairs: list[EndPair] = [pair for shows, folds in by_slot.values() for pair in zip_longest(shows, folds)]
    return sorted(pairs, key=lambda pair: 0 if pair[1] is None else 2 if pair[0] is None else 1)


def _end_blocks(street: Street, me: int, kind: Any, amount: Callable[[StreetEnd, int], float]) -> Any:
    """The ends of a street as the kernels take them for one side: LANES pairs of a showdown and a fold to a block."""
    pairs = _end_pairs(street, 1 - me)
    count = -(-len(pairs) // LANES)
    flags = np.zeros(count, dtype=np.int64)
    slots = np.full(count * LANES, street.slots(1 - me), dtype=np.int64)
    to = [np.full(count * LANES, street.slots(me), dtype=np.int64) for _ in range(2)]
    amounts = [np.zeros(count * LANES, dtype=kind) for _ in range(2)]
    for number, pair in enumerate(pairs):
        for which, end in enumerate(pair):
            if end is None:
                continue
            flags[number // LANES] |= FOLDS if which else SHOWS
            slots[number] = end.slots[1 - me]
            to[which][number] = end.slots[me]
            amounts[which][number] = amount(end, me)
    return flags, slots, to[0], amounts[0], to[1], amounts[1]


class SpotLayout:
    """Everything about a spot that does not change while it is solved."""

    def __init__(self, game: Holdem) -> None:
        self.game = game
        self.streets = streets_of(game.tree)
        self.pairs = [np.array(list(weights), dtype=np.int64).reshape(-1, 2) for weights in game.weights]
        self.denominators = [lcm(*(weight.denominator for weight in weights.values())) for weights in game.weights]
        self.units = [
            np.array([int(weight * whole) for weight in weights.values()], dtype=np.int64)
            for weights, whole in zip(game.weights, self.denominators, strict=True)
        ]
        self.group = renamings(game)
        self._renamed: dict[tuple[Renaming, int], Array] = {}
        self._boards()
        self._hands()

    # Boards.

    def _boards(self) -> None:
        """All boards of each street, one of each class."""
        board = Runout((), -1, (tuple(range(4)),), tuple(self.group))
        self.streets[0].boards = [board]
        for before, street in zip(self.streets, self.streets[1:], strict=False):
            for number, above in enumerate(before.boards):
                taken = {*self.game.board, *above.dealt}
                cards = [card for card in self.game.deck.cards if card not in taken]
                for card, members in classes(cards, above.group):
                    group = tuple(keeping(card, above.group))
                    street.boards.append(Runout((*above.dealt, card), number, tuple(members), group))

    @property
    def cards_left(self) -> list[int]:
        """How many cards each deal draws from, for two hands that are known."""
        first = len(self.game.deck.cards) - len(self.game.board) - 4
        return [first - number for number in range(len(self.streets) - 1)]

    def renamed(self, renaming: Renaming, side: int) -> Array:
        """Which hand of a range each becomes."""
        if (renaming, side) not in self._renamed:
            number = {hand: place for place, hand in enumerate(self.game.weights[side])}
            self._renamed[renaming, side] = np.array(
                [number[renamed_pair(hand, renaming)] for hand in number], dtype=np.int64
            )
        return self._renamed[renaming, side]

    # Hands.

    def _hands(self) -> None:
        """What the boards leave of both ranges, who is stronger, and where each hand was before the card."""
        by_card = [[(pairs == card).any(axis=1) for card in range(CARDS)] for pairs in self.pairs]
        number = [{tuple(pair): place for place, pair in enumerate(pairs.tolist())} for pairs in self.pairs]
        self.same = [
            np.array([number[1 - side].get(tuple(pair), -1) for pair in self.pairs[side].tolist()], dtype=np.int64)
            for side in (0, 1)
        ]
        last = self.streets[-1]
        for street in self.streets:
            ranked = self._strengths(street) if street is last else None
            street.root = ([], [])
            for place, board in enumerate(street.boards):
                tick()
                for side in (0, 1):
                    alive = np.ones(len(self.pairs[side]), dtype=bool)
                    for card in board.dealt:
                        alive &= ~by_card[side][card]
                    left = np.flatnonzero(alive)
                    if ranked is not None:
                        left = left[np.argsort(ranked[side][place][left], kind="stable")]
                    street.root[side].append(left.astype(np.int16))
            street.counts = tuple(np.array([len(left) for left in roots], dtype=np.int64) for roots in street.root)
            street.widths = tuple(np.array([padded(n) for n in counts], dtype=np.int64) for counts in street.counts)
            street.places = tuple(np.concatenate([[0], np.cumsum(widths)[:-1]]) for widths in street.widths)
            if ranked is not None:
                self._ranked = ranked

    def _strengths(self, street: Street) -> tuple[Array, Array]:
        boards = [(*self.game.board, *board.dealt) for board in street.boards]
        first, second = (strengths(pairs, boards).astype(np.int32) for pairs in self.pairs)
        return first, second

    def hands(self, street: Street) -> Any:
        """Each side's hands as the kernels take them, of all boards one after the other."""
        last = street is self.streets[-1]
        sides = []
        for side in (0, 1):
            size = int(street.widths[side].sum())
            arrays = [np.zeros(size, dtype=np.int16) for _ in range(5)]
            first, second, lower, upper, same = arrays
            for place, left in enumerate(street.root[side]):
                begin = int(street.places[side][place])
                here = slice(begin, begin + len(left))
                its = street.root[1 - side][place]
                wide = int(street.widths[1 - side][place])
                first[here], second[here] = self.pairs[side][left, 0], self.pairs[side][left, 1]
                positions = np.full(len(self.pairs[1 - side]) + 1, wide, dtype=np.int64)
                positions[its] = np.arange(len(its))
                same[here] = positions[self.same[side][left]]
                if last:
                    own, other = self._ranked[side][place][left], self._ranked[1 - side][place][its]
                    lower[here] = np.searchsorted(other, own, side="left")
                    upper[here] = np.searchsorted(other, own, side="right")
            sides.append((street.counts[side], *arrays))
        return tuple(sides)

    def links(self, number: int, kind: Any) -> Any:
        """How boards of a street follow from those of the street before: deals, odds, and where hands were."""
        before, street = self.streets[number], self.streets[number + 1]
        ups, places = [], []
        for side in (0, 1):
            above = []
            for left in before.root[side]:
                positions = np.zeros(len(self.pairs[side]), dtype=np.int16)
                positions[left] = np.arange(len(left), dtype=np.int16)
                above.append(positions)
            parts, begins, at = [], [], 0
            for place, board in enumerate(street.boards):
                width = int(street.widths[side][place])
                begins.append(at)
                for renaming in board.members:
                    part = np.zeros(width, dtype=np.int16)
                    left = street.root[side][place]
                    part[: len(left)] = above[board.parent][self.renamed(renaming, side)[left]]
                    parts.append(part)
                    at += width
            ups.append(np.concatenate(parts))
            places.append(np.array(begins, dtype=np.int64))
        copies = np.array([len(board.members) for board in street.boards], dtype=np.int64)
        times = kind(1 / self.cards_left[number]) if np.dtype(kind).kind == "f" else kind(1)
        like, several = self._alike(before)
        return before.deals, times, tuple(places), tuple(ups), copies, like, several

    def _alike(self, street: Street) -> tuple[Any, Array]:
        """For each hand of a board the first that differs from it only by suits that nothing tells apart."""
        likes = []
        for side in (0, 1):
            like = np.zeros(int(street.widths[side].sum()), dtype=np.int16)
            for place, board in enumerate(street.boards):
                left = street.root[side][place]
                positions = np.zeros(len(self.pairs[side]), dtype=np.int64)
                positions[left] = np.arange(len(left))
                first = np.arange(len(left))
                for renaming in board.group:
                    first = np.minimum(first, positions[self.renamed(renaming, side)[left]])
                begin = int(street.places[side][place])
                like[begin : begin + len(left)] = first
            likes.append(like)
        return tuple(likes), np.array([len(board.group) > 1 for board in street.boards])

    def children(self) -> Array:
        """Of a spot on a flop: where the rivers of each turn begin."""
        parents = np.array([board.parent for board in self.streets[2].boards])
        return np.searchsorted(parents, np.arange(len(self.streets[1].boards) + 1)).astype(np.int64)

    # Ends.

    def scale(self, node: int) -> int:
        """By what values are multiplied at a node with locks, so that its odds are whole numbers."""
        return self._scales.get(node, 1)

    @property
    def _scales(self) -> dict[int, int]:
        scales: dict[int, int] = {}
        for lock in self.game.locks:
            scales[lock.node] = lcm(scales.get(lock.node, 1), lock.denominator)
        return scales

    def path_scales(self) -> tuple[dict[int, int], int]:
        """For each end the product of the scales on its way, and a common multiple of all."""
        scales, collected, whole = self._scales, {}, 1
        nodes: list[BetNode] = self.game.tree.nodes
        stack = [(0, 1)]
        while stack:
            at, so_far = stack.pop()
            node = nodes[at]
            so_far *= scales.get(at, 1) if node.turn >= 0 else 1
            if node.turn == END:
                collected[at] = so_far
                whole = lcm(whole, so_far)
            stack += [(child, so_far) for child in node.children]
        return collected, whole

    def ends(self, street: Street, kind: Any) -> Any:
        """The ends of a street in blocks, for each side. Whole numbers are half chips, times the scales of locks."""
        assert street is self.streets[-1] or all(end.folded >= 0 for end in street.ends)
        whole = np.dtype(kind).kind == "i"
        scales, most = self.path_scales() if whole and self.game.locks else ({}, 1)
        most *= prod(self.cards_left[street.number :]) if whole else 1  # a fold counts for all cards to come

        def amount(end: StreetEnd, me: int) -> float:
            chips = self.game.pot + 2 * min(self.game.tree.nodes[end.node].stakes)
            won = -chips if end.folded == me else chips
            return won * (most // scales.get(end.node, 1)) if whole else won / 2

        return tuple(_end_blocks(street, me, kind, amount) for me in (0, 1))

    # Sizes.

    def numbers(self) -> int:
        """How many regrets there are."""
        return sum(street.numbers(side) for street in self.streets for side in (0, 1))

    def runouts(self) -> int:
        """How many ways there are to deal all cards, whatever hands are held."""
        left = len(self.game.deck.cards) - len(self.game.board)
        return prod(left - number for number in range(len(self.streets) - 1))
