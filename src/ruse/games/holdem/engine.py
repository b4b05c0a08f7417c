"""Counterfactual regret minimisation on a spot: the sweeps of ruse.kernels.runouts, by all cores.

    DCFR (Brown and Sandholm 2019): positive regrets times t^1.5 / (t^1.5 + 1), negative ones halved,
    plans weighted by t^3, and averages that start anew at powers of 4.

Boards go to whichever thread is free. What they are worth is added up in their order, so results are the same for any
number of threads, to the last bit.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from ruse.core.arrays import Array
from ruse.games.holdem.layout import SpotLayout, Street
from ruse.kernels import runouts as kernel
from ruse.kernels.showdowns import CARDS, LANES

ALPHA, GAMMA, RESTART = 1.5, 3.0, 4
KIND = np.float32
LIST_BYTES = 5 * 2 + 2 * 2 + 2  # of a board's hand: cards, lower, upper, same, where it was, its place in the range


@dataclass
class State:
    """Regrets, and sums of plans, of a street."""

    regrets: tuple[Array, Array]
    totals: tuple[Array, Array]
    regret_scales: tuple[Array, Array]  # a number for each row of each board; empty if state is floats
    total_scales: tuple[Array, Array]

    def packed(self) -> Any:
        return self.regrets, self.totals, self.regret_scales, self.total_scales

    def arrays(self) -> dict[str, Array]:
        pairs = {"regret": self.regrets, "total": self.totals}
        if len(self.regret_scales[0]):
            pairs |= {"regret_scale": self.regret_scales, "total_scale": self.total_scales}
        return {f"{name}{side}": pair[side] for name, pair in pairs.items() for side in (0, 1)}


def dcfr(t: int) -> tuple[float, float, float]:
    """What iteration t = 1, 2, … keeps of positive regrets, negative regrets and sums of plans."""
    grown = float(t - 1) ** ALPHA
    power = 1
    while power * RESTART <= t:
        power *= RESTART
    since = float(t - power)
    return grown / (grown + 1), 0.5, (since / (since + 1)) ** GAMMA


class HoldemRun:
    """A run of DCFR on a spot."""

    def __init__(
        self,
        layout: SpotLayout,
        threads: int | None = None,
        compress: bool = False,
        schedule: Callable[[int], tuple[float, float, float]] = dcfr,
    ) -> None:
        self.layout, self.compress, self.schedule = layout, compress, schedule
        self.iterations = 0
        self.numbers = tuple(KIND(number) for number in (0, 1, np.finfo(KIND).tiny * 1e3, 0.5))
        self.states = [self._state(street) for street in layout.streets]
        self.hands = [layout.hands(street) for street in layout.streets]
        self.locks = [lock_arrays(layout, street, KIND) for street in layout.streets]
        self.streets = [
            street_arrays(layout, street, KIND, locks) for street, locks in zip(layout.streets, self.locks, strict=True)
        ]
        self.links = [layout.links(number, KIND) for number in range(len(layout.streets) - 1)]
        self.weights = [
            units.astype(KIND) / KIND(whole) for units, whole in zip(layout.units, layout.denominators, strict=True)
        ]
        self.threads = _useful_threads(layout, threads)
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None
        self._first_room = room_for(layout.streets[0], layout)
        self._rooms = [[room_for(street, layout) for street in layout.streets[1:]] for _ in range(self.threads)]
        if len(layout.streets) > 1:
            second = layout.streets[1]
            self._board_values = [
                np.zeros(len(second.roots) * int(second.widths[side].sum()), dtype=KIND) for side in (0, 1)
            ]
        if len(layout.streets) == 3:
            self._children = layout.children()
            self._order = np.argsort(-np.diff(self._children), kind="stable").astype(np.int64)
        self._hold_all()

    def _state(self, street: Street) -> State:
        sizes = [street.numbers(side) for side in (0, 1)]
        rows = [self.compress * len(street.boards) * street.sides[side].rows for side in (0, 1)]
        regret_kind, total_kind = (np.int16, np.uint16) if self.compress else (KIND, KIND)
        return State(_pair(sizes, regret_kind), _pair(sizes, total_kind), _pair(rows, KIND), _pair(rows, KIND))

    def _hold_all(self) -> None:
        """Start with locked odds where there are locks."""
        for street, state, arrays, locks in zip(
            self.layout.streets, self.states, self.streets, self.locks, strict=True
        ):
            for side in (0, 1):
                if not len(locks[side][1]):
                    continue
                room = [self._first_room, *self._rooms[0]][street.number]
                for board in range(len(street.boards)):
                    kernel.begin(arrays, board, side, state.packed(), room)

    # Passes.

    def run(self, iterations: int) -> None:
        for _ in range(iterations):
            t = self.iterations + 1
            keep, negative, fade = self.schedule(t)
            discount = np.array([keep, negative, 1, 0], dtype=KIND)
            for me in (0, 1):
                self._pass(me, (kernel.LEARN, discount, KIND(fade)))
            self.iterations = t

    def judge(self) -> tuple[float, float]:
        """What each side's best response gets against the other's average, in chips beyond half of the pot: floats."""
        discount = np.zeros(4, dtype=KIND)
        total = self.total()
        gains = []
        for me in (0, 1):
            values = self._pass(me, (kernel.JUDGE, discount, KIND(0)))
            count = len(self.layout.pairs[me])
            own = self.weights[me][self.layout.streets[0].root[me][0]].astype(float)
            gains.append(float(own @ values[:count].astype(float)) / total)
        return gains[0], gains[1]

    def total(self) -> float:
        """The weight of all pairs of hands that can meet."""
        return float(pairs_weight(self.layout)) / (self.layout.denominators[0] * self.layout.denominators[1])

    def _pass(self, me: int, step: Any) -> Array:
        """One pass of a side; what its hands are worth at the root."""
        first = self.layout.streets[0]
        room = self._first_room
        reach, values = room[0], room[1]
        own = self.weights[1 - me][first.root[1 - me][0]]
        reach[: int(first.widths[1 - me][0])] = 0
        reach[: len(own)] = own
        state = self.states[0].packed()
        if len(self.layout.streets) == 1:
            kernel.river(self.streets[0], self.hands[0], 0, me, state, step, room, self.numbers)
            return np.asarray(values[: int(first.widths[me][0])])
        kernel.fall_inner(self.streets[0], 0, me, state, step, room, self.numbers)
        width = int(first.widths[me][0])
        values[: (first.slots(me) + 1) * width] = 0
        shared = np.zeros(16, dtype=np.int64)
        self._all(lambda worker: self._boards(me, step, worker, reach, shared))
        kernel.gather_worth(
            self.streets[0], self.streets[1], self.hands[1], self.links[0], me, 0, self._board_values[me], values
        )
        kernel.climb_inner(self.streets[0], self.hands[0], self.links[0], 0, me, state, step, room, self.numbers)
        return np.asarray(values[:width])

    def _boards(self, me: int, step: Any, worker: int, reach: Array, shared: Array) -> None:
        streets, rooms, values = tuple(self.streets), self._rooms[worker], self._board_values[me]
        hands, states = self.hands[1:], [state.packed() for state in self.states[1:]]
        if len(streets) == 2:
            kernel.rivers(
                streets, hands[0], self.links[0], me, states[0], step, rooms[0], reach, values, shared, self.numbers
            )
            return
        below = tuple(hands), tuple(self.links), self._children, self._order
        kernel.turns(streets, *below, me, tuple(states), step, tuple(rooms), reach, values, shared, self.numbers)

    def _all(self, work: Callable[[int], None]) -> None:
        """Let all threads do some work, this one included."""
        others = [] if self._pool is None else [self._pool.submit(work, n) for n in range(1, self.threads)]
        work(0)
        for other in others:
            other.result()

    # Checkpoints.

    def state(self) -> dict[str, Array]:
        arrays = {
            f"street{number}.{name}": array
            for number, state in enumerate(self.states)
            for name, array in state.arrays().items()
        }
        return {**arrays, "done": np.array([self.iterations])}

    def restore(self, arrays: Mapping[str, Array]) -> None:
        for name, own in self.state().items():
            if name == "done":
                continue
            saved = arrays[name]
            if saved.shape != own.shape or saved.dtype != own.dtype:
                raise ValueError(f"expected {own.shape} numbers of type {own.dtype} in {name}")
            if own.dtype.kind == "f" and not np.isfinite(saved).all():
                raise ValueError(f"expected finite numbers in {name}")
            own[:] = saved
        self.iterations = int(arrays["done"][0])


def _useful_threads(layout: SpotLayout, wanted: int | None) -> int:
    """How many threads to use: as many as wanted, or one for each core, but no more than boards of the last street."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    return max(1, min(wanted or cores, len(layout.streets[-1].boards)))


def _pair(sizes: Sequence[int], kind: Any) -> tuple[Array, Array]:
    first, second = (np.zeros(size, dtype=kind) for size in sizes)
    return first, second


def pairs_weight(layout: SpotLayout) -> int:
    """The weight of all pairs of hands that can meet, in units of both ranges."""
    own, other = layout.units
    by_card = np.zeros(CARDS, dtype=np.int64)
    for place in (0, 1):
        np.add.at(by_card, layout.pairs[1][:, place], other)
    same = layout.same[0]
    again = np.where(same >= 0, other[np.maximum(same, 0)], 0)
    met = other.sum() - by_card[layout.pairs[0]].sum(axis=1) + again
    return int(own @ met)


def room_for(street: Street, layout: SpotLayout, kind: Any = KIND) -> Any:
    """What a thread needs on a board of a street."""
    width = max(int(street.widths[side].max()) for side in (0, 1))
    slots = max(street.slots(side) for side in (0, 1)) + 1
    rows = max((int((run[1] - run[0]) * run[2]) for side in street.sides for run in side.runs), default=1)
    most = max((int(run[2]) for side in street.sides for run in side.runs), default=1)

    def empty(first: int, second: int) -> Array:
        return np.zeros(first * second, dtype=kind)

    shares = (1 / np.maximum(np.arange(most + 1), 1)).astype(kind)
    return (
        empty(slots, width),
        empty(slots, width),
        (empty(width + 1, LANES), empty(width + 1, LANES), empty(CARDS, LANES)),
        empty(rows, width),
        empty(rows, width),
        shares,
        np.zeros(1, dtype=np.int32),
    )


def street_arrays(layout: SpotLayout, street: Street, kind: Any, locks: Any) -> Any:
    return (
        len(street.roots),
        tuple(side.runs for side in street.sides),
        tuple(side.parent for side in street.sides),
        tuple(side.rows for side in street.sides),
        street.widths,
        street.places,
        locks,
        layout.ends(street, kind),
    )


def lock_arrays(layout: SpotLayout, street: Street, kind: Any) -> Any:
    """The locks of a street for each side: where those of each board begin, rows and odds, and how many moves.

    Odds of hands that are not locked are -1. As whole numbers they are in units of the node's scale.
    """
    sides = []
    for side in (0, 1):
        begins, rows, moves, odds, at = [0], list[tuple[int, int]](), list[int](), list[Array](), 0
        nodes = {lock.node for lock in layout.game.locks} & set(street.sides[side].nodes)
        for place, board in enumerate(street.boards):
            for node in sorted(nodes):
                table = _locked(layout, street, side, place, board.dealt, node, kind)
                if table is not None:
                    rows.append((street.sides[side].row[node], at))
                    moves.append(len(table))
                    odds.append(table.ravel())
                    at += table.size
            begins.append(len(rows))
        flat = np.concatenate(odds) if odds else np.zeros(0, dtype=kind)
        sides.append(
            (
                np.array(begins, dtype=np.int64),
                np.array(rows, dtype=np.int64).reshape(-1, 2),
                np.array(moves, dtype=np.int64),
                flat.astype(kind),
            )
        )
    return tuple(sides)


def _locked(
    layout: SpotLayout, street: Street, side: int, place: int, dealt: tuple[int, ...], node: int, kind: Any
) -> Array | None:
    """The odds that are fixed at a node on a board: [moves, hands with padding]; None if none are."""
    whole = np.dtype(kind).kind == "i"
    names = layout.game.tree.nodes[node].moves
    left = street.root[side][place]
    table = np.full((len(names), int(street.widths[side][place])), -1, dtype=kind)
    hands = list(layout.game.weights[side])
    collected = False
    for lock in layout.game.locks:
        if lock.node != node or not lock.at(dealt):
            continue
        held = np.array([lock.hands is None or hands[number] in lock.hands for number in left], dtype=bool)
        for row, name in enumerate(names):
            share = lock.odds.get(name, 0)
            table[row, : len(left)][held] = share * layout.scale(node) if whole else float(share)
        collected = collected or bool(held.any())
    return table if collected else None
