"""Counterfactual regret minimisation, one loop for all variants (Zinkevich et al. 2007 and those who followed).

At every information set each move has a regret R, and odds in proportion to its positive part. Iteration t finds the
counterfactual regret r of each move against the other side's present plan and then

    R <- R * d(t, alpha) + r   where R > 0,   R * d(t, beta) + r   elsewhere,   d(t, e) = (t-1)^e / ((t-1)^e + 1),
    R <- max(R, 0)             with a floor,
    odds ~ max(R * d(t+1, alpha) + r, 0)   with prediction (the last r is expected again),   max(R, 0) without,
    sum of plans <- sum * ((t-1) / t)^gamma + plan.

The average of the plans converges to an optimal plan. A variant is a setting of these parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ruse.forms.cfr_layout import payoffs_of, tree_of
from ruse.forms.integer_form import Compiled
from ruse.kernels import regret
from ruse.solvers.spec import Task

Array = np.ndarray[Any, np.dtype[Any]]
Pair = tuple[Array, Array]
MOVING = ("regret", "odds", "plan", "total")
TINY = 1e-300  # instead of zero, in logarithms
PLANNED = 1000  # iterations, where a schedule needs their number and none is given


@dataclass(frozen=True)
class Exponent:
    """A number that moves along a line: `start` at first, `start + change` at the last planned iteration."""

    start: float
    change: float = 0.0

    def at(self, t: Array, planned: int) -> Array:
        return self.start + self.change * np.minimum(t / planned, 1.0) if self.change else np.full(len(t), self.start)


@dataclass(frozen=True)
class Variant:
    alpha: Exponent | None = None  # discounts positive regrets
    beta: Exponent | None = None  # discounts negative ones
    gamma: Exponent = Exponent(0)  # weighs late plans more in the average
    floor: bool = False  # regrets never fall below zero
    predict: bool = False  # expect the last regrets again
    alternate: bool = True  # the second side answers the first side's new plan, not its old one

    def steps(self, done: int, iterations: int, planned: int) -> Array:
        """What the kernel needs to know of each iteration: float64[iterations, 5]."""
        t = np.arange(done + 1, done + iterations + 1, dtype=float)
        alpha, beta = (None if line is None else line.at(t, planned) for line in (self.alpha, self.beta))
        return np.stack(
            [
                _discount(t, alpha),
                _discount(t, beta),
                _discount(t + 1, alpha) if self.predict else np.ones(iterations),
                np.full(iterations, float(self.predict)),
                ((t - 1) / t) ** self.gamma.at(t, planned),
            ],
            axis=1,
        )


def _discount(t: Array, exponent: Array | None) -> Array:
    """(t-1)^e / ((t-1)^e + 1), in logarithms; 1 without an exponent."""
    if exponent is None:
        return np.ones(len(t))
    logarithm = exponent * np.log(np.maximum(t - 1, TINY))
    return np.asarray(1 / (1 + np.exp(-np.clip(logarithm, -700, 700))), dtype=float)


VARIANTS: dict[str, Variant] = {
    # Zinkevich et al. 2007
    "cfr": Variant(),
    # Tammelin 2014
    "cfr+": Variant(gamma=Exponent(1), floor=True),
    # Brown and Sandholm 2019
    "dcfr": Variant(alpha=Exponent(1.5), beta=Exponent(0), gamma=Exponent(2)),
    # Zhang et al. 2024: hyperparameter schedules
    "hs-dcfr": Variant(alpha=Exponent(1, 3), beta=Exponent(-1, -2), gamma=Exponent(30, -5)),
    # Farina, Kroer and Sandholm 2021
    "pcfr+": Variant(gamma=Exponent(2), floor=True, predict=True),
    # Xu et al. 2024
    "pdcfr+": Variant(alpha=Exponent(2.3), gamma=Exponent(5), floor=True, predict=True),
}


def run(task: Task) -> Cfr:
    return Cfr(task.compiled, VARIANTS[task.solver], planned=task.iterations or PLANNED)


class Cfr:
    """A run of a variant on a form (an `Iterating`)."""

    ended = False

    def __init__(self, compiled: Compiled, variant: Variant, planned: int = PLANNED) -> None:
        self.iterations = 0
        self._variant, self._planned = variant, planned
        one, two = compiled.sides
        self._trees = tree_of(one), tree_of(two)
        laid = payoffs_of(one, *self._trees), payoffs_of(two, *reversed(self._trees))
        self._fixed = (
            tuple(side.arrays for side in laid),
            tuple((tree.groups, tree.parents) for tree in self._trees),
        )
        even = [np.concatenate([[1.0], np.repeat(1 / sizes, sizes)]) for sizes in map(np.diff, (one.first, two.first))]
        plans = [side.plan(np.ones(side.sequences)) for side in compiled.sides]
        self._regrets = _pair(np.zeros(tree.sequences) for tree in self._trees)
        self._odds = _pair(tree.laid_out(odds) for tree, odds in zip(self._trees, even, strict=True))
        self._plans = _pair(tree.laid_out(plan) for tree, plan in zip(self._trees, plans, strict=True))
        self._totals = _pair(np.zeros(tree.sequences) for tree in self._trees)
        self._worths = _pair(np.zeros(tree.sequences) for tree in self._trees)
        self._scratch = np.zeros((2, max(int(tree.groups[:, 1].max(initial=1)) for tree in self._trees)))

    def run(self, iterations: int) -> None:
        regret.iterate(
            *self._fixed,
            *self._moving,
            self._worths,
            self._scratch,
            self._variant.steps(self.iterations, iterations, self._planned),
            self._variant.floor,
            self._variant.alternate,
        )
        self.iterations += iterations

    @property
    def _moving(self) -> tuple[Pair, Pair, Pair, Pair]:
        """The arrays that iterations change and the next ones need."""
        return self._regrets, self._odds, self._plans, self._totals

    def weights(self) -> Pair:
        return _pair(total[tree.place] for tree, total in zip(self._trees, self._totals, strict=True))

    def state(self) -> dict[str, Array]:
        kept = {f"{name}{side}": pair[side] for name, pair in zip(MOVING, self._moving, strict=True) for side in (0, 1)}
        return {**kept, "done": np.array([self.iterations, self._planned])}

    def restore(self, state: Mapping[str, Array]) -> None:
        for name, pair in zip(MOVING, self._moving, strict=True):
            for side in (0, 1):
                found = state[f"{name}{side}"]
                if found.shape != pair[side].shape or not np.isfinite(found).all():
                    raise ValueError(f"expected {len(pair[side])} finite numbers in {name}{side}")
                pair[side][:] = found
        self.iterations, self._planned = (int(number) for number in state["done"])


def _pair(arrays: Iterable[Array]) -> Pair:
    first, second = arrays
    return first, second
