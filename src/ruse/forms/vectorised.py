"""The sequence form of a game with rules on arrays (ruse.core.game.Bulk), walked level by level.

By perfect recall an information set is known by the sequence that its side has played and by what the side has
seen since. Both are whole numbers here, so the sets of a level are the different pairs of them, numbered in the
order they are met: exact ids, with no hashing. Children are put in the order of their last move, so that plays
which differ in nothing but the first, hidden moves of chance lie together, and so do their sequences.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from math import gcd
from time import perf_counter
from typing import Any, NamedTuple, overload

import numpy as np

from ruse.core.capabilities import WAIT, Bulk
from ruse.core.clock import tick
from ruse.core.exact import INT64, integers
from ruse.core.game import CHANCE, END, GameError, Knowledge, Move, State
from ruse.forms.sequence_form import Array, SequenceForm, Treeplex

MANY = 10_000  # nodes, fewer of which do not tell how long one takes
SORTING = 3e-7  # seconds, for an entry among millions
WAITED = -1
DENSE = 8  # a table so many times longer than its keys is still filled faster than they are sorted


def bulk_form(game: Bulk) -> SequenceForm:
    """What the plain walk would write down, but for the order of information sets."""
    return _Walk(game).form()


class _Nodes(NamedTuple):
    """Some nodes of a level, none of them an end, and what matters of the way to them."""

    turns: Array  # int[nodes]
    states: Array  # int[fields, nodes]
    weights: Array  # int64[nodes], or object: the odds of chance times the denominator of the rules
    sequences: Array  # int32[2, nodes], each side's last
    seen: Array  # int64[2, nodes], what each side has seen since then, as one code
    origins: Array  # int32[nodes], which node of the level before
    ranks: Array  # int32[nodes], which of its moves, or WAITED

    def take(self, chosen: Array) -> _Nodes:
        return _Nodes(*(field.take(chosen, axis=-1) for field in self))


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


class _Walk:
    def __init__(self, game: Bulk) -> None:
        self.game = game
        self.rules = game.arrays()
        self.trees = (_Tree(), _Tree())
        self._nodes, self._seconds = 0, 0.0  # played so far, and how long that took
        self.levels: list[tuple[Array, Array]] = []  # the origins and ranks of the nodes of each level
        self.entries: list[tuple[Array, Array, Array]] = []  # sequences of both sides, weighted payoffs

    def form(self) -> SequenceForm:
        level = [self._root()]
        while level[0].turns.size:
            level.append(self._next_level(level))
        trees = self.trees[0].treeplex(), self.trees[1].treeplex()
        first, second = (_Sets(self.game, self.levels, tree.met) for tree in self.trees)
        return SequenceForm(
            trees,
            *self._summed(trees[1].sequences),
            (Column(first, 0), Column(second, 0)),
            (Column(first, 1), Column(second, 1)),
        )

    def _root(self) -> _Nodes:
        states, weight = self.rules.start(), self.rules.denominator
        nothing = np.zeros(1, dtype=np.int32)
        return _Nodes(
            self.rules.turn(states),
            states,
            np.array([weight], dtype=np.int64 if weight < INT64 else object),
            np.zeros((2, 1), dtype=np.int32),
            np.zeros((2, 1), dtype=np.int64),
            nothing,
            nothing,
        )

    def _next_level(self, level: list[_Nodes]) -> _Nodes:
        """What follows the nodes of a level, which are taken out of the list and let go."""
        nodes = level.pop()
        self.levels.append((nodes.origins, nodes.ranks))
        for tree, seen in zip(self.trees, nodes.seen, strict=True):
            if (int(seen.max()) + 1) * self.rules.sights * tree.sequences >= INT64:
                seen[:] = numbered(seen)[0]  # the codes would grow too long
        following = []
        for turn in (CHANCE, WAIT, 0, 1):
            places = np.flatnonzero(nodes.turns == turn)
            if len(places):
                tick()
                group = nodes if len(places) == len(nodes.turns) else nodes.take(places)
                if turn in (0, 1):
                    children = self._side(group, turn, places)
                else:
                    children = self._chance(group) if turn == CHANCE else self._wait(group)
                following.append(children._replace(origins=places.astype(np.int32)[children.origins]))
                del group, children
        del nodes
        fields = [list(parts) for parts in zip(*following, strict=True)]
        following.clear()
        for number, parts in enumerate(fields):
            fields[number] = [parts.pop() if len(parts) == 1 else _joined(parts)]
            parts.clear()
        return _Nodes(*(joined for (joined,) in fields))

    def _chance(self, nodes: _Nodes) -> _Nodes:
        shares = self.rules.legal(nodes.states, CHANCE)
        moves, origins = _nonzero(shares)
        longest = self.rules.denominator * int(shares.max())
        weights = nodes.weights.astype(np.int64 if longest < INT64 else object)[origins] * shares[moves, origins]
        totals = shares.sum(axis=0)[origins]
        if (weights % totals).any():
            raise GameError(f"expected odds that are multiples of 1/{self.rules.denominator} in {self.game.title}")
        ranks = _ranks(shares > 0, moves, origins)
        return self._played(
            nodes, CHANCE, moves, origins, ranks, weights // totals, nodes.sequences.take(origins, axis=1)
        )

    def _wait(self, nodes: _Nodes) -> _Nodes:
        everyone = np.arange(len(nodes.turns))
        waited = np.full(len(everyone), WAITED, dtype=np.int32)
        return self._played(
            nodes, WAIT, np.zeros(len(everyone), dtype=np.int64), everyone, waited, nodes.weights, nodes.sequences
        )

    def _side(self, nodes: _Nodes, side: int, places: Array) -> _Nodes:
        tree = self.trees[side]
        sets, firsts = numbered(
            nodes.sequences[side].astype(np.int64) * (nodes.seen[side].max() + 1) + nodes.seen[side]
        )
        legal = self.rules.legal(nodes.states[:, firsts], side)  # the same all over an information set
        counts = legal.sum(axis=0, dtype=np.int32)
        tree.parents.append(nodes.sequences[side][firsts])
        tree.counts.append(counts)
        tree.met.append((len(self.levels) - 1, places[firsts]))
        moves, origins = _nonzero(legal.take(sets, axis=1))
        owners = sets[origins]
        ranks = _ranks(legal, moves, owners)
        sequences = nodes.sequences.take(origins, axis=1)
        sequences[side] = (tree.sequences + np.cumsum(counts, dtype=np.int32) - counts)[owners] + ranks
        tree.sequences += int(counts.sum())
        return self._played(nodes, side, moves, origins, ranks, nodes.weights.take(origins), sequences)

    def _played(
        self, nodes: _Nodes, turn: int, moves: Array, origins: Array, ranks: Array, weights: Array, sequences: Array
    ) -> _Nodes:
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
            self._end(states.take(ends, axis=1), weights.take(ends), sequences.take(ends, axis=1))
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
        return _Nodes(turns, states, weights, sequences, seen, origins, ranks)

    def _end(self, states: Array, weights: Array, sequences: Array) -> None:
        payoffs = self.rules.payoff(states).astype(np.int64)
        most = int(np.abs(payoffs).max())
        exact = np.int64 if most * self.rules.denominator < INT64 else object
        self.entries.append((sequences[0], sequences[1], payoffs.astype(exact) * weights))

    def _summed(self, columns: int) -> tuple[Array, Array, Array, int]:
        """The entries by row and column: equal places added up, zeros dropped, all in lowest terms."""
        tick(SORTING * sum(len(rows) for rows, _, _ in self.entries))
        places = np.concatenate([rows.astype(np.int64) * columns + others for rows, others, _ in self.entries])
        payoffs = _joined([paid for _, _, paid in self.entries])
        self.entries.clear()  # nothing is held longer than it is needed: this is where large forms take most
        order = np.argsort(places)
        places = places[order]
        payoffs = payoffs[order]
        del order
        starts = np.flatnonzero(np.diff(places, prepend=-1))
        payoffs = np.add.reduceat(payoffs, starts) if len(starts) else payoffs
        kept = np.flatnonzero(payoffs)
        places, payoffs = places[starts][kept], payoffs[kept]
        common = gcd(self.rules.denominator, int(np.gcd.reduce(payoffs)) if len(payoffs) else 0)
        payoffs = payoffs // common
        if payoffs.dtype == object:
            payoffs = integers(payoffs.tolist())
        rows, others = np.divmod(places, columns)
        return rows.astype(np.int32), others.astype(np.int32), payoffs, self.rules.denominator // common


def _ranks(legal: Array, moves: Array, columns: Array) -> Array:
    """Which of its column's legal moves each is: 0 for the first."""
    short = np.int16 if len(legal) < 1 << 15 else np.int32
    return legal.cumsum(axis=0, dtype=short)[moves, columns].astype(np.int32) - np.int32(1)


def _nonzero(table: Array) -> tuple[Array, Array]:
    """Rows and columns of what is not zero, row by row: several times quicker than numpy's own."""
    return np.divmod(np.flatnonzero(table), table.shape[1])


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
    everyone = np.arange(len(keys))
    table = np.empty(span, dtype=np.int64)
    table[keys[::-1]] = everyone[::-1]  # of equal keys the first is written last, and stays
    met = table[keys]
    firsts = np.flatnonzero(met == everyone)
    table[keys[firsts]] = np.arange(len(firsts))
    return table[keys], firsts


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
        found = list(self._walked())
        return [knowledge for knowledge, _ in found], [moves for _, moves in found]

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
        return self._sets.columns[self._number][index]
