"""The linear program that Bossle (2018) solved: The Resistance after symmetry, without forced moves.

Both knowledge trees are written down directly from classes (§5.3): a public position is the sizes of its
cells of seats with the same record, a mission is how many go from each cell, a spy set is how many spies
sit in each cell. Spies act as one and can only pass or fail a mission with enough of them aboard (§4.2).
The payoff of a play is ±1, its chance weight the number of spy sets in its class; over all spy sets,

    A[x, y] = sum over ends with sequences x, y of  payoff * spy sets of the class  /  C(n, k).

The program (§5.2; Koller, Megiddo and von Stengel 1994) has weights S for the sequences of one side and worths
M for the information sets of the other. The thesis writes a variable a node, with S[child] = S[parent]
wherever nothing is chosen and M[root] for the objective. Here those nodes share one variable and the objective
is the root's sum, which is what a presolve makes of them: a smaller start, in HiGHS' favour.
This is the model that ruse is measured against, not one that ruse uses.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

from ruse.core.arrays import Array
from ruse.forms.sequence_form import FormArrays, Treeplex
from ruse.games.resistance.cells import Cells, Counts, members, splits
from ruse.games.resistance.table import POINTS_TO_WIN, Table
from ruse.solvers.highs import INFINITY, Program, Rows

RESISTANCE, SPIES = 0, 1
Sent = tuple[Counts, Array, Array, Array]


@dataclass(frozen=True)
class ThesisPosition:
    """The resistance is to pick a mission. The arrays have one entry for each class of spy sets."""

    sizes: Counts
    score: tuple[int, int]
    sequence: int  # of the resistance, leading here
    spies: Array  # int64[classes], the spies' sequence leading here
    possible: Array  # bool[classes], whether this class could have failed the missions that failed


def thesis_form(table: Table, *, impossible: bool = False) -> FormArrays:
    """Both trees and their payoffs.

    With `impossible`, spy sets stay on at positions that they rule out, because too few of them were aboard a
    mission that failed. Their ends weigh nothing, so the value is the same and nothing needs checking while
    the trees grow. At seven players that makes 3,032,386 × 1,570,740 of 1,804,614 × 956,854.
    """
    sent = sending(table)
    tree: tuple[list[int], list[int]] = ([], [1])  # of the resistance: parents and first sequences
    parents: list[Array] = []  # of the spies, whose set i owns sequences 1 + 2i (pass) and 2 + 2i (fail)
    sets = 0
    ends: list[tuple[int, Array, Array]] = []  # sequence of the resistance, of the spies, payoffs
    start = ThesisPosition((table.players,), (0, 0), 0, np.zeros(1, dtype=np.int64), np.ones(1, dtype=bool))
    waiting = deque([start])
    while waiting:
        here = waiting.popleft()
        number = sum(here.score)
        missions = splits(here.sizes, table.missions[number])
        tree[0].append(here.sequence)
        tree[1].append(tree[1][-1] + len(missions))
        for sequence, mission in enumerate(missions, tree[1][-2]):
            sizes, parent, aboard, weight = sent(here.sizes, mission)
            before, possible = here.spies[parent], here.possible[parent]
            can_fail = aboard >= table.sabotages[number]
            chooses = can_fail if impossible else can_fail & possible
            chosen = np.flatnonzero(chooses)
            parents.append(before[chosen])
            passes = before.copy()
            passes[chosen] = 1 + 2 * np.arange(sets, sets + len(chosen))
            sets += len(chosen)
            for spies, left, passed in (
                (passes, possible, 1),
                (np.where(chooses, passes + 1, before), possible & can_fail, 0),
            ):
                score = (here.score[0] + passed, here.score[1] + 1 - passed)
                if POINTS_TO_WIN in score:
                    payoff = 1 if score[RESISTANCE] == POINTS_TO_WIN else -1
                    ends.append((sequence, spies[left], payoff * weight[left]))
                elif impossible or left.any():
                    waiting.append(ThesisPosition(sizes, score, sequence, spies, left))
    return FormArrays(
        (
            Treeplex(np.array(tree[0], dtype=np.int32), np.array(tree[1], dtype=np.int32)),
            Treeplex(np.concatenate(parents).astype(np.int32), np.arange(1, 2 * sets + 2, 2, dtype=np.int32)),
        ),
        *entries(ends, 1 + 2 * sets),
        denominator=table.spy_sets,
    )


def sending(table: Table) -> Callable[[Counts, Counts], Sent]:
    """What a mission does to cells: their sizes, and of each class its parent, spies aboard and spy sets."""

    @cache
    def sent(sizes: Counts, mission: Counts) -> Sent:
        cells = Cells(sizes, ((),) * len(sizes), "")
        out, origin = cells.send(mission), cells.parents(mission)
        number = {spies: place for place, spies in enumerate(splits(sizes, table.spies))}
        classes = splits(out.sizes, table.spies)
        parent, aboard = [], []
        for spies in classes:
            merged = [0] * len(sizes)
            for cell, count in zip(origin, spies, strict=True):
                merged[cell] += count
            parent.append(number[tuple(merged)])
            aboard.append(sum(count for count, (goes,) in zip(spies, out.aboard, strict=True) if goes))
        weight = [members(out.sizes, spies) for spies in classes]
        return out.sizes, np.array(parent), np.array(aboard), np.array(weight, dtype=np.int64)

    return sent


def entries(ends: list[tuple[int, Array, Array]], sequences: int) -> tuple[Array, Array, Array]:
    """Rows, columns and payoffs of A: the ends of one pair of sequences are one entry."""
    rows = np.repeat([sequence for sequence, _, _ in ends], [len(spies) for _, spies, _ in ends])
    keys = rows.astype(np.int64) * sequences + np.concatenate([spies for _, spies, _ in ends])
    payoffs = np.concatenate([payoffs for _, _, payoffs in ends])
    pairs, place = np.unique(keys, return_inverse=True)
    totals = np.bincount(place, weights=payoffs).astype(np.int64)
    return (pairs // sequences).astype(np.int32), (pairs % sequences).astype(np.int32), totals


def thesis_lp(form: FormArrays, first: int) -> Program:
    """The program of §5.2, to minimise, in units of 1 / `form.denominator`; the side `first` has the weights S.

    Table 6.2 has the resistance first and Table 6.3 the spies, "the dual". Its minimum is minus the value to
    the first side:

        minimise  -(sum of M over the other side's first sets) - (A' S)[empty]   subject to
        sum of S over the moves of a set - S[sequence leading there] = 0,  S[empty] = 1,  S >= 0,
        (A' S)[s] + (sum of M over the sets that s leads to) - M[set of s] >= 0    for each other sequence s.
    """
    mine, theirs = form.trees[first], form.trees[1 - first]
    own, other = (form.rows, form.columns) if first == RESISTANCE else (form.columns, form.rows)
    gains = form.payoffs * (1 if first == RESISTANCE else -1)
    weights, worths = mine.sequences, theirs.infosets
    plan_rows, plan_columns, plan_entries = mine.constraints()
    sets = np.arange(worths)
    owners = np.repeat(sets, np.diff(theirs.first))
    # A row for each sequence of the other side; the one of the empty sequence is the objective.
    rows = np.concatenate([other, theirs.parent, np.arange(1, theirs.sequences)])
    columns = np.concatenate([own, weights + sets, weights + owners])
    entries = np.concatenate([gains, np.ones(worths, dtype=np.int64), -np.ones(len(owners), dtype=np.int64)])
    cost = np.zeros(weights + worths, dtype=np.int64)
    np.add.at(cost, columns[rows == 0], -entries[rows == 0])
    kept = rows > 0
    rows = np.concatenate([plan_rows, mine.infosets + rows[kept]])
    columns = np.concatenate([plan_columns, columns[kept]])
    entries = np.concatenate([plan_entries, entries[kept]])
    count = mine.infosets + theirs.sequences
    order = np.argsort(rows.astype(np.int64) * len(cost) + columns)
    lower = np.zeros(count)
    lower[0] = 1
    upper = np.full(count, INFINITY)
    upper[: mine.infosets + 1] = lower[: mine.infosets + 1]
    return Program(
        cost,
        np.concatenate([np.zeros(weights), np.full(worths, -INFINITY)]),
        np.full(len(cost), INFINITY),
        Rows(
            np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=count))]).astype(np.int32),
            columns[order].astype(np.int32),
            entries[order],
            lower,
            upper,
        ),
    )
