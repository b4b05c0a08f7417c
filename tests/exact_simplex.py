"""The simplex method for payoff tables in fractions from start to end (Dantzig 1951; Bland's rule 1977).

With all payoffs made positive, side 1's plan y solves   maximise sum w  subject to  A w <= 1, w >= 0,   where y is w
over its sum and the value is 1 / sum w; the duals are side 0's plan in the same way. Slower by far than HiGHS, and
never misled by payoffs of very different sizes.
"""

from __future__ import annotations

from fractions import Fraction

Row = list[Fraction]


def solve_table(payoffs: list[Row]) -> tuple[Row, Row]:
    """Optimal odds of both sides."""
    rows, columns = len(payoffs), len(payoffs[0])
    shift = 1 - min(min(row) for row in payoffs)
    # Columns: w, then a slack a row, then the right side. The last line is the objective.
    tableau = [
        [payoff + shift for payoff in row] + [Fraction(number == other) for other in range(rows)] + [Fraction(1)]
        for number, row in enumerate(payoffs)
    ]
    tableau.append([Fraction(-1)] * columns + [Fraction(0)] * (rows + 1))
    basis = [columns + number for number in range(rows)]
    while (entering := next((c for c in range(columns + rows) if tableau[-1][c] < 0), None)) is not None:
        ratios = [
            (tableau[row][-1] / tableau[row][entering], basis[row], row)
            for row in range(rows)
            if tableau[row][entering] > 0
        ]
        _, _, leaving = min(ratios)
        _pivot(tableau, leaving, entering)
        basis[leaving] = entering
    weights = [Fraction(0)] * (columns + rows)
    for row, column in enumerate(basis):
        weights[column] = tableau[row][-1]
    total = tableau[-1][-1]
    return [price / total for price in tableau[-1][columns:-1]], [weight / total for weight in weights[:columns]]


def _pivot(tableau: list[Row], leaving: int, entering: int) -> None:
    scale = tableau[leaving][entering]
    pivot = tableau[leaving] = [entry / scale for entry in tableau[leaving]]
    for number, row in enumerate(tableau):
        if number != leaving and (factor := row[entering]):
            tableau[number] = [entry - factor * other for entry, other in zip(row, pivot, strict=True)]
