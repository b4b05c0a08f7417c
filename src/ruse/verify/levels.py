"""A game on its array rules, walked level by level for best responses in whole numbers.

What a side knows is its own moves and the codes of what it has seen. So its knowledge after k moves of the play is a
number for each pair of its knowledge after k - 1 moves and of what it then did or saw: knowledge is a tree, level by
level. A best response goes up that tree: a piece of knowledge is worth what its ends pay, plus the best of its own
moves where the side moves, plus all that may follow where it does not.

    levels[k]:  node -> states, odds of chance, knowledge of both sides, last sequence of both sides
    ends[k]:    knowledge of both sides, last sequences of both sides, payoff times odds of chance
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from ruse.core.arrays import Array
from ruse.core.capabilities import WAIT, Bulk
from ruse.core.clock import tick
from ruse.core.exact import INT64
from ruse.core.game import CHANCE, END, GameError

PORTION = 1 << 21  # nodes times moves that are looked at together
WAITED = -1  # in place of the rank of a move, where nobody moves
SPARSE = 8  # numbers that are spread over more than so many times their count are sorted, not looked up
ROUNDED = 1.001  # more than a sum of floats may lack


class Nodes(NamedTuple):
    """The nodes of a level that are no ends."""

    states: Array  # int[fields, nodes]
    turns: Array  # int8[nodes]
    odds: Array  # int64[nodes], or object: odds of chance times the rules' denominator
    knowledge: Array  # int64[2, nodes]
    sequences: Array  # int32[2, nodes]: the last move of each side, counted through all of its information sets


class Ends(NamedTuple):
    """Ends of a level, by what both sides know there."""

    knowledge: Array  # int32[2, ends]
    sequences: Array  # int32[2, ends]
    payoffs: Array  # int64[ends], or object: times odds, times the denominator


class Sets(NamedTuple):
    """The information sets of a side at a level, in the order of its knowledge."""

    level: int
    node: Array  # int[sets]: one of each
    parent: Array  # int32[sets]: the side's last sequence there
    moves: Array  # int32[sets]: how many there are


class LevelStep(NamedTuple):
    """From each knowledge of a level up to what the side knew before."""

    parent: Array  # int[knowledge]
    rank: Array  # int[knowledge]: of the side's own move in between, or WAITED where it was not its own


class Played(NamedTuple):
    """What follows some moves."""

    states: Array
    turns: Array  # int8[nodes]
    odds: Array
    sequences: Array
    seen: Array  # int64[2, nodes]: what each side sees of the move
    origins: Array  # int32[nodes]
    ranks: Array  # int32[nodes]: of the move among those of its node, or WAITED


class Levels:
    """All levels of a game."""

    def __init__(self, game: Bulk) -> None:
        self.game, self.rules = game, game.arrays()
        self.origins: list[Array] = []  # of each level: which node of the level before
        self.ranks: list[Array] = []  # and by which of its moves
        self.sets: tuple[list[Sets], list[Sets]] = ([], [])
        # From each level to the one before, from the second on.
        self.steps: tuple[list[LevelStep], list[LevelStep]] = ([], [])
        self.ends: list[list[Ends]] = [[]]
        self._sequences = [1, 1]
        nodes = self._start()
        while len(nodes.turns):
            nodes = self._next_level(nodes)

    # Down: what there is.

    def _start(self) -> Nodes:
        states, denominator = self.rules.start(), self.rules.denominator
        self._add_level(np.zeros(1, np.int32), np.zeros(1, np.int32))
        odds = np.array([denominator], dtype=np.int64 if denominator < INT64 else object)
        return Nodes(states, self.rules.turn(states), odds, np.zeros((2, 1), np.int64), np.zeros((2, 1), np.int32))

    def _add_level(self, origins: Array, ranks: Array) -> None:
        self.origins.append(origins)
        self.ranks.append(ranks)

    def _next_level(self, nodes: Nodes) -> Nodes:
        """What follows the nodes of a level. Ends are put aside."""
        parts = [played for turn in (CHANCE, WAIT, 0, 1) for played in self._following(nodes, turn)]
        after = Played(*(np.concatenate(columns, axis=-1) for columns in zip(*parts, strict=True)))
        parts.clear()
        knowledge = np.empty(after.seen.shape, dtype=np.int64)
        for side in (0, 1):
            tick()
            own = nodes.turns.take(after.origins) == side
            knowledge[side], step = self._learned(nodes.knowledge[side].take(after.origins), own, after, side)
            self.steps[side].append(step)
        self.ends.append([])
        ended = np.flatnonzero(after.turns == END)
        if len(ended):
            self._end(after, knowledge, ended)
        left = np.flatnonzero(after.turns != END)
        self._add_level(after.origins.take(left), after.ranks.take(left))
        states, turns, odds = after.states.take(left, axis=1), after.turns.take(left), after.odds.take(left)
        return Nodes(states, turns, odds, knowledge.take(left, axis=1), after.sequences.take(left, axis=1))

    def _learned(self, before: Array, own: Array, after: Played, side: int) -> tuple[Array, LevelStep]:
        """Numbers for what a side knows now: by what it knew before, its own move, if it was its own, and what it saw.

        Numbers are in the order of these three, so what follows the same knowledge and the same move lies together.
        """
        sights = self.rules.sights
        learned, codes = _numbered(np.where(own, after.ranks + 1, 0) * np.int64(sights) + after.seen[side])
        if (int(before.max()) + 1) * len(codes) >= INT64:
            raise GameError(f"expected fewer information sets to check, got too many in {self.game.title}")
        knowledge, pairs = _numbered(before * len(codes) + learned)
        parent, code = np.divmod(pairs, len(codes))
        return knowledge, LevelStep(parent, codes.take(code) // sights - 1)

    def _end(self, after: Played, knowledge: Array, ended: Array) -> None:
        payoffs, odds = self.rules.payoff(after.states.take(ended, axis=1)).astype(np.int64), after.odds.take(ended)
        if int(np.abs(payoffs).max()) * self.rules.denominator >= INT64:
            payoffs = payoffs.astype(object)
        known = knowledge.take(ended, axis=1).astype(np.int32)
        self.ends[-1].append(Ends(known, after.sequences.take(ended, axis=1), payoffs * odds))

    def _following(self, nodes: Nodes, turn: int) -> Iterator[Played]:
        """What follows the nodes of one turn, some of them at a time."""
        places = np.flatnonzero(nodes.turns == turn)
        if not len(places):
            return
        deciding = self._gathered(nodes, places, turn) if turn in (0, 1) else None
        portion = (
            PORTION if turn == WAIT else max(1, PORTION // len(self.rules.legal(nodes.states[:, places[:1]], turn)))
        )
        for begin in range(0, len(places), portion):
            tick()
            here = places[begin : begin + portion]
            if turn == WAIT:
                moves, ranks = np.zeros(len(here), np.int64), np.full(len(here), WAITED, np.int32)
                yield self._played(nodes, here, moves, ranks, nodes.odds.take(here), turn)
                continue
            legal = self.rules.legal(nodes.states.take(here, axis=1), turn)
            allowed = legal > 0
            moves, columns = np.divmod(np.flatnonzero(allowed), len(here))
            ranks = (np.cumsum(allowed, axis=0, dtype=np.int32) - 1)[moves, columns]
            origins = here.take(columns)
            odds = nodes.odds.take(origins)
            if turn == CHANCE:
                odds = self._dealt(odds, legal, moves, columns)
                yield self._played(nodes, origins, moves, ranks, odds, turn)
                continue
            assert deciding is not None
            sets = deciding.number.take(nodes.knowledge[turn].take(here))
            if not np.array_equal(allowed, deciding.allowed.take(sets, axis=1)):
                raise GameError(f"different moves are offered within an information set of {self.game.title} on arrays")
            chosen = deciding.begin.take(sets.take(columns)) + ranks
            yield self._played(nodes, origins, moves, ranks, odds, turn, chosen)

    def _gathered(self, nodes: Nodes, places: Array, side: int) -> _Deciding:
        """The information sets where a side moves at this level; their sequences are counted."""
        known, firsts = np.unique(nodes.knowledge[side].take(places), return_index=True)
        one_each = places.take(firsts)
        allowed = self.rules.legal(nodes.states.take(one_each, axis=1), side) > 0
        moves = allowed.sum(axis=0, dtype=np.int32)
        begin = self._sequences[side] + np.cumsum(moves, dtype=np.int32) - moves
        self._sequences[side] += int(moves.sum())
        self.sets[side].append(Sets(len(self.origins) - 1, one_each, nodes.sequences[side].take(one_each), moves))
        number = np.zeros(int(known[-1]) + 1, dtype=np.int32)
        number[known] = np.arange(len(known), dtype=np.int32)
        return _Deciding(number, allowed, begin)

    def _dealt(self, odds: Array, shares: Array, moves: Array, columns: Array) -> Array:
        """The odds of what chance does, in whole parts of the rules' denominator."""
        totals = shares.sum(axis=0)
        if self.rules.denominator * int(shares.max()) >= INT64:
            odds = odds.astype(object)
        parts, left = np.divmod(odds * shares[moves, columns], totals.take(columns))
        if left.any():
            raise GameError(f"expected odds that are multiples of 1/{self.rules.denominator} in {self.game.title}")
        return parts

    def _played(
        self,
        nodes: Nodes,
        origins: Array,
        moves: Array,
        ranks: Array,
        odds: Array,
        turn: int,
        chosen: Array | None = None,
    ) -> Played:
        states = self.rules.play(nodes.states.take(origins, axis=1), moves, turn)
        turns = self.rules.turn(states).astype(np.int8)
        seen = np.zeros((2, len(moves)), dtype=np.int64)
        left = np.flatnonzero(turns != END)
        if len(left):
            on, by = states.take(left, axis=1), moves.take(left)
            for side in (0, 1):
                seen[side, left] = self.rules.sees(on, by, turn, side)
        sequences = nodes.sequences.take(origins, axis=1)
        if chosen is not None:
            sequences[turn] = chosen
        return Played(states, turns, odds, sequences, seen, origins.astype(np.int32), ranks)

    # Up: what the best answers are worth.

    def answered(self, side: int, plan: list[int]) -> Fraction:
        """What side 0 gets where the other side answers a plan of `side` as well as it can, times the plan's unit.

        `plan` holds the weight of each sequence of `side`, in whole numbers.
        """
        best = np.minimum if side == 0 else np.maximum
        long = max(plan) >= INT64 or any(ends.payoffs.dtype == object for level in self.ends for ends in level)
        if not long:  # no sum is longer than if every payoff were a gain
            sizes = np.array(plan, dtype=float)
            long = self._swept(side, sizes, np.maximum, in_size=True) * ROUNDED >= INT64
        weights = np.array(plan, dtype=object if long else np.int64)
        return Fraction(int(self._swept(side, weights, best)), self.rules.denominator)

    def _swept(self, side: int, weights: Array, best: np.ufunc, in_size: bool = False) -> Any:
        """The worth of the other side's best answer, from the last level up; of the sizes of all payoffs, if asked."""
        rival, values = 1 - side, np.zeros(0, dtype=weights.dtype)
        for level in reversed(range(len(self.ends))):
            tick()
            known = len(self.steps[rival][level - 1].parent) if level else 1
            here = np.zeros(known, dtype=weights.dtype)
            for ends in self.ends[level]:
                payoffs = np.abs(ends.payoffs.astype(float)) if in_size else ends.payoffs
                np.add.at(here, ends.knowledge[rival], payoffs * weights.take(ends.sequences[side]))
            if len(values):
                _climb(self.steps[rival][level], values, here, best)
            values = here
        return values[0]


class _Deciding(NamedTuple):
    """The information sets of the side that moves."""

    number: Array  # int32[knowledge]: of the set, where the side moves
    allowed: Array  # bool[moves, sets]
    begin: Array  # int32[sets]: its first sequence


def _climb(step: LevelStep, below: Array, here: Array, best: np.ufunc) -> None:
    """Add what follows to each knowledge: the best of the side's own moves, and all of what it does not choose."""
    starts = _starts(step.parent, step.rank)
    sums, parent, own = np.add.reduceat(below, starts), step.parent.take(starts), step.rank.take(starts) != WAITED
    here[parent[~own]] += sums[~own]
    if own.any():
        sums, parent = sums[own], parent[own]
        starts = _starts(parent)
        here[parent.take(starts)] += best.reduceat(sums, starts)


def _starts(*columns: Array) -> Array:
    """Where rows begin that differ from the one before."""
    changed = np.ones(len(columns[0]), dtype=bool)
    changed[1:] = np.logical_or.reduce([column[1:] != column[:-1] for column in columns])
    return np.flatnonzero(changed)


def _numbered(keys: Array) -> tuple[Array, Array]:
    """Number keys by their order, equal ones alike: the numbers, and the key of each."""
    low = int(keys.min())
    span = int(keys.max()) - low + 1
    if span > SPARSE * len(keys):
        known, numbers = np.unique(keys, return_inverse=True)
        return numbers, known
    there = np.zeros(span, dtype=bool)
    there[keys - low] = True
    known = np.flatnonzero(there)
    return (np.cumsum(there) - 1).take(keys - low), known + low
