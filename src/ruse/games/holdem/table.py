"""A side's strategy on a spot, looked up by position straight from whole-number weights.

Weights are 16- or 24-bit numbers, one for each move of the side's nodes, each board and each hand, in the order of
ruse.games.holdem.layout. The odds at a position are those of the plan that is certified: a hand's units are divided by
the weights on its way as ruse.kernels.whole_runouts says. Where the plan never comes, odds are the weights in
proportion.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ruse.core.arrays import Array
from ruse.core.game import CHANCE, END, GameError
from ruse.core.types import Odds
from ruse.games.holdem.cards import NAMES, NUMBERS, text_of
from ruse.games.holdem.layout import SpotLayout
from ruse.games.holdem.proof import LEVELS, bits_of, weight_kind
from ruse.games.holdem.suits import Renaming, renamed

if TYPE_CHECKING:
    from ruse.games.holdem.ranges import Pair
    from ruse.games.holdem.rules import Holdem

SAME: Renaming = (0, 1, 2, 3)


class Stored(NamedTuple):
    """Where the weights of a board lie: the board that stands for it, and the renaming of suits into that one."""

    board: int
    renaming: Renaming


class HoldemTable(Mapping[str, Odds]):
    """From positions to odds."""

    kept_as = "weights"

    def __init__(self, layout: SpotLayout, side: int, weights: Sequence[Array]) -> None:
        self.layout, self.game, self.side = layout, layout.game, side
        self.by_street = list(weights)
        self.bits = bits_of(layout, LEVELS[self.by_street[0].dtype])
        self._hand = {hand: number for number, hand in enumerate(self.game.weights[side])}
        self._stored: dict[tuple[int, ...], Stored] = {(): Stored(0, SAME)}

    # Where weights lie.

    @cached_property
    def _boards(self) -> list[dict[tuple[int, ...], int]]:
        return [{board.dealt: number for number, board in enumerate(street.boards)} for street in self.layout.streets]

    def stored(self, dealt: tuple[int, ...]) -> Stored:
        """Which board's weights count on a runout."""
        if dealt not in self._stored:
            before = self.stored(dealt[:-1])
            street = self.layout.streets[len(dealt)]
            above = self.layout.streets[len(dealt) - 1].boards[before.board]
            card = renamed(dealt[-1], before.renaming)
            for renaming in above.group:
                number = self._boards[street.number].get((*above.dealt, renamed(card, renaming)))
                if number is not None:
                    both = tuple(renaming[suit] for suit in before.renaming)
                    self._stored[dealt] = Stored(number, both)
                    break
        return self._stored[dealt]

    def weights_at(self, node: int, dealt: tuple[int, ...]) -> Array:
        """The weights of a node's moves on a runout, for each hand of the range: int64[moves, hands]."""
        street = self.layout.streets[len(dealt)]
        board, renaming = self.stored(dealt)
        many = len(self.game.tree.nodes[node].moves)
        own = street.sides[self.side]
        width, count = int(street.widths[self.side][board]), int(street.counts[self.side][board])
        begin = own.rows * int(street.places[self.side][board]) + own.row[node] * width
        rows = self.by_street[street.number][begin : begin + many * width].reshape(many, width)[:, :count]
        spread = np.ones((many, len(self._hand)), dtype=np.int64)
        spread[:, street.root[self.side][board]] = rows
        if renaming != SAME:
            spread = spread[:, self.layout.renamed(renaming, self.side)]
        return spread

    # Odds.

    def __getitem__(self, position: str) -> Odds:
        place = self._place(position)
        if place is None:
            raise KeyError(position)
        hand, way = place
        node, dealt = way[-1]
        units = int(self.layout.units[self.side][hand]) << self.bits
        for (at, came), (after, _) in pairwise(way):
            here = self.game.tree.nodes[at]
            if here.turn == self.side and units:
                units = self._parts(at, came, hand, units)[here.children.index(after)]
        parts = self._parts(node, dealt, hand, units) if units else self.weights_at(node, dealt)[:, hand].tolist()
        whole = sum(parts)
        moves = self.game.tree.nodes[node].moves
        return {move: Fraction(part, whole) for move, part in zip(moves, parts, strict=True)}

    def _parts(self, node: int, dealt: tuple[int, ...], hand: int, units: int) -> list[int]:
        """How a node's moves share a hand's units."""
        here, held = self.game.tree.nodes[node], list(self._hand)[hand]
        times = self.layout.scale(node)
        for lock in reversed(self.game.locks):
            if lock.fits(node, dealt, held):
                return [int(units * times * lock.odds.get(move, 0)) for move in here.moves]
        weights = self.weights_at(node, dealt)[:, hand].tolist()
        parts = [units * weight // sum(weights) for weight in weights]
        parts[weights.index(max(weights))] += units - sum(parts)
        return [part * times for part in parts]

    def _place(self, position: str) -> tuple[int, list[tuple[int, tuple[int, ...]]]] | None:
        """A hand, and the nodes with the cards that came, on the way to a decision of this side."""
        head, *steps = position.split("/")
        title, _, name = head.rpartition("@")
        game = self.game
        if title != game.title or len(name) != 4 or name[:2] not in NUMBERS or name[2:] not in NUMBERS:
            return None
        hand = NUMBERS[name[:2]], NUMBERS[name[2:]]
        if hand not in self._hand:
            return None
        node, dealt = 0, tuple[int, ...]()
        way = [(node, dealt)]
        for step in steps:
            here = game.tree.nodes[node]
            if here.turn == CHANCE:
                card = NUMBERS.get(step)
                if card is None or card not in game.deck.cards or card in (*game.board, *dealt, *hand):
                    return None
                dealt = (*dealt, card)
                node = here.children[0]
            elif step in here.moves:
                node = here.children[here.moves.index(step)]
            else:
                return None
            way.append((node, dealt))
        if game.tree.nodes[node].turn != self.side or self._is_locked(node, dealt, hand):
            return None
        return self._hand[hand], way

    def _is_locked(self, node: int, dealt: tuple[int, ...], hand: Pair) -> bool:
        return any(lock.fits(node, dealt, hand) for lock in self.game.locks)

    def __iter__(self) -> Iterator[str]:
        """All positions, early ones first."""
        game = self.game
        waiting: list[tuple[int, tuple[int, ...], tuple[str, ...]]] = [(0, (), ())]
        for node, dealt, steps in waiting:  # which grows
            here = game.tree.nodes[node]
            if here.turn == END:
                continue
            if here.turn == CHANCE:
                cards = [card for card in game.deck.cards if card not in (*game.board, *dealt)]
                waiting += [(here.children[0], (*dealt, card), (*steps, NAMES[card])) for card in cards]
                continue
            if here.turn == self.side:
                for hand in self._hand:
                    if not set(hand) & set(dealt) and not self._is_locked(node, dealt, hand):
                        yield "/".join([f"{game.title}@{text_of(hand)}", *steps])
            waiting += [(child, dealt, (*steps, move)) for move, child in zip(here.moves, here.children, strict=True)]

    def __len__(self) -> int:
        return self._count

    @cached_property
    def _count(self) -> int:
        """How many positions there are; with locks on some hands, those count too."""
        counts = 0
        pairs, cards = self.layout.pairs[self.side], self.game.deck.cards
        free = [card for card in cards if card not in self.game.board]
        for number, street in enumerate(self.layout.streets):
            left = len(free) - 2
            ways = 1
            for step in range(number):
                ways *= left - step
            locked = {lock.node for lock in self.game.locks if lock.hands is None}
            counts += ways * len(pairs) * sum(node not in locked for node in street.sides[self.side].nodes)
        return counts

    def digest(self) -> str:
        digest = sha256()
        for weights in self.by_street:
            digest.update(weights.dtype.str.encode() + np.ascontiguousarray(weights).data)
        return digest.hexdigest()

    def numbers(self) -> Array:
        """All weights, street by street."""
        return np.concatenate(self.by_street) if len(self.by_street) > 1 else self.by_street[0]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, HoldemTable):
            same = self.game.title == other.game.title and len(self.by_street) == len(other.by_street)
            return same and all(map(np.array_equal, self.by_street, other.by_street))
        return Mapping.__eq__(self, other)

    __hash__ = None  # type: ignore[assignment]


def tables_of(game: Holdem, numbers: Sequence[Array]) -> tuple[HoldemTable, HoldemTable]:
    """Both tables, of the weights that `HoldemTable.numbers` returns. Raises GameError if they do not fit."""
    layout = SpotLayout(game)
    kind = np.dtype(weight_kind(layout))
    tables = []
    for side in (0, 1):
        sizes = [street.numbers(side) for street in layout.streets]
        if len(numbers[side]) != sum(sizes) or numbers[side].dtype != kind:
            raise GameError(f"expected {sum(sizes):,} weights of {game.sides[side]} for {game.title}, got others")
        parts = np.split(numbers[side], np.cumsum(sizes)[:-1])
        tables.append(HoldemTable(layout, side, parts))
    return tables[0], tables[1]


def uniform(layout: SpotLayout, kind: Any) -> tuple[HoldemTable, HoldemTable]:
    """Both sides' uniform strategies."""
    first, second = (
        HoldemTable(layout, side, [np.ones(street.numbers(side), dtype=kind) for street in layout.streets])
        for side in (0, 1)
    )
    return first, second
