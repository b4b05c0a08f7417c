"""Magnetic mirror descent (Sokota et al. 2023, arXiv 2206.05825): the last iterate converges, not the average.

Each side in turn moves its plan x towards what gains against the other side's plan, and is pulled to a magnet m:

    x <- argmax over x' of  s <x', A y>  -  s p D(x', m)  -  D(x', x),

where D is the divergence of dilated entropy, sum over information sets i of w_i x'(before i) KL(odds of x' at i, ...).
With a fixed magnet and a fixed pull p the iterates converge linearly to an equilibrium of the game with entropy (a
quantal response equilibrium). To come to one of the game itself, the pull becomes weaker (the annealed temperature of
their §4) and the magnet follows the iterates (their moving magnet, as in Perolat et al. 2021):

    p_t = PULL min(1, COOLING / t),        log m <- max((1 - FOLLOW) log m + FOLLOW log x, log LEAST).

What is ours, chosen by certificates on eleven games from Kuhn poker to battleship:

- The weight w_i is what is at stake at i if the other side plays uniformly, so that a step means the same at sets that
  are reached often and seldom. With equal weights Leduc takes ten times as many iterations.
- The magnet never asks for less than LEAST of a move. Without that, play that is given up vanishes for good, and Leduc
  and poker cycle at a gap of 0.05.
- The step s follows the rule of PDLP (Applegate et al. 2021): below SHARE of the step with which the last moves would
  have turned as far as they moved, (D(x', x) + D(y', y)) / |(x' - x) A (y' - y)|, and growing by 1 + t^-0.6 at most. A
  fixed step that suits Leduc diverges on liar's dice.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import log

import numpy as np

from ruse.core.arrays import Array
from ruse.forms.integer_form import Compiled, Side
from ruse.kernels import mirror, sweeps
from ruse.solvers.spec import NotANumber, Task

PULL, COOLING = 0.1, 100  # of the magnet at first, and the iterations after which it becomes weaker
FOLLOW = 0.03  # of the way from the magnet to the iterate, in an iteration
LEAST = 1 / 150  # of a move, in the magnet
SHARE = 0.5  # of the largest step that the last moves allow
GROWTH = 0.6  # an exponent: iteration t may enlarge the step by 1 + t^-GROWTH
SMALLEST = 1e-9  # of the weights, in parts of the largest


def run(task: Task) -> Mmd:
    return Mmd(task.compiled)


class Mmd:
    """A run of magnetic mirror descent on a form (an `Iterating`), whose plans are the last ones."""

    ended = False

    def __init__(self, compiled: Compiled) -> None:
        self.iterations = 0
        self._sides = tuple((own.parent, own.first, own.start, own.column, own.value) for own in compiled.sides)
        first, second = compiled.sides
        self._weights = _stakes(first, second), _stakes(second, first)
        uniform = [side.plan(np.ones(side.sequences)) for side in compiled.sides]
        self._plans = uniform[0], uniform[1]
        self._state = {"change": np.zeros(first.sequences), "gained": np.zeros(first.sequences)}
        self._state["numbers"] = np.array([1.0, 0.0, 0.0])  # the step, and how far each side moved last
        for number, side in enumerate(compiled.sides):
            sizes = np.diff(side.first)
            for name in ("magnet", "log_odds"):
                self._state[f"{name}{number}"] = np.append(0.0, np.repeat(-np.log(sizes), sizes))

    def _pair(self, name: str) -> tuple[Array, Array]:
        return self._state[f"{name}0"], self._state[f"{name}1"]

    def run(self, iterations: int) -> None:
        t = np.arange(self.iterations + 1, self.iterations + iterations + 1, dtype=float)
        pull = PULL * np.minimum(1.0, COOLING / t)
        steps = np.stack([pull, np.full(len(t), FOLLOW), 1.0 + t**-GROWTH, np.full(len(t), SHARE)], axis=1)
        arrays = self._pair("magnet"), self._pair("log_odds"), self._plans
        numbers = self._state["change"], self._state["gained"], self._state["numbers"]
        mirror.iterate(self._sides, self._weights, *arrays, *numbers, steps, log(LEAST))
        self.iterations += iterations

    def weights(self) -> tuple[Array, Array]:
        for plan in self._plans:
            if not np.isfinite(plan).all():
                raise NotANumber(f"expected finite odds after {self.iterations:,} iterations, got some that are not")
        return self._plans[0].copy(), self._plans[1].copy()

    def state(self) -> dict[str, Array]:
        return {name: array.copy() for name, array in self._state.items()} | {"done": np.array([self.iterations])}

    def restore(self, state: Mapping[str, Array]) -> None:
        for name, array in self._state.items():
            if state[name].shape != array.shape or not np.isfinite(state[name]).all():
                raise ValueError(f"expected {len(array)} finite numbers in {name}")
            array[:] = state[name]
        for (parent, first, *_), log_odds, plan in zip(self._sides, self._pair("log_odds"), self._plans, strict=True):
            mirror.play(parent, first, np.ones(len(parent)), log_odds, log_odds, plan)
        self.iterations = int(state["done"][0])


def _stakes(mine: Side, other: Side) -> Array:
    """What is at stake at each information set against uniform play: float64[infosets]."""
    values, stakes = np.empty(mine.sequences), np.empty(len(mine.parent))
    sweeps.gains(mine.start, mine.column, np.abs(mine.value), other.plan(np.ones(other.sequences)), values)
    mirror.ranges(mine.parent, mine.first, values, stakes)
    most = stakes.max(initial=0.0)
    return np.maximum(stakes, SMALLEST * most) if most > 0 else np.ones_like(stakes)
