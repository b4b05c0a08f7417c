"""Linear programs with integer coefficients, solved by HiGHS, with the optimal basis solved exactly.

    minimise  c' x   subject to   lower <= R x <= upper,   0 <= x  (or x free, or x fixed)

HiGHS works in floats. Its answer names a basis: which columns are not at a bound and which rows are
tight. That basis is a square linear system in integers, and `exact` solves it in fractions, for the
primal and the dual at once.
"""

from __future__ import annotations

import atexit
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from threading import Event, Lock, Thread
from time import perf_counter
from typing import Any

import highspy
import numpy as np

from ruse.core.arrays import Array
from ruse.core.clock import TimeIsUp, left
from ruse.core.exact import IntegerMatrix, solve_exactly
from ruse.core.game import RuseError

INFINITY = float("inf")
SECONDS_TO_WAIT = 0.1  # between two looks at a run
SECONDS_TO_END = 30.0  # for all runs, when Python ends


class SolverError(RuseError):
    """The LP solver gave up, or was stopped."""


class DoesNotFit(SolverError, MemoryError):
    """A game that has to be solved in many digits does not fit in memory."""


@dataclass(frozen=True)
class Rows:
    """Some rows of R, row after row, with their bounds."""

    start: Array  # int32[rows + 1]
    column: Array  # int32[entries]
    value: Array  # int64[entries], or object where the integers are longer
    lower: Array  # float64[rows]
    upper: Array  # float64[rows]
    floats: Array | None = (
        None  # float64[entries], the rows as HiGHS gets them if scaled: columns then mean less or more
    )

    @staticmethod
    def of(rows: Sequence[tuple[float, float, Sequence[int], Sequence[int]]]) -> Rows:
        """From (lower, upper, columns, values) a row."""
        lengths = [len(columns) for _, _, columns, _ in rows]
        return Rows(
            np.cumsum([0, *lengths]).astype(np.int32),
            np.array([column for row in rows for column in row[2]], dtype=np.int32),
            np.array([value for row in rows for value in row[3]], dtype=np.int64),
            np.array([row[0] for row in rows], dtype=float),
            np.array([row[1] for row in rows], dtype=float),
        )

    def __len__(self) -> int:
        return len(self.lower)

    def in_floats(self) -> Array:
        return self.value.astype(float) if self.floats is None else self.floats


@dataclass(frozen=True)
class Program:
    """A linear program to minimise. Every finite bound of a row or column is an integer."""

    cost: Array  # int64[columns]
    lower: Array  # float64[columns]
    upper: Array  # float64[columns]
    rows: Rows
    cost_in_floats: Array | None = None  # float64[columns], the costs as HiGHS gets them if scaled


@dataclass(frozen=True)
class Optimum:
    """A solution and its duals (one a row, positive where a lower bound binds)."""

    value: Any
    columns: Any  # float64[columns], or a list of Fractions
    duals: Any  # float64[rows], or a list of Fractions


def model(program: Program) -> Any:
    """A program as HiGHS takes it."""
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = len(program.cost), len(program.rows)
    lp.col_cost_ = program.cost.astype(float) if program.cost_in_floats is None else program.cost_in_floats
    lp.col_lower_, lp.col_upper_ = program.lower, program.upper
    lp.row_lower_, lp.row_upper_ = program.rows.lower, program.rows.upper
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_ = program.rows.start
    lp.a_matrix_.index_ = program.rows.column
    lp.a_matrix_.value_ = program.rows.in_floats()
    return lp


_highs: Any = highspy.Highs  # comes without types


class _Runs:
    """All runs under way in threads of this process. None may outlive Python: it would abort where HiGHS comes back."""

    def __init__(self) -> None:
        self._lock, self._ended = Lock(), False
        self._under_way: dict[Thread, Event] = {}

    def start(self, thread: Thread, stopping: Event) -> None:
        with self._lock:
            if self._ended:
                raise SolverError("expected a run of HiGHS to begin before Python ends, got one at its end")
            self._under_way[thread] = stopping
            thread.start()

    def forget(self, thread: Thread) -> None:
        with self._lock:
            self._under_way.pop(thread, None)

    def end(self) -> None:
        with self._lock:
            self._ended = True
            left = dict(self._under_way)
        for stopping in left.values():
            stopping.set()
        until = perf_counter() + SECONDS_TO_END
        for thread in left:
            thread.join(max(0.0, until - perf_counter()))


_runs = _Runs()
atexit.register(_runs.end)


class Highs:
    """One linear program in HiGHS. Rows can be added, and the next run starts from the last basis."""

    def __init__(self, program: Program, method: str = "simplex") -> None:
        """`method`: "simplex" or "ipm" (interior point, with crossover to a basis)."""
        self._cost = program.cost
        self._bounds = (program.lower, program.upper)
        self._rows = [program.rows]
        self._highs: Any = _highs()
        self._highs.setOptionValue("output_flag", False)
        self._highs.setOptionValue("solver", method)
        self._highs.setOptionValue("threads", 1)
        self._stopping = Event()
        stopping = self._stopping  # and not self, which would hold HiGHS and be held by it

        def stop(event: Any) -> None:
            event.interrupt(stopping.is_set())

        for callback in (self._highs.cbSimplexInterrupt, self._highs.cbIpmInterrupt):
            callback.subscribe(stop)
        self._highs.passModel(model(program))

    @property
    def iterations(self) -> int:
        info = self._highs.getInfo()
        return int(max(0, info.simplex_iteration_count) + max(0, info.ipm_iteration_count))

    def tolerance(self, tolerance: float) -> None:
        """How far a solution may be off its bounds, and its reduced costs off theirs."""
        for name in ("primal_feasibility_tolerance", "dual_feasibility_tolerance"):
            self._highs.setOptionValue(name, tolerance)

    def restart(self) -> None:
        """Forget the last basis."""
        self._highs.clearSolver()

    def change(self, cost: Array, lower: Array, upper: Array, row_lower: Array, row_upper: Array) -> None:
        """Replace all costs and bounds. The next run starts from the last basis."""
        columns, rows = len(cost), len(row_lower)
        places, row_places = np.arange(columns, dtype=np.int32), np.arange(rows, dtype=np.int32)
        self._highs.changeColsCost(columns, places, np.asarray(cost, dtype=float))
        self._highs.changeColsBounds(columns, places, np.asarray(lower, float), np.asarray(upper, float))
        self._highs.changeRowsBounds(rows, row_places, np.asarray(row_lower, float), np.asarray(row_upper, float))

    def add(self, rows: Rows) -> None:
        self._rows.append(rows)
        entries = len(rows.column)
        self._highs.addRows(len(rows), rows.lower, rows.upper, entries, rows.start[:-1], rows.column, rows.in_floats())

    def run(self) -> Optimum:
        """An optimum, or TimeIsUp. HiGHS works in a thread of its own, so that Ctrl-C is heard, and ends it.

        The thread is ours: highspy's `startSolve` has one lock for all programs, and refuses a second one meanwhile.
        """
        seconds = max(0.0, left())
        if isfinite(seconds):
            self._highs.setOptionValue("time_limit", self._highs.getRunTime() + seconds)
        self._stopping.clear()
        thread = Thread(target=_highs.run, args=(self._highs,), daemon=True)
        _runs.start(thread, self._stopping)
        try:
            while thread.is_alive():
                thread.join(SECONDS_TO_WAIT)
        finally:  # whatever came in between
            self._stopping.set()
            thread.join()
            _runs.forget(thread)
        status = self._highs.getModelStatus()
        if status == highspy.HighsModelStatus.kTimeLimit:
            raise TimeIsUp("HiGHS found no optimal solution in time: allow more time")
        if status != highspy.HighsModelStatus.kOptimal:
            name = self._highs.modelStatusToString(status)
            raise SolverError(f"expected an optimal solution from HiGHS, got {name.lower()}")
        solution = self._highs.getSolution()
        return Optimum(
            self._highs.getInfo().objective_function_value,
            np.array(solution.col_value),
            np.array(solution.row_dual),
        )

    def optimal_basis(self) -> tuple[list[int], list[int]] | None:
        """The columns inside their bounds and the tight rows, of the basis of the last run; None if there is none."""
        basis = self._highs.getBasis()
        if not basis.valid:
            return None
        basic = highspy.HighsBasisStatus.kBasic
        inside = [column for column, status in enumerate(basis.col_status) if status == basic]
        tight = [row for row, status in enumerate(basis.row_status) if status != basic]
        return (inside, tight) if len(inside) == len(tight) else None

    def run_exactly(self) -> Optimum | None:
        """The basis of the last run, solved in fractions; None if it cannot be."""
        basis = self._highs.getBasis()
        if not basis.valid:
            return None
        lower = np.concatenate([rows.lower for rows in self._rows])
        upper = np.concatenate([rows.upper for rows in self._rows])
        basic = highspy.HighsBasisStatus.kBasic
        at_upper = highspy.HighsBasisStatus.kUpper
        free = highspy.HighsBasisStatus.kZero
        inside = np.array([status == basic for status in basis.col_status])
        tight = np.array([status != basic for status in basis.row_status])
        columns = np.zeros(len(inside))
        for column, status in enumerate(basis.col_status):
            if status not in (basic, free):
                columns[column] = self._bounds[1 if status == at_upper else 0][column]
        sides = np.where([status == at_upper for status in basis.row_status], upper, lower)[tight]
        if inside.sum() != tight.sum():
            return None
        square, known = self._system(inside, tight, columns, sides)
        weights = solve_exactly(square, known)
        prices = solve_exactly(square.transposed(), self._cost[inside].tolist())
        if weights is None or prices is None:
            return None
        exact = [Fraction(int(value)) for value in columns]
        for place, weight in zip(np.flatnonzero(inside).tolist(), weights, strict=True):
            exact[place] = weight
        duals = [Fraction(0)] * len(tight)
        for place, price in zip(np.flatnonzero(tight).tolist(), prices, strict=True):
            duals[place] = price
        value = sum((int(cost) * weight for cost, weight in zip(self._cost, exact, strict=True) if cost), Fraction(0))
        return Optimum(value, exact, duals)

    def _system(self, inside: Array, tight: Array, columns: Array, sides: Array) -> tuple[IntegerMatrix, list[int]]:
        """The tight rows in the columns inside their bounds, and what those have to add up to."""
        row = np.repeat(np.arange(len(tight)), np.concatenate([np.diff(rows.start) for rows in self._rows]))
        column = np.concatenate([rows.column for rows in self._rows])
        value = np.concatenate([rows.value for rows in self._rows])
        place = np.cumsum(tight) - 1
        known = [int(side) for side in sides]
        for entry in np.flatnonzero(tight[row] & ~inside[column] & (columns[column] != 0)).tolist():
            known[place[row[entry]]] -= int(value[entry]) * int(columns[column[entry]])
        kept = tight[row] & inside[column]
        column_place = np.cumsum(inside) - 1
        return IntegerMatrix(int(inside.sum()), place[row[kept]], column_place[column[kept]], value[kept]), known


def mixed_columns(program: Program, whole: Array) -> Array | None:
    """The best columns that are found while there is time; None if none are. `whole`: the columns that are 0 or 1."""
    highs = _Mixed(program, whole)
    try:
        return np.asarray(highs.run().columns)
    except TimeIsUp:
        return highs.best()


class _Mixed(Highs):
    def __init__(self, program: Program, whole: Array) -> None:
        super().__init__(program)
        stopping = self._stopping

        def stop(event: Any) -> None:
            event.interrupt(stopping.is_set())

        self._highs.cbMipInterrupt.subscribe(stop)
        kind: Any = highspy.HighsVarType
        self._highs.changeColsIntegrality(
            len(whole), whole.astype(np.int32), np.full(len(whole), int(kind.kInteger), dtype=np.uint8)
        )

    def best(self) -> Array | None:
        """What was found before the time was up."""
        status: Any = highspy.SolutionStatus
        if self._highs.getInfo().primal_solution_status != int(status.kSolutionStatusFeasible):
            return None
        return np.array(self._highs.getSolution().col_value)
