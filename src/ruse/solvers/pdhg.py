"""Lu and Yang 2024 (arXiv 2407.16144), restarted Halpern PDHG, as in cuPDLPx (Lu, Peng, Yang 2025, arXiv 2507.14051).

The saddle point is Dohmatob's (`solvers.first_order`): the optimum of a linear program, so a method that is restarted
well converges at a linear rate. With T one primal-dual step and z₀ the anchor, where the last restart was,

    z <- (k+1)/(k+2) (2 T(z) - z) + 1/(k+2) z₀,

and T(z) becomes the new anchor when ‖z - T(z)‖, always judged against its value r₀ at the last restart,

    is at most  sufficient * r₀,
    or at most  necessary * r₀  and larger than one iteration ago,
    or when the epoch is as long as  longest * all iterations so far  (and no shorter than `shortest`).

Rows and columns are scaled by the square roots of their sums of absolute values (Pock and Chambolle 2011, α = 1),
whereupon ‖K‖ <= 1 is certain and needs no estimate. The weight between maximiser and minimiser, which PDLP adapts for
linear programs, stays 1: the sides are each other's mirror image. What has to be in balance here are plans and values,
and that `first_order.scale` does, once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple, dataclass, replace

import numpy as np
from scipy import sparse

from ruse.core.arrays import Array
from ruse.core.game import RuseError
from ruse.forms.integer_form import Compiled
from ruse.kernels import saddle as kernel
from ruse.solvers.first_order import Saddle, restored, saddle, saved
from ruse.solvers.spec import Task

STEP = 0.998  # of 1, which is at least ‖K‖


@dataclass(frozen=True)
class Restarts:
    """When to restart (above)."""

    sufficient: float = 0.2
    necessary: float = 0.8
    longest: float = 0.2
    shortest: float = 100.0

    def __post_init__(self) -> None:
        if not 0 < self.sufficient <= self.necessary < 1:
            raise RuseError(f"expected 0 < sufficient <= necessary < 1, got {self.sufficient} and {self.necessary}")


def run(task: Task) -> Pdhg:
    return Pdhg(task.compiled)


class Pdhg:
    """A run on a form (an `Iterating`)."""

    ended = False

    def __init__(self, compiled: Compiled, *, restarts: Restarts | None = None) -> None:
        self.iterations = 0
        self._limits = np.array(astuple(restarts or Restarts()))
        problem, self._scales = preconditioned(saddle(compiled.form))
        self._problem = problem.arrays()
        names = [f"{point}_{part}" for point in ("at", "next", "anchor") for part in ("u", "v")]
        self._points = {name: np.zeros(len(problem.rise if name[-1] == "u" else problem.fall)) for name in names}
        self._epoch = np.zeros(4)  # as the kernel has it

    def run(self, iterations: int) -> None:
        kernel.halpern(self._problem, STEP, tuple(self._points.values()), self._epoch, self._limits, iterations)
        self.iterations += iterations

    def weights(self) -> tuple[Array, Array]:
        """T(z) of the last iteration: unlike z, it is nowhere negative."""
        first, second = self._scales
        return self._points["next_u"][: len(first)] * first, self._points["next_v"][: len(second)] * second

    def state(self) -> dict[str, Array]:
        return saved(self._points | {"epoch": self._epoch}, self.iterations)

    def restore(self, state: Mapping[str, Array]) -> None:
        self.iterations = restored(self._points | {"epoch": self._epoch}, state)


def preconditioned(problem: Saddle) -> tuple[Saddle, tuple[Array, Array]]:
    """The problem in other units, with ‖K‖ <= 1, and how much one unit of each x and y is in the old ones."""
    size = abs(problem.matrix)
    rows, columns = (1 / np.sqrt(np.asarray(size.sum(axis=axis)).ravel()) for axis in (1, 0))
    matrix = sparse.csr_matrix(sparse.diags(rows) @ problem.matrix @ sparse.diags(columns))
    scaled = replace(problem, matrix=matrix, rise=problem.rise * rows, fall=problem.fall * columns)
    return scaled, (rows[: problem.plans[0]], columns[: problem.plans[1]])
