"""The sequence form of Johansson's tree, from classes of spy sets on arrays: a walk of the tree takes far longer.

What the spies know is how many of them sit in each cell, and that is a class of spy sets; chance places them as
missions split the cells, so the odds of a play are the spy sets of its last class over all of them. So each public
position is looked at once, with an entry for each class, instead of once for each class. (`plain_form` of
`JohanssonTree` gives the same form, but for the order of information sets.)
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any

import numpy as np

from ruse.core.arrays import Array
from ruse.forms.sequence_form import FormArrays, Treeplex
from ruse.games.resistance.cells import Counts
from ruse.games.resistance.rules import RESISTANCE
from ruse.games.resistance.table import POINTS_TO_WIN, Table
from ruse.reproduce.johansson_tree import JohanssonTree, TreeCell, TreePosition
from ruse.reproduce.thesis_lp import entries, sending


@dataclass(frozen=True)
class PublicPosition:
    """The resistance is to pick a mission. The arrays have one entry for each class of spy sets."""

    known: TreePosition
    sequence: int  # of the resistance, leading here
    spies: Array  # int64[classes], the spies' sequence leading here
    possible: Array  # bool[classes], whether play can have come here with this class


def johansson_form(table: Table, pruning: str = "supersets") -> FormArrays:
    """Both trees and their payoffs."""
    tree = JohanssonTree(table, pruning)
    sent = sending(table)
    first = [1]
    leading: list[int] = []
    parents: list[Array] = []  # of the spies, whose set i owns sequences 1 + 2i (pass) and 2 + 2i (fail)
    sets = 0
    ends: list[tuple[int, Array, Array]] = []
    start = TreePosition((TreeCell((), table.players, None),), (), None)
    waiting = deque([PublicPosition(start, 0, np.zeros(1, dtype=np.int64), np.ones(1, dtype=bool))])
    while waiting:
        here = waiting.popleft()
        missions: Any = tree.moves(here.known)  # as no mission of a public position is out
        number = len(here.known.results)
        decided = max(tree.score(here.known)) == POINTS_TO_WIN - 1
        leading.append(here.sequence)
        first.append(first[-1] + len(missions))
        for sequence, mission in enumerate(missions, first[-2]):
            _, parent, aboard, weight = sent(tuple(cell.seats for cell in here.known.cells), mission)
            before, possible = here.spies[parent], here.possible[parent]
            can_fail = aboard >= table.sabotages[number]
            passes, fails = before, before
            if not decided:
                chosen = np.flatnonzero(can_fail & possible)
                parents.append(before[chosen])
                passes = before.copy()
                passes[chosen] = 1 + 2 * np.arange(sets, sets + len(chosen))
                fails = np.where(can_fail & possible, passes + 1, before)
                sets += len(chosen)
            cells = _cells(here.known, mission)
            for spies, left, passed in (
                (passes, possible & ~can_fail if decided else possible, True),
                (fails, possible & can_fail, False),
            ):
                if not left.any():
                    continue
                after = TreePosition(cells, (*here.known.results, passed), None)
                score = tree.score(after)
                if POINTS_TO_WIN in score:
                    payoff = 1 if score[RESISTANCE] == POINTS_TO_WIN else -1
                    ends.append((sequence, spies[left], payoff * weight[left]))
                else:
                    waiting.append(PublicPosition(after, sequence, spies, left))
    rows, columns, payoffs = entries(ends, 1 + 2 * sets)
    paid = payoffs != 0
    return FormArrays(
        (
            Treeplex(np.array(leading, dtype=np.int32), np.array(first, dtype=np.int32)),
            Treeplex(np.concatenate(parents).astype(np.int32), np.arange(1, 2 * sets + 2, 2, dtype=np.int32)),
        ),
        rows[paid],
        columns[paid],
        payoffs[paid],
        denominator=table.spy_sets,
    )


def _cells(known: TreePosition, mission: Counts) -> tuple[TreeCell, ...]:
    """Those aboard before those ashore, in the order in which classes count their spies."""
    split = [
        TreeCell((*record, ashore), part, None)
        for (record, seats, _), sent in zip(known.cells, mission, strict=True)
        for ashore, part in ((False, sent), (True, seats - sent))
        if part
    ]
    return tuple(split)
