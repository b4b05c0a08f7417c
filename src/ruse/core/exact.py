"""Fractions out of floats: rounding, and sparse integer linear systems solved exactly.

A float solution of M x = b is refined step by step: solve for the residual in floats, keep its leading
bits as integers, subtract exactly, go on (Wan 2006). The digits pile up to x in base 2^k, from which
continued fractions find the only rationals that small (Wang 1981). The result is checked by
multiplying out in integers, so a bad factorisation can fail but never lie.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import gcd, isqrt, lcm
from typing import Any

import numpy as np

from ruse.core.arrays import Array
from ruse.core.clock import tick

BITS = 24  # of the solution, a refinement step
INT64 = 1 << 62  # products below this are safe in int64
MOST_STEPS = 2048
MOST_FLOAT_BITS = 1000  # of an integer that a float can hold
FEW, MOST_ELIMINATED = 40, 3_000  # rows: that are eliminated at once, and that are where floats fail
DIVERGED = 1 << 20  # a residual that has grown so much will not come down again


def integers(values: Sequence[int]) -> Array:
    """Whole numbers as int64, or as objects where they are longer."""
    most = max((abs(value) for value in values), default=0)
    return np.array(values, dtype=np.int64 if most < INT64 else object)


def rounded(odds: Sequence[float], denominator: int) -> list[Fraction]:
    """Fractions near some odds that sum to one: of small denominators, but for the largest, which takes the rest."""
    near = [Fraction(max(0.0, float(share))).limit_denominator(denominator) for share in odds]
    total = sum(near, Fraction(0))
    if total == 0:
        return [Fraction(1, len(near))] * len(near)
    if total != 1:
        largest = max(range(len(near)), key=near.__getitem__)
        near[largest] += 1 - total
        if near[largest] < 0:
            near[largest] -= 1 - total
            near = [share / total for share in near]
    return near


def in_units(odds: Sequence[float], denominator: int) -> list[Fraction]:
    """Fractions of one denominator near some odds that sum to one: rounded down, and the largest takes the rest."""
    units = [int(max(0.0, share) * denominator) for share in odds]
    units[units.index(max(units))] += denominator - sum(units)
    return [_unit(many, denominator) for many in units]


@cache
def _unit(many: int, denominator: int) -> Fraction:
    return Fraction(many, denominator)


def shares(weights: Sequence[Fraction]) -> list[Fraction]:
    """Odds in proportion to weights, negative ones counted as none; even odds if nothing is left."""
    clipped = [max(Fraction(0), weight) for weight in weights]
    total = sum(clipped, Fraction(0))
    return [weight / total for weight in clipped] if total else [Fraction(1, len(clipped))] * len(clipped)


class IntegerMatrix:
    """A sparse square matrix of integers of any length, by its entries."""

    def __init__(self, size: int, rows: Array, columns: Array, values: Array) -> None:
        self.size = size
        self.rows, self.columns = rows.astype(np.int64), columns.astype(np.int64)
        self.values: list[int] = [int(value) for value in values.tolist()]
        self._entries = list(zip(self.rows.tolist(), self.columns.tolist(), self.values, strict=True))
        longest = int(np.bincount(self.rows, minlength=1).max())
        self.reach = max((abs(value) for value in self.values), default=0) * longest
        self._small = np.array(self.values, dtype=np.int64) if self.reach < INT64 else None

    def transposed(self) -> IntegerMatrix:
        return IntegerMatrix(self.size, self.columns, self.rows, np.array(self.values, dtype=object))

    def times(self, vector: Sequence[int]) -> list[int]:
        """M v, in machine integers where they are long enough."""
        if self._small is not None and self.reach * max(map(abs, vector)) < INT64:
            totals = np.zeros(self.size, dtype=np.int64)
            np.add.at(totals, self.rows, self._small * np.array(vector, dtype=np.int64)[self.columns])
            listed: list[int] = totals.tolist()
            return listed
        sums = [0] * self.size
        for row, column, value in self._entries:
            sums[row] += value * vector[column]
        return sums

    def factored(self) -> _Factors | None:
        """Factor the matrix in floats, rows and columns scaled alike; None if singular or beyond floats."""
        if max((value.bit_length() for value in self.values), default=0) > MOST_FLOAT_BITS:
            return None
        from scipy.sparse import coo_matrix  # which takes as long to import as everything else of a small solve
        from scipy.sparse.linalg import splu

        floats = np.array([float(value) for value in self.values])
        rows = np.ones(self.size)
        np.maximum.at(rows, self.rows, np.abs(floats))
        floats = floats / rows[self.rows]
        columns = np.full(self.size, 1e-300)
        np.maximum.at(columns, self.columns, np.abs(floats))
        scaled = coo_matrix((floats / columns[self.columns], (self.rows, self.columns)), shape=(self.size, self.size))
        try:
            return _Factors(splu(scaled.tocsc()), rows, columns)
        except RuntimeError:  # exactly singular
            return None


class _Factors:
    def __init__(self, factors: Any, rows: Array, columns: Array) -> None:
        self._factors, self._rows, self._columns = factors, rows, columns

    def digits(self, residual: Sequence[int]) -> list[int] | None:
        """The next BITS bits of the solution."""
        shift = max(0, max(map(abs, residual)).bit_length() - 900)  # floats hold a thousand bits, not more
        right = np.array([float(entry >> shift) for entry in residual])
        change = np.ldexp(self._factors.solve(right / self._rows) / self._columns, BITS)
        if not np.all(np.isfinite(change)):
            return None
        return [int(digit) << shift for digit in np.rint(change)]


def solve_exactly(matrix: IntegerMatrix, right: Sequence[int]) -> list[Fraction] | None:
    """x with M x = b: by refining floats, or by elimination where it is small, or they fail and it is not too large.

    None if M is singular.
    """
    if matrix.size <= FEW:
        return eliminated(matrix, right)
    solution = _refined(matrix, right)
    return eliminated(matrix, right) if solution is None and matrix.size <= MOST_ELIMINATED else solution


def _refined(matrix: IntegerMatrix, right: Sequence[int]) -> list[Fraction] | None:
    """x with M x = b; None if M is singular or too ill-conditioned for floats."""
    factors = matrix.factored()
    if factors is None:
        return None
    residual = [int(side) for side in right]
    most = max(1, matrix.reach, *map(abs, residual))  # rounding the digits alone leaves about this much
    digits = [0] * matrix.size
    step, attempt = 0, 1
    while step < MOST_STEPS:
        if not any(residual):
            return _checked(matrix, right, [Fraction(digit, 1 << BITS * step) for digit in digits])
        leading = factors.digits(residual)
        if leading is None or max(map(abs, residual)) > DIVERGED * most:
            return None
        product = matrix.times(leading)
        residual = [(entry << BITS) - part for entry, part in zip(residual, product, strict=True)]
        digits = [(digit << BITS) + more for digit, more in zip(digits, leading, strict=True)]
        step += 1
        if step == attempt:
            solution = _reconstructed(digits, 1 << BITS * step)
            if solution is not None and (checked := _checked(matrix, right, solution)) is not None:
                return checked
            attempt = 2 * attempt
    return None


def eliminated(matrix: IntegerMatrix, right: Sequence[int]) -> list[Fraction] | None:
    """x with M x = b by Gauss's elimination in whole numbers, which no sizes of entries mislead; None if M is singular.

    The next pivot is where the fewest entries can fill in (Markowitz 1957), in a row of short numbers; each row is
    cleared of what its entries share.
    """
    rows: list[dict[int, int]] = [{} for _ in range(matrix.size)]
    for row, column, value in zip(matrix.rows.tolist(), matrix.columns.tolist(), matrix.values, strict=True):
        if total := rows[row].get(column, 0) + value:
            rows[row][column] = total
        else:
            rows[row].pop(column, None)
    sides = [int(side) for side in right]
    holders: list[set[int]] = [set() for _ in range(matrix.size)]  # rows that hold each column
    for number, entries in enumerate(rows):
        for column in entries:
            holders[column].add(number)
    left = set(range(matrix.size))
    order: list[tuple[int, int]] = []
    while left:
        tick()
        short = min(left, key=lambda row: len(rows[row]))
        if not rows[short]:
            return None
        pivot = min(
            ((len(holders[column]) - 1) * (len(rows[row]) - 1), len(rows[row]), abs(rows[row][column]), row, column)
            for row in _shortest(left, rows, short)
            for column in rows[row]
        )
        row, column = pivot[-2:]
        left.discard(row)
        order.append((row, column))
        for held in rows[row]:
            holders[held].discard(row)
        for other in list(holders[column]):
            _clear(rows, sides, holders, other, row, column)
    solution = [Fraction(0)] * matrix.size
    for row, column in reversed(order):
        known = sum((value * solution[held] for held, value in rows[row].items() if held != column), Fraction(0))
        solution[column] = (sides[row] - known) / rows[row][column]
    return solution


def _shortest(left: set[int], rows: list[dict[int, int]], short: int) -> list[int]:
    """Some rows worth looking at for a pivot: those as short as the shortest."""
    return [row for row in left if len(rows[row]) == len(rows[short])][:8]


def _clear(
    rows: list[dict[int, int]], sides: list[int], holders: list[set[int]], other: int, row: int, column: int
) -> None:
    """Take as much of a row off another as clears a column there, and cancel what can be."""
    mine, entries = rows[row], rows[other]
    common = gcd(mine[column], entries[column])
    raised, factor = mine[column] // common, entries[column] // common
    if raised != 1:
        for held in entries:
            entries[held] *= raised
        sides[other] *= raised
    sides[other] -= factor * sides[row]
    for held, value in mine.items():
        total = entries.get(held, 0) - factor * value
        if total:
            if held not in entries:
                holders[held].add(other)
            entries[held] = total
        elif held in entries:
            del entries[held]
            holders[held].discard(other)
    common = gcd(sides[other], *entries.values())
    if common > 1:
        for held in entries:
            entries[held] //= common
        sides[other] //= common


def _reconstructed(digits: Sequence[int], scale: int) -> list[Fraction] | None:
    """The rationals near digits / scale with a small common denominator, or None if there are none."""
    bound = isqrt(scale) >> 2
    common = 1
    fractions = []
    for digit in digits:
        # With the denominators so far multiplied in, most entries are already whole.
        near = _nearest(digit * common, scale, max(1, bound // common))
        if near is None:
            return None
        numerator, denominator = near
        fractions.append(Fraction(numerator, denominator * common))
        common *= denominator
        if common > bound:
            return None
    return fractions


def _nearest(numerator: int, scale: int, bound: int) -> tuple[int, int] | None:
    """p/q with q <= bound and |p/q - numerator/scale| tiny: the last convergent that fits."""
    whole = (2 * numerator + scale) // (2 * scale)
    if abs(numerator - whole * scale) * bound * bound < scale:
        return whole, 1
    p0, q0, p1, q1 = 0, 1, 1, 0
    top, bottom = numerator, scale
    while bottom:
        quotient = top // bottom
        p2, q2 = quotient * p1 + p0, quotient * q1 + q0
        if q2 > bound:
            break
        p0, q0, p1, q1 = p1, q1, p2, q2
        top, bottom = bottom, top - quotient * bottom
    if q1 == 0:
        return None
    return p1, q1


def _checked(matrix: IntegerMatrix, right: Sequence[int], solution: list[Fraction]) -> list[Fraction] | None:
    """The solution, if multiplying out gives the right side exactly."""
    whole, common = common_denominator(solution)
    product = matrix.times(whole)
    return solution if all(part == int(side) * common for part, side in zip(product, right, strict=True)) else None


def common_denominator(values: Sequence[Fraction]) -> tuple[list[int], int]:
    """Whole numerators over the least common denominator."""
    held = values if isinstance(values, list) else list(values)
    different = {id(value): value for value in held}  # plans of large games have few fractions, many times each
    common = lcm(*{value.denominator for value in different.values()})
    numerators = {place: value.numerator * (common // value.denominator) for place, value in different.items()}
    return [numerators[id(value)] for value in held], common
