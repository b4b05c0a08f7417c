"""Linear programs in which some columns are 0 or 1, by HiGHS in floats: they propose, and exact arithmetic decides."""

from __future__ import annotations

from typing import Any

import highspy
import numpy as np

from ruse.core.arrays import Array
from ruse.core.clock import TimeIsUp
from ruse.solvers.highs import Highs, Program


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
