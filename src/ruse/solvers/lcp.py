"""Lemke's algorithm (1965) on the linear complementarity problem of Koller, Megiddo and von Stengel (1996).

    find  z >= 0  with  w = M z + q >= 0  and  z' w = 0,   z = (x, y, p, r),  q = (0, 0, e, f),

          |       -A   E'     |       The first rows say that a sequence is only played as a best answer,
    M  =  |  A'            F' |       with p and -r what the information sets are worth to either side,
          | -E                |       the last ones that x and y are plans: E x = e and F y = f.
          |      -F           |

They split the free p and r into p' - p'' and r' - r'' and the equations into inequalities, so that all signs are known.
Here p and r are in the basis from the start and never leave it: the same problem, and smaller. They make all payoffs
negative for the sake of z' M z = -x' (A + B) y >= 0; in a zero-sum game M is skew, so that z' M z = 0 as it is.

The path starts at a pure plan of each side: its sequences are in the basis, and the slacks w of all others. The
covering vector d, of w = M z + q + d z0, is 1 for these slacks and 0 else (von Stengel, van den Elzen and Talman 2002
start so at any pair of plans). Then x and y are plans at every pivot, in equilibrium if it costs z0 to play a sequence
off the start. Such an equilibrium exists for every z0, and by the lexicographic rule only one: z0 falls from infinity
to 0, and no secondary ray can end the path (docs/explanation/lcp.md).

In floats and in decimals the basis at the end is solved exactly. In whole numbers nothing is left to be done. Decimals
take any sizes of payoffs: where one number of digits loses its way, which the certificate shows, twice as many go on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from fractions import Fraction
from itertools import chain
from math import inf
from typing import Any

import numpy as np
from scipy.sparse import bmat, coo_matrix, identity

from ruse.core import size_estimate
from ruse.core.arrays import Array
from ruse.core.clock import TimeIsUp, left, tick
from ruse.core.exact import IntegerMatrix, solve_exactly
from ruse.forms.certificate import best_response, certify
from ruse.forms.sequence_form import FormArrays, Treeplex
from ruse.solvers.highs import SolverError
from ruse.solvers.pivoting import PIVOTS, TOLERANCE, Digits, Factored, Tableau
from ruse.solvers.plans import CertifiedPlans, exact_plan, rounded_plan
from ruse.solvers.spec import Task

MOST_PIVOTS = 1_000  # a sequence, in floats: usual are one or two, and only rounding could lead in a circle
DENOMINATOR = 10_000_000  # of odds that are floats
DIGITS = 40  # of decimals to begin with, besides two for each that payoffs differ by
MORE_DIGITS = (1, 3, 9)  # times as many, one after the other
TIES = 1 << 20  # the least entry of the right side that settles ties, half the largest


def run(task: Task) -> CertifiedPlans:
    """Lemke's path; where the time is up on the way, the plans that it has come to."""
    form = task.form
    size_estimate.check_bytes(lcp_bytes(form), task.game, "lcp")

    def report_pivots(pivots: int, cover: float) -> None:
        task.report(f"pivot {pivots:,}, {cover:.3g} left", None, None)

    if left() == inf:
        return lcp(form, report=report_pivots)
    spare = left() / 4  # for the plans
    path = Lemke(form)
    with suppress(SolverError):  # floats may lose their way
        for pivots in path:
            report_pivots(pivots, path.cover)
            if left() <= spare:
                break
    plans = path.plans()
    solved = CertifiedPlans(plans, certify(form, plans), path.pivots)
    if not solved.certificate.exact and left() > spare:
        with suppress(TimeIsUp):
            solved = lcp_in_digits(form, report_pivots)
    return solved


def lcp(
    form: FormArrays, *, exact: bool = False, report: Callable[[int, float], object] = lambda pivots, cover: None
) -> CertifiedPlans:
    """Follow the path to its end, in floats and, where these lose their way, in digits; or `exact`, in whole numbers.

    `report` hears of each pivot and of z0, which falls to 0, and may raise to stop.
    """
    path = Lemke(form, exact=exact)
    try:
        for pivots in path:
            report(pivots, path.cover)
    except SolverError:
        if lcp_bytes(form, exact=True) > size_estimate.SHARE * size_estimate.free_bytes():
            raise
        return lcp_in_digits(form, report)
    plans = path.plans()
    certificate = certify(form, plans)
    if certificate.exact or lcp_bytes(form, exact=True) > size_estimate.SHARE * size_estimate.free_bytes():
        return CertifiedPlans(plans, certificate, path.pivots)
    return lcp_in_digits(form, report)


def lcp_in_digits(
    form: FormArrays, report: Callable[[int, float], object] = lambda pivots, cover: None
) -> CertifiedPlans:
    """Follow the path in decimals, of as many digits as it takes; the last resort are whole numbers."""
    pivots = 0
    payoffs = [abs(payoff) for payoff in form.payoffs.tolist()] or [1]
    fewest = DIGITS + 2 * len(str(max(payoffs) // min(payoffs)))
    for times in MORE_DIGITS:
        path = Lemke(form, digits=fewest * times)
        try:
            for done in path:
                tick()
                report(pivots + done, path.cover)
        except SolverError:
            continue
        finally:
            pivots += path.pivots
        plans = path.plans()
        certificate = certify(form, plans)
        if certificate.exact:
            return CertifiedPlans(plans, certificate, pivots)

    def report_all(done: int, cover: float) -> None:
        tick()
        report(pivots + done, cover)

    solved = lcp(form, exact=True, report=report_all)
    return CertifiedPlans(solved.plans, solved.certificate, pivots + solved.iterations)


def lcp_bytes(form: FormArrays, *, exact: bool = False) -> int:
    """About how much memory it takes: for floats factors, steps and the exact end; for anything longer the tableau."""
    weights = sum(tree.sequences for tree in form.trees)
    if exact:
        return weights * (weights + 3) * 128
    rows = weights + sum(tree.infosets + 1 for tree in form.trees)
    entries = 2 * len(form.payoffs) + 4 * rows
    return 16 * min(10 * entries, rows * rows) + 8 * rows * PIVOTS + 4096 * rows


class Lemke:
    """The path as an iterator of pivots. The plans can be had at any of them; after the last they are optimal."""

    def __init__(self, form: FormArrays, *, exact: bool = False, digits: int = 0) -> None:
        """In floats; or `exact`, in whole numbers; or in decimals of so many `digits`."""
        self.form = form
        self._exact = exact
        self.pivots = 0
        start = np.concatenate([_start(form, 0), _start(form, 1)])
        self._half = len(start)  # variable v < half is the weight of a sequence, half + v its slack
        self._cover = 2 * self._half
        self._first = [v if played else self._half + v for v, played in enumerate(start.tolist())]
        most = max((abs(payoff) for payoff in form.payoffs.tolist()), default=0) or 1
        self._unit = Fraction(1 if exact or digits else most, form.denominator)
        # A second right side settles nearly all ties, the columns of the first basis what is left.
        ties = np.random.default_rng(0).integers(TIES, 2 * TIES, self._half)
        self._system: Tableau | Factored
        self._tolerance = 0.0
        if exact or digits:
            scaled = [tie * (1 if v < self._half else most) for v, tie in zip(self._first, ties.tolist(), strict=True)]
            self._system = _tableau(form, start, self._first, scaled, digits)
        else:
            self._tolerance = TOLERANCE
            self._system = _factored(form, start, self._first, ties / TIES, most)

    @property
    def cover(self) -> float:
        """z0, as a payoff."""
        if self._cover not in self._system.basis:
            return 0.0
        return float(self._unit * Fraction(self._system.value(self._system.basis.index(self._cover))))

    def __iter__(self) -> Iterator[int]:
        """How many pivots it has been, after each of them."""
        system = self._system
        if not (system.right(0) < -self._tolerance).any():
            return  # the start is an equilibrium
        entering, row = self._cover, self._leaves(-system.column(self._cover))
        while True:
            leaving = system.basis[row]
            system.exchange(row, entering)
            self.pivots += 1
            yield self.pivots
            if leaving == self._cover:
                return
            if not self._exact and self.pivots >= MOST_PIVOTS * self._half:
                raise SolverError(f"expected an end of Lemke's path, got none after {self.pivots:,} pivots in floats")
            entering = (leaving + self._half) % self._cover  # its complement
            row = self._leaves(system.column(entering))

    def _leaves(self, column: Array) -> int:
        """The row of the variable that leaves the basis: the cover as soon as it can."""
        system = self._system
        first, second = system.right(0), system.right(1)
        rows = system.leaves(column, [first])
        for row in rows:
            if system.basis[row] == self._cover:
                return int(row)
        rows = system.leaves(column, chain((first, second), map(system.column, self._first)))
        if not len(rows):  # impossible in exact arithmetic
            raise SolverError(f"expected an equilibrium, got a ray after {self.pivots} pivots in floats: use exact")
        return int(rows[0])

    def plans(self) -> tuple[list[Fraction], list[Fraction]]:
        """Exact plans: of whole numbers and at the end those of the basis, on the way through floats near ones."""
        system, (first, second) = self._system, self.form.trees
        weights: list[Any] = [Fraction(0)] * self._half
        played = np.zeros(self._half, dtype=bool)
        for row, variable in enumerate(system.basis):
            if variable < self._half:
                weights[variable], played[variable] = system.value(row), True
        cut = first.sequences
        if self._exact:
            return weights[:cut], weights[cut:]
        if self._cover not in system.basis:
            solved = tuple(_solved(self.form, side, (played[:cut], played[cut:])) for side in (0, 1))
            if solved[0] is not None and solved[1] is not None:
                return exact_plan(first, solved[0]), exact_plan(second, solved[1])
        floats = np.array(weights, dtype=float)
        return rounded_plan(first, floats[:cut], DENOMINATOR), rounded_plan(second, floats[cut:], DENOMINATOR)


def _start(form: FormArrays, side: int) -> Array:
    """bool[sequences]: those of a pure plan, also off its way: a best answer to even odds."""
    tree, other = form.trees[side], form.trees[1 - side]
    even = [Fraction(1)] * other.sequences
    for parent, first, end in other.sets():
        even[first:end] = [even[parent] / (end - first)] * (end - first)
    values = best_response(form, side, even)[1]
    best = max if side == 0 else min
    start = np.zeros(tree.sequences, dtype=bool)
    start[0] = True
    for _, first, end in tree.sets():
        start[best(range(first, end), key=values.__getitem__)] = True
    return start


def _factored(form: FormArrays, start: Array, basis: list[int], ties: Array, most: int) -> Factored:
    """Columns: weights, slacks, the cover, then p and r, which complete the basis. Payoffs are at most 1."""
    first, second = form.trees
    payoffs = np.array([payoff / most for payoff in form.payoffs.tolist()])
    a = coo_matrix((payoffs, (form.rows, form.columns)), shape=(first.sequences, second.sequences))
    constraints = bmat([[_constraints(first), None], [None, _constraints(second)]])
    equations, weights = constraints.shape
    m = bmat([[None, -a], [a.T, None]])
    d = coo_matrix(np.where(start, 0.0, 1.0)[:, None])
    matrix = bmat([[m, -identity(weights), d, constraints.T], [constraints, None, None, None]]).tocsc()
    basis = basis + list(range(2 * weights + 1, 2 * weights + 1 + equations))
    plans = np.zeros(weights + equations)
    plans[[weights, weights + first.infosets + 1]] = 1
    rights = np.column_stack([plans, matrix[:, basis] @ np.concatenate([ties, np.zeros(equations)])])
    return Factored(basis, weights, matrix, rights)


def _constraints(tree: Treeplex) -> coo_matrix:
    rows, columns, values = tree.constraints()
    return coo_matrix((values.astype(float), (rows, columns)), shape=(tree.infosets + 1, tree.sequences))


def _tableau(form: FormArrays, start: Array, basis: list[int], ties: list[int], digits: int) -> Tableau:
    """Eliminate p, r and the equations, which divides by nothing: E is unimodular at the start."""
    weights = len(start)
    cut = form.trees[0].sequences
    entries = np.zeros((weights, weights + 1), dtype=object)
    right = np.zeros(weights, dtype=object)
    ways = _ways(form.trees[0], start[:cut]), _ways(form.trees[1], start[cut:])
    a = np.zeros((ways[0].shape[1], ways[1].shape[1]), dtype=object)  # payoffs by weights off the start
    for x, y, payoff in zip(form.rows.tolist(), form.columns.tolist(), form.payoffs.tolist(), strict=True):
        first, second = np.flatnonzero(ways[0][x]), np.flatnonzero(ways[1][y])
        a[np.ix_(first, second)] += payoff * np.outer(ways[0][x, first], ways[1][y, second])
    on, off = np.flatnonzero(start), np.flatnonzero(~start)
    ons, offs = (on[on < cut], on[on >= cut]), (off[off < cut], off[off >= cut])
    for side in (0, 1):
        own = ways[side][start[:cut] if side == 0 else start[cut:]]
        entries[np.ix_(ons[side], offs[side])] = -own[:, 1:]
        entries[np.ix_(offs[side], ons[side])] = own[:, 1:].T
        right[ons[side]] = own[:, 0]
    entries[np.ix_(offs[0], offs[1])] = a[1:, 1:]
    entries[np.ix_(offs[1], offs[0])] = -a[1:, 1:].T
    entries[off, weights] = -1
    right[offs[0]], right[offs[1]] = -a[1:, 0], a[0, 1:]
    outside = [(variable + weights) % (2 * weights) for variable in basis] + [2 * weights]
    rights = np.column_stack([right, np.array(ties, dtype=object)])
    return Digits(basis, outside, entries, rights, digits) if digits else Tableau(basis, outside, entries, rights)


def _ways(tree: Treeplex, start: Array) -> Array:
    """object[sequences, 1 + sequences off the start]: each weight as a constant and a sum of those off the start."""
    ways = np.zeros((tree.sequences, 1 + int((~start).sum())), dtype=object)
    ways[0, 0] = 1
    ways[np.flatnonzero(~start), np.arange(1, ways.shape[1])] = 1
    for parent, first, end in tree.sets():
        chosen = first + int(np.argmax(start[first:end]))
        ways[chosen] = ways[parent] - ways[first:end].sum(axis=0)
    return ways


def _solved(form: FormArrays, side: int, played: tuple[Array, Array]) -> list[Fraction] | None:
    """The weights of one side's plan that make all played sequences of the other side worth what they should be."""
    mine, theirs = form.trees[side], form.trees[1 - side]
    own, other = (form.rows, form.columns) if side == 0 else (form.columns, form.rows)
    weights, answers = int(played[side].sum()), int(played[1 - side].sum())
    if weights + theirs.infosets != answers + mine.infosets:
        return None
    place, line = np.cumsum(played[side]) - 1, np.cumsum(played[1 - side]) + mine.infosets
    e_rows, e_columns, e_values = mine.constraints()
    f_rows, f_columns, f_values = theirs.constraints()
    e, f, a = played[side][e_columns], played[1 - side][f_columns], played[side][own] & played[1 - side][other]
    matrix = IntegerMatrix(
        weights + theirs.infosets + 1,
        np.concatenate([e_rows[e], line[f_columns[f]], line[other[a]]]),
        np.concatenate([place[e_columns[e]], weights + f_rows[f], place[own[a]]]),
        np.concatenate([e_values[e], f_values[f], form.payoffs[a]]),
    )
    solution = solve_exactly(matrix, [1] + [0] * (matrix.size - 1))
    if solution is None:
        return None
    plan = [Fraction(0)] * mine.sequences
    for sequence, weight in zip(np.flatnonzero(played[side]).tolist(), solution, strict=False):
        plan[sequence] = weight
    return plan
