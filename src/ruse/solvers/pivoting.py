"""What complementary pivoting needs: a basis in whole numbers or in floats, and the lexicographic ratio test.

Each variable of the basis is its right side less what the variables outside take off it:

    basis[i] + sum over v outside of column(v)[i] * v = right[i].

In whole numbers it is a dense tableau. Each row has its own common denominator, cleared of what it shares with the
row: on trees these stay far shorter than the determinants of Edmonds (1967) and Bareiss (1968), and rows that a pivot
does not concern are left alone. In decimals of a fixed number of digits the tableau is the same, and its entries stay
short: what cancels to less than half of the digits is taken for 0, whatever the sizes of the payoffs, and the basis at
the end is to be checked. In floats the system stays sparse: the basis is factored, a pivot adds one simple matrix to
the factors (the product form of Dantzig and Orchard-Hays 1954), and after some pivots it is factored anew, which also
sheds rounding errors.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction
from math import gcd
from typing import Any

import numpy as np
from scipy.sparse.linalg import splu

from ruse.core.arrays import Array
from ruse.solvers.highs import SolverError

PIVOTS = 64  # from one factoring to the next
TOLERANCE = 1e-9  # of floats, with payoffs of at most 1


class Tableau:
    """A system in whole numbers: row i says scales[i] * basis[i] + entries[i] * outside = right sides[i]."""

    def __init__(self, basis: list[int], outside: list[int], entries: Array, rights: Array) -> None:
        self.basis, self._outside = list(basis), list(outside)
        self._entries = np.hstack([entries, rights])  # object[rows, outside + right sides], Python integers
        self._scales = [1] * len(basis)

    def column(self, variable: int) -> Array:
        """object[rows], each row times its scale."""
        if variable in self._outside:
            return self._entries[:, self._outside.index(variable)]
        column = np.zeros(len(self.basis), dtype=object)
        row = self.basis.index(variable)
        column[row] = self._scales[row]
        return column

    def right(self, number: int) -> Array:
        """object[rows], each row times its scale."""
        return self._entries[:, len(self._outside) + number]

    def value(self, row: int) -> Fraction:
        """Of the variable in the basis."""
        return Fraction(self.right(0)[row], self._scales[row])

    def entry(self, row: int, variable: int) -> Fraction:
        """What a row has of a variable."""
        return Fraction(int(self.column(variable)[row]), self._scales[row])

    def exchange(self, row: int, variable: int) -> None:
        """The variable enters the basis for the one of the row."""
        place = self._outside.index(variable)
        line, pivot = self._entries[row], self._entries[row, place]
        line[place] = self._scales[row]  # the column is now that of the variable that leaves
        if pivot < 0:
            np.negative(line, out=line)
        self.basis[row], self._outside[place] = variable, self.basis[row]
        self._scales[row] = pivot = abs(pivot)
        filled = np.flatnonzero(line)
        for other in np.flatnonzero(self._entries[:, place]).tolist():
            if other != row:
                self._subtract(other, place, filled, line[filled], pivot)

    def leaves(self, column: Array, rights: Iterable[Array]) -> Array:
        """The rows that may leave the basis (`lexicographic`)."""
        return lexicographic(column, rights)

    def _subtract(self, row: int, place: int, filled: Array, line: Array, pivot: int) -> None:
        """Take as much of a line off a row as clears the old column in `place`, and cancel what can be."""
        entries, factor = self._entries[row], self._entries[row, place]
        common = gcd(pivot, factor)
        raised = pivot // common
        entries[place] = 0
        if raised > 1:
            entries *= raised
            self._scales[row] *= raised
        entries[filled] -= line * (factor // common)
        if self._scales[row] > 1 and (common := gcd(self._scales[row], *entries.tolist())) > 1:
            entries //= common
            self._scales[row] //= common


class Digits(Tableau):
    """A tableau in decimals: every scale is 1, and every entry has so many digits."""

    def __init__(self, basis: list[int], outside: list[int], entries: Array, rights: Array, digits: int) -> None:
        self._context = Context(prec=digits, Emax=MAX_EMAX, Emin=MIN_EMIN)
        self._lost = Decimal(10) ** -(digits // 2)  # what is left of a difference that is nothing
        super().__init__(basis, outside, entries, rights)
        self._entries = np.array([[self._context.create_decimal(int(entry)) for entry in row] for row in self._entries])

    def value(self, row: int) -> Fraction:
        return Fraction(self.right(0)[row])

    def exchange(self, row: int, variable: int) -> None:
        place = self._outside.index(variable)
        with localcontext(self._context):
            line, pivot = self._entries[row], self._entries[row, place]
            line[place] = Decimal(1)
            line /= pivot
            self.basis[row], self._outside[place] = variable, self.basis[row]
            filled = np.flatnonzero(line)
            others = np.flatnonzero(self._entries[:, place])
            others = others[others != row]
            factors = self._entries[others, place]
            self._entries[others, place] = Decimal(0)
            block = np.ix_(others, filled)
            taken, entries = np.outer(factors, line[filled]), self._entries[block]
            left = entries - taken
            there = np.nonzero(entries)  # where something may cancel
            lost = np.abs(left[there]) < np.abs(taken[there]) * self._lost
            left[there[0][lost], there[1][lost]] = Decimal(0)
            self._entries[block] = left

    def leaves(self, column: Array, rights: Iterable[Array]) -> Array:
        with localcontext(self._context):
            rows = np.flatnonzero(column > 0)
            for right in rights if len(rows) > 1 else ():
                ratios = right[rows] / column[rows]
                near = np.abs(ratios - ratios.min())
                rows = rows[near <= np.abs(ratios) * self._lost]
                if len(rows) == 1:
                    break
            return rows


class Factored:
    """A sparse system in floats, `matrix` times the variables = `rights`. Only the first rows' variables ever leave."""

    def __init__(self, basis: list[int], leaving: int, matrix: Any, rights: Array) -> None:
        self.basis = list(basis)
        self._leaving, self._matrix, self._given = leaving, matrix, rights  # rights: float64[rows, right sides]
        self._factor()

    def _factor(self) -> None:
        try:
            self._factors = splu(self._matrix[:, self.basis])
        except RuntimeError as error:
            raise SolverError("expected a basis to factor, got a singular one in floats: use exact") from error
        self._steps: list[tuple[int, Array]] = []  # row and float64[rows], a pivot
        self._rights = self._factors.solve(self._given)
        self._last = (-1, np.zeros(0))

    def _column(self, variable: int) -> Array:
        if self._last[0] != variable:
            start, end = self._matrix.indptr[variable : variable + 2]
            column = np.zeros(len(self.basis))
            column[self._matrix.indices[start:end]] = self._matrix.data[start:end]
            column = self._factors.solve(column)
            for row, step in self._steps:
                column -= column[row] * step
            self._last = (variable, column)
        return self._last[1]

    def column(self, variable: int) -> Array:
        """float64[leaving]."""
        return self._column(variable)[: self._leaving]

    def right(self, number: int) -> Array:
        """float64[leaving]."""
        entries: Array = self._rights[: self._leaving, number]
        return entries

    def value(self, row: int) -> float:
        """Of the variable in the basis."""
        return float(self._rights[row, 0])

    def leaves(self, column: Array, rights: Iterable[Array]) -> Array:
        """The rows that may leave the basis (`lexicographic`)."""
        return lexicographic(column, rights, TOLERANCE)

    def exchange(self, row: int, variable: int) -> None:
        """The variable enters the basis for the one of the row."""
        column = self._column(variable)
        step = column / column[row]
        step[row] = 1 - 1 / column[row]
        self.basis[row] = variable
        self._steps.append((row, step))
        if len(self._steps) == PIVOTS:
            self._factor()
        else:
            self._rights -= np.outer(step, self._rights[row])
            self._last = (-1, column)


def lexicographic(column: Array, rights: Iterable[Array], tolerance: float = 0) -> Array:
    """The rows of least right / column where column > 0; ties go to the next right side (Dantzig et al. 1955).

    None if no entry of the column is positive; one if among the right sides are as many independent ones as rows.
    """
    rows = np.flatnonzero(column > tolerance)
    for right in rights if len(rows) > 1 else ():
        ratios = quotients(right[rows], column[rows])
        rows = rows[ratios <= ratios.min() + tolerance]
        if len(rows) == 1:
            break
    return rows


def quotients(numerators: Array, denominators: Array) -> Array:
    """Of floats, or in fractions of whole numbers."""
    if numerators.dtype != object:
        return numerators / denominators
    return np.array([Fraction(n, d) for n, d in zip(numerators, denominators, strict=True)], dtype=object)
