"""The sequence form of a game with rules on arrays (ruse.core.game.Bulk), walked level by level.

By perfect recall an information set is known by the sequence that its side has played and by what the side has
seen since. Both are whole numbers here, so the sets of a level are the different pairs of them, numbered in the
order they are met: exact ids, with no hashing. Children are put in the order of their last move, so that plays
which differ in nothing but the first, hidden moves of chance lie together, and so do their sequences.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice
from math import gcd
from time import perf_counter
from typing import Any, NamedTuple, overload

import numpy as np

from ruse.core.arrays import Array
from ruse.core.capabilities import WAIT, Bulk
from ruse.core.clock import tick
from ruse.core.exact import INT64, integers
from ruse.core.game import CHANCE, END, GameError, Knowledge, Move, State
from ruse.forms.sequence_form import FormArrays, Treeplex
from ruse.forms.sparse import added

MANY = 10_000  # nodes, fewer of which do not tell how long one takes
SORTING = 4e-8  # seconds, for an entry among millions
WAITED = -1
PORTION = 1 << 18  # moves that are played at once: what they need for a moment is used again by the next ones
FEW = 1_000  # information sets that are found without all others
DENSE = 8  # a table so many times longer than its keys is still filled faster than they are sorted


def bulk_form(game: Bulk) -> FormArrays:
    """What the plain walk would write down, but for the order of information sets."""
    return LevelWalk(game).form()


class LevelNodes(NamedTuple):
    """Some nodes of a level, none of them an end, and what matters of the way to them."""

    turns: Array  # int8[nodes]
    states: Array  # int[fields, nodes]
    weights: Array  # int64[nodes], or object: the odds of chance times the denominator of the rules
    sequences: Array  # int32[2, nodes], each side's last
    seen: Array  # int64[2, nodes], what each side has seen since then, as one code
    origins: Array  # int32[nodes], which node of the level before
    ranks: Array  # int32[nodes], which of its moves, or WAITED


class _Tree:
    """The information sets of one side, as they are met."""

    def __init__(self) -> None:
        self.sequences = 1
        self.parents: list[Array] = [np.zeros(0, dtype=np.int32)]
        self.counts: list[Array] = [np.zeros(0, dtype=np.int32)]
        self.met: list[tuple[int, Array]] = []  # level, and a node there of each new set

    def treeplex(self) -> Treeplex:
        first = np.concatenate([[1], 1 + np.cumsum(np.concatenate(self.counts))])
        return Treeplex(np.concatenate(self.parents), first.astype(np.int32))


class LevelWalk:
    """A walk level by level. `next_level` and `add_ends` are where a subclass may leave nodes out and count."""

    def __init__(self, game: Bulk) -> None:
        self.game = game
        self.rules = game.arrays()
        self.trees = (_Tree(), _Tree())
        self.portion = PORTION
        self._nodes, self._seconds = 0, 0.0  # played so far, and how long that took
        self.levels: list[tuple[Array, Array]] = []  # the origins and ranks of the nodes of each level
        self.entries: list[tuple[Array, Array, Array]] = []  # sequences of both sides, weighted payoffs

    def form(self) -> FormArrays:
        level = [self._root()]
        while level[0].turns.size:
            level.append(self.next_level(level))
        trees = self.trees[0].treeplex(), self.trees[1].treeplex()
        first, second = (_Sets(self.game, self.levels, tree.met) for tree in self.trees)
        return FormArrays(
            trees,
            *self._summed((trees[0].sequences, trees[1].sequences)),
            (Column(first, 0), Column(second, 0)),
            (Column(first, 1), Column(second, 1)),
        )

    def _root(self) -> LevelNodes:
        states, weight = self.rules.start(), self.rules.denominator
        nothing = np.zeros(1, dtype=np.int32)
        return LevelNodes(
            self.rules.turn(states),
            states,
            np.array([weight], dtype=np.int64 if weight < INT64 else object),
            np.zeros((2, 1), dtype=np.int32),
            np.zeros((2, 1), dtype=np.int64),
            nothing,
            nothing,
        )

    def next_level(self, level: list[LevelNodes]) -> LevelNodes:
        """Return the nodes that follow those of a level, which are taken out of the list and freed."""
        nodes = level.pop()
        self.levels.append((nodes.origins, nodes.ranks))
        for tree, seen in zip(self.trees, nodes.seen, strict=True):
            if (int(seen.max()) + 1) * self.rules.sights * tree.sequences >= INT64:
                seen[:] = numbered(seen)[0]  # the codes would grow too long
        following: list[LevelNodes] = []
        for turn in (CHANCE, WAIT, 0, 1):
            places = np.flatnonzero(nodes.turns == turn)
            if len(places):
                tick()
                if turn in (0, 1):
                    following += self._side(nodes, places, turn)
                else:
                    following += self._chance(nodes, places) if turn == CHANCE else self._wait(nodes, places)
        del nodes
        return _merged(following)

    def _chance(self, nodes: LevelNodes, places: Array) -> Iterator[LevelNodes]:
        shares = self.rules.legal(nodes.states.take(places, axis=1), CHANCE)
        totals, longest = shares.sum(axis=0), self.rules.denominator * int(shares.max())
        exact = np.int64 if longest < INT64 else object
        for moves, columns, ranks in _portions(shares, self.portion):
            origins = places.take(columns)
            weights = nodes.weights.take(origins).astype(exact) * shares[moves, columns]
            if (weights % totals[columns]).any():
                raise GameError(f"expected odds that are multiples of 1/{self.rules.denominator} in {self.game.title}")
            weights //= totals[columns]
            sequences = nodes.sequences.take(origins, axis=1)
            yield self._played(nodes, CHANCE, moves, origins, ranks, weights, sequences)

    def _wait(self, nodes: LevelNodes, places: Array) -> Iterator[LevelNodes]:
        for moves, columns, _ in _portions(np.ones((1, len(places)), dtype=np.bool_), self.portion):
            origins = places.take(columns)
            waited, weights = np.full(len(origins), WAITED, dtype=np.int32), nodes.weights.take(origins)
            yield self._played(nodes, WAIT, moves, origins, waited, weights, nodes.sequences.take(origins, axis=1))

    def _side(self, nodes: LevelNodes, places: Array, side: int) -> Iterator[LevelNodes]:
        tree = self.trees[side]
        sets, firsts = numbered(self._keys(nodes, places, side))
        firsts = places.take(firsts)
        legal = self.rules.legal(nodes.states.take(firsts, axis=1), side)  # the same all over an information set
        counts = legal.sum(axis=0, dtype=np.int32)
        tree.parents.append(nodes.sequences[side].take(firsts))
        tree.counts.append(counts)
        tree.met.append((len(self.levels) - 1, firsts.astype(np.int32)))
        begins = tree.sequences + np.cumsum(counts, dtype=np.int32) - counts
        tree.sequences += int(counts.sum())
        for moves, columns, ranks in _portions(legal, self.portion, sets):
            origins = places.take(columns)
            sequences = nodes.sequences.take(origins, axis=1)
            sequences[side] = begins.take(sets.take(columns)) + ranks
            yield self._played(nodes, side, moves, origins, ranks, nodes.weights.take(origins), sequences)

    @staticmethod
    def _keys(nodes: LevelNodes, places: Array, side: int) -> Array:
        """What tells information sets apart: the sequence that was played, and what was seen since."""
        seen: Array = nodes.seen[side].take(places)
        played: Array = nodes.sequences[side].take(places).astype(np.int64)
        played -= played.min()
        if (int(played.max()) + 1) * (int(seen.max()) + 1) > DENSE * len(places):
            seen = numbered(seen)[0]  # there are gaps: without them a table may do
        played *= int(seen.max()) + 1
        played += seen
        return played

    def _played(
        self, nodes: LevelNodes, turn: int, moves: Array, origins: Array, ranks: Array, weights: Array, sequences: Array
    ) -> LevelNodes:
        """What follows the moves: ends are written down, the others handed on."""
        tick(
            len(moves) * self._seconds / max(MANY, self._nodes)
        )  # a level may take seconds: begun if it can end in time
        begun, played = perf_counter(), len(moves)
        states = self.rules.play(nodes.states.take(origins, axis=1), moves, turn)
        tick()
        turns = self.rules.turn(states)
        ends = np.flatnonzero(turns == END)
        if len(ends):
            self.add_ends(states.take(ends, axis=1), weights.take(ends), sequences.take(ends, axis=1))
            on = np.flatnonzero(turns != END)
            turns, moves, origins, ranks, weights = (x.take(on) for x in (turns, moves, origins, ranks, weights))
            states, sequences = states.take(on, axis=1), sequences.take(on, axis=1)
        seen = np.empty((2, len(moves)), dtype=np.int64)
        for side in (0, 1) if len(moves) else ():
            tick()
            seen[side] = self.rules.sees(states, moves, turn, side)
            if side != turn:
                seen[side] += nodes.seen[side].take(origins) * self.rules.sights
        self._nodes += played
        self._seconds += perf_counter() - begun
        short = origins.astype(np.int32), ranks.astype(np.int32)
        return LevelNodes(turns.astype(np.int8), states, weights, sequences, seen, *short)

    def add_ends(self, states: Array, weights: Array, sequences: Array) -> None:
        """Note the payoffs of ends, with both sides' sequences."""
        payoffs = self.rules.payoff(states).astype(np.int64)
        most = int(np.abs(payoffs).max())
        exact = np.int64 if most * self.rules.denominator < INT64 else object
        self.entries.append((sequences[0], sequences[1], payoffs.astype(exact) * weights))

    def _summed(self, shape: tuple[int, int]) -> tuple[Array, Array, Array, int]:
        """The entries by row and column: equal places added up, zeros dropped, all in lowest terms."""
        tick(SORTING * sum(len(rows) for rows, _, _ in self.entries))
        parts = [list(column) for column in zip(*self.entries, strict=True)]
        self.entries.clear()  # nothing is held longer than it is needed
        payoffs, columns, rows = (_joined(parts.pop()) for _ in range(3))
        start, columns, payoffs = added(rows, columns, payoffs, shape)
        common = gcd(self.rules.denominator, int(np.gcd.reduce(payoffs)) if len(payoffs) else 0)
        payoffs //= common
        if payoffs.dtype == object:
            payoffs = integers(payoffs.tolist())
        rows = np.repeat(np.arange(shape[0], dtype=np.int32), np.diff(start))
        return rows, columns.astype(np.int32, copy=False), payoffs, self.rules.denominator // common


def _portions(table: Array, most: int, columns: Array | None = None) -> Iterator[tuple[Array, Array, Array]]:
    """Where a table is not 0, row by row: rows, places, and how many rows of the same column come before.

    Each place has the column of its number, or the one that is given for it.
    """
    legal = table > 0
    places = legal.shape[1] if columns is None else len(columns)
    if len(legal) * places <= most:
        before = legal.cumsum(axis=0, dtype=np.int32) - 1
        if columns is not None:
            legal, before = legal.take(columns, axis=1), before.take(columns, axis=1)
        legal_places = np.flatnonzero(legal)
        rows, chosen = np.divmod(legal_places, places)  # several times quicker than numpy's own way
        yield rows, chosen, before.ravel().take(legal_places)
        return
    before = np.zeros(legal.shape[1], dtype=np.int32)
    for number, row in enumerate(legal):
        legal_places = np.flatnonzero(row if columns is None else row.take(columns))
        for begin in range(0, len(legal_places), most):
            chosen = legal_places[begin : begin + most]
            yield np.full(len(chosen), number), chosen, before.take(chosen if columns is None else columns.take(chosen))
        before += row


def _merged(parts: list[LevelNodes]) -> LevelNodes:
    """All of them as one: fields are let go one by one, and so are the parts."""
    if len(parts) == 1:
        return parts.pop()
    fields = [list(arrays) for arrays in zip(*parts, strict=True)]
    parts.clear()
    for number, arrays in enumerate(fields):
        fields[number] = [_joined(arrays)]
        arrays.clear()
    return LevelNodes(*(joined for (joined,) in fields))


def _joined(parts: Sequence[Array]) -> Array:
    return np.concatenate(parts, axis=-1)


def numbered(keys: Array) -> tuple[Array, Array]:
    """Number equal keys alike, in the order they are met: the numbers, and where each is met first."""
    low = int(keys.min())
    span = int(keys.max()) - low + 1
    if span > DENSE * len(keys):
        _, firsts, groups = np.unique(keys, return_index=True, return_inverse=True)
        order = np.argsort(firsts)
        numbers = np.empty(len(firsts), dtype=np.int64)
        numbers[order] = np.arange(len(firsts))
        return numbers[groups], firsts[order]
    keys = keys - low
    everyone = np.arange(len(keys), dtype=np.int32)
    table = np.empty(span, dtype=np.int32)
    table[keys[::-1]] = everyone[::-1]  # of equal keys the first is written last, and stays
    firsts = np.flatnonzero(table.take(keys) == everyone)
    table[keys.take(firsts)] = everyone[: len(firsts)]
    return table.take(keys), firsts


class _Sets:
    """What the information sets of a side are in the plain rules, found by replaying a play to each."""

    def __init__(self, game: Bulk, levels: list[tuple[Array, Array]], met: list[tuple[int, Array]]) -> None:
        self.game = game
        self.levels = levels
        self.met = met

    def __len__(self) -> int:
        return sum(len(nodes) for _, nodes in self.met)

    @cached_property
    def columns(self) -> tuple[list[Knowledge], list[tuple[Move, ...]]]:
        """The knowledge and the moves of each."""
        sets = list(self._walked())
        return [knowledge for knowledge, _ in sets], [moves for _, moves in sets]

    def first(self, many: int) -> list[tuple[Knowledge, tuple[Move, ...]]]:
        """The knowledge and the moves of the first of them, without all others."""
        return list(islice(self._walked(), many))

    def _walked(self) -> Iterator[tuple[Knowledge, tuple[Move, ...]]]:
        states: dict[tuple[int, int], State] = {(0, 0): self.game.start()}
        for level, nodes in self.met:
            for node in nodes.tolist():
                tick()
                state = self._state(level, node, states)
                yield self.game.knows(state, self.game.turn(state)), tuple(self.game.moves(state))

    def _state(self, level: int, node: int, states: dict[tuple[int, int], State]) -> State:
        """The state of a node; those on the way are kept for the next."""
        way = []
        while (level, node) not in states:
            origins, ranks = self.levels[level]
            way.append((level, node, int(ranks[node])))
            level, node = level - 1, int(origins[node])
        state = states[level, node]
        for level, node, rank in reversed(way):
            state = state if rank == WAITED else self.game.play(state, self.game.moves(state)[rank])
            states[level, node] = state
        return state


class Column(Sequence[Any]):
    """The knowledge (0) or the moves (1) of all sets, written down when somebody reads them."""

    def __init__(self, sets: _Sets, number: int) -> None:
        self._sets = sets
        self._number = number

    def __len__(self) -> int:
        return len(self._sets)

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Any]: ...
    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice) and index.start is None and index.step is None and 0 < (index.stop or 0) <= FEW:
            return [entry[self._number] for entry in self._sets.first(index.stop)]
        return self._sets.columns[self._number][index]
