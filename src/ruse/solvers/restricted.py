"""A game in which each side may play only some of its moves, as a smaller sequence form.

Each information set keeps at least one move. Where it is the only one, it is the side's default action there: play
goes on by itself, the set and its sequences disappear, and the payoffs of all ends behind them are added up where
play last had a choice. That sum is the value of a temporary leaf (Bošanský et al. 2014), without ever visiting
a node: row and column of each payoff are renamed, and payoffs that now share both are added.

A plan of the restricted game is a plan of the whole game, with the same payoff x' A y: nothing is estimated.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ruse.core.arrays import Array
from ruse.core.exact import INT64
from ruse.forms.certificate import Plan
from ruse.forms.integer_form import Weights
from ruse.forms.sequence_form import FormArrays, Treeplex
from ruse.kernels import restriction

Masks = tuple[Array, Array]  # bool[sequences] a side: may the move that ends this sequence be played?


@dataclass(frozen=True)
class Restricted:
    form: FormArrays
    images: tuple[Array, Array]  # int32[sequences] a side: what each has become in `form`; -1 if it is never played
    chosen: tuple[Array, Array]  # int32[sequences of form] a side: which sequence of the whole form each one is
    sets: tuple[Array, Array]  # int32[infosets of form] a side: which information set of the whole form each one is

    @property
    def sequences(self) -> tuple[int, int]:
        """Of the restricted form: those that are chosen."""
        return self.form.trees[0].sequences, self.form.trees[1].sequences

    @property
    def played(self) -> tuple[int, int]:
        """Sequences of the whole form that can come up, those of default actions included."""
        return int(np.sum(self.images[0] >= 0)), int(np.sum(self.images[1] >= 0))

    @property
    def entries(self) -> int:
        """Payoffs of the restricted form."""
        return len(self.form.payoffs)

    def weights(self, weights: Weights) -> Weights:
        """Weights of the restricted form as weights of the whole one."""
        first, second = (
            np.where(image >= 0, np.asarray(own, dtype=float)[image], 0.0)
            for image, own in zip(self.images, weights, strict=True)
        )
        return first, second

    def plans(self, plans: tuple[Plan, Plan]) -> tuple[list[Fraction], list[Fraction]]:
        """Plans of the restricted form as plans of the whole one."""
        first, second = (
            [own[number] if number >= 0 else Fraction(0) for number in image.tolist()]
            for image, own in zip(self.images, plans, strict=True)
        )
        return first, second


def restrict(form: FormArrays, playable: Masks) -> Restricted:
    """The game in which both sides keep to what is playable."""
    (first, rows, *origin0), (second, columns, *origin1) = (
        _folded(tree, mask) for tree, mask in zip(form.trees, playable, strict=True)
    )
    row, column = rows[form.rows], columns[form.columns]
    kept = np.flatnonzero((row >= 0) & (column >= 0))
    place = row[kept].astype(np.int64) * second.sequences + column[kept]
    order = np.argsort(place, kind="stable")
    places, starts = np.unique(place[order], return_index=True)
    small = form.payoffs.dtype != object and np.sum(np.abs(form.payoffs.astype(float))) < INT64
    payoffs = form.payoffs if small else form.payoffs.astype(object)
    totals = np.add.reduceat(payoffs[kept[order]], starts) if len(starts) else payoffs[:0]
    places, totals = places[totals != 0], totals[totals != 0]
    small = FormArrays(
        (first, second),
        (places // second.sequences).astype(np.int32),
        (places % second.sequences).astype(np.int32),
        totals,
        form.denominator,
    )
    return Restricted(small, (rows, columns), (origin0[0], origin1[0]), (origin0[1], origin1[1]))


def _folded(tree: Treeplex, playable: Array) -> tuple[Treeplex, Array, Array, Array]:
    image, chosen, sets = (np.empty(size, dtype=np.int32) for size in (tree.sequences, tree.sequences, tree.infosets))
    sequences, count = restriction.fold(tree.parent, tree.first, playable, image, chosen, sets)
    chosen, sets = chosen[:sequences].copy(), sets[:count].copy()
    first = np.append(np.searchsorted(chosen, tree.first[sets]), sequences).astype(np.int32)
    return Treeplex(image[tree.parent[sets]], first), image, chosen, sets
