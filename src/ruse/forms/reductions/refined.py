"""Symmetry that nobody declares: sequences that no payoff tells apart are one (Grohe, Kersting, Mladenov, Selman 2014).

Colour both sides' sequences and information sets so that

    sequences of one colour gain the same in sum at the other side's sequences of any one colour, belong to sets of one
    colour, and lead to as many sets of each colour;   sets of one colour follow sequences of one colour and have as
    many sequences of each colour.

Such a partition is equitable: side by side, optimal plans exist that give equal weights to sequences of one colour. The
coarsest one is found by refining: begin with one colour, and split what one of these conditions tells apart until
nothing changes. It has one class for everything that a relabelling of seats or suits maps into each other, and often
more.

Each class of sets follows one class of sequences, so the classes are the sequences of a smaller form. Let m be how many
sequences of a class stand in one set, M the product of m along the way to it, and N that of how many sets of a class
follow one sequence. With x'[c] = M[c] x[c], a set's weights add up again, and

    A'[c, d] = N[c] S[c, d] / M[d],      S[c, d] = the sum of A[i, j] over all j of class d, for any i of class c.

A plan of the smaller form is spread evenly: x[i] = x'[c] / M[c]. Colours are hashes, which may collide, so the
partition that they end in is checked in whole numbers before anything is made of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from types import ModuleType
from typing import Any

import numpy as np
from scipy.sparse import coo_array

from ruse.core.capabilities import Memoryless
from ruse.core.clock import tick
from ruse.core.exact import INT64, integers
from ruse.core.game import Game
from ruse.core.size_estimate import MOST_WALKED, walkable
from ruse.forms.sequence_form import SequenceForm, Treeplex, sequence_form

Array = np.ndarray[Any, np.dtype[Any]]
Plans = tuple[list[Fraction], list[Fraction]]
WORTH = 0.5  # of the sequences may be left: more would hardly be solved any quicker
WORD = (1 << 64) - 1
LARGE = 400_000  # sequences and entries: numpy would take longer than numba takes to load


@dataclass(frozen=True)
class RefinedForm:
    """A form of classes, and which class each sequence of the whole form is in."""

    form: SequenceForm
    classes: tuple[Array, Array]  # int32[sequences] a side
    spread: tuple[list[int], list[int]]  # M of each class: the weight of a sequence is its class's divided by this

    @property
    def note(self) -> str:
        """What it did, in a line."""
        before, after = (len(own) for own in self.classes), (tree.sequences for tree in self.form.trees)
        whole, left = (" + ".join(f"{one:,}" for one in numbers) for numbers in (before, after))
        return f"{whole} sequences, {left} after symmetry"

    def grown(self, plans: tuple[Sequence[Fraction], Sequence[Fraction]]) -> Plans:
        """The plans of the whole form that treat alike what is alike."""
        first, second = (self._grown(side, plans[side]) for side in (0, 1))
        return first, second

    def _grown(self, side: int, plan: Sequence[Fraction]) -> list[Fraction]:
        each = [weight / many for weight, many in zip(plan, self.spread[side], strict=True)]
        return [each[number] for number in self.classes[side].tolist()]


def refined(whole: SequenceForm, worth: float = WORTH) -> RefinedForm | None:
    """The form of classes; None where more than `worth` of the sequences would be left, or hashes collide."""
    sequences = sum(tree.sequences for tree in whole.trees)
    loops = _loops(sequences + len(whole.payoffs))
    sides = _coloured(whole, loops, int(worth * sequences))
    if sides is None:
        return None
    first, second = (_grouped(side, loops) for side in sides)
    if first is None or second is None:
        return None
    sums = _sums(whole.rows, whole.columns, whole.payoffs, first, second)
    if sums is None or _sums(whole.columns, whole.rows, whole.payoffs, second, first) is None:
        return None
    rows, columns, totals = sums
    unit = lcm(*second.spread)
    payoffs = [
        total * first.follow[row] * (unit // second.spread[column])
        for row, column, total in zip(rows.tolist(), columns.tolist(), totals.tolist(), strict=True)
    ]
    form = SequenceForm(
        (first.tree, second.tree),
        rows.astype(np.int32),
        columns.astype(np.int32),
        integers(payoffs),
        whole.denominator * unit,
    )
    return RefinedForm(form, (first.classes, second.classes), (first.spread, second.spread))


def counted(game: Game) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Sequences of each side as the rules are, and after symmetry; None where there is no form, or it is too large."""
    if isinstance(game, Memoryless) or not walkable(game, MOST_WALKED):
        return None
    whole = sequence_form(game)
    found = refined(whole, 1.0)
    return None if found is None else (_sequences(whole), _sequences(found.form))


def _sequences(form: SequenceForm) -> tuple[int, int]:
    return form.trees[0].sequences, form.trees[1].sequences


# Colours.


def _loops(size: int) -> ModuleType:
    """What takes least time for a form of this size: loops in numpy, or the same compiled."""
    if size < LARGE:
        from ruse.forms.reductions import colours

        return colours
    from ruse.kernels import colours as compiled

    return compiled


class _Side:
    """One side's tree with the colours of its sequences and sets."""

    def __init__(self, tree: Treeplex, loops: ModuleType) -> None:
        self.tree = tree
        self.sequences = np.ones(tree.sequences, dtype=np.uint64)
        self.sets = np.ones(tree.infosets, dtype=np.uint64)
        self._sweep = loops.sweep(tree.parent, tree.first)

    def colour(self, paid: Array) -> None:
        """New colours by what sequences are paid."""
        self._sweep(paid, self.sets)
        self.sequences = paid


def _coloured(whole: SequenceForm, loops: ModuleType, most: int) -> tuple[_Side, _Side] | None:
    """Refine until nothing changes; give up where there are more than `most` colours."""
    if whole.payoffs.dtype == object:
        words = np.array([payoff & WORD for payoff in whole.payoffs.tolist()], dtype=np.uint64)
    else:
        words = whole.payoffs.astype(np.int64).view(np.uint64)
    first, second = (_Side(tree, loops) for tree in whole.trees)
    before = 0
    while True:
        found = 0
        for mine, other, own, others in (
            (first, second, whole.rows, whole.columns),
            (second, first, whole.columns, whole.rows),
        ):
            tick()
            mine.colour(loops.paid(own, others, words, other.sequences, mine.tree.sequences))
            found += loops.count(mine.sequences, most - found)
            if found > most:
                return None
        if found <= before:  # fewer only where colours collide, which the check then sees
            return first, second
        before = found


# Classes, and the exact check.


@dataclass(frozen=True)
class _Grouped:
    """The classes of one side: a tree of them, and what they count."""

    tree: Treeplex
    classes: Array  # int32[sequences]
    sizes: Array  # int64[classes]: how many sequences each has
    chosen: Array  # int64[classes]: a sequence of each
    spread: list[int]  # M of each
    follow: list[int]  # N of each


def _grouped(side: _Side, loops: ModuleType) -> _Grouped | None:
    """The tree of classes, parents first; None where the colours are those of no equitable partition of the tree."""
    tree = side.tree
    counts = np.diff(tree.first)
    set_classes, chosen_sets = loops.numbered(side.sets)  # by the first of each, so that parents come first,
    classes, chosen = loops.numbered(side.sequences)  # and those of one class of sets stand together
    owner = np.concatenate([[-1], np.repeat(set_classes, counts)])
    if not _agree(classes, owner) or not _agree(set_classes, classes[tree.parent]):
        return None
    own_class, parents = owner[chosen], classes[tree.parent[chosen_sets]]
    if np.any(np.diff(own_class) < 0) or np.any(parents[own_class[1:]] >= np.arange(1, len(chosen))):
        return None
    sizes, set_sizes = np.bincount(classes), np.bincount(set_classes)
    # In each set as many sequences of a class, after each sequence as many sets of a class.
    inside = loops.evenly(np.repeat(np.arange(tree.infosets), counts), classes[1:] - 1, set_sizes[own_class[1:]])
    behind = loops.evenly(tree.parent, set_classes, sizes[parents])
    if inside is None or behind is None:
        return None
    first = np.searchsorted(own_class, np.arange(len(chosen_sets) + 1))
    spread, follow = [1] * len(chosen), [1] * len(chosen)
    for number, (parent, begin, end) in enumerate(zip(parents.tolist(), first[:-1], first[1:], strict=True)):
        for one in range(begin, end):
            spread[one] = spread[parent] * int(inside[one - 1])
            follow[one] = follow[parent] * int(behind[number])
    shape = Treeplex(parents.astype(np.int32), first.astype(np.int32))
    return _Grouped(shape, classes.astype(np.int32), sizes, chosen, spread, follow)


def _agree(classes: Array, said: Array) -> bool:
    """Whether all of one class say the same."""
    found = np.empty(int(classes.max(initial=-1)) + 1, dtype=said.dtype)
    found[classes] = said
    return bool(np.all(found[classes] == said))


def _sums(
    rows: Array, columns: Array, payoffs: Array, mine: _Grouped, other: _Grouped
) -> tuple[Array, Array, Array] | None:
    """S, where it is not 0, by class of rows and of columns; None unless all rows of a class have the same."""
    tick()
    start, found, totals = _added(rows, other.classes[columns], payoffs, (len(mine.classes), len(other.sizes)))
    lengths = np.diff(start)
    like = mine.chosen[mine.classes]  # the row of its class that each one must be like
    if np.any(lengths[like] != lengths):
        return None
    place = np.arange(len(found)) + np.repeat(start[like] - start[:-1], lengths)
    if np.any(found[place] != found) or np.any(totals[place] != totals):
        return None
    kept = np.repeat(like == np.arange(len(like)), lengths)
    return mine.classes[np.repeat(np.arange(len(like)), lengths)[kept]], found[kept], totals[kept]


def _added(rows: Array, columns: Array, values: Array, shape: tuple[int, int]) -> tuple[Array, Array, Array]:
    """A matrix row after row, entries of one place added up, without zeros: where rows start, columns, values."""
    if values.dtype != object and float(np.sum(np.abs(values.astype(float)))) < INT64:
        matrix = coo_array((values.astype(np.int64), (rows, columns)), shape=shape).tocsr()
        matrix.sum_duplicates()
        matrix.eliminate_zeros()
        return matrix.indptr, matrix.indices, matrix.data
    place = rows.astype(np.int64) * shape[1] + columns
    order = np.argsort(place, kind="stable")
    places, starts = np.unique(place[order], return_index=True)
    totals = np.add.reduceat(values.astype(object)[order], starts)
    places, totals = places[totals != 0], totals[totals != 0]
    return np.searchsorted(places, shape[1] * np.arange(shape[0] + 1)), places % shape[1], totals
