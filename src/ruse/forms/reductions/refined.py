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
from math import lcm, prod
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np

from ruse.core.arrays import Array
from ruse.core.capabilities import Memoryless
from ruse.core.clock import tick
from ruse.core.exact import INT64, integers
from ruse.core.game import Game
from ruse.core.size_estimate import MOST_WALKED, walkable
from ruse.forms.reductions import colours as plain
from ruse.forms.sequence_form import FormArrays, Treeplex, sequence_form

if TYPE_CHECKING:
    from ruse.forms.reductions.colours_shared import Shared

    Loops = ModuleType | Shared

Triple = tuple[Array, Array, Array]
Plans = tuple[list[Fraction], list[Fraction]]
NONE = np.zeros(0, dtype=np.uint64)
MOST_LEFT = 0.5  # of the sequences may be left: more would hardly be solved any quicker
PROBED, FEW = 8, 0.25  # a part of large sides' sets is counted first: fewer colours than a share of its sequences do
LARGE = 400_000  # sequences and entries: numpy would take longer than numba takes to load


@dataclass(frozen=True)
class RefinedForm:
    """A form of classes, and which class each sequence of the whole form is in."""

    form: FormArrays
    classes: tuple[Array, Array]  # int32[sequences] a side
    spread: tuple[list[int], list[int]]  # M of each class: the weight of a sequence is its class's divided by this
    option = "refine"  # of a solve, that turns this off

    @property
    def note(self) -> str:
        """What it did, in a line."""
        before, after = (len(own) for own in self.classes), (tree.sequences for tree in self.form.trees)
        whole, left = (" + ".join(f"{number:,}" for number in numbers) for numbers in (before, after))
        return f"{whole} sequences, {left} after symmetry"

    def grown(self, plans: tuple[Sequence[Fraction], Sequence[Fraction]]) -> Plans:
        """The plans of the whole form that treat alike what is alike."""
        first, second = (self._grown(side, plans[side]) for side in (0, 1))
        return first, second

    def _grown(self, side: int, plan: Sequence[Fraction]) -> list[Fraction]:
        each = [weight / many for weight, many in zip(plan, self.spread[side], strict=True)]
        return [each[number] for number in self.classes[side].tolist()]


def refined(whole: FormArrays, limit: float = MOST_LEFT, threads: int | None = None) -> RefinedForm | None:
    """The form of classes; None where more than `limit` of the sequences would be left, or hashes collide."""
    sequences = sum(tree.sequences for tree in whole.trees)
    loops = _loops(whole, threads)
    sides = _coloured(whole, loops, int(limit * sequences))
    if sides is None:
        return None
    first, second = (_grouped(side, loops) for side in sides)
    if first is None or second is None:
        return None
    sums = _sums(sides, (first, second), loops)
    if sums is None:
        return None
    rows, columns, totals = sums
    unit = lcm(*np.unique(second.spread).tolist())
    shares = unit // _wide(second.spread, unit)
    most = prod(_largest(factor) for factor in (totals, first.follow, shares))
    payoffs = _wide(totals, most) * first.follow[rows] * shares[columns]
    form = FormArrays(
        (first.tree, second.tree),
        rows.astype(np.int32),
        columns.astype(np.int32),
        integers(payoffs.tolist()) if payoffs.dtype == object else payoffs,
        whole.denominator * unit,
    )
    return RefinedForm(form, (first.classes, second.classes), (first.spread.tolist(), second.spread.tolist()))


def counted(game: Game) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Sequences of each side as the rules are, and after symmetry; None where there is no form, or it is too large."""
    if isinstance(game, Memoryless) or not walkable(game, MOST_WALKED):
        return None
    whole = sequence_form(game)
    refinement = refined(whole, 1.0)
    return None if refinement is None else (_sequences(whole), _sequences(refinement.form))


def _sequences(form: FormArrays) -> tuple[int, int]:
    return form.trees[0].sequences, form.trees[1].sequences


# Colours.


def is_large(form: FormArrays) -> bool:
    """Whether compiled loops take less time than those in numpy."""
    return sum(tree.sequences for tree in form.trees) + len(form.payoffs) >= LARGE


def _loops(form: FormArrays, threads: int | None) -> Loops:
    """What takes least time for a form: loops in numpy, or the same compiled, by all threads."""
    if not is_large(form):
        return plain
    from ruse.forms.reductions.colours_shared import Shared

    return Shared(threads)


class _Side:
    """One side's tree and payoffs, with the colours of its sequences and sets."""

    def __init__(self, tree: Treeplex, own: Array, other: Array, payoffs: Array, loops: Loops) -> None:
        self.tree = tree
        self.sequences = np.empty(tree.sequences, dtype=np.uint64)
        self.sets = np.empty(tree.infosets, dtype=np.uint64)
        self.set_classes, self.chosen_sets = np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int64)
        self.many = 0  # colours of sequences
        by_row: Triple = _plain_loops(payoffs, loops).by_row(own, other, payoffs, tree.sequences)
        self.start, self.other, self.payoffs = by_row
        self._sweep = loops.sweep(tree.parent, tree.first, self.start, self.other, self.payoffs)
        self._numbered = loops.numbered

    def colour(self, other: _Side, most: int) -> bool:
        """New colours by those of the other side: whether they tell more apart. Counting ends at more than `most`.

        The first colours are hardly ever the last: where few of some tell that there are not too many, they will do.
        """
        before, probed = self.many, len(self.sets) // PROBED
        self._sweep(other.sequences if other.many else NONE, self.sequences, self.sets)
        self._count(probed if before == 0 and probed >= LARGE else len(self.sets), most)
        if self.many > self.tree.first[len(self.set_classes)] * FEW:
            self.finish(most)
        return self.many > before

    def finish(self, most: int) -> None:
        """Count the colours that are not counted yet."""
        if len(self.set_classes) < len(self.sets):
            self._count(len(self.sets), most)

    def _count(self, sets: int, most: int) -> None:
        numbering = self._numbered(self.sets[:sets], self.tree.first[: sets + 1], self.sequences, most)
        self.set_classes, self.chosen_sets, self.many = numbering

    def chosen(self) -> Array:
        """The sequences of one set of each colour."""
        begins = self.tree.first[self.chosen_sets].astype(np.int64)
        counts = self.tree.first[self.chosen_sets + 1] - begins
        ends = np.cumsum(counts)
        sequences: Array = np.arange(int(ends[-1]) if len(ends) else 0) + np.repeat(begins - ends + counts, counts)
        return sequences


def _narrow(payoffs: Array) -> Array:
    """Payoffs in bytes, where they are so small: there is less to move."""
    return payoffs.astype(np.int8) if _largest(payoffs) < 1 << 7 else payoffs


def _largest(numbers: Array) -> int:
    return max(int(numbers.max(initial=0)), -int(numbers.min(initial=0)))


def _wide(numbers: Array, most: float) -> Array:
    """Numbers that are reckoned with up to `most`."""
    return numbers if most < INT64 else numbers.astype(object)


def _coloured(whole: FormArrays, loops: Loops, most: int) -> tuple[_Side, _Side] | None:
    """Refine until nothing changes; give up where there are more than `most` colours.

    Finer colours of one side can only make those of the other finer. So as soon as a side's new colours tell no more
    apart than its old ones, neither will the other's, which come from those. The smaller side goes first and last.
    """
    payoffs = _narrow(whole.payoffs)
    first, second = (
        _Side(whole.trees[0], whole.rows, whole.columns, payoffs, loops),
        _Side(whole.trees[1], whole.columns, whole.rows, payoffs, loops),
    )
    mine, other = sorted((first, second), key=lambda side: side.tree.sequences)
    while True:
        tick()
        finer = mine.colour(other, most - other.many)
        if first.many + second.many > most:
            return None
        if not finer:  # fewer only where colours collide, which the check then sees
            for side in (first, second):
                side.finish(most)
            return (first, second) if first.many + second.many <= most else None
        mine, other = other, mine


# Classes, and the exact check.


@dataclass(frozen=True)
class _Grouped:
    """The classes of one side: a tree of them, and what they count."""

    tree: Treeplex
    classes: Array  # int32[sequences]
    chosen: Array  # int64[classes]: a sequence of each
    spread: Array  # M of each
    follow: Array  # N of each


def _grouped(side: _Side, loops: Loops) -> _Grouped | None:
    """The tree of classes, parents first; None where the colours are those of no equitable partition of the tree."""
    tree, own = side.tree, side.chosen()
    set_classes, chosen_sets = side.set_classes, side.chosen_sets
    colours = side.sequences[own]
    of = np.repeat(np.arange(len(chosen_sets)), tree.first[chosen_sets + 1] - tree.first[chosen_sets])
    order = np.lexsort((colours, of))  # of equal ones the first stays first
    new = np.diff(of[order], prepend=-1) > 0
    new[1:] |= colours[order[1:]] != colours[order[:-1]]
    runs = np.flatnonzero(new)
    each = np.diff(runs, append=len(own))
    met = np.argsort(order[runs])  # classes are numbered in the order they are met, so that parents come first,
    numbers = np.empty(len(runs), dtype=np.int32)  # and those of one class of sets stand together
    numbers[met] = np.arange(1, len(runs) + 1)
    begins = np.concatenate([[1], 1 + np.cumsum(np.bincount(of[order[runs]], minlength=len(chosen_sets)))])
    inside = np.concatenate([[1], each[met]])
    known = colours[order[runs]]
    by_class = set_classes, chosen_sets, begins, known, numbers, inside
    grouped = loops.inside(tree.parent, tree.first, *by_class, side.sequences)
    if grouped is None:
        return None
    classes, parents, set_sizes = grouped
    sizes = inside * np.concatenate([[1], np.repeat(set_sizes, np.diff(begins))])
    behind = set_sizes // sizes[parents]  # after each sequence as many sets of a class
    if not np.array_equal(behind * sizes[parents], set_sizes) or not loops.evenly(tree.parent, set_classes, behind):
        return None
    above, follow = (np.repeat(values, np.diff(begins)) for values in (parents, behind))
    ways = [_along(np.concatenate([[0], above]), factors) for factors in (inside, np.concatenate([[1], follow]))]
    shape = Treeplex(parents, begins.astype(np.int32))
    return _Grouped(shape, classes, np.concatenate([[0], own[order[runs[met]]]]), *ways)


def _along(above: Array, factors: Array) -> Array:
    """The product of the factors on the way to each from the first, which is its own."""
    with np.errstate(over="ignore"):
        about = _products(above, factors.astype(np.float64))
    return _products(above, _wide(factors, about.max()))


def _products(above: Array, factors: Array) -> Array:
    while above.any():
        factors, above = factors * factors[above], above[above]  # the product so far, and where the rest begins
    return factors


def _sums(sides: tuple[_Side, _Side], grouped: tuple[_Grouped, _Grouped], loops: Loops) -> Triple | None:
    """S, where it is not 0, by class of rows and of columns; None unless both sides' sequences of a class agree."""
    rows: Triple | None = None
    for side in (1, 0):
        tick()
        mine, own, other = sides[side], grouped[side], grouped[1 - side]
        payoffs, most = mine.payoffs, _largest(mine.payoffs)
        if most * len(payoffs) >= INT64:
            payoffs = _wide(payoffs, most * int(np.diff(mine.start).max()))
        rows = _plain_loops(payoffs, loops).sums(
            mine.start, mine.other, payoffs, own.classes, own.chosen, other.classes, len(other.chosen)
        )
        if rows is None:
            return None
    return rows


def _plain_loops(payoffs: Array, loops: Loops) -> Loops:
    """Loops for payoffs as they are: those that are longer than a word are for numpy."""
    return plain if payoffs.dtype == object else loops
