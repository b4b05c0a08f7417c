"""Dohmatob 2015 (arXiv 1507.07901), Theorem 1 and Algorithm 1: the sequence form without its constraints.

Plans have to satisfy E x = e and F y = f, and projecting onto such plans is hard. Multipliers p and q take the
constraints into the payoff, so that only x and y have to be held above zero:

    max over x >= 0, q   min over y >= 0, p   of   x' A y + p' (e - E x) + q' (f - F y).

With u = (x, q) and v = (y, p) this is u' K v + f' q + e' p, where

    K = |  A  -E' |
        | -F   0  |

(his q is ours negated). His steps, of size λ = 1 / ‖K‖, take v back a little once u has moved. That is the step of
Chambolle and Pock: two of his lines put together read v <- v - λ (K' (2 new u - u) + (0, e)), clipped. The averages
of the points converge like 1 / k. A point violates E x = e a little, so it is normalised before it is certified.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from ruse.core.arrays import Array
from ruse.core.game import RuseError
from ruse.forms.integer_form import Compiled
from ruse.forms.sequence_form import FormArrays, Treeplex
from ruse.kernels import saddle as kernel
from ruse.solvers.spec import Task

POWERS = 200  # iterations for ‖K‖, which comes out too small, by far less than STEP leaves room for
STEP = 0.98  # of 1 / ‖K‖


@dataclass(frozen=True)
class Saddle:
    """max over u, min over v of u' K v + rise' u + fall' v; the plans in u = (x, q) and v = (y, p) stay above zero."""

    matrix: Any  # scipy.sparse CSR, float64[len(u), len(v)]
    rise: Array  # float64[len(u)]
    fall: Array  # float64[len(v)]
    plans: tuple[int, int]  # how many entries x and y have

    def arrays(self) -> Any:
        """As `kernels.saddle` takes it. Indices without a sign make products twice as fast in numba."""
        halves = (self.matrix, self.matrix.T.tocsr())
        rows = [(half.indptr.astype(np.uint32), half.indices.astype(np.uint32), half.data) for half in halves]
        return (*rows, self.rise, self.fall, *self.plans)


def saddle(form: FormArrays) -> Saddle:
    """The saddle point above, with payoffs in units of `scale`: then it does not matter what they are counted in."""
    first, second = form.trees
    shape = (first.sequences, second.sequences)
    a = sparse.csr_matrix((form.floats() / scale(form), (form.rows, form.columns)), shape=shape)
    e, f = _constraints(first), _constraints(second)
    rise, fall = np.zeros(shape[0] + f.shape[0]), np.zeros(shape[1] + e.shape[0])
    rise[shape[0]] = fall[shape[1]] = 1.0  # f' q and e' p
    return Saddle(sparse.bmat([[a, -e.T], [-f, None]], format="csr"), rise, fall, shape)


def scale(form: FormArrays) -> float:
    """The geometric mean of the lengths of A's rows and columns, which one huge payoff hardly moves.

    It balances plans, of size 1, with the values p and q, of the size of payoffs. Of the scales tried (the norm of A,
    its largest entry, means of entries and of sums of rows) it does best on Kuhn, Leduc and liar's dice together.
    """
    payoffs = np.abs(form.floats())
    most = np.max(payoffs, initial=0.0)
    if most == 0.0:
        return 1.0
    squares = (payoffs / most) ** 2
    sums = [np.bincount(index, squares) for index in (form.rows, form.columns)]
    return float(most * np.exp(np.mean([np.mean(np.log(total[total > 0])) / 2 for total in sums])))


def _constraints(tree: Treeplex) -> Any:
    rows, columns, values = tree.constraints()
    return sparse.csr_matrix((values.astype(float), (rows, columns)), shape=(tree.infosets + 1, tree.sequences))


def norm(problem: Any) -> float:
    """‖K‖ of `Saddle.arrays`: the largest singular value, from below, the same on every call."""
    forward, backward, _, fall, *_ = problem
    return float(kernel.norm(forward, backward, np.random.default_rng(0).random(len(fall)), POWERS))


def run(task: Task) -> FirstOrder:
    return FirstOrder(task.compiled)


class FirstOrder:
    """A run of Dohmatob's method on a form (an `Iterating`)."""

    ended = False

    def __init__(self, compiled: Compiled, *, step: float = STEP) -> None:
        if not 0 < step < 1:
            raise RuseError(f"expected a step between 0 and 1, in units of 1 / ‖K‖, got {step}")
        self.iterations = 0
        self._compiled = compiled
        problem = saddle(compiled.form)
        self._plans = problem.plans
        self._problem = problem.arrays()
        self._step = step / norm(self._problem)
        self._arrays = {name: np.zeros(len(term)) for name, term in (("u", problem.rise), ("v", problem.fall))}
        self._arrays |= {f"sum_{name}": np.zeros_like(array) for name, array in self._arrays.items()}

    def run(self, iterations: int) -> None:
        u, v, sum_u, sum_v = self._arrays.values()
        kernel.average(self._problem, self._step, u, v, sum_u, sum_v, iterations)
        self.iterations += iterations

    def current(self) -> tuple[Array, Array]:
        """The last point."""
        return self._arrays["u"][: self._plans[0]], self._arrays["v"][: self._plans[1]]

    def weights(self) -> tuple[Array, Array]:
        """For each side the average or the last point, whichever guarantees it more.

        Only the average comes with a rate, but the last point is mostly ahead, and on small games soon by far.
        """
        average, last = (
            (self._arrays[u][: self._plans[0]], self._arrays[v][: self._plans[1]])
            for u, v in (("sum_u", "sum_v"), ("u", "v"))
        )
        (average_lower, average_upper), (lower, upper) = self._compiled.bounds(average), self._compiled.bounds(last)
        return (last if lower > average_lower else average)[0], (last if upper < average_upper else average)[1]

    def state(self) -> dict[str, Array]:
        return saved(self._arrays, self.iterations)

    def restore(self, state: Mapping[str, Array]) -> None:
        self.iterations = restored(self._arrays, state)


def saved(arrays: Mapping[str, Array], iterations: int) -> dict[str, Array]:
    """Copies of a run's arrays, and how far it has come."""
    return {name: array.copy() for name, array in arrays.items()} | {"iterations": np.array([iterations])}


def restored(arrays: Mapping[str, Array], state: Mapping[str, Array]) -> int:
    """Fill a run's arrays from what was saved; returns how far it had come."""
    for name, array in arrays.items():
        if state[name].shape != array.shape:
            raise RuseError(f"expected {len(array)} numbers in {name} of the saved state, got {len(state[name])}")
        array[:] = state[name]
    return int(state["iterations"][0])
