"""Exact bounds of strategies in games of rising bids, by the whole-number sweeps of `bounds.h`, which prove them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from ruse.core.capabilities import Bidding
from ruse.core.certificate import PUBLIC_TREE, Certificate
from ruse.core.game import GameError
from ruse.forms.bidding import CHUNK, UNITS, shape_of
from ruse.kernels.gpu.machines import Machine


class FlowError(GameError):
    """The flows of a plan do not add up: the machine has computed something wrong."""


class BiddingBounds:
    """Finds bounds of sums that lie on a machine."""

    def __init__(self, bidding: Bidding, machine: Machine, tables: tuple[Any, Any, Any]) -> None:
        self._bidding, self._machine, self._tables = bidding, machine, tables
        self._shape = shape_of(bidding)
        groups = self._shape.groups * self._shape.hands
        self._proof = machine.zeros(groups, "int64"), machine.zeros(groups, "int64"), machine.zeros(groups, "float64")
        self._units = machine.array(np.array(bidding.weights, dtype=np.int64) << UNITS)

    def certificate(self, totals: Any, amounts: tuple[float, float]) -> Certificate:
        """Bounds of the plans that sums stand for. Raises FlowError where flows do not add up."""
        weights = self._bidding.weights
        everything = sum(weights) ** 2 << UNITS
        won = []
        for side in (0, 1):
            for sign in (1, -1):
                if set(self._best(totals, amounts, side, sign)) != {sign * (sum(weights) << UNITS)}:
                    raise FlowError(
                        f"the flows of side {1 - side}'s plan do not add up: the device computes incorrectly"
                    )
            best = self._best(totals, amounts, side, 0)
            won.append(sum(weight * value for weight, value in zip(weights, best, strict=True)))
        first, second = (Fraction(2 * value, everything) for value in won)
        return Certificate(1 - second, first - 1, PUBLIC_TREE)

    def _best(self, totals: Any, amounts: tuple[float, float], side: int, mode: int) -> list[int]:
        """What a side's best response wins with each hand, in units; with a mode, what it gets where ends pay that."""
        arrays = (totals, *self._proof, self._units, *self._tables)
        launch, shape, own = self._machine.launch, self._shape, np.int32(side)
        launch("bounds_begin", 1, (*arrays, own, np.float64(amounts[1 - side] / (1 << UNITS))))
        for level in range(shape.levels - 1):
            launch("bounds_down", 1 << shape.before(level), (*arrays, own, np.int32(level)))
        launch("bounds_leaf", 1 << (shape.bids - CHUNK), (*arrays, own, np.int32(mode)))
        for level in reversed(range(shape.levels - 1)):
            launch("bounds_up", 1 << shape.before(level), (*arrays, own, np.int32(level)))
        values: list[int] = self._machine.numbers(self._proof[0], 0, shape.hands).tolist()
        return values
