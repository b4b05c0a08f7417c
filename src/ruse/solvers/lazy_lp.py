"""Linear programs whose rows are found as they are needed (Dantzig, Fulkerson, Johnson 1954).

The program minimises column 0 and starts with some of its rows, so its optimum is a lower bound. A search
tells what a point really costs, an upper bound, and which rows the optimum breaks. Where the bounds meet,
both are the value. Cuts are looked for half way between the optimum and the best point so far, which needs
far fewer rounds than cutting at the optimum itself (Ben-Ameur and Neto 2007), until that helps no more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from ruse.core.arrays import Array
from ruse.core.clock import TimeIsUp, left
from ruse.solvers.highs import Highs, Optimum, Program, Rows

Row = tuple[float, float, Sequence[int], Sequence[int]]  # lower, upper, columns, values
MEETS = 1e-7
HALF_WAY_ROUNDS = 12


class LazyProgram(Protocol):
    lower: Sequence[float]  # of the columns
    upper: Sequence[float]
    rows: Sequence[Row]  # to start with
    unit: float  # what a value of 1 is in column 0

    def starts(self) -> Iterable[Array]:
        """Points worth trying first."""

    def separate(self, point: Array, optimum: Array) -> tuple[float, Sequence[Any]]:
        """What `point` really costs, and cuts found there that `optimum` breaks."""

    def add(self, cuts: Sequence[Any]) -> Sequence[Row]:
        """The rows of these cuts, which from now on belong to the program."""


@dataclass(frozen=True)
class LazyLpResult:
    highs: Highs
    optimum: Optimum  # of the last program: its duals are one side's weights
    point: Array  # the best point: a start, or the optimum's own columns
    rounds: int
    ended: str  # "met", "gap", "time" or "interrupted"


def lazy_lp(
    lazy: LazyProgram,
    report: Callable[[int, float, float], None] = lambda *_: None,
    *,
    gap: float = 0.0,
) -> LazyLpResult:
    """Cut until the bounds meet, or are `gap` apart, or the time is up (`ruse.core.clock`), or somebody interrupts.

    `report` hears the round and both bounds. Cuts that were added after the last optimum have no duals there.
    """
    lower, upper = np.array(lazy.lower, dtype=float), np.array(lazy.upper, dtype=float)
    cost = np.zeros(len(lower), dtype=np.int64)
    cost[0] = 1
    nothing = np.full(len(lower), np.inf)  # an optimum that breaks no row
    best, point = min(((lazy.separate(start, nothing)[0], start) for start in lazy.starts()), key=lambda pair: pair[0])
    centre, middle_cost = point, best
    highs = Highs(Program(cost, lower, upper, Rows.of(lazy.rows)))
    optimum: Optimum | None = None
    rounds, ended = 0, ""
    try:
        while not ended:
            optimum = highs.run()
            rounds += 1
            report(rounds, optimum.value, min(best, middle_cost))
            if ended := _ended(best - optimum.value, gap):
                break
            cuts: Sequence[Any] = ()
            if rounds <= HALF_WAY_ROUNDS:
                middle = (optimum.columns + centre) / 2
                cost_there, cuts = lazy.separate(middle, optimum.columns)
                if cost_there < middle_cost:
                    centre, middle_cost = middle, cost_there
            if not cuts:
                cost_there, cuts = lazy.separate(optimum.columns, optimum.columns)
                if cost_there < best:
                    best, point = cost_there, optimum.columns
                ended = _ended(best - optimum.value, gap) if cuts else "met"
            if not ended:
                highs.add(Rows.of(lazy.add(cuts)))
    except (KeyboardInterrupt, TimeIsUp) as stop:
        if optimum is None:
            raise
        ended = "interrupted" if isinstance(stop, KeyboardInterrupt) else "time"
    assert optimum is not None
    if ended != "met" and middle_cost < best:
        point = centre
    return LazyLpResult(highs, optimum, point, rounds, ended)


def _ended(apart: float, gap: float) -> str:
    if apart <= MEETS:
        return "met"
    return "gap" if apart <= gap else "time" if left() <= 0 else ""
