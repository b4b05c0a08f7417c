"""Regret minimisation on any public tree, on a GPU: level by level, by the sweeps that `tree.h` describes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from ruse.core.game import END
from ruse.forms.public_tree import PublicTree
from ruse.kernels.gpu.machines import Array, Gpu, Machine
from ruse.solvers.device_run import DeviceRun
from ruse.solvers.variants import PLANNED, Variant

SOURCES = ("tree.h",)
KINDS = {"float32": "float", "float64": "double"}
Rows = Callable[[Array, int], Array]  # [rows, hands] of a side, as somebody else lays them out


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
    """What a run takes on a device."""
    many = np.diff(tree.first)
    each, ends, found, slots = np.dtype(kind).itemsize, int((tree.turn == END).sum()), 0, []
    for side in (0, 1):
        mine = many[(tree.turn == side) & (many > 1)]
        rows, hands = int(mine.sum()), tree.hands[side]
        found += rows * hands * (3 if predict else 2) * each  # regrets, sums, what is expected next
        found += (rows + 1) * hands * each + 4 * (2 * rows + 3 * len(mine) + 2 * ends)  # weights, and where they lie
        found += tree.matrices.size * each
        slots.append(((rows + 1) * hands, len(mine) * hands))
    return int(found + each * sum(max(numbers) for numbers in zip(*slots, strict=True)))  # values


class PublicDeviceRun(DeviceRun):
    """A run of a variant on a public tree, on a machine. `rows` says how `weights` are to be laid out."""

    def __init__(
        self,
        tree: PublicTree,
        variant: Variant,
        planned: int = PLANNED,
        kind: str = "float64",
        machine: Callable[..., Machine] = Gpu,
        rows: Rows = lambda weights, side: weights,
    ) -> None:
        constants = {"FLOOR": int(variant.floor), "PREDICT": int(variant.predict), "MASKED": int(tree.masked)}
        super().__init__(machine(SOURCES, constants, KINDS[kind]), variant, planned, kind)
        self._rows = rows
        self._sides = _laid(tree, 0), _laid(tree, 1)
        array, zeros = self.machine.array, self.machine.zeros
        for number, side in enumerate(self._sides):
            names = ("regret", "total", *(["hope"] if variant.predict else []))
            self._state |= {f"{name}{number}": zeros(side.rows * side.hands, kind) for name in names}
        self._nodes = [
            tuple(map(array, (side.start, side.above, side.mask, tree.masks[number].astype(kind).ravel())))
            for number, side in enumerate(self._sides)
        ]
        self._below = [tuple(map(array, (side.first, side.below))) for side in self._sides]
        most = max((side.rows + 1) * side.hands for side in self._sides)
        self._worth, self._value = (
            zeros(most, kind),
            zeros(max(len(one.above) * one.hands for one in self._sides), kind),
        )
        self._reach = [zeros((side.rows + 1) * side.hands, kind) for side in self._sides]
        for side, reach in zip(self._sides, self._reach, strict=True):
            self.machine.fill(reach, np.ones(side.hands, dtype=kind))
        self._ends = [self._ends_of(tree, side, kind) for side in (0, 1)]

    def _ends_of(self, tree: PublicTree, me: int, kind: str) -> tuple[Any, ...]:
        """The ends in the order of my slots: where each slot's begin, the other side's slots, and what they pay me."""
        ends = np.flatnonzero(tree.turn == END)
        mine, other = self._sides[me], self._sides[1 - me]
        ends = ends[np.argsort(mine.slot[ends], kind="stable")]
        first = np.searchsorted(mine.slot[ends], np.arange(mine.rows + 2)).astype(np.int32)
        unit = max(int(np.gcd.reduce(tree.matrices.ravel())), 1)  # the scale of payoffs does not matter to regrets
        matrices = tree.matrices // unit * (1 - 2 * me)
        values = matrices if me == 1 else matrices.transpose(0, 2, 1)  # the other side's hands first
        arrays = (
            first,
            other.slot[ends],
            tree.pay[ends],
            tree.matrix,
            tree.scale.astype(kind),
            values.astype(kind).ravel(),
        )
        return tuple(map(self.machine.array, arrays))

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
        return "hope" if self._variant.predict else "regret"

    def _pass(self, side: int) -> None:
        self._down(side)
        mine, others = self._sides[side], self._sides[1 - side].hands
        slots = mine.rows + 1
        numbers = map(np.int32, (slots, mine.hands, others))
        arrays = (*self._ends[side], self._reach[1 - side], self._worth)
        self.machine.launch("tree_ends", slots * mine.hands, (*arrays, *numbers))
        regrets = self._state[f"regret{side}"], self._state[f"{self._source}{side}"]
        fixed = *self._nodes[side], *regrets, self._worth, self._value, *self._below[side], self._steps, self._done
        for low, high in reversed(mine.levels):
            numbers = map(np.int32, (side, low, high, mine.hands))
            self.machine.launch("tree_up", (high - low) * mine.hands, (*fixed, *numbers))

    def _join(self) -> None:
        self._down(0)

    def _restored(self) -> None:
        pass  # all else is computed anew

    def weights(self) -> tuple[Array, Array]:
        """The sums of plans."""
        self.settle()
        self.check_numbers()
        first, second = (
            self._rows(self.machine.numbers(self._state[f"total{number}"]).reshape(-1, side.hands), number)
            for number, side in enumerate(self._sides)
        )
        return first, second
