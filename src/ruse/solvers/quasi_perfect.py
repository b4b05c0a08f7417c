"""Quasi-perfect equilibria (van Damme 1984), by the linear program of Miltersen and Sørensen (2010).

Both sides make every mistake with some small weight: a sequence of d own moves has a weight of at least epsilon^d. So
every information set is reached, and a mistake that lies further ahead is rarer by a factor of epsilon. Write l and m
for these least weights, x = l + x' and y = m + y'. The sequence-form LP is then

    maximise  (A m)' x' + (f - F m)' q   subject to   E x' = e - E l,  x' >= 0,
              and for each sequence s of side 1:   (F' q)[s] - (A' x')[s] <= (A' l)[s].

Its matrix does not depend on epsilon; its right sides and costs are polynomials in epsilon. So in a fixed basis the
weights are polynomials too, and the basis is optimal for all small epsilon > 0 if and only if every weight, slack and
reduced cost is 0 or has a positive leading coefficient: the coefficient of the lowest power of epsilon in it. That is
checked in whole numbers and fractions (`_Perturbed.optimal`). The limit of the equilibria as epsilon goes to 0 is
quasi-perfect, and the leading coefficients give the odds and the beliefs where the limit never comes.

A basis is found as Farina, Gatti and Sandholm (2018) do, in floats for a rational epsilon that gets smaller until the
check holds. Where floats cannot see epsilon^d, the exact solution in their basis is subtracted, what is left is scaled
up, and they continue from there (iterative refinement of linear programs: Gleixner, Steffy and Wolter 2016).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, TypeVar

import numpy as np

from ruse.core.arrays import Array
from ruse.core.clock import tick
from ruse.core.exact import IntegerMatrix, common_denominator, solve_exactly
from ruse.forms.certificate import certify
from ruse.forms.sequence_form import FormArrays, Treeplex
from ruse.solvers.highs import INFINITY, Highs, Program, Rows, SolverError
from ruse.solvers.plans import CertifiedPlans
from ruse.solvers.spec import Task

LARGEST, POWERS = Fraction(1, 32), (1, 2, 3, 5, 7, 11)  # epsilons: powers of this one, or of a smaller one
MOST_REFINED = 12  # times that floats continue from an exact solution, for each epsilon
SEEN = (1e-5, 1e-6, 1e-7)  # how large faults are made for floats to see them: in turn, as one size may go in circles
FARTHEST = STEEPEST = 1e7  # bounds and costs in a refinement: beyond, floats would see nothing else
TOLERANCE = 1e-9  # of HiGHS

N = TypeVar("N", int, Fraction)
Polynomial = tuple[Fraction, ...]  # in epsilon, lowest power first


class Leading(NamedTuple):
    """The lowest power of epsilon in a weight, and its coefficient."""

    power: int
    coefficient: Fraction


@dataclass(frozen=True)
class PerturbedPlans:
    """Equilibrium plans of all perturbed games with small epsilon."""

    form: FormArrays
    weights: tuple[Sequence[Polynomial], Sequence[Polynomial]]  # of each side's sequences
    value: Fraction  # of the game itself
    rounds: int  # runs of HiGHS

    def limit(self, side: int) -> list[Fraction]:
        """The plan as epsilon goes to 0: an optimal plan of the game."""
        return [weight[0] for weight in self.weights[side]]

    def leading(self, side: int) -> list[Leading]:
        """How likely each sequence is where mistakes are very rare: never 0."""
        return [_leading(weight) for weight in self.weights[side]]

    def odds(self, side: int) -> list[list[Fraction]]:
        """The odds of the moves of every information set as epsilon goes to 0, also where play never comes."""
        leading = self.leading(side)
        odds = []
        for parent, first, end in self.form.trees[side].sets():
            before = leading[parent]
            odds.append(
                [
                    term.coefficient / before.coefficient if term.power == before.power else Fraction(0)
                    for term in leading[first:end]
                ]
            )
        return odds


def run(task: Task) -> CertifiedPlans:
    equilibrium = quasi_perfect(task.form)
    plans = equilibrium.limit(0), equilibrium.limit(1)
    return CertifiedPlans(plans, certify(task.form, plans), equilibrium.rounds)


def quasi_perfect(form: FormArrays) -> PerturbedPlans:
    """Equilibrium plans for all small epsilon. Raises SolverError where no optimal basis is found."""
    program = _Perturbed(form)
    try:
        return _search(program)
    except (SolverError, OverflowError) as error:
        raise SolverError(
            "no quasi-perfect equilibrium found, because floats cannot tell the bases of this game apart; "
            "use auto, or a smaller game"
        ) from error


def _search(program: _Perturbed) -> PerturbedPlans:
    """Look for a basis that is optimal for all small epsilon, with smaller and smaller ones."""
    epsilons = program.epsilons()
    highs = Highs(program.at(epsilons[0]))
    highs.tolerance(TOLERANCE)
    chosen = program.run(highs)
    rounds = 1
    for epsilon in epsilons:
        for attempt in range(MOST_REFINED):
            tick()
            solution = program.solved_at(chosen, epsilon)
            if not program.refine(highs, solution, epsilon, SEEN[attempt % len(SEEN)]):
                break
            rounds += 1
            try:
                chosen = program.run(highs)
            except SolverError:  # floats fail on what is left: try it magnified otherwise, from the start
                highs.restart()
        basis = program.solved(chosen)
        if program.optimal(basis):
            return program.plans(basis, rounds)
    raise SolverError("no basis is optimal for all small epsilon")


class _Chosen(NamedTuple):
    """The columns inside their bounds and the tight rows of a basis."""

    inside: Sequence[int]
    tight: Sequence[int]


class _Solution(NamedTuple):
    """What a basis gives for one right side and cost."""

    columns: list[Fraction]
    duals: list[Fraction]


class _Basis(NamedTuple):
    """What a basis gives for each power of epsilon."""

    columns: list[list[Fraction]]
    duals: list[list[Fraction]]


class _Perturbed:
    """The linear program above, written to minimise, with a right side and a cost for each power of epsilon.

    Columns are x', q and a slack for each sequence of side 1, so that all rows are equations. All numbers are whole:
    the payoffs are those of the form, times its denominator.
    """

    def __init__(self, form: FormArrays) -> None:
        self.form = form
        mine, theirs = form.trees
        e_rows, e_columns, e_values = mine.constraints()
        f_rows, f_columns, f_values = theirs.constraints()
        self.cut, self.plans_end = mine.infosets + 1, mine.sequences
        self.slacks = self.plans_end + theirs.infosets + 1  # the first of them
        self.height, self.width = self.cut + theirs.sequences, self.slacks + theirs.sequences
        own = np.arange(theirs.sequences)
        self.row = np.concatenate([e_rows, self.cut + form.columns, self.cut + f_columns, self.cut + own])
        self.column = np.concatenate([e_columns, form.rows, self.plans_end + f_rows, self.slacks + own])
        parts = e_values.tolist(), form.payoffs.tolist(), (-f_values).tolist(), [-1] * theirs.sequences
        self.entry = [int(value) for part in parts for value in part]
        self._entries = list(zip(self.row.tolist(), self.column.tolist(), self.entry, strict=True))
        self.most = max(map(abs, form.payoffs.tolist()), default=1)
        self.bounded = np.ones(self.width, dtype=bool)  # columns of at least 0
        self.bounded[self.plans_end : self.slacks] = False
        self.depths = depths(mine), depths(theirs)
        self.powers = 1 + int(max(depth.max(initial=0) for depth in self.depths))
        self.rights: list[list[int]] = []
        self.costs: list[list[int]] = []
        for power in range(self.powers):
            at_power = [[int(power > 0 and deep == power) for deep in depth.tolist()] for depth in self.depths]
            taken = self.times([*at_power[0], *([0] * (self.width - self.plans_end))])
            self.rights.append([int(power == row == 0) - part for row, part in enumerate(taken)])
            taken = self.transposed_times([*([0] * self.cut), *at_power[1]])
            goal = self.plans_end  # q of the whole game, to be as large as can be
            costs = [-int(power == 0 and column == goal) - part for column, part in enumerate(taken)]
            self.costs.append([*costs[: self.slacks], *([0] * theirs.sequences)])

    def epsilons(self) -> list[Fraction]:
        """Smaller and smaller ones. All moves of an information set together weigh less than what leads there."""
        most = max((int(np.diff(tree.first).max(initial=0)) for tree in self.form.trees), default=0)
        largest = min(LARGEST, Fraction(1, 2 * max(1, most)))
        return [largest**power for power in POWERS]

    def times(self, vector: Sequence[int]) -> list[int]:
        """The rows of the matrix times a weight for each column."""
        sums = [0] * self.height
        for row, column, value in self._entries:
            if weight := vector[column]:
                sums[row] += value * weight
        return sums

    def transposed_times(self, vector: Sequence[int]) -> list[int]:
        """The columns of the matrix times a price for each row."""
        sums = [0] * self.width
        for row, column, value in self._entries:
            if weight := vector[row]:
                sums[column] += value * weight
        return sums

    # In floats, where payoffs are divided by the largest: values q and slacks are then smaller by as much.

    def at(self, epsilon: Fraction) -> Program:
        """The program for one epsilon."""
        order = np.lexsort((self.column, self.row))
        start = np.concatenate([[0], np.cumsum(np.bincount(self.row, minlength=self.height))]).astype(np.int32)
        values = np.array(self.entry, dtype=object)
        paid = (self.row >= self.cut) & (self.column < self.plans_end)
        floats = np.where(paid, values / self.most, values).astype(float)
        scale = self._scale(epsilon)
        right = self._in_floats(_scaled(self.rights, epsilon), scale, self.cut)
        cost = self._in_floats(_scaled(self.costs, epsilon), scale, 0, self.plans_end)
        lower = np.where(self.bounded, 0.0, -INFINITY)
        rows = Rows(start, self.column[order].astype(np.int32), values[order], right, right, floats[order])
        return Program(cost, lower, np.full(self.width, INFINITY), rows)

    def _scale(self, epsilon: Fraction) -> int:
        """What makes all costs and right sides whole for an epsilon that is 1 over a whole number."""
        return int(epsilon.denominator ** (self.powers - 1))

    def _in_floats(self, numbers: Sequence[int], unit: int, first: int, end: int | None = None) -> Array:
        """Numbers over a unit as floats, those from `first` to `end` divided by the largest payoff."""
        scaled = np.array([number / unit for number in numbers])
        scaled[first:end] /= self.most
        return scaled

    def run(self, highs: Highs) -> _Chosen:
        """The basis that floats find optimal."""
        highs.run()
        chosen = highs.optimal_basis()
        if chosen is None:
            raise SolverError("HiGHS returned no basis")
        return _Chosen(*chosen)

    def refine(self, highs: Highs, solution: _Solution, epsilon: Fraction, seen: float) -> bool:
        """Set the program that is left of the one for an epsilon, once a solution is subtracted.

        What is wrong with it is magnified to be as large as `seen`. False where nothing is wrong.
        """
        columns, common = common_denominator(solution.columns)
        duals, dual_common = common_denominator(solution.duals)
        left = _less([number * common for number in _scaled(self.rights, epsilon)], self.times(columns))
        reduced = _less([number * dual_common for number in _scaled(self.costs, epsilon)], self.transposed_times(duals))
        wrong, dual_wrong = self._faults(columns, left, reduced)
        if wrong <= 0 and dual_wrong <= 0:
            return False
        grow = wrong if wrong > 0 else self.most * max(1, *map(abs, columns))
        steep = dual_wrong if dual_wrong > 0 else self.most * max(1, *map(abs, duals))
        seen *= self.most
        weights = seen * self._in_floats(columns, grow, self.slacks)
        lower = np.where(self.bounded, -np.minimum(weights, FARTHEST), -INFINITY)
        cost = np.minimum(seen * self._in_floats(reduced, steep, 0, self.plans_end), STEEPEST)
        right = seen * self._in_floats(left, grow, self.cut)
        highs.change(cost, lower, np.full(self.width, INFINITY), right, right)
        return True

    def _faults(self, columns: Sequence[int], left: Sequence[int], reduced: Sequence[int]) -> tuple[int, int]:
        """How far a solution is off its rows and bounds, and its reduced costs off theirs, in floats; times `most`."""
        most, end, cut = self.most, self.plans_end, self.cut
        wrong = max(*(most * abs(number) for number in left[:cut]), *map(abs, left[cut:]))
        wrong = max(
            wrong, *(-most * number for number in columns[:end]), *(-number for number in columns[self.slacks :])
        )
        dual_wrong = max(-number for number in reduced[:end])
        values = (most * abs(number) for number in reduced[end : self.slacks])
        return wrong, max(dual_wrong, *values, *(-most * number for number in reduced[self.slacks :]))

    def _product(self, columns: Sequence[Fraction]) -> list[Fraction]:
        whole, common = common_denominator(columns)
        return [Fraction(number, common) for number in self.times(whole)]

    def _transposed_product(self, duals: Sequence[Fraction]) -> list[Fraction]:
        whole, common = common_denominator(duals)
        return [Fraction(number, common) for number in self.transposed_times(whole)]

    # In fractions

    def solved(self, chosen: _Chosen) -> _Basis:
        """What a basis gives for each power of epsilon."""
        solutions = self._solved(chosen, self.rights, self.costs)
        return _Basis([solution.columns for solution in solutions], [solution.duals for solution in solutions])

    def solved_at(self, chosen: _Chosen, epsilon: Fraction) -> _Solution:
        """What a basis gives for an epsilon, times its scale."""
        (solution,) = self._solved(chosen, [_scaled(self.rights, epsilon)], [_scaled(self.costs, epsilon)])
        return solution

    def _solved(self, chosen: _Chosen, rights: list[list[int]], costs: list[list[int]]) -> list[_Solution]:
        inside, tight = chosen
        places, tight_places = np.full(self.width, -1), np.full(self.height, -1)
        places[list(inside)], tight_places[list(tight)] = np.arange(len(inside)), np.arange(len(tight))
        kept = (places[self.column] >= 0) & (tight_places[self.row] >= 0)
        entries = np.array(self.entry, dtype=object)[kept]
        square = IntegerMatrix(len(inside), tight_places[self.row[kept]], places[self.column[kept]], entries)
        mirrored = square.transposed()
        solutions = []
        for right, cost in zip(rights, costs, strict=True):
            tick()
            weights = solve_exactly(square, [right[row] for row in tight])
            prices = solve_exactly(mirrored, [cost[column] for column in inside])
            if weights is None or prices is None:
                raise SolverError("HiGHS returned a singular basis")
            solutions.append(_Solution(_spread(weights, inside, self.width), _spread(prices, tight, self.height)))
        return solutions

    def optimal(self, basis: _Basis) -> bool:
        """Whether a basis is optimal for all small epsilon > 0: the proof.

        The solution keeps all rows and bounds, the reduced costs have the right sign, and no column has both a weight
        and a reduced cost, since one of them is 0 by the choice of the basis; that is looked at, too.
        """
        for right, columns in zip(self.rights, basis.columns, strict=True):
            if right != self._product(columns):
                return False
        reduced = [
            _less(cost, self._transposed_product(duals)) for cost, duals in zip(self.costs, basis.duals, strict=True)
        ]
        for bound, weight, price in zip(
            self.bounded.tolist(), zip(*basis.columns, strict=True), zip(*reduced, strict=True), strict=True
        ):
            if any(price) and (not bound or any(weight)):
                return False
            if bound and (_sign(weight) < 0 or _sign(price) < 0):
                return False
        return True

    def plans(self, basis: _Basis, rounds: int) -> PerturbedPlans:
        mine = _polynomials([column[: self.plans_end] for column in basis.columns], self.depths[0])
        theirs = _polynomials([dual[self.cut :] for dual in basis.duals], self.depths[1])
        value = basis.columns[0][self.plans_end] / self.form.denominator
        return PerturbedPlans(self.form, (mine, theirs), value, rounds)


def depths(tree: Treeplex) -> Array:
    """How many own moves each sequence has: int64[sequences]."""
    depths = np.zeros(tree.sequences, dtype=np.int64)
    for parent, first, end in tree.sets():
        depths[first:end] = depths[parent] + 1
    return depths


def _leading(weight: Polynomial) -> Leading:
    return next(Leading(power, coefficient) for power, coefficient in enumerate(weight) if coefficient)


def _scaled(by_power: Sequence[Sequence[int]], epsilon: Fraction) -> list[int]:
    """Polynomials at an epsilon that is 1 over a whole number, times that number to the highest power."""
    totals = [0] * len(by_power[0])
    factor = 1
    for coefficients in reversed(by_power):
        totals = [total + coefficient * factor for total, coefficient in zip(totals, coefficients, strict=True)]
        factor *= epsilon.denominator
    return totals


def _spread(numbers: Sequence[Fraction], places: Sequence[int], count: int) -> list[Fraction]:
    spread = [Fraction(0)] * count
    for place, number in zip(places, numbers, strict=True):
        spread[place] = number
    return spread


def _less(numbers: Sequence[int], others: Sequence[N]) -> list[N]:
    return [number - other for number, other in zip(numbers, others, strict=True)]


def _sign(polynomial: Sequence[Fraction]) -> Fraction | int:
    """A number with the sign of a polynomial for all small epsilon > 0."""
    return next((coefficient for coefficient in polynomial if coefficient), 0)


def _polynomials(by_power: Sequence[Sequence[Fraction]], depth: Array) -> list[Polynomial]:
    """Weights of sequences, each with its least weight epsilon^depth added."""
    polynomials = []
    for coefficients, deep in zip(zip(*by_power, strict=True), depth.tolist(), strict=True):
        weight = list(coefficients)
        if deep:
            weight[deep] += 1
        polynomials.append(tuple(weight))
    return polynomials
