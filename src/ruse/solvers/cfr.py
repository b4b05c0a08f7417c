"""Counterfactual regret minimisation, one loop for all variants (Zinkevich et al. 2007 and those who followed).

At every information set each move has a regret R, and odds in proportion to its positive part. Iteration t finds the
counterfactual regret r of each move against the other side's present plan and then

    R <- R * d(t, alpha) + r   where R > 0,   R * d(t, beta) + r   elsewhere,   d(t, e) = (t-1)^e / ((t-1)^e + 1),
    R <- max(R, 0)             with a floor,
    odds ~ max(R * d(t+1, alpha) + p * r, 0)   with prediction (p of the last r is expected again),   max(R, 0) without,
    sum of plans <- sum * ((t-1) / t)^gamma + plan.

The average of the plans converges to an optimal plan. A variant is a setting of these parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from ruse.core.arrays import Array
from ruse.forms.cfr_layout import payoffs_of, tree_of
from ruse.forms.integer_form import Compiled
from ruse.forms.parallel import ThreadTeam, threads
from ruse.kernels import regret
from ruse.solvers.spec import Task
from ruse.solvers.variants import PLANNED, VARIANTS, CfrVariant

Pair = tuple[Array, Array]
WORTH_SHARING = 1 << 18  # entries of payoffs: fewer are added up before a second thread has woken
MOVING = ("regret", "odds", "plan", "total")


def run(task: Task) -> Cfr:
    return Cfr(task.compiled, VARIANTS[task.solver], task.iterations or PLANNED, task.threads)


class Cfr:
    """A run of a variant on a form (an `Iterating`)."""

    ended = False

    def __init__(
        self, compiled: Compiled, variant: CfrVariant, planned: int = PLANNED, workers: int | None = None
    ) -> None:
        self.iterations = 0
        self._variant, self._planned = variant, planned
        first, second = compiled.sides
        self._trees = tree_of(first), tree_of(second)
        laid = payoffs_of(first, *self._trees), payoffs_of(second, *reversed(self._trees))
        self._fixed = (
            tuple(side.arrays for side in laid),
            tuple((tree.groups, tree.parents) for tree in self._trees),
        )
        large = sum(side.entries for side in laid) >= WORTH_SHARING
        self._team = ThreadTeam(threads(workers) if large else 1)
        even = [
            np.concatenate([[1.0], np.repeat(1 / sizes, sizes)])
            for sizes in (np.diff(side.first) for side in compiled.sides)
        ]
        plans = [side.plan(np.ones(side.sequences)) for side in compiled.sides]
        self._regrets = _pair(np.zeros(tree.sequences) for tree in self._trees)
        self._odds = _pair(tree.laid_out(odds) for tree, odds in zip(self._trees, even, strict=True))
        self._plans = _pair(tree.laid_out(plan) for tree, plan in zip(self._trees, plans, strict=True))
        self._totals = _pair(np.zeros(tree.sequences) for tree in self._trees)
        self._worths = _pair(np.zeros(tree.sequences) for tree in self._trees)
        self._scratch = np.zeros((2, max(int(tree.groups[:, 1].max(initial=1)) for tree in self._trees)))

    def run(self, iterations: int) -> None:
        steps = self._variant.steps(self.iterations, iterations, self._planned)
        how = self._variant.floor, self._variant.alternate

        def work(shared: Array, worker: int) -> None:
            regret.iterate(*self._fixed, *self._moving, self._worths, self._scratch, steps, *how, shared, worker)

        self._team.run_shared(work)
        self.iterations += iterations

    @property
    def _moving(self) -> tuple[Pair, Pair, Pair, Pair]:
        """The arrays that iterations change and the next ones need."""
        return self._regrets, self._odds, self._plans, self._totals

    def weights(self) -> Pair:
        return _pair(total[tree.place] for tree, total in zip(self._trees, self._totals, strict=True))

    def current(self) -> Pair:
        """The plans of the last iteration."""
        return _pair(plan[tree.place] for tree, plan in zip(self._trees, self._plans, strict=True))

    def state(self) -> dict[str, Array]:
        kept = {f"{name}{side}": pair[side] for name, pair in zip(MOVING, self._moving, strict=True) for side in (0, 1)}
        return {**kept, "done": np.array([self.iterations, self._planned])}

    def restore(self, state: Mapping[str, Array]) -> None:
        for name, pair in zip(MOVING, self._moving, strict=True):
            for side in (0, 1):
                saved = state[f"{name}{side}"]
                if saved.shape != pair[side].shape or not np.isfinite(saved).all():
                    raise ValueError(f"expected {len(pair[side])} finite numbers in {name}{side}")
                pair[side][:] = saved
        self.iterations, self._planned = (int(number) for number in state["done"])


def _pair(arrays: Iterable[Array]) -> Pair:
    first, second = arrays
    return first, second
