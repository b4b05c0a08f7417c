"""Value iteration (Shapley 1953; Neller and Presser 2004, eq. 1-2, for Pig), for games that can come back to a state.

Each state's value is replaced by that of its best move, or by the expected value at chance, until nothing changes. It
is done in whole numbers of tiny units, from below and rounding down: values then only rise, and so do come to rest. The
strategies are the best moves by these values; what they guarantee is proved apart (`ruse.verify.cyclic`).
"""

from __future__ import annotations

import numpy as np

from ruse.core.arrays import Array
from ruse.core.capabilities import Memoryless
from ruse.core.game import END
from ruse.forms.state_graph import Arrays, graph_of, settled
from ruse.kernels import check_compiled
from ruse.kernels import states as kernel
from ruse.solvers.plans import StateStrategies
from ruse.solvers.spec import Task

UNITS = 10**13  # to the largest payoff
NOBODY = 2


def run(task: Task) -> StateStrategies:
    """Both strategies by state."""
    check_compiled("states:settle", "states:best_moves")
    task.report("listing the states", None, None)
    assert isinstance(task.game, Memoryless)
    graph = graph_of(task.game)
    task.report(f"iterating over {len(graph.arrays.turn):,} states", None, None)
    choice, sweeps = value_iteration(graph.arrays)
    return StateStrategies((graph.write(0, choice), graph.write(1, choice)), sweeps)


def value_iteration(arrays: Arrays) -> tuple[Array, int]:
    """A best move at each state where a side moves, as int32[states], and how many sweeps of layers it took."""
    largest = max(1, int(np.abs(arrays.payoff).max()))
    unit = max(1, min(UNITS, 2**62 // int(arrays.whole.max())) // largest)
    value = np.where(arrays.turn == END, arrays.payoff * unit, -unit * largest)
    choice = np.zeros(len(arrays.turn), dtype=np.int32)
    a = arrays
    sweeps = settled(a, choice, NOBODY, True, value)
    kernel.best_moves(a.turn, a.first, a.child, value, choice)
    return choice, sweeps
