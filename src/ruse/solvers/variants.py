"""What tells one variant of counterfactual regret minimisation from another, in numbers for each iteration.

`ruse.solvers.cfr` says what they mean. Every sweep takes them, on whatever machine it runs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ruse.core.arrays import Array

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
class CfrVariant:
    alpha: Exponent | None = None  # discounts positive regrets
    beta: Exponent | None = None  # discounts negative ones
    gamma: Exponent = Exponent(0)  # weighs late plans more in the average
    floor: bool = False  # regrets never fall below zero
    predict: float = 0.0  # how much of the last regrets to expect again: 1 is all of them, 0 none
    alternate: bool = True  # the second side answers the first side's new plan, not its old one

    @property
    def predicts(self) -> bool:
        return self.predict > 0

    def steps(self, done: int, iterations: int, planned: int) -> Array:
        """What the kernel needs to know of each iteration: float64[iterations, 5]."""
        t = np.arange(done + 1, done + iterations + 1, dtype=float)
        alpha, beta = (None if line is None else line.at(t, planned) for line in (self.alpha, self.beta))
        return np.stack(
            [
                _discount(t, alpha),
                _discount(t, beta),
                _discount(t + 1, alpha) if self.predicts else np.ones(iterations),
                np.full(iterations, self.predict),
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


VARIANTS: dict[str, CfrVariant] = {
    # Zinkevich et al. 2007
    "cfr": CfrVariant(),
    # Tammelin 2014
    "cfr+": CfrVariant(gamma=Exponent(1), floor=True),
    # Brown and Sandholm 2019
    "dcfr": CfrVariant(alpha=Exponent(1.5), beta=Exponent(0), gamma=Exponent(2)),
    # Zhang et al. 2024: hyperparameter schedules
    "hs-dcfr": CfrVariant(alpha=Exponent(1, 3), beta=Exponent(-1, -2), gamma=Exponent(30, -5)),
    # Farina, Kroer and Sandholm 2021
    "pcfr+": CfrVariant(gamma=Exponent(2), floor=True, predict=1.0),
    # Meng et al. 2025 (arXiv 2503.12770), asymmetric step sizes: of the prediction 1 / (1 + alpha), with alpha = 2
    "sapcfr+": CfrVariant(gamma=Exponent(2), floor=True, predict=1 / 3),
    # Xu et al. 2024
    "pdcfr+": CfrVariant(alpha=Exponent(2.3), gamma=Exponent(5), floor=True, predict=1.0),
}
