"""How large a sequence form will be, and how much memory writing it down will take: reckoned from a part of the walk.

Knuth (1975) follows random plays, which says how many nodes there are but not how many of them are one information set.
So plays are left out by what one side knows: of what it can tell apart, a set or a sequence stays with all its
histories or goes with all of them, one in f stays by chance, and what is left counts f times as often. On average

    E[found * weight] = what there is

of nodes and ends, of that side's sets and sequences, and of the payoffs in their rows, which are whole. A second walk
does the same for the other side. A walk that never had to leave anything out has counted all there is. On arrays the
bytes that Python hands out meanwhile are counted too, level by level, and weighted alike.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random

import numpy as np

from ruse.core import size_estimate
from ruse.core.arrays import Array
from ruse.core.capabilities import Bulk, Memoryless
from ruse.core.contract import checked
from ruse.core.game import Game, GameError
from ruse.forms import reckoned_by_rules
from ruse.forms.sequence_form import SequenceForm
from ruse.forms.thinning import Hopeless, Tally, factor_for, one_in
from ruse.forms.vectorised import PORTION, _Nodes, _Walk, numbered

ON_ARRAYS = 10_000  # nodes of a level, to look at
MOST_ON_ARRAYS = 2_000_000  # nodes, after which a walk gives up
BY_RULES = 1_000  # moves at once, to look at by the rules, or
PART = 400  # that part of all nodes, if that is more
STEPS = 80_000  # moves, after which a walk by the rules gives up, or
SHARE = 6  # that part of all nodes, if that is more
PROBES = 2_000  # random plays, and
SURE = 0.05  # how wrong they may be, to be better than what is left of a walk
SLACK = 1.1  # times what is asked for, the system hands out while a form is written down: measured
ENTRY_BYTES = 4 + 4 + 8  # of a form: row, column and payoff
SET_BYTES = 4 + 4  # of a set in it: its parent and its first sequence
WAY_BYTES = 4 + 4  # of a node that was walked on arrays: where it came from, by which move
FEWEST_MOVES = 16  # that are played at once, where what is left of a level is played as the whole of it would be
MET_BYTES = 4  # of a set that was met there: at which node


@dataclass(frozen=True)
class Reckoned:
    """About how large a form is, and how many bytes it takes: at most while it is written down, and from then on."""

    nodes: int
    ends: int
    entries: int
    sets: tuple[int, int]
    sequences: tuple[int, int]
    building: int
    kept: int
    counted: bool  # whether nothing was left out


def reckoned(game: Game, nodes: int) -> Reckoned | None:
    """Of a game of about so many nodes; None where too little can be left out to say so soon."""
    if isinstance(game, Memoryless):
        return None
    try:
        return on_arrays(game) if isinstance(game, Bulk) else by_rules(game, nodes)
    except (Hopeless, GameError):  # what is wrong with rules is said by those who walk all of it
        return None


def on_arrays(game: Bulk, most: int = ON_ARRAYS) -> Reckoned:
    """Of a game with rules on arrays, by walks of about so many nodes a level."""
    import scipy.sparse  # noqa: F401, for its bytes are not the walk's

    with _traced():
        first, second = (_Thinned(game, side, most).go() for side in (0, 1))
    inner = (first.nodes + second.nodes - first.ends - second.ends) / 2
    replayed = inner * WAY_BYTES + (first.sets + second.sets) * MET_BYTES
    levels = (first.playing + second.playing) / 2
    return _of(first, second, max(levels, first.adding_up), replayed)  # row by row, and those of side 0 are whole


def by_rules(game: Game, nodes: int, most: int | None = None) -> Reckoned:
    """Of any other game, of about so many nodes, by walks of about so many moves at once."""
    game = checked(game)
    wide, steps = max(BY_RULES, nodes // PART) if most is None else most, max(STEPS, nodes // SHARE)
    walk = reckoned_by_rules.Walk(game, 0, wide, steps)
    first = walk.go()
    second = walk.other() or reckoned_by_rules.Walk(game, 1, wide, steps).go()
    if not (first.whole and second.whole):
        found = size_estimate.probed(game, PROBES, SURE)
        if found is not None:
            first, second = (tally.scaled(found / tally.nodes) for tally in (first, second))
    sets = first.sets * first.set_bytes + second.sets * second.set_bytes
    entries = first.entries * first.entry_bytes + second.entries * second.entry_bytes
    return _of(first, second, entries / 2 + sets, sets)


def _of(first: Tally, second: Tally, building: float, named: float) -> Reckoned:
    """Of both walks, with the bytes that it takes to know what the sets are in the rules."""
    nodes, ends, entries = (
        round(sum(both) / 2)
        for both in ((first.nodes, second.nodes), (first.ends, second.ends), (first.entries, second.entries))
    )
    sets, sequences = (round(first.sets), round(second.sets)), (round(first.sequences), round(second.sequences))
    kept = entries * ENTRY_BYTES + sum(sets) * SET_BYTES + round(named)
    whole = first.whole and second.whole
    return Reckoned(nodes, ends, entries, sets, sequences, max(round(SLACK * building), kept), kept, whole)


@contextmanager
def _traced() -> Iterator[None]:
    """Python counts the bytes that it hands out, those of arrays included."""
    if tracemalloc.is_tracing():
        yield
        return
    tracemalloc.start()
    try:
        yield
    finally:
        tracemalloc.stop()


class _Thinned(_Walk):
    """The walk that writes a form down, but for what it leaves out by what one side knows."""

    def __init__(self, game: Bulk, side: int, most: int) -> None:
        super().__init__(game)
        self.found = Tally()
        self.for_scipy = 0  # payoffs are added up as those of the whole walk will be
        self._by, self._most, self._random = side, most, Random(side)
        self._stays = 0.0  # bytes that are needed until the end, of the whole walk
        self._held = 0  # the same of this walk, so far
        self._paid: list[tuple[int, Array]] = []  # weight and both sequences of ends
        self._others = 0  # bytes that are not of this walk
        self._walked = 0  # nodes

    def go(self) -> Tally:
        self._others = tracemalloc.get_traced_memory()[0]
        self._end_up(self.form())
        return self.found

    def _next_level(self, level: list[_Nodes]) -> _Nodes:
        found, tree = self.found, self.trees[self._by]
        found.nodes += found.weight * len(level[0].turns)
        self._leave_out(level)
        sets, sequences = len(tree.counts), tree.sequences
        self.portion = max(PORTION // found.weight, FEWEST_MOVES)
        before = self._taken()[0] - _bytes(level[0])
        tracemalloc.reset_peak()
        following = super()._next_level(level)
        after, peak = self._taken()
        found.playing = max(found.playing, self._stays + found.weight * (peak - before))
        self._held = after - _bytes(following)
        self._stays += found.weight * (self._held - before)
        found.sets += found.weight * sum(map(len, tree.counts[sets:]))
        found.sequences += found.weight * (tree.sequences - sequences)
        tracemalloc.reset_peak()
        return following

    def _leave_out(self, level: list[_Nodes]) -> None:
        """What is left of a level: at the side's turn by sets, else by sequences, whose rows stay whole."""
        nodes = level[0]
        self._walked += len(nodes.turns)
        if self._walked > MOST_ON_ARRAYS:
            raise Hopeless
        if len(nodes.turns) <= self._most:
            return
        own, seen = nodes.sequences[self._by].astype(np.int64), nodes.seen[self._by] + 1
        by_set = (nodes.turns == self._by) | (own == 0)  # and before its first turn by what it knows
        groups, firsts = numbered(own * (int(seen.max()) + 1) + np.where(by_set, seen, 0))
        factor = factor_for(len(groups), len(firsts), self._most)
        by_size = np.argsort(np.bincount(groups), kind="stable")  # some of the large ones, and some of the small ones
        stays = np.zeros(len(firsts), dtype=np.bool_)
        stays[by_size[one_in(len(firsts), factor, self._random)]] = True
        chosen = np.flatnonzero(stays[groups])
        level[0] = _Nodes(*(field.take(chosen, axis=-1) for field in nodes))
        self.found.weight *= factor

    def _end(self, states: Array, weights: Array, sequences: Array) -> None:
        found, many = self.found, len(weights)
        found.nodes += found.weight * many
        found.ends += found.weight * many
        self._paid.append((found.weight, sequences.copy()))
        super()._end(states, weights, sequences)

    def _end_up(self, form: SequenceForm) -> None:
        """What adding up the payoffs takes, and how many pairs of sequences have one: counted where first met."""
        found, (_, peak) = self.found, self._taken()
        columns = form.trees[1].sequences
        met = np.concatenate([_places(sequences[0], sequences[1], columns) for _, sequences in self._paid])
        weights = np.concatenate([np.full(sequences.shape[1], weight) for weight, sequences in self._paid])
        pairs, firsts = np.unique(met, return_index=True)
        paid = np.isin(pairs, _places(form.rows, form.columns, columns), assume_unique=True)
        found.entries = float(weights[firsts[paid]].sum())
        found.adding_up = self._stays + (peak - self._held) * found.ends / len(met)

    def _taken(self) -> tuple[int, int]:
        """Bytes that the walk takes now, and at most since the last look, but for what is written down here."""
        ours = self._others + sum(sequences.nbytes for _, sequences in self._paid)
        now, peak = tracemalloc.get_traced_memory()
        return now - ours, peak - ours


def _places(rows: Array, columns: Array, many: int) -> Array:
    found: Array = rows.astype(np.int64) * many + columns
    return found


def _bytes(nodes: _Nodes) -> int:
    return sum(field.nbytes for field in nodes)
