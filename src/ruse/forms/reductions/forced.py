"""Forced moves: where a move wins at once, or every other one loses at once, there is nothing to decide.

An end with the best payoff of the whole game cannot be bettered, one with the worst cannot be worse. So
at an information set, a move that wins at once in all its states is the only one worth making, and moves
that lose at once in all of them can go while others remain. Information sets with one move left disappear.
In The Resistance this leaves the spies choices only until a side has two points (Johansson, §2.4).

All of that can be seen while the sequence form is written down, so the reduction is one of forms: nothing is walked
for it, and a plan of the smaller form is one of the whole form by putting each weight in its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ruse.core.arrays import Array
from ruse.core.exact import integers
from ruse.forms.sequence_form import FormArrays, Treeplex

FEWEST_REMOVED = 0.05  # of the sequences have to go: less would not be solved any quicker
GONE = -1  # a sequence that is never played
EVEN = -2  # one of those left in a set that no payoff depends on any more: even odds will do

Plans = tuple[list[Fraction], list[Fraction]]


@dataclass(frozen=True)
class ForcedForm:
    """A form without its forced moves, and where each sequence of the whole form is found in it."""

    form: FormArrays
    whole: FormArrays
    places: tuple[list[int], list[int]]  # of the sequence that weighs as much, or GONE or EVEN
    note = ""
    option = "forced"  # of a solve, that turns this off

    def grown(self, plans: tuple[Sequence[Fraction], Sequence[Fraction]]) -> Plans:
        """The plans of the whole form that play like these."""
        first, second = (self._grown(side, plans[side]) for side in (0, 1))
        return first, second

    def _grown(self, side: int, plan: Sequence[Fraction]) -> list[Fraction]:
        places = self.places[side]
        weights = [plan[place] if place >= 0 else Fraction(0) for place in places]
        for parent, first, end in self.whole.trees[side].sets():
            even = [sequence for sequence in range(first, end) if places[sequence] == EVEN]
            for sequence in even:
                weights[sequence] = weights[parent] / len(even)
        return weights


def without_forced(whole: FormArrays) -> ForcedForm | None:
    """The form without forced moves, or None where they are too few to be worth it, or nobody has looked for them."""
    if whole.at_once is None:
        return None
    kept = tuple(_kept(tree, codes) for tree, codes in zip(whole.trees, whole.at_once, strict=True))
    if sum(int(np.sum(~played)) for played in kept) < FEWEST_REMOVED * sum(tree.sequences for tree in whole.trees):
        return None
    alive = kept[0][whole.rows] & kept[1][whole.columns]
    rows, columns = whole.rows[alive], whole.columns[alive]
    first, places0 = _shrunk(whole.trees[0], kept[0], rows)
    second, places1 = _shrunk(whole.trees[1], kept[1], columns)
    entries: dict[tuple[int, int], int] = {}
    for x, y, payoff in zip(rows.tolist(), columns.tolist(), whole.payoffs[alive].tolist(), strict=True):
        place = places0[x], places1[y]
        entries[place] = entries.get(place, 0) + payoff
    entries = {place: payoff for place, payoff in sorted(entries.items()) if payoff}
    form = FormArrays(
        (first, second),
        np.array([x for x, _ in entries], dtype=np.int32),
        np.array([y for _, y in entries], dtype=np.int32),
        integers(list(entries.values())),
        whole.denominator,
    )
    return ForcedForm(form, whole, (places0, places1))


def _kept(tree: Treeplex, codes: Array) -> Array:
    """bool[sequences]: whether each is still played."""
    kept, ends = [True] * tree.sequences, codes.tolist()
    for parent, first, end in tree.sets():
        here = ends[first:end]
        if not kept[parent]:
            kept[first:end] = [False] * len(here)
        elif 1 in here:
            kept[first:end] = [False] * len(here)
            kept[first + here.index(1)] = True
        elif 0 in here:
            kept[first:end] = [code == 0 for code in here]
    return np.array(kept, dtype=np.bool_)


def _shrunk(tree: Treeplex, kept: Array, paid: Array) -> tuple[Treeplex, list[int]]:
    """The tree of what is still played and paid for, and the place of each sequence in it."""
    matters = np.zeros(tree.sequences, dtype=np.bool_)
    matters[paid] = True
    matter = matters.tolist()
    sets = list(tree.sets())
    for parent, first, end in reversed(sets):
        matter[parent] = matter[parent] or any(matter[first:end])
    places, still = [GONE] * tree.sequences, kept.tolist()
    places[0] = 0
    parents, firsts = [], [1]
    for parent, first, end in sets:
        mine = [sequence for sequence in range(first, end) if still[sequence]]
        if not mine:
            continue
        if places[parent] == EVEN or not any(matter[first:end]):
            for sequence in mine:
                places[sequence] = EVEN
        elif len(mine) == 1:
            places[mine[0]] = places[parent]
        else:
            parents.append(places[parent])
            for number, sequence in enumerate(mine, firsts[-1]):
                places[sequence] = number
            firsts.append(firsts[-1] + len(mine))
    return Treeplex(np.array(parents, dtype=np.int32), np.array(firsts, dtype=np.int32)), places
