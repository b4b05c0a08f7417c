"""Decide whether a side has only one optimal plan.

Optimal plans x satisfy equations that an optimal plan y of the other side gives (faces.py): x[j] = 0 where a best
answer to y never goes, and moves of the other side that y makes at one set are worth the same. If no direction keeps
E x = e and all of them, there is only one x: the equations then have full column rank, and rank modulo a prime is never
more than rank, so a prime proves it. If y is in the middle of its face, the directions that are left span the
optimal plans, and two that differ are found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ruse.core.arrays import Array
from ruse.core.clock import tick
from ruse.forms.certificate import Plan
from ruse.insight.faces import Face
from ruse.insight.ranges import OptimalRanges
from ruse.insight.sides import Ratio

PRIME = (1 << 31) - 1
MOST_COLUMNS = 3_000  # of a dense matrix: seconds


@dataclass(frozen=True)
class Uniqueness:
    """The answer with its proof."""

    unique: bool | None  # None if it is not proved
    plans: Sequence[Plan]  # the only optimal plan, or two that differ
    answer: Plan  # of the other side
    freedom: int | None  # the dimension of the optimal plans; None if unknown


def uniqueness(ranges: OptimalRanges) -> Uniqueness:
    """Decide whether the optimal plan of a side is unique."""
    face, known = ranges.face, ranges.known
    different = next((plan for plan in known[1:] if list(plan) != list(known[0])), None)
    columns, matrix = equations(face) if face.count <= MOST_COLUMNS else ([], None)
    if matrix is None:
        plans = known[:1] if different is None else [known[0], different]
        return Uniqueness(None if different is None else False, plans, face.other.plan, None)
    free = free_columns(matrix)
    if not free:
        return Uniqueness(True, known[:1], face.other.plan, 0)
    for column in free if different is None else ():
        ratio = Ratio({columns[column]: Fraction(1)}, {0: Fraction(1)})
        for end in (ranges.least(ratio, Fraction(0)), ranges.greatest(ratio, Fraction(1))):
            if end.witness is not None and list(end.witness) != list(known[0]):
                different = end.witness
        if different is not None:
            break
    if different is None:
        return Uniqueness(None, known[:1], face.other.plan, None)
    return Uniqueness(False, [known[0], different], face.other.plan, len(free))


def equations(face: Face) -> tuple[list[int], Array]:
    """The sequences whose weights are free, and the equations on these weights modulo a prime.

    A set with several allowed moves has one free weight less than moves, because the weights sum to that of its parent.
    """
    side = face.side
    forms: list[dict[int, int]] = [{} for _ in range(side.mine.sequences)]  # each weight in terms of the free ones
    columns: list[int] = []
    for parent, first, end in side.sets:
        kept = [sequence for sequence in range(first, end) if face.allowed[sequence]]
        for sequence in kept[:-1]:
            forms[sequence] = {len(columns): 1}
            columns.append(sequence)
        if kept:
            last = dict(forms[parent])
            for sequence in kept[:-1]:
                _add(last, forms[sequence], -1)
            forms[kept[-1]] = last
    gains: list[dict[int, int]] = [{} for _ in range(side.theirs.sequences)]
    for mine, theirs, gain in zip(side.own.tolist(), side.other.tolist(), side.gained.tolist(), strict=True):
        if face.tight[theirs] and face.allowed[mine]:
            _add(gains[theirs], forms[mine], gain)
    rows: list[dict[int, int]] = []
    for parent, first, end in reversed(list(side.theirs.sets())):
        tick()
        tight = [sequence for sequence in range(first, end) if face.tight[sequence]]
        if not tight:
            continue
        for other in tight[1:]:
            row = dict(gains[other])
            _add(row, gains[tight[0]], -1)
            rows.append(row)
        _add(gains[parent], gains[tight[0]], 1)
    matrix = np.zeros((len(rows), len(columns)), dtype=np.int64)
    for number, row in enumerate(rows):
        for column, value in row.items():
            matrix[number, column] = value % PRIME
    return columns, matrix


def _add(form: dict[int, int], other: dict[int, int], times: int) -> None:
    for column, value in other.items():
        form[column] = form.get(column, 0) + times * value


def free_columns(matrix: Array) -> list[int]:
    """The columns without a pivot after Gaussian elimination modulo the prime; empty if the rank is full."""
    matrix = matrix.copy()
    free: list[int] = []
    row = 0
    for column in range(matrix.shape[1]):
        tick()
        filled = np.flatnonzero(matrix[row:, column])
        if not len(filled):
            free.append(column)
            continue
        pivot = row + int(filled[0])
        if pivot != row:
            matrix[[row, pivot]] = matrix[[pivot, row]]
        inverse = pow(int(matrix[row, column]), -1, PRIME)
        matrix[row, column:] = matrix[row, column:] * inverse % PRIME
        below = row + 1 + np.flatnonzero(matrix[row + 1 :, column])
        factors = matrix[below, column][:, None]
        matrix[below, column:] = (matrix[below, column:] - factors * matrix[row, column:]) % PRIME
        row += 1
    return free
