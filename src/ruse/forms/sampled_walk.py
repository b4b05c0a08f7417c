"""Walks that leave out nodes by chance, to count a game's sequence form without walking all of it.

Knuth (1975) follows random plays, which says how many nodes there are but not how many of them are one information set.
So a sample leaves out nodes by what one side knows: all histories of a set or of a sequence of that side stay, or none
does. One in f stays, by chance, and what is left counts f times as often. On average

    E[count * weight] = the count of a full walk

of nodes and ends, of that side's sets and sequences, and of the payoffs in their rows, which are complete. A second
sample does the same for the other side. A sample that leaves nothing out has counted all that there is.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from random import Random
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from ruse.core.arrays import Array
from ruse.core.capabilities import Bulk
from ruse.core.clock import tick
from ruse.core.contract import asked_by_contract
from ruse.core.game import CHANCE, END, Game, Knowledge, Move, State, describe
from ruse.forms.sparse import FOR_SCIPY
from ruse.forms.vectorised import PORTION, LevelNodes, LevelWalk, numbered

# How much memory Python's objects take.

MOST_OBJECTS = 200_000  # to look at
GRAIN = 16  # bytes: small objects take a multiple of it
SLOT = 45  # bytes of an entry of a large dict, which has room for up to twice as many: from 30 to 60
PLACE = 9  # bytes of a place in a list that has grown
PAIR = 64  # bytes of a tuple of two
NUMBER = 32  # bytes of a whole number
FRACTION = 48 + 2 * NUMBER
_NO_OBJECTS = (type, ModuleType, FunctionType, BuiltinFunctionType, MethodType)


def each(objects: Sequence[Any]) -> float:
    """Bytes of one of some objects, with all that it is made of; what several share counts once."""
    seen: set[int] = set()
    stack, total = list(objects), 0
    while stack and len(seen) < MOST_OBJECTS:
        item = stack.pop()
        if id(item) in seen or isinstance(item, _NO_OBJECTS):
            continue
        seen.add(id(item))
        total += -(-sys.getsizeof(item) // GRAIN) * GRAIN
        stack += gc.get_referents(item)
    return total / max(len(objects), 1)


FEWEST_SETS = 32  # that are left: fewer would be too few for an estimate
MOST_NODES = 2_000_000  # on arrays, after which a sample gives up
FEWEST_MOVES = 16  # of a portion, which is smaller in a sample so that it is split as the full walk is

# Bytes that a walk on arrays takes (ruse.forms.vectorised).
KEPT_NODE = 4 + 4  # of a node of an earlier level: its origin and its rank
KEPT_SET = 4 + 4 + 4  # its parent, its number of moves, and a node where it was met
KEPT_END = 4 + 4 + 8  # both sequences and the payoff
KEY_BYTES = 8 + 8 + 8 + 8 + 4  # of a node where a side moves: its key, twice, what was seen, its set, its place
PLAYED_BYTES = 10  # of a move that is being made, besides the fields of the node that follows, which are there twice
ADDED_BY_SCIPY = 4 + 8  # of an end, besides KEPT_END: a column and a payoff of the matrix
ADDED_BY_NUMPY = 7 * 8  # places and values, in both orders, the order, where places begin, and a difference

MET_ONCE = 0.1  # of the sets, at most, where nearly all have been met
LOOKED_AT = 1_000  # objects of a kind, to measure how large one is
# A node: the state, the odds n / d of chance, the sequence of the side that is looked at, and that of the other.
_Node = tuple[State, int, int, int, int]


class TooLargeToSample(Exception):
    """A game in which what a side knows leaves too little out: many nodes lie in few sets."""


@dataclass
class Sample:
    """The counts of a sampled walk by one side's sets, each node as often as its weight says."""

    nodes: float = 0
    ends: float = 0
    entries: float = 0
    sets: float = 0
    sequences: float = 1
    weight: int = 1  # of each node that is still there
    building: float = 0  # bytes, at most, of the full walk on arrays
    set_bytes: float = 0  # of one that is written down by the rules
    entry_bytes: float = 0
    all_sets: bool = False  # whether all sets and sequences were met, although nodes were left out

    @property
    def complete(self) -> bool:
        """Whether nothing was left out."""
        return self.weight == 1

    def scaled(self, factor: float) -> Sample:
        """Return the counts of a game with so many times as many nodes."""
        of_sets = 1 if self.all_sets else factor
        return replace(
            self,
            nodes=self.nodes * factor,
            ends=self.ends * factor,
            entries=self.entries * factor,
            sets=self.sets * of_sets,
            sequences=self.sequences * of_sets,
        )


def sampling_factor(nodes: int, groups: int, most: int) -> int:
    """Return f such that about `most` nodes are left where one group in f stays."""
    return max(1, min(-(-nodes // most), groups // FEWEST_SETS))


def one_in(count: int, factor: int, random: Random) -> list[int]:
    """Choose places below `count`, each with odds of one in `factor`: one of each stretch of so many neighbours."""
    chosen = (begin + random.randrange(factor) for begin in range(0, count, factor))
    return [place for place in chosen if place < count]


class ArraySample(LevelWalk):
    """A walk on arrays that leaves some nodes out by what one side knows."""

    def __init__(self, game: Bulk, side: int, most: int) -> None:
        super().__init__(game)
        self.sample = Sample()
        self._knower, self._most, self._random = side, most, Random(side)
        self._kept = 0.0  # bytes that the full walk keeps until the end, besides its payoffs
        self._ends: list[tuple[int, Array]] = []  # the weight and both sequences of ends
        self._walked = 0  # nodes

    def walk(self) -> Sample:
        """Walk, and count."""
        form, sample = self.form(), self.sample
        columns = form.trees[1].sequences
        places = np.concatenate([_places(sequences[0], sequences[1], columns) for _, sequences in self._ends])
        weights = np.concatenate([np.full(sequences.shape[1], weight) for weight, sequences in self._ends])
        pairs, firsts = np.unique(places, return_index=True)
        paid = np.isin(pairs, _places(form.rows, form.columns, columns), assume_unique=True)
        sample.entries = float(weights[firsts[paid]].sum())  # each counts as where it was met first
        adding = KEPT_END + (ADDED_BY_SCIPY if sample.ends >= FOR_SCIPY else ADDED_BY_NUMPY)
        sample.building = max(sample.building, self._kept + sample.ends * adding)
        return sample

    def next_level(self, level: list[LevelNodes]) -> LevelNodes:
        sample, tree = self.sample, self.trees[self._knower]
        sample.nodes += sample.weight * len(level[0].turns)
        self._leave_out(level)
        weight, turns, ends = sample.weight, level[0].turns, sample.ends
        sets, sequences, both = len(tree.counts), tree.sequences, [len(side_tree.counts) for side_tree in self.trees]
        level_bytes, deciding = _bytes(level[0]), int(np.count_nonzero(turns >= 0))
        self.portion = max(PORTION // weight, FEWEST_MOVES)
        following = super().next_level(level)
        met = sum(
            len(counts)
            for side_tree, start in zip(self.trees, both, strict=True)
            for counts in side_tree.counts[start:]
        )
        self._kept += weight * (KEPT_NODE * len(turns) + KEPT_SET * met)
        new_ends = (sample.ends - ends) / weight
        played = min(len(following.turns) + new_ends, self.portion)
        node_bytes = level_bytes / max(len(turns), 1)
        keys = level_bytes + KEY_BYTES * deciding
        moving = level_bytes + _bytes(following) + played * (node_bytes + PLAYED_BYTES)
        joining = _bytes(following) + max(field.nbytes for field in following)
        held = self._kept + KEPT_END * sample.ends
        sample.building = max(sample.building, held + weight * max(keys, moving, joining))
        sample.sets += weight * sum(map(len, tree.counts[sets:]))
        sample.sequences += weight * (tree.sequences - sequences)
        return following

    def _leave_out(self, level: list[LevelNodes]) -> None:
        """Leave nodes of a level out: at the side's turn by sets, else by sequences, whose rows stay complete."""
        nodes = level[0]
        self._walked += len(nodes.turns)
        if self._walked > MOST_NODES:
            raise TooLargeToSample
        if len(nodes.turns) <= self._most:
            return
        own, seen = nodes.sequences[self._knower].astype(np.int64), nodes.seen[self._knower] + 1
        by_set = (nodes.turns == self._knower) | (own == 0)  # and before its first turn by what it knows
        groups, firsts = numbered(own * (int(seen.max()) + 1) + np.where(by_set, seen, 0))
        factor = sampling_factor(len(groups), len(firsts), self._most)
        by_size = np.argsort(np.bincount(groups), kind="stable")  # large ones stay as often as small ones
        stays = np.zeros(len(firsts), dtype=np.bool_)
        stays[by_size[one_in(len(firsts), factor, self._random)]] = True
        chosen = np.flatnonzero(stays[groups])
        level[0] = LevelNodes(*(field.take(chosen, axis=-1) for field in nodes))
        self.sample.weight *= factor

    def add_ends(self, states: Array, weights: Array, sequences: Array) -> None:
        sample, count = self.sample, len(weights)
        sample.nodes += sample.weight * count
        sample.ends += sample.weight * count
        self._ends.append((sample.weight, sequences.copy()))
        super().add_ends(states, weights, sequences)


def _places(rows: Array, columns: Array, width: int) -> Array:
    places: Array = rows.astype(np.int64) * width + columns
    return places


def _bytes(nodes: LevelNodes) -> int:
    return sum(field.nbytes for field in nodes)


class RulesSample:
    """A walk by the rules, state by state, that leaves some nodes out by what one side knows.

    A layer of the walk ends where the side is to move again. All histories of one of its information sets lie in one
    layer, as a side that never forgets has moved equally often in all of them.
    """

    def __init__(self, game: Game, side: int, most: int, moves: int) -> None:
        self.sample = Sample()
        self._game, self._side, self._most, self._left = game, side, most, moves
        self._random = Random(side)
        self._others: dict[Knowledge, int] = {}  # the first sequence of each of the other side's sets
        self._again: set[Knowledge] = set()  # those of them that were met more than once
        self._sequences = [1, 1]  # met so far: the side's own, the other's
        self._paid: dict[tuple[int, int], tuple[int, int, int]] = {}  # weight, and odds * payoff as a fraction
        self._final: set[int] = set()  # sequences of the side that have come to an end at once
        self._met: list[tuple[Knowledge, State, tuple[Move, ...]]] = []  # sets of the side

    def walk(self) -> Sample:
        waiting: list[_Node] = [(self._game.start(), 1, 1, 0, 0)]
        while waiting:
            waiting = self._moved(self._until_turn(waiting))
        self.sample.entries = sum(weight for weight, n, _ in self._paid.values() if n)
        self.sample.set_bytes = self._bytes_of_sets()
        self.sample.entry_bytes = self._bytes_of_entries()
        return self.sample

    def other_side(self) -> Sample | None:
        """Return the sample of the other side, where this walk has met nearly all of its sets, hardly any but once."""
        if not self.sample.complete and len(self._others) - len(self._again) > MET_ONCE * len(self._others):
            return None
        return replace(self.sample, sets=float(len(self._others)), sequences=float(self._sequences[1]), all_sets=True)

    def _until_turn(self, waiting: list[_Node]) -> dict[Knowledge, list[_Node]]:
        """Return the sets that the side comes to next, after all moves of others and of chance."""
        game, sample = self._game, self.sample
        sets: dict[Knowledge, list[_Node]] = {}
        self._final.update(own for state, _, _, own, _ in waiting if game.turn(state) == END)
        while waiting:
            going: list[tuple[_Node, int, tuple[Move, ...]]] = []
            for node in waiting:
                state = node[0]
                turn = game.turn(state)
                if turn == END:
                    self._pay(node)
                elif turn == self._side:
                    sets.setdefault(game.knows(state, turn), []).append(node)
                else:
                    going.append((node, turn, tuple(game.moves(state))))
            sample.nodes += sample.weight * len(waiting)
            going = self._fewer(going, sets)
            waiting = [after for node, turn, moves in going for after in self._after(node, turn, moves)]
        return sets

    def _fewer(
        self, going: list[tuple[_Node, int, tuple[Move, ...]]], sets: dict[Knowledge, list[_Node]]
    ) -> list[tuple[_Node, int, tuple[Move, ...]]]:
        """Leave out nodes between two turns: by sequences, whose rows stay complete; before the first turn, by sets."""
        if sum(len(moves) for _, _, moves in going) > self._most:
            keys = [own or (self._game.knows(state, self._side),) for (state, _, _, own, _), _, _ in going]
            turned = {knowledge: nodes[0][3] or (knowledge,) for knowledge, nodes in sets.items()}
            children = dict.fromkeys([*keys, *turned.values()], 0)
            for key, (_, _, moves) in zip(keys, going, strict=True):
                children[key] += len(moves)
            stays = self._chosen(children)
            for knowledge, key in turned.items():
                if key not in stays:
                    del sets[knowledge]
            going = [node for node, key in zip(going, keys, strict=True) if key in stays]
        self._count(sum(len(moves) for _, _, moves in going))
        return going

    def _chosen(self, children: dict[Any, int]) -> set[Any]:
        """Choose the groups that stay, spread over those with many and those with few children."""
        factor = sampling_factor(sum(children.values()), len(children), self._most)
        if factor == 1:
            return set(children)
        self.sample.weight *= factor
        listed = sorted(children, key=children.__getitem__)
        return {listed[place] for place in one_in(len(listed), factor, self._random)}

    def _after(self, node: _Node, turn: int, moves: tuple[Move, ...]) -> Iterable[_Node]:
        game, (state, n, d, own, other) = self._game, node
        if turn == CHANCE:
            for move, share in zip(moves, game.odds(state), strict=True):
                if share:
                    yield game.play(state, move), n * share.numerator, d * share.denominator, own, other
            return
        knowledge = game.knows(state, turn)
        first = self._others.get(knowledge)
        if first is None:
            first = self._others[knowledge] = self._sequences[1]
            self._sequences[1] += len(moves)
        else:
            self._again.add(knowledge)
        for number, move in enumerate(moves):
            yield game.play(state, move), n, d, own, first + number

    def _moved(self, sets: dict[Knowledge, list[_Node]]) -> list[_Node]:
        """Leave out sets, and make the side's moves at those that stay."""
        game, sample = self._game, self.sample
        sample.sets += sample.weight * len(sets)
        offered = {knowledge: tuple(game.moves(nodes[0][0])) for knowledge, nodes in sets.items()}
        stays = self._chosen({known: len(nodes) * len(offered[known]) for known, nodes in sets.items()})
        following: list[_Node] = []
        for knowledge, nodes in sets.items():
            if knowledge not in stays:
                continue
            moves, first = offered[knowledge], self._sequences[0]
            self._met.append((knowledge, nodes[0][0], moves))
            self._sequences[0] += len(moves)
            sample.sequences += sample.weight * len(moves)
            self._count(len(nodes) * len(moves))
            for number, move in enumerate(moves):
                following += [(game.play(state, move), n, d, first + number, other) for state, n, d, _, other in nodes]
        return following

    def _pay(self, node: _Node) -> None:
        state, n, d, own, other = node
        payoff = self._game.payoff(state)
        n, d = n * payoff.numerator, d * payoff.denominator
        weight, n0, d0 = self._paid.get((own, other), (self.sample.weight, 0, 1))
        if d != d0:
            n, n0, d = n * d0, n0 * d, d * d0
        self._paid[own, other] = weight, n0 + n, d
        self.sample.ends += self.sample.weight

    def _count(self, children: int) -> None:
        tick()
        self._left -= children
        if self._left < 0:
            raise TooLargeToSample

    # Bytes, as they are taken by `ruse.forms.sequence_form.plain_form`.

    def _bytes_of_sets(self) -> float:
        """Bytes of a set: in the table of sets, what is known there, its moves, where it begins, what it pays."""
        met = self._met[-LOOKED_AT:]
        known = [knowledge for knowledge, _, _ in met]
        taken = each(known) + each([moves for _, _, moves in met]) + SLOT + 3 * PLACE + NUMBER
        taken += (self._sequences[0] * PLACE + len(self._final) * PAIR) / max(len(self._met), 1)
        if asked_by_contract(self._game):  # which keeps a state and the text of each
            texts = [describe(self._game, knowledge) for knowledge in known]
            taken += each([state for _, state, _ in met]) + each(texts) + 2 * SLOT
        return taken

    def _bytes_of_entries(self) -> float:
        """Bytes of an entry: twice in a table, first as numbers, then in lowest terms, and in a list to sort them.

        Those that come to nothing are sorted too, and then left out.
        """
        payoffs = [(n, d) for _, n, d in islice(self._paid.values(), LOOKED_AT)]
        added = SLOT + PAIR + 2 * NUMBER + each(payoffs) + PAIR + PLACE
        reduced = SLOT + each([Fraction(n, d) for n, d in payoffs])
        return added * len(self._paid) / max(sum(1 for _, n, _ in self._paid.values() if n), 1) + reduced
