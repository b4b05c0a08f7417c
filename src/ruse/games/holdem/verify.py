"""What strategies of a spot guarantee, from the tree of bets alone: without boards that stand for others, without the
order of ruse.games.holdem.layout, and with hands judged one by one.

Every card is dealt. Units of the other side's hands go down the tree of bets node by node, for all boards of a
street at once; what my hands get comes back up. Sums of units by card and strength are differences of running sums.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from math import lcm, prod
from typing import Any

import numpy as np

from ruse.core.arrays import Array
from ruse.core.certificate import GAME_VERIFIER, Certificate
from ruse.core.clock import tick
from ruse.core.game import CHANCE, END
from ruse.core.types import Lookup, StrategyTable, Tables
from ruse.games.holdem.cards import CARDS, plain_strength
from ruse.games.holdem.rules import Holdem
from ruse.games.holdem.table import HoldemTable
from ruse.verify.tree import VerifyError
from ruse.verify.verifier import Verifier

STRONGEST = 1 << 40
MOST_BITS = 62


class HoldemVerifier(Verifier[Holdem]):
    """Weights are checked on all runouts; odds that are written out, by a walk of the rules."""

    def __init__(self, game: Holdem, by_class: bool = True) -> None:
        super().__init__(game, by_class)

    def bounds(self, tables: Tables) -> Certificate:
        first, second = tables
        if not isinstance(first, HoldemTable) or not isinstance(second, HoldemTable):
            return super().bounds(tables)
        half = Fraction(self.game.pot, 2)
        upper = half + best_response(self.game, 0, second)
        return Certificate(half - best_response(self.game, 1, first), upper, GAME_VERIFIER)

    def guarantee(self, side: int, table: StrategyTable) -> Fraction:
        if not isinstance(table, HoldemTable):
            return super().guarantee(side, table)
        gain = best_response(self.game, 1 - side, table)
        return Fraction(self.game.pot, 2) + (gain if side else -gain)

    def score(self, side: int, lookup: Lookup) -> Fraction:
        self.check_size()
        return super().score(side, lookup)


verifier = HoldemVerifier


def best_response(game: Holdem, me: int, table: HoldemTable) -> Fraction:
    """What a side's best response gets beyond half of the pot, against the other side's strategy."""
    return Walk(game, me, table).gain()


class Boards:
    """Boards of a street, and what is known of all of them at once."""

    def __init__(self, walk: Walk, dealt: Sequence[tuple[int, ...]]) -> None:
        self.walk, self.dealt = walk, dealt

    @cached_property
    def order(self) -> tuple[Array, ...]:
        """The order of the other side's hands by strength, and by card and strength; and where mine come in there."""
        walk = self.walk
        mine, its = walk.strengths(walk.me, self.dealt), walk.strengths(1 - walk.me, self.dealt)
        by_strength = np.argsort(its, axis=1, kind="stable")
        its_keys = np.take_along_axis(its, by_strength, 1)
        cards, hand = walk.by_card
        keys = cards * STRONGEST + its[:, hand]
        by_card = np.argsort(keys, axis=1, kind="stable")
        keys = np.take_along_axis(keys, by_card, 1)
        places = []
        for end in ("left", "right"):
            at = [np.array([np.searchsorted(row, own, end) for row, own in zip(its_keys, mine, strict=True)])]
            for place in (0, 1):
                own = walk.hands[walk.me][:, place] * STRONGEST + mine
                at.append(np.array([np.searchsorted(row, key, end) for row, key in zip(keys, own, strict=True)]))
            places += at
        return by_strength, hand[by_card], *places

    def shown(self, units: Array) -> Array:
        """For each of my hands the units that it beats, less those that beat it."""
        by_strength, by_card, low, low_a, low_b, high, high_a, high_b = self.order
        sums = _running(np.take_along_axis(units, by_strength, 1))
        by_cards = _running(np.take_along_axis(units, by_card, 1))
        a, b = (self.walk.starts[self.walk.hands[self.walk.me][:, place]] for place in (0, 1))
        before = by_cards[:, a] + by_cards[:, b]
        beaten = np.take_along_axis(sums, low, 1)
        beaten -= np.take_along_axis(by_cards, low_a, 1) + np.take_along_axis(by_cards, low_b, 1) - before
        upto = np.take_along_axis(sums, high, 1)
        upto -= np.take_along_axis(by_cards, high_a, 1) + np.take_along_axis(by_cards, high_b, 1) - before
        met = self.walk.met(units, again=False)
        collected: Array = beaten + upto - met
        return collected


class Walk:
    def __init__(self, game: Holdem, me: int, table: HoldemTable) -> None:
        self.game, self.me, self.table = game, me, table
        self.hands = [np.array(list(weights), dtype=np.int64).reshape(-1, 2) for weights in game.weights]
        whole = [lcm(*(weight.denominator for weight in weights.values())) for weights in game.weights]
        self.units = [
            np.array([int(weight * times) for weight in weights.values()], dtype=np.int64)
            for weights, times in zip(game.weights, whole, strict=True)
        ]
        theirs = self.hands[1 - me]
        cards, hand = np.concatenate([theirs[:, 0], theirs[:, 1]]), np.tile(np.arange(len(theirs)), 2)
        order = np.argsort(cards, kind="stable")
        self.by_card = cards[order], hand[order]
        self.starts = np.searchsorted(self.by_card[0], np.arange(CARDS + 1))
        number = {hand: place for place, hand in enumerate(game.weights[1 - me])}
        self.same = np.array([number.get(hand, -1) for hand in game.weights[me]], dtype=np.int64)
        self.scales: dict[int, int] = {}
        for lock in game.locks:
            self.scales[lock.node] = lcm(self.scales.get(lock.node, 1), lock.denominator)
        self.whole_scale = self._whole_scale(0, 1)
        self._strength: dict[tuple[int, ...], Array] = {}

    def _whole_scale(self, node: int, so_far: int) -> int:
        """A common multiple of the scales of locks on all ways."""
        if not self.scales:
            return 1
        here = self.game.tree.nodes[node]
        if here.turn == END:
            return so_far
        so_far *= self.scales.get(node, 1)
        return lcm(*(self._whole_scale(child, so_far) for child in here.children))

    def gain(self) -> Fraction:
        game, you, bits = self.game, 1 - self.me, self.table.bits
        left = len(game.deck.cards) - len(game.board)
        runouts = prod(left - step for step in range(game.streets - 1))
        most = int(self.units[you].sum()) * (game.pot + 2 * game.stack) * runouts * self.whole_scale
        if (most << bits).bit_length() > MOST_BITS:
            raise VerifyError(f"the strategies of {game.title} have {bits} bits for a hand, too many to check")
        units = (self.units[you] << bits)[None, :]
        values = self.values(0, units, Boards(self, [()]), 1)[0]
        total = sum(int(weight) * int(value) for weight, value in zip(self.units[self.me], values, strict=True))
        met = self.met(self.units[you][None, :])[0]
        pairs = sum(int(weight) * int(value) for weight, value in zip(self.units[self.me], met, strict=True))
        ways = prod(left - 4 - step for step in range(game.streets - 1))
        return Fraction(total, (2 << bits) * self.whole_scale * pairs * ways)

    def values(self, node: int, units: Array, boards: Boards, scale: int) -> Array:
        """What each of my hands gets from a node on, in half chips times units: int64[boards, hands]."""
        tick()
        here = self.game.tree.nodes[node]
        if here.turn == END:
            return self._end(node, units, boards, scale)
        if here.turn == CHANCE:
            return self._deal(here.children[0], units, boards, scale)
        times = self.scales.get(node, 1)
        after = [
            self.values(child, part, boards, scale * times)
            for child, part in zip(here.children, self._parts(node, units, boards), strict=True)
        ]
        if here.turn != self.me:
            total: Array = np.sum(after, axis=0)
            return total
        best: Array = np.max(after, axis=0) * times
        for lock in self.game.locks:
            if lock.node == node:
                pairs = zip(here.moves, after, strict=True)
                fixed = sum(int(lock.odds.get(move, 0) * times) * value for move, value in pairs)
                best = np.where(self._held(lock, boards, self.me), fixed, best)
        return best

    def _held(self, lock: Any, boards: Boards, side: int) -> Array:
        """bool[boards, hands]: where a lock counts."""
        hands = np.array([lock.hands is None or hand in lock.hands for hand in self.game.weights[side]], dtype=bool)
        counts = np.array([lock.at(dealt) for dealt in boards.dealt], dtype=bool)
        return np.asarray(counts[:, None] & hands[None, :])

    def _parts(self, node: int, units: Array, boards: Boards) -> list[Array]:
        """The units that each move of a node gets."""
        here = self.game.tree.nodes[node]
        if here.turn == self.me:
            return [units] * len(here.moves)
        weights = np.stack([self.table.weights_at(node, dealt) for dealt in boards.dealt])
        parts = units[:, None, :] * weights // weights.sum(axis=1, keepdims=True)
        largest = weights.argmax(axis=1)[:, None, :]
        rest = units[:, None, :] - parts.sum(axis=1, keepdims=True)
        np.put_along_axis(parts, largest, np.take_along_axis(parts, largest, 1) + rest, 1)
        times = self.scales.get(node, 1)
        parts *= times
        for lock in self.game.locks:
            if lock.node == node:
                held = self._held(lock, boards, here.turn)
                for number, move in enumerate(here.moves):
                    share = int(lock.odds.get(move, 0) * times)
                    parts[:, number] = np.where(held, units * share, parts[:, number])
        return [parts[:, number] for number in range(len(here.moves))]

    def _end(self, node: int, units: Array, boards: Boards, scale: int) -> Array:
        here = self.game.tree.nodes[node]
        chips = (self.game.pot + 2 * min(here.stakes)) * (self.whole_scale // scale)
        if here.folded < 0:
            return chips * boards.shown(units)
        left = len(self.game.deck.cards) - len(self.game.board) - 4
        chips *= prod(left - step for step in range(here.street, self.game.streets - 1))
        return (-chips if here.folded == self.me else chips) * self.met(units)

    def _deal(self, node: int, units: Array, boards: Boards, scale: int) -> Array:
        """Add up what follows each card."""
        collected = np.zeros((len(boards.dealt), len(self.hands[self.me])), dtype=units.dtype)
        if len(boards.dealt) == 1:
            groups = self.all_cards(boards.dealt[0])
            return self._after(node, units[0], groups, scale)[None, :]
        for number, dealt in enumerate(boards.dealt):
            collected[number] = self._after(node, units[number], self.all_cards(dealt), scale)
        return collected

    def all_cards(self, dealt: tuple[int, ...]) -> Boards:
        taken = {*self.game.board, *dealt}
        key = tuple(dealt)
        if key not in self._later:
            cards = [card for card in self.game.deck.cards if card not in taken]
            self._later[key] = Boards(self, [(*dealt, card) for card in cards])
        return self._later[key]

    @cached_property
    def _later(self) -> dict[tuple[int, ...], Boards]:
        return {}

    def _after(self, node: int, units: Array, boards: Boards, scale: int) -> Array:
        """What follows one of several cards, added up."""
        card = np.array([dealt[-1] for dealt in boards.dealt])[:, None, None]
        alive = [~(hands[None, :, :] == card).any(axis=2) for hands in self.hands]
        values = self.values(node, np.where(alive[1 - self.me], units[None, :], 0), boards, scale)
        collected: Array = np.where(alive[self.me], values, 0).sum(axis=0)
        return collected

    def met(self, units: Array, again: bool = True) -> Array:
        """The units that each of my hands can meet. Without `again`, those of its own two cards are taken off twice."""
        by_cards = _running(units[:, self.by_card[1]])
        of_card = by_cards[:, self.starts[1:]] - by_cards[:, self.starts[:-1]]
        mine = self.hands[self.me]
        collected: Array = units.sum(axis=1)[:, None] - of_card[:, mine[:, 0]] - of_card[:, mine[:, 1]]
        if again:
            collected += np.where(self.same >= 0, units[:, self.same], 0)
        return collected

    def strengths(self, side: int, dealt: Sequence[tuple[int, ...]]) -> Array:
        """How strong each hand of a side is on each board, as numbers that compare in the same way."""
        rows = []
        for cards in dealt:
            board = (*self.game.board, *cards)
            key = (side, *sorted(board))
            if key not in self._strength:
                numbers = [
                    0 if {*hand} & {*board} else _number(plain_strength((*hand, *board)))
                    for hand in self.game.weights[side]
                ]
                self._strength[key] = np.array(numbers, dtype=np.int64)
            rows.append(self._strength[key])
        return np.stack(rows)


def _running(units: Array) -> Array:
    """Sums of all before each place, and of all."""
    sums = np.zeros((len(units), units.shape[1] + 1), dtype=units.dtype)
    np.cumsum(units, axis=1, out=sums[:, 1:])
    return sums


def _number(strength: Sequence[int]) -> int:
    """A strength as one number: the category, then ranks from 0 to 12 as digits."""
    digits = [*strength[1:], *[0] * 5][:5]
    number = strength[0]
    for digit in digits:
        number = number * 16 + digit + 1
    return number
