"""Regret minimisation and exact bounds on any public tree, on a GPU: level by level.

The sweeps are those that `tree.h` and `tree_bounds.h` describe. Bounds are the very fractions that
ruse.forms.public_bounds finds for the same sums, by its proof: units are chosen by `PublicTree.largest`, so that no sum
overflows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from ruse.core.arrays import Array
from ruse.core.certificate import PUBLIC_TREE, Certificate
from ruse.core.game import END
from ruse.forms.bidding_bounds import FlowError
from ruse.forms.public_bounds import bits_of
from ruse.forms.public_tree import PublicTree
from ruse.kernels.gpu.machines import Gpu, Machine
from ruse.solvers.device_run import DeviceRun
from ruse.solvers.variants import PLANNED, CfrVariant

SOURCES = ("tree.h", "tree_bounds.h")
KINDS = {"float32": "float", "float64": "double"}


@dataclass(frozen=True)
class _Laid:
    """One side of a tree, as arrays here."""

    hands: int
    start: Array  # int32[nodes + 1]: the first row of each node with a choice
    levels: list[tuple[int, int]]  # those of each level, where there are some
    above: Array  # int32[nodes]: their slots
    mask: Array  # int32[rows]
    slot: Array  # int32[nodes of the tree]
    first: Array  # int32[slots + 1]: of `below`
    below: Array  # int32[nodes]: in the order of their slots

    @property
    def rows(self) -> int:
        return int(self.start[-1])

    @property
    def sizes(self) -> tuple[int, int]:
        """How many numbers there are in its slots, and at its nodes."""
        return (self.rows + 1) * self.hands, len(self.above) * self.hands


def _laid(tree: PublicTree, side: int) -> _Laid:
    many = np.diff(tree.first)
    mine = np.flatnonzero((tree.turn == side) & (many > 1))
    start = np.concatenate([[0], np.cumsum(many[mine])]).astype(np.int32)
    children = np.repeat(tree.first[mine] - start[:-1], many[mine]) + np.arange(start[-1], dtype=np.int64)
    slot = np.zeros(tree.nodes, dtype=np.int32)
    row = np.full(tree.nodes, -1, dtype=np.int32)
    row[children] = np.arange(len(children), dtype=np.int32)
    for low, high in pairwise(tree.level.tolist()):
        begin, end = int(tree.first[low]), int(tree.first[high])
        parents = np.repeat(np.arange(low, high), many[low:high])
        slot[begin:end] = np.where(row[begin:end] >= 0, row[begin:end] + 1, slot[parents])
    cuts = np.searchsorted(mine, tree.level).tolist()
    levels = [(low, high) for low, high in pairwise(cuts) if low < high]
    above = slot[mine]
    below = np.argsort(above, kind="stable").astype(np.int32)
    first = np.searchsorted(above[below], np.arange(len(children) + 2)).astype(np.int32)
    return _Laid(tree.hands[side], start, levels, above, tree.mask[side][children], slot, first, below)


def device_bytes(tree: PublicTree, kind: str, predict: bool) -> int:
    """What a run takes on a device, its bounds included."""
    many = np.diff(tree.first)
    each, ends, total, sizes = np.dtype(kind).itemsize, int((tree.turn == END).sum()), 0, []
    entry = each if _holds(kind, tree) else each + 4
    for side in (0, 1):
        mine = many[(tree.turn == side) & (many > 1)]
        rows, hands = int(mine.sum()), tree.hands[side]
        total += rows * hands * (3 if predict else 2) * each  # regrets, sums, what is expected next
        total += 4 * (3 * rows + 3 * len(mine) + 2 * ends)  # where they lie
        total += tree.matrices.size * entry
        sizes.append(((rows + 1) * hands, len(mine) * hands))
    return int(total + 8 * _scratch(kind, sizes))


def _scratch(kind: str, sizes: Sequence[tuple[int, int]]) -> int:
    """How many numbers of 8 bytes the weights and values of a pass take, or those of bounds, in whole numbers.

    A side has numbers in its slots, and at its nodes.
    """
    reach, slot_values, value = sum(slots for slots, _ in sizes), *map(max, zip(*sizes, strict=True))
    return int(max(-(-(reach + slot_values + value) * np.dtype(kind).itemsize // 8), reach + value))


def _holds(kind: str, tree: PublicTree) -> bool:
    """Whether floats of a kind are exactly the numbers of matrices."""
    return bool(np.abs(tree.matrices).max(initial=0) // tree.unit < 1 << np.finfo(kind).nmant)


class PublicDeviceRun(DeviceRun):
    """A run of a variant on a public tree, on a machine."""

    def __init__(
        self,
        tree: PublicTree,
        variant: CfrVariant,
        planned: int = PLANNED,
        kind: str = "float64",
        machine: Callable[..., Machine] = Gpu,
    ) -> None:
        constants = {"FLOOR": int(variant.floor), "PREDICT": int(variant.predicts), "MASKED": int(tree.masked)}
        super().__init__(machine(SOURCES, constants, KINDS[kind]), variant, planned, kind)
        self._sides = _laid(tree, 0), _laid(tree, 1)
        self._bits = bits_of(tree)
        self._share = Fraction(tree.unit, tree.denominator << self._bits)  # of the value, that a unit is
        array, zeros = self.machine.array, self.machine.zeros
        for number, side in enumerate(self._sides):
            names = ("regret", "total", *(["hope"] if variant.predicts else []))
            self._state |= {f"{name}{number}": zeros(side.rows * side.hands, kind) for name in names}
        self._nodes = [
            tuple(map(array, (side.start, side.above, side.mask, tree.masks[number].astype(kind).ravel())))
            for number, side in enumerate(self._sides)
        ]
        self._below = [tuple(map(array, (side.first, side.below))) for side in self._sides]
        sizes = [side.sizes for side in self._sides]
        self._room = zeros(_scratch(kind, sizes), "int64")  # of passes, and of bounds, which are taken between those
        reach = [slots for slots, _ in sizes]
        *self._reach, self._slot_values, self._value = _parts(
            self._room.view(kind), *reach, *map(max, zip(*sizes, strict=True))
        )
        self._start()
        self._ends, self._payoffs = zip(*(self._ends_of(tree, side, kind) for side in (0, 1)), strict=True)
        self._scale = array(tree.scale)
        self._wrong = zeros(1, "int32")

    def _start(self) -> None:
        """Every hand weighs 1 at the beginning, which passes read and never write."""
        for side, reach in zip(self._sides, self._reach, strict=True):
            self.machine.fill(reach, np.ones(side.hands, dtype=self.kind))

    def _ends_of(self, tree: PublicTree, me: int, kind: str) -> tuple[tuple[Any, ...], Any]:
        """The ends in the order of my slots: where each slot's begin, the other side's slots, and what they pay me; and
        that in whole numbers.
        """
        ends = np.flatnonzero(tree.turn == END)
        mine, other = self._sides[me], self._sides[1 - me]
        ends = ends[np.argsort(mine.slot[ends], kind="stable")]
        first = np.searchsorted(mine.slot[ends], np.arange(mine.rows + 2)).astype(np.int32)
        matrices = tree.matrices // tree.unit * (1 - 2 * me)
        values = (matrices if me == 1 else matrices.transpose(0, 2, 1)).ravel()  # the other side's hands first
        arrays = first, other.slot[ends], tree.pay[ends], tree.matrix, tree.scale.astype(kind), values.astype(kind)
        on_device = tuple(map(self.machine.array, arrays))
        return on_device, on_device[-1] if _holds(kind, tree) else self.machine.array(values.astype(np.int32))

    def _down(self, me: int) -> None:
        """Of the other side: weights of its hands, and its sums."""
        other = 1 - me
        side, source = self._sides[other], self._state[f"{self._source}{other}"]
        arrays = (
            *self._nodes[other],
            source,
            self._state[f"total{other}"],
            self._reach[other],
            self._steps,
            self._done,
        )
        for low, high in side.levels:
            numbers = map(np.int32, (me, low, high, side.hands))
            self.machine.launch("tree_down", (high - low) * side.hands, (*arrays, *numbers))

    @property
    def _source(self) -> str:
        return "hope" if self._variant.predicts else "regret"

    def _pass(self, side: int) -> None:
        self._down(side)
        mine, others = self._sides[side], self._sides[1 - side].hands
        slots = mine.rows + 1
        numbers = map(np.int32, (slots, mine.hands, others))
        arrays = (*self._ends[side], self._reach[1 - side], self._slot_values)
        self.machine.launch("tree_ends", slots * mine.hands, (*arrays, *numbers))
        regrets = self._state[f"regret{side}"], self._state[f"{self._source}{side}"]
        fixed = (
            *self._nodes[side],
            *regrets,
            self._slot_values,
            self._value,
            *self._below[side],
            self._steps,
            self._done,
        )
        for low, high in reversed(mine.levels):
            numbers = map(np.int32, (side, low, high, mine.hands))
            self.machine.launch("tree_up", (high - low) * mine.hands, (*fixed, *numbers))

    def _join(self) -> None:
        self._down(0)

    def _restored(self) -> None:
        pass  # all else is computed anew

    def sums(self) -> tuple[Array, Array]:
        """Of plans, as files hold them: [rows, hands] a side, rows in the order of nodes."""
        self.settle()
        self.check_numbers()
        first, second = (
            self.machine.numbers(self._state[f"total{number}"]).reshape(-1, side.hands)
            for number, side in enumerate(self._sides)
        )
        return first, second

    def certificate(self) -> Certificate:
        self.settle()
        self.check_numbers()
        first, second = (self._best(side) for side in (0, 1))
        self._start()
        return Certificate(-second, first, PUBLIC_TREE)

    def _best(self, me: int) -> Fraction:
        """What a side gets at best against the other's sums."""
        launch, mine, other = self.machine.launch, self._sides[me], self._sides[1 - me]
        reach, slot_values, value = _parts(self._room, other.sizes[0], *mine.sizes)
        self.machine.fill(reach, np.full(other.hands, 1 << self._bits, dtype=np.int64))
        down = *self._nodes[1 - me], self._state[f"total{1 - me}"], reach
        for low, high in other.levels:
            launch("whole_down", (high - low) * other.hands, (*down, *map(np.int32, (low, high, other.hands))))
        self._check_flows(1 - me, reach)
        slots = mine.rows + 1
        payoffs = self._scale, self._payoffs[me], reach, slot_values
        launch(
            "whole_ends" if self._payoffs[me] is self._ends[me][-1] else "whole_ends_of_int",
            slots * mine.hands,
            (*self._ends[me][:4], *payoffs, *map(np.int32, (slots, mine.hands, other.hands))),
        )
        up = *self._nodes[me], slot_values, value, *self._below[me]
        for low, high in reversed(mine.levels):
            launch("whole_up", (high - low) * mine.hands, (*up, *map(np.int32, (low, high, mine.hands))))
        launch("whole_root", mine.hands, (slot_values, value, *self._below[me], np.int32(mine.hands)))
        return self._share * int(sum(self.machine.numbers(slot_values, 0, mine.hands).tolist()))

    def _check_flows(self, side: int, reach: Any) -> None:
        laid = self._sides[side]
        self.machine.fill(self._wrong, np.zeros(1, dtype=np.int32))
        numbers = map(np.int32, (len(laid.above), laid.hands, self._bits))
        arrays = *self._nodes[side][:2], reach, self._wrong
        self.machine.launch("whole_flows", len(laid.above) * laid.hands, (*arrays, *numbers))
        if self.machine.numbers(self._wrong)[0]:
            raise FlowError(f"the flows of side {side}'s plan do not add up: the device computes incorrectly")


def _parts(array: Any, *lengths: int) -> list[Any]:
    """The first so many numbers of an array, and the next."""
    return [array[end - length : end] for length, end in zip(lengths, accumulate(lengths), strict=True)]
