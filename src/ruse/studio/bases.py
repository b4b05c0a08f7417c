"""Optimal bases of a linear program whose entries are polynomials in t, and how far each basis stays optimal.

By Cramer's rule, the weights, duals, slacks and reduced costs of a basis are polynomials in t divided by its
determinant. The basis is optimal as long as all of them are at least 0; there the value is a quotient of polynomials.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ruse.core import rationals
from ruse.core.clock import tick
from ruse.solvers.highs import Highs, Program
from ruse.studio.polynomials import (
    Polynomial,
    Root,
    add,
    at,
    common,
    divide,
    interpolate,
    multiply,
    polynomial,
    roots,
    whole,
)

NARROW = Fraction(1, 10**15)  # width of the interval of a root that is given as a float
Entries = dict[tuple[int, int], Polynomial]  # of a linear program: by row and column


@dataclass(frozen=True)
class ValuePiece:
    """An interval of t on which the value is one quotient of polynomials."""

    first: Root
    last: Root
    top: Polynomial
    bottom: Polynomial

    def to_json(self) -> dict[str, Any]:
        return {
            "from": as_number(self.first),
            "to": as_number(self.last),
            "numerator": [rationals.write(coefficient) for coefficient in self.top],
            "denominator": [rationals.write(coefficient) for coefficient in self.bottom],
        }


def as_number(root: Root) -> str | dict[str, Any]:
    """Return a fraction as text, or the polynomial and the interval that identify an irrational root."""
    if root.rational is not None:
        return rationals.write(root.rational)
    return {
        "polynomial": [rationals.write(coefficient) for coefficient in root.of],
        "interval": [rationals.write(root.low), rationals.write(root.high)],
        "float": float(root.within(NARROW).near),
    }


def basis_of(program: Program) -> tuple[list[int], list[int]] | None:
    """Return the columns of the optimal basis that HiGHS finds, and the tight rows."""
    highs = Highs(program)
    highs.run()
    return highs.optimal_basis()


def follow(
    program: Program,
    entries: Entries,
    inside: Sequence[int],
    tight: Sequence[int],
    t: Fraction,
    start: Root,
    end: Root,
) -> ValuePiece | None:
    """Return the largest interval around t on which a basis stays optimal; None if it is not, or only at t."""
    weights, duals, bottom = _solved(program, entries, inside, tight)
    if not bottom or not at(bottom, t):
        return None
    sign = 1 if at(bottom, t) > 0 else -1
    first, last, here = start, end, Root.exactly(t)
    for condition in [*_conditions(program, entries, (inside, tight), weights, duals, bottom), bottom]:
        if not condition:
            continue
        if at(condition, t) * sign <= 0:
            return None
        for root in _turns(condition, start, end):
            if root.compare(here) < 0:
                first = root if first.compare(root) < 0 else first
            else:
                last = root if root.compare(last) < 0 else last
    value = polynomial([])
    for column, weight in weights.items():
        value = add(value, weight, -int(program.cost[column]))  # the program minimises
    shared = common(value, bottom)
    return ValuePiece(first, last, *_plain(divide(value, shared)[0], divide(bottom, shared)[0]))


def _conditions(
    program: Program,
    entries: Entries,
    basis: tuple[Sequence[int], Sequence[int]],
    weights: Mapping[int, Polynomial],
    duals: Mapping[int, Polynomial],
    bottom: Polynomial,
) -> Iterator[Polynomial]:
    """Yield the polynomials, times the determinant, that must not be negative for a basis to be optimal."""
    inside, tight = ({*indices} for indices in basis)
    slack: dict[int, Polynomial] = {row: polynomial([]) for row in range(len(program.rows)) if row not in tight}
    cost = {
        column: polynomial([int(program.cost[column]) * coefficient for coefficient in bottom])
        for column in range(len(program.cost))
        if column not in inside
    }
    for (row, column), entry in entries.items():
        if row in slack and column in weights:
            slack[row] = add(slack[row], multiply(entry, weights[column]))
        if column in cost and row in duals:
            cost[column] = add(cost[column], multiply(entry, duals[row]), -1)
    yield from slack.values()  # of rows with lower bound 0
    yield from (weight for column, weight in weights.items() if program.lower[column] == 0)
    yield from (dual for row, dual in duals.items() if program.rows.lower[row] != program.rows.upper[row])
    for column, reduced in cost.items():
        yield reduced
        if program.lower[column] != 0:  # a free column outside: neither direction may gain
            yield polynomial([-coefficient for coefficient in reduced])


def _solved(
    program: Program, entries: Entries, inside: Sequence[int], tight: Sequence[int]
) -> tuple[dict[int, Polynomial], dict[int, Polynomial], Polynomial]:
    """Return column weights and row duals of a basis, times its determinant, and the determinant, by interpolation."""
    rows, columns = ({index: place for place, index in enumerate(each)} for each in (tight, inside))
    square = {(rows[r], columns[c]): entry for (r, c), entry in entries.items() if r in rows and c in columns}
    size = len(inside)
    right = [Fraction(int(program.rows.lower[row])) for row in tight]
    costs = [Fraction(int(program.cost[column])) for column in inside]
    needed = _most_degree(size, square) + 1
    points: list[tuple[Fraction, list[Fraction]]] = []
    for number in range(3 * needed + 10):
        tick()
        t = Fraction(number, 2) - 1
        values = {place: at(entry, t) for place, entry in square.items()}
        first, determinant = _eliminated(size, values, right)
        if not determinant:
            continue
        second, _ = _eliminated(size, {(c, r): value for (r, c), value in values.items()}, costs)
        points.append((t, [determinant, *(component * determinant for component in (*first, *second))]))
        if len(points) == needed:
            break
    else:
        return {}, {}, ()
    polynomials = [interpolate([(t, values[place]) for t, values in points]) for place in range(1 + 2 * size)]
    return (
        dict(zip(inside, polynomials[1 : 1 + size], strict=True)),
        dict(zip(tight, polynomials[1 + size :], strict=True)),
        polynomials[0],
    )


def _most_degree(size: int, square: Entries) -> int:
    """Return a bound on the degree of the determinant: the sum of the greatest degrees by rows or by columns."""
    by_row, by_column = [0] * size, [0] * size
    for (row, column), entry in square.items():
        by_row[row] = max(by_row[row], len(entry) - 1)
        by_column[column] = max(by_column[column], len(entry) - 1)
    return min(sum(by_row), sum(by_column))


def _eliminated(
    size: int, values: Mapping[tuple[int, int], Fraction], right: Sequence[Fraction]
) -> tuple[list[Fraction], Fraction]:
    """Return x with M x = b and the determinant of M, which is 0 if there is no unique x (Gauss)."""
    rows: list[dict[int, Fraction]] = [{} for _ in range(size)]
    for (row, column), value in values.items():
        if value:
            rows[row][column] = value
    sides, determinant = list(right), Fraction(1)
    for column in range(size):
        place = next((row for row in range(column, size) if column in rows[row]), None)
        if place is None:
            return [], Fraction(0)
        if place != column:
            rows[place], rows[column] = rows[column], rows[place]
            sides[place], sides[column] = sides[column], sides[place]
            determinant = -determinant
        pivot = rows[column]
        determinant *= pivot[column]
        for row in range(column + 1, size):
            if column in rows[row]:
                factor = rows[row].pop(column) / pivot[column]
                for held, value in pivot.items():
                    if held != column:
                        rows[row][held] = rows[row].get(held, Fraction(0)) - factor * value
                        if not rows[row][held]:
                            del rows[row][held]
                sides[row] -= factor * sides[column]
    solution = [Fraction(0)] * size
    for column in range(size - 1, -1, -1):
        known = sum((value * solution[held] for held, value in rows[column].items() if held != column), Fraction(0))
        solution[column] = (sides[column] - known) / rows[column][column]
    return solution, determinant


def _turns(p: Polynomial, first: Root, last: Root) -> list[Root]:
    """Return the roots near an interval at which a polynomial changes its sign."""
    if len(p) < 2:
        return []
    return [root for root in roots(p, first.low - 1, last.high + 1) if root.multiplicity(p) % 2]


def _plain(top: Polynomial, bottom: Polynomial) -> tuple[Polynomial, Polynomial]:
    """Return an equal quotient whose denominator has whole coefficients without a common factor."""
    plain = whole(bottom)
    factor = plain[-1] / bottom[-1]
    return polynomial([coefficient * factor for coefficient in top]), plain
