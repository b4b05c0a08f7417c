"""Small linear programs in whole numbers throughout, where floats lead astray: the simplex method in two phases.

    minimise  c' x   subject to   R x >= b, = b or <= b,   0 <= x,  0 <= x <= u,  or x free

Rows get a slack where they are no equations, and an artificial variable each, which make the first basis and whose
reduced costs at the end are the duals. The rule of Bland (1977) keeps it from going in circles.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import isfinite

import numpy as np

from ruse.core.arrays import Array
from ruse.core.clock import tick
from ruse.solvers.highs import Optimum, Program
from ruse.solvers.pivoting import Tableau

MOST_ENTRIES = 60_000  # of the tableau: beyond, it would take minutes


def exact_simplex(program: Program) -> Optimum | None:
    """The optimum in fractions; None if there is none, or the program is too large."""
    rows = program.rows
    columns: list[tuple[int, int]] = []  # of each variable: the column that it is, or a part of, and its sign
    for column, (least, most) in enumerate(zip(program.lower.tolist(), program.upper.tolist(), strict=True)):
        if most != 0:
            columns.append((column, 1))
            if not isfinite(least):
                columns.append((column, -1))
    bounded = [place for place, (column, _) in enumerate(columns) if isfinite(program.upper[column])]
    slacks = [row for row in range(len(rows)) if rows.lower[row] != rows.upper[row]]
    height, width = len(rows) + len(bounded), len(columns) + len(slacks) + len(bounded)
    if height * (width + height) > MOST_ENTRIES:
        return None
    matrix, right = np.zeros((height, width), dtype=object), np.zeros(height, dtype=object)
    places: dict[int, list[int]] = {}
    for place, (column, _) in enumerate(columns):
        places.setdefault(column, []).append(place)
    for row in range(len(rows)):
        for entry in range(rows.start[row], rows.start[row + 1]):
            for place in places.get(int(rows.column[entry]), ()):
                matrix[row, place] += columns[place][1] * int(rows.value[entry])
        right[row] = int(rows.lower[row] if isfinite(rows.lower[row]) else rows.upper[row])
    for number, row in enumerate(slacks):
        matrix[row, len(columns) + number] = -1 if isfinite(rows.lower[row]) else 1
    for number, place in enumerate(bounded):
        row = len(rows) + number
        matrix[row, place] = matrix[row, len(columns) + len(slacks) + number] = 1
        right[row] = int(program.upper[columns[place][0]])
    cost = np.zeros(width, dtype=object)
    for place, (column, sign) in enumerate(columns):
        cost[place] = sign * int(program.cost[column])
    return _solved(program, columns, matrix, right, cost)


def is_small(program: Program) -> bool:
    """Whether it is worth a try."""
    height, width = len(program.rows), len(program.cost)
    return height * (width + height) <= MOST_ENTRIES


def is_optimum(program: Program, optimum: Optimum) -> bool:
    """Whether a solution and its duals are feasible and have the same value: then they are optimal."""
    rows, activity = program.rows, [Fraction(0)] * len(program.rows)
    reduced = [Fraction(int(cost)) for cost in program.cost.tolist()]
    for row, dual in enumerate(optimum.duals):
        for entry in range(rows.start[row], rows.start[row + 1]):
            column, value = int(rows.column[entry]), int(rows.value[entry])
            activity[row] += value * optimum.columns[column]
            reduced[column] -= value * dual
    of_rows = _dual_value(activity, optimum.duals, rows.lower, rows.upper)
    of_columns = _dual_value(optimum.columns, reduced, program.lower, program.upper)
    return of_rows is not None and of_columns is not None and of_rows + of_columns == optimum.value


def _dual_value(
    values: Sequence[Fraction], prices: Sequence[Fraction], lowers: Array, uppers: Array
) -> Fraction | None:
    """Sum each price times the bound that it belongs to; None where a value or a price is not feasible."""
    total = Fraction(0)
    for value, price, lower, upper in zip(values, prices, lowers.tolist(), uppers.tolist(), strict=True):
        if (isfinite(lower) and value < int(lower)) or (isfinite(upper) and value > int(upper)):
            return None
        if price:
            bound = lower if price > 0 else upper
            if not isfinite(bound):
                return None
            total += price * int(bound)
    return total


def _solved(
    program: Program, columns: list[tuple[int, int]], matrix: Array, right: Array, cost: Array
) -> Optimum | None:
    height, width = matrix.shape
    signs = np.array([-1 if side < 0 else 1 for side in right.tolist()], dtype=object)
    matrix, right = matrix * signs[:, None], right * signs
    # Variables: those of the matrix, then the artificial ones, then the two costs, of both phases, which never leave.
    entries = np.vstack([matrix, matrix.sum(axis=0)[None, :], -cost[None, :]])
    rights = np.concatenate([right, [right.sum()], [0]])[:, None]
    basis = [*range(width, width + height), width + height, width + height + 1]
    tableau = Tableau(basis, list(range(width)), entries.astype(object), rights.astype(object))
    if not _phase(tableau, height, width, height) or tableau.value(height) != 0:
        return None
    if not _phase(tableau, height, width, height + 1):
        return None
    weights = [Fraction(0)] * len(program.cost)
    for row, variable in enumerate(tableau.basis[:height]):
        if variable < len(columns):
            column, sign = columns[variable]
            weights[column] += sign * tableau.value(row)
    duals = [int(signs[row]) * tableau.entry(height + 1, width + row) for row in range(len(program.rows))]
    return Optimum(tableau.value(height + 1), weights, duals)


def _phase(tableau: Tableau, height: int, width: int, goal: int) -> bool:
    """Pivot until the cost in row `goal` is least; False if it has no least value."""
    while True:
        tick()
        inside = set(tableau.basis)
        entering = next(
            (variable for variable in range(width) if variable not in inside and tableau.column(variable)[goal] > 0),
            None,
        )
        if entering is None:
            return True
        column, right = tableau.column(entering), tableau.right(0)
        leaving: tuple[Fraction, int, int] | None = None
        for row in range(height):
            variable = tableau.basis[row]
            stuck = variable >= width and right[row] == 0 and column[row] != 0  # an artificial one has to stay at 0
            if column[row] > 0 or stuck:
                candidate = (Fraction(0) if stuck else Fraction(right[row], column[row]), variable, row)
                leaving = candidate if leaving is None or candidate < leaving else leaving
        if leaving is None:
            return False
        tableau.exchange(leaving[2], entering)
