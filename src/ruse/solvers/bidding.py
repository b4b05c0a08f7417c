"""Regret minimisation and exact bounds for games of rising bids, on a GPU: a public node is a set of bids.

The sweeps are those of `ruse.kernels.gpu` (`bids.h` says how the state lies); here is what is launched when. A pass of
a side is: down the upper levels, the last level, up again, and then the regrets of the moves of groups' roots. An
iteration is a pass of side 0 and one of side 1, against side 0's new plan, launched as one graph. A side's plan joins
its average in the next pass of the other side, which needs it anyway; before bounds are taken, side 1's, which is still
outstanding, is settled.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property

import numpy as np

from ruse.core.bidding import Bidding
from ruse.forms.bidding import CHUNK, built, shape_of
from ruse.forms.bidding_bounds import BiddingBounds
from ruse.forms.certificate import Certificate
from ruse.kernels.gpu.machines import Array, Gpu, Machine
from ruse.solvers.iterating import NotANumber
from ruse.solvers.variants import PLANNED, Variant

MOST_STEPS = 1 << 12  # iterations whose numbers are sent at once


class BiddingRun:
    """A run of a variant on a game of rising bids, on a machine."""

    ended = False

    def __init__(
        self,
        bidding: Bidding,
        variant: Variant,
        planned: int = PLANNED,
        kind: str = "float64",
        machine: Callable[..., Machine] = Gpu,
    ) -> None:
        self.shape = shape = shape_of(bidding)
        self.bidding, self.kind, self.iterations = bidding, kind, 0
        self._variant, self._planned = variant, planned
        self.machine, self._tables = built(bidding, kind, machine, variant.floor, variant.predict)
        self._bounds: BiddingBounds | None = None
        self._amounts = [0.0, 0.0]  # what the plans in each side's average weigh
        self._owed = 0.0  # the factor of side 1's average before its last plan joins it
        self._owes = False
        zeros = self.machine.zeros
        rows, calls = shape.bid_rows * shape.hands, shape.call_rows * shape.hands
        self._state = {"bids": zeros(rows, kind), "calls": zeros(calls, kind), "totals": zeros(rows, kind)}
        if variant.predict:
            self._state |= {"lean_bids": zeros(rows, kind), "lean_calls": zeros(calls, kind)}
        groups = shape.groups * shape.hands
        self._parts, self._reach, self._inverses = zeros(groups, kind), zeros(groups, kind), zeros(groups, kind)
        self._weights = self.machine.array(np.array(bidding.weights, dtype=kind))
        self._steps = zeros(MOST_STEPS * 10, "float64")
        self._done = zeros(1, "int32")

    # Iterations.

    def run(self, iterations: int) -> None:
        while iterations > 0:
            portion = min(iterations, MOST_STEPS)
            self._portion(portion)
            iterations -= portion

    def _portion(self, iterations: int) -> None:
        steps = self._variant.steps(self.iterations, iterations, self._planned)
        keep, keep_negative, lean, _, fade = steps.T
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
            for side in (0, 1):
                self._down(side, "bids_leaf")
                for level in reversed(range(self.shape.levels - 1)):
                    self._launch("bids_up", self.shape.before(level), side, level)
                self._launch("bids_learn_roots", self.shape.bids - CHUNK, side)
            self._launch("bids_next", 0)

        return self.machine.recorded(work)

    def _down(self, side: int, last: str) -> None:
        for level in range(self.shape.levels - 1):
            self._launch("bids_down", self.shape.before(level), side, level)
        self._launch(last, self.shape.bids - CHUNK, side)

    def _launch(self, kernel: str, bits: int, *numbers: int) -> None:
        state = self._state
        lean = state.get("lean_bids", state["bids"]), state.get("lean_calls", state["calls"])
        arrays = (state["bids"], state["calls"], *lean, state["totals"], self._reach, self._inverses, self._parts)
        rest = (self._weights, *self._tables, self._steps, self._done)
        self.machine.launch(kernel, 1 << bits, (*arrays, *rest, *map(np.int32, numbers)))

    def settle(self) -> None:
        """Let side 1's last plan join its average."""
        if not self._owes:
            return
        self.machine.fill(self._steps, np.array([1, 1, 1, self._owed, 1.0]))
        self.machine.fill(self._done, np.zeros(1, dtype=np.int32))
        self._down(0, "bids_settle")
        self.machine.wait()
        self._amounts[1] = self._amounts[1] * self._owed + 1.0
        self._owes = False

    # Bounds.

    def certificate(self) -> Certificate:
        """Exact bounds of the average plans, rounded to whole units. Raises FlowError where flows do not add up."""
        self.settle()
        self._check_numbers()
        if self._bounds is None:
            self._bounds = BiddingBounds(self.bidding, self.machine, self._tables)
        return self._bounds.certificate(self._state["totals"], self.amounts)

    def _check_numbers(self) -> None:
        if not all(map(self.machine.finite, self._state.values())):
            advice = ": use float64" if self.kind == "float32" else ""
            raise NotANumber(
                f"expected finite regrets after {self.iterations:,} iterations in {self.kind}, "
                f"got some that are not{advice}"
            )

    @property
    def amounts(self) -> tuple[float, float]:
        return self._amounts[0], self._amounts[1]

    def part(self, start: int, stop: int) -> Array:
        """Of the sums of plans: a run is `Sums` while it does not go on."""
        self.settle()
        return self.machine.numbers(self._state["totals"], start, stop)

    def weights(self) -> tuple[Array, Array]:
        """Nothing: the sums stay where they are."""
        return np.zeros(0), np.zeros(0)

    # Checkpoints.

    def state(self) -> dict[str, Array]:
        """All that `restore` needs, as arrays here."""
        kept = {name: self.machine.numbers(array) for name, array in self._state.items()}
        numbers = [self.iterations, self._planned, self._owes, self._owed, *self._amounts]
        return {**kept, "done": np.array(numbers, dtype=float)}

    def restore(self, state: Mapping[str, Array]) -> None:
        for name, array in self._state.items():
            found = state[name]
            if found.shape != array.shape or found.dtype != array.dtype or not np.isfinite(found).all():
                raise ValueError(f"expected {len(array)} finite numbers of type {array.dtype} in {name}")
            self.machine.fill(array, found)
        done, planned, owes, self._owed, *self._amounts = state["done"].tolist()
        self.iterations, self._planned, self._owes = int(done), int(planned), bool(owes)
        self._launch("bids_add_roots", self.shape.bids - CHUNK)
        self.machine.wait()
