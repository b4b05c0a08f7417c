"""What runs on a device have in common: their steps, and when a side's plan joins its sum.

An iteration is a pass of side 0 and one of side 1, against side 0's new plan, launched as one graph. A side's plan
joins its sum in the next pass of the other side, which needs it anyway; before bounds are taken, side 1's, which is
still outstanding, is settled.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import numpy as np

from ruse.core.arrays import Array
from ruse.core.certificate import Certificate
from ruse.kernels.gpu.machines import Machine
from ruse.solvers.spec import NotANumber
from ruse.solvers.variants import CfrVariant

MOST_STEPS = 1 << 12  # iterations whose numbers are sent at once


class DeviceRun(ABC):
    """A run of a variant on a machine."""

    ended = False

    def __init__(self, machine: Machine, variant: CfrVariant, planned: int, kind: str) -> None:
        self.machine, self.kind, self.iterations = machine, kind, 0
        self._variant, self._planned = variant, planned
        self._amounts = [0.0, 0.0]  # what the plans in each side's sum weigh
        self._owed = 0.0  # the factor of side 1's sum before its last plan joins it
        self._owes = False
        self._steps = machine.zeros(MOST_STEPS * 10, "float64")
        self._done = machine.zeros(1, "int32")
        self._state: dict[str, Any] = {}  # arrays that iterations change and the next ones need

    @abstractmethod
    def _pass(self, side: int) -> None:
        """Launch all that a side learns by."""

    @abstractmethod
    def _join(self) -> None:
        """Launch what lets side 1's plan join its sum, as a pass of side 0 would."""

    @abstractmethod
    def _restored(self) -> None:
        """Launch what makes the rest fit a state that was put in place, if there is such."""

    @abstractmethod
    def certificate(self) -> Certificate:
        """Exact bounds of the average plans, rounded to whole units. Raises FlowError where flows do not add up."""

    def weights(self) -> tuple[Array, Array]:
        """Nothing: the sums stay where they are."""
        return np.zeros(0), np.zeros(0)

    def run(self, iterations: int) -> None:
        while iterations > 0:
            portion = min(iterations, MOST_STEPS)
            self._portion(portion)
            iterations -= portion

    def _portion(self, iterations: int) -> None:
        steps = self._variant.steps(self.iterations, iterations, self._planned)
        keep, keep_negative, lean, predict, fade = steps.T
        if self._variant.predicts:  # odds are in proportion to lean * R + predict * r: the kernels take r as it is
            lean = lean / predict
        sent = np.ones((iterations, 2, 5))
        sent[:, :, 0], sent[:, :, 1], sent[:, :, 2] = keep[:, None], keep_negative[:, None], lean[:, None]
        sent[0, 0, 3:] = (self._owed, 1.0) if self._owes else (1.0, 0.0)
        sent[1:, 0, 3] = fade[:-1]
        sent[:, 1, 3] = fade
        self.machine.fill(self._steps, sent.ravel())
        self.machine.fill(self._done, np.zeros(1, dtype=np.int32))
        for _ in range(iterations):
            self._iteration()
        self.machine.wait()
        for side, factors in enumerate((sent[:, 1, 3:], sent[:, 0, 3:])):
            for factor, weight in factors:
                self._amounts[side] = self._amounts[side] * factor + weight
        self._owed, self._owes = float(fade[-1]), True
        self.iterations += iterations

    @cached_property
    def _iteration(self) -> Callable[[], None]:
        def work() -> None:
            self._pass(0)
            self._pass(1)
            self.machine.launch("next_iteration", 1, (self._done,))

        return self.machine.recorded(work)

    def settle(self) -> None:
        """Let side 1's last plan join its sum."""
        if not self._owes:
            return
        self.machine.fill(self._steps, np.array([1, 1, 1, self._owed, 1.0]))
        self.machine.fill(self._done, np.zeros(1, dtype=np.int32))
        self._join()
        self.machine.wait()
        self._amounts[1] = self._amounts[1] * self._owed + 1.0
        self._owes = False

    def check_numbers(self) -> None:
        """Raise NotANumber where a number is none."""
        if not all(map(self.machine.finite, self._state.values())):
            advice = ": use float64" if self.kind == "float32" else ""
            raise NotANumber(
                f"expected finite regrets after {self.iterations:,} iterations in {self.kind}, "
                f"got some that are not{advice}"
            )

    def state(self) -> dict[str, Array]:
        """All that `restore` needs, as arrays here."""
        kept = {name: self.machine.numbers(array) for name, array in self._state.items()}
        numbers = [self.iterations, self._planned, self._owes, self._owed, *self._amounts]
        return {**kept, "done": np.array(numbers, dtype=float)}

    def restore(self, state: Mapping[str, Array]) -> None:
        for name, array in self._state.items():
            saved = state[name]
            if saved.shape != array.shape or saved.dtype != array.dtype or not np.isfinite(saved).all():
                raise ValueError(f"expected {len(array)} finite numbers of type {array.dtype} in {name}")
            self.machine.fill(array, saved)
        done, planned, owes, self._owed, *self._amounts = state["done"].tolist()
        self.iterations, self._planned, self._owes = int(done), int(planned), bool(owes)
        self._restored()
        self.machine.wait()
