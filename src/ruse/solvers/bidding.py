"""Regret minimisation and exact bounds for games of rising bids, on a GPU: a public node is a set of bids.

The sweeps are those of `ruse.kernels.gpu` (`bids.h` says how the state lies); here is what is launched when. A pass of
a side is: down the upper levels, the last level, up again, and then the regrets of the moves of groups' roots.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np

from ruse.core.arrays import Array
from ruse.core.capabilities import Bidding
from ruse.core.certificate import Certificate
from ruse.forms.bidding import CHUNK, built, shape_of
from ruse.forms.bidding_bounds import BiddingBounds
from ruse.kernels.gpu.machines import Gpu, Machine
from ruse.solvers.device_run import DeviceRun
from ruse.solvers.variants import PLANNED, CfrVariant


class BiddingRun(DeviceRun):
    """A run of a variant on a game of rising bids, on a machine."""

    def __init__(
        self,
        bidding: Bidding,
        variant: CfrVariant,
        planned: int = PLANNED,
        kind: str = "float64",
        machine: Callable[..., Machine] = Gpu,
    ) -> None:
        self.shape = shape = shape_of(bidding)
        self.bidding = bidding
        made, self._tables = built(bidding, kind, machine, variant.floor, variant.predicts)
        super().__init__(made, variant, planned, kind)
        zeros = made.zeros
        rows, calls = shape.bid_rows * shape.hands, shape.call_rows * shape.hands
        self._state |= {"bids": zeros(rows, kind), "calls": zeros(calls, kind), "totals": zeros(rows, kind)}
        if variant.predicts:
            self._state |= {"lean_bids": zeros(rows, kind), "lean_calls": zeros(calls, kind)}
        groups = shape.groups * shape.hands
        self._parts, self._reach, self._inverses = zeros(groups, kind), zeros(groups, kind), zeros(groups, kind)
        self._weights = made.array(np.array(bidding.weights, dtype=kind))

    def _pass(self, side: int) -> None:
        self._down(side, "bids_leaf")
        for level in reversed(range(self.shape.levels - 1)):
            self._launch("bids_up", self.shape.before(level), side, level)
        self._launch("bids_learn_roots", self.shape.bids - CHUNK, side)

    def _join(self) -> None:
        self._down(0, "bids_settle")

    def _restored(self) -> None:
        self._launch("bids_add_roots", self.shape.bids - CHUNK)

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

    @cached_property
    def _bounds(self) -> BiddingBounds:
        return BiddingBounds(self.bidding, self.machine, self._tables)

    def certificate(self) -> Certificate:
        self.settle()
        self.check_numbers()
        return self._bounds.certificate(self._state["totals"], self.amounts)

    @property
    def amounts(self) -> tuple[float, float]:
        return self._amounts[0], self._amounts[1]

    def part(self, start: int, stop: int) -> Array:
        """Of the sums of plans: a run is `Sums` while it does not go on."""
        self.settle()
        return self.machine.numbers(self._state["totals"], start, stop)
