"""Regret minimisation and exact bounds for games of rising bids, on a GPU: a public node is a set of bids.

The sweeps are those of `ruse.kernels.gpu` (`bids.h` says how the state lies, `bounds.h` why the bounds are exact); here
is what is launched when. A pass of a side is: down the upper levels, the last level, up again, and then the regrets of
the moves of groups' roots. An iteration is a pass of side 0 and one of side 1, against side 0's new plan,
launched as one graph. A side's plan joins its average in the next pass of the other side, which needs it anyway;
before bounds are taken, side 1's, which is still outstanding, is settled.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from ruse.core.bidding import Bidding
from ruse.core.game import GameError, RuseError
from ruse.forms.certificate import Certificate
from ruse.kernels.gpu.machines import WIDEST, Array, Gpu, Machine
from ruse.solvers.variants import PLANNED, Variant

SOURCES = ("bids.h", "bounds.h")
CHUNK = 4  # bids of a level, but for the first
NODES = 1 << CHUNK
UNITS = 50  # a plan is in whole units of 2^-50
KINDS = {"float32": "float", "float64": "double"}
MOST_STEPS = 1 << 12  # iterations whose numbers are sent at once
BYTES = {"float32": 4, "float64": 8}


class NotANumber(RuseError):
    """Iterations that have run out of digits."""


class FlowError(GameError):
    """The flows of a plan do not add up: the machine has computed something wrong."""


@dataclass(frozen=True)
class Shape:
    """How many rows of hands the state of a game of rising bids has."""

    hands: int
    bids: int

    @property
    def levels(self) -> int:
        return -(-self.bids // CHUNK)

    @property
    def first(self) -> int:
        """Bids of the first level."""
        return self.bids - CHUNK * (self.levels - 1)

    def before(self, level: int) -> int:
        """Bids before a level."""
        return 0 if level == 0 else self.first + CHUNK * (level - 1)

    @property
    def bid_rows(self) -> int:
        return (1 << self.bids) - 1

    @property
    def call_rows(self) -> int:
        return 1 << (self.bids - 1)

    @property
    def groups(self) -> int:
        return sum(1 << self.before(level) for level in range(self.levels))

    def row(self, bids: Sequence[int]) -> int:
        """The row of the last of some bids, which are numbered from 0 and rise."""
        level = next(level for level in reversed(range(self.levels)) if bids[-1] >= self.before(level))
        start, width = self.before(level), self.first if level == 0 else CHUNK
        made = sum(1 << (start + width - 1 - bid) for bid in bids)
        q, j = made >> width, made & ((1 << width) - 1)
        odd = j.bit_count() % 2
        place = j - 1 if width < CHUNK else j // 2 if odd else NODES // 2 - 1 + j // 2
        return (1 << start) - 1 + q * ((1 << width) - 1) + place

    def call_row(self, bids: Sequence[int]) -> int:
        """The row of the call after some bids, the last of which is not the highest."""
        q, j = divmod(sum(1 << (self.bids - 1 - bid) for bid in bids), NODES)
        return q * (NODES // 2) + NODES // 4 * (j.bit_count() % 2) + j // 4

    def state_bytes(self, kind: str, predict: bool) -> int:
        """What a run must keep: regrets and averages (and with prediction what odds are in proportion to)."""
        rows = self.bid_rows * (3 if predict else 2) + self.call_rows * (2 if predict else 1)
        return rows * self.hands * BYTES[kind]

    def bytes(self, kind: str, predict: bool) -> int:
        """What a run takes on a device: its state, flows and values on upper levels, and what bounds need."""
        return self.state_bytes(kind, predict) + self.groups * self.hands * (3 * BYTES[kind] + 3 * 8)

    def bytes_touched(self, kind: str, predict: bool) -> int:
        """What an iteration must read and write at least.

        A pass reads both sides' regrets (or what odds are in proportion to), writes those of its own side, and reads
        and writes the other side's average. With prediction it also reads and writes its own side's regrets.
        """
        regrets = self.bid_rows + self.call_rows
        rows = 2 * regrets + regrets + 2 * self.bid_rows + (2 * regrets if predict else 0)
        return rows * self.hands * BYTES[kind]

    def bytes_fused(self, kind: str, predict: bool) -> int:
        """The part of these that the last level touches, with the flows and values of its groups."""
        groups = 1 << (self.bids - CHUNK)
        bids = (NODES - 1) * groups
        regrets = bids + self.call_rows
        rows = 3 * regrets + 2 * bids + (2 * regrets if predict else 0) + 2 * 3 * groups
        return rows * self.hands * BYTES[kind]


def shape_of(bidding: Bidding) -> Shape:
    """The shape of a game that the sweeps take; raises GameError of one that they do not."""
    bidding.check()
    shape = Shape(len(bidding.weights), len(bidding.needs))
    if shape.hands > WIDEST:
        raise GameError(f"expected at most {WIDEST} hands, a lane each, got {shape.hands}")
    if not CHUNK <= shape.bids <= 40:
        raise GameError(f"expected {CHUNK} to 40 bids, got {shape.bids}")
    if sum(bidding.weights) ** 2 << UNITS >= 1 << 62:
        raise GameError(f"expected hands of a total weight below 2^6, for exact bounds, got {sum(bidding.weights)}")
    return shape


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
        quick, matches, word = _quick(bidding)
        constants = {
            "HANDS": shape.hands,
            "BIDS": shape.bids,
            "LEVELS": shape.levels,
            "FIRST": shape.first,
            "MOST": max(map(max, bidding.counts)),
            "FLOOR": int(variant.floor),
            "PREDICT": int(variant.predict),
            "QUICK": quick,
            **{f"MATCHES{y}": many for y, many in enumerate(matches)},
        }
        self.machine = machine(SOURCES, constants, KINDS[kind])
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
        weights = np.array(bidding.weights, dtype=np.int64)
        array = self.machine.array
        self._tables = (
            array(np.array(bidding.counts, dtype=np.uint8).ravel()),
            array(np.array(bidding.needs, dtype=np.uint8)),
            array(word),
        )
        self._weights = array(weights.astype(kind))
        self._units = array(weights << UNITS)
        self._steps = zeros(MOST_STEPS * 10, "float64")
        self._done = zeros(1, "int32")
        self._proof: tuple[Any, Any, Any] | None = None

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
        weights = self.bidding.weights
        everything = sum(weights) ** 2 << UNITS
        won = []
        for side in (0, 1):
            for sign in (1, -1):
                if set(self._best(side, sign)) != {sign * (sum(weights) << UNITS)}:
                    raise FlowError(f"the flows of side {1 - side}'s plan do not add up: the device computes wrongly")
            best = self._best(side, 0)
            won.append(
                Fraction(2 * sum(weight * int(one) for weight, one in zip(weights, best, strict=True)), everything)
            )
        return Certificate(1 - won[1], won[0] - 1)

    def _check_numbers(self) -> None:
        if not all(map(self.machine.finite, self._state.values())):
            advice = ": use float64" if self.kind == "float32" else ""
            raise NotANumber(
                f"expected finite regrets after {self.iterations:,} iterations in {self.kind}, "
                f"got some that are not{advice}"
            )

    def _best(self, side: int, mode: int) -> list[int]:
        """What a side's best response wins with each hand, in units; with a mode, what it gets where ends pay that."""
        if self._proof is None:
            groups = self.shape.groups * self.shape.hands
            zeros = self.machine.zeros
            self._proof = zeros(groups, "int64"), zeros(groups, "int64"), zeros(groups, "float64")
        arrays = (self._state["totals"], *self._proof, self._units, *self._tables)
        launch, shape = self.machine.launch, self.shape
        amount = self._amounts[1 - side] / (1 << UNITS)
        own = np.int32(side)
        launch("bounds_begin", 1, (*arrays, own, np.float64(amount)))
        for level in range(shape.levels - 1):
            launch("bounds_down", 1 << shape.before(level), (*arrays, own, np.int32(level)))
        launch("bounds_leaf", 1 << (shape.bids - CHUNK), (*arrays, own, np.int32(mode)))
        for level in reversed(range(shape.levels - 1)):
            launch("bounds_up", 1 << shape.before(level), (*arrays, own, np.int32(level)))
        found: list[int] = self.machine.numbers(self._proof[0], 0, shape.hands).tolist()
        return found

    # Plans.

    def totals(self, bids: Sequence[int]) -> Array:
        """The sums of plans of the last of some bids, by hand."""
        start = self.shape.row(bids) * self.shape.hands
        return self.machine.numbers(self._state["totals"], start, start + self.shape.hands).astype(float)

    def units(self, bids: Sequence[int]) -> tuple[list[int], list[list[int]]]:
        """After some bids, of whoever is to move: what units each hand brings here, and [move][hand] what moves take.

        Moves are the higher bids, and then the call if there is a bid. The rounding is that of `bounds.h`.
        """
        self.settle()
        side, weights = len(bids) % 2, self.bidding.weights
        flow = [weight << UNITS for weight in weights]
        amount = self._amounts[side] / (1 << UNITS)
        inflow = np.array(flow, dtype=float) * amount
        if side == 0:
            inflow = np.zeros(len(weights))
            for bid in range(self.shape.bids):
                inflow += np.maximum(self.totals([bid]), 0.0)
        for made in range(side, len(bids) + 1, 2):
            before, taken = bids[:made], []
            left = list(flow)
            for bid in range(before[-1] + 1 if before else 0, self.shape.bids):
                total = self.totals([*before, bid])
                share = [_share(*one) for one in zip(flow, total.tolist(), inflow.tolist(), left, strict=True)]
                left = [rest - part for rest, part in zip(left, share, strict=True)]
                taken.append(share)
            if before:
                taken.append(left)
            else:
                taken[-1] = [part + rest for part, rest in zip(taken[-1], left, strict=True)]
            if made == len(bids):
                return flow, taken
            chosen = bids[made]
            inflow = self.totals([*before, chosen])
            flow = taken[chosen - (before[-1] + 1 if before else 0)]
        raise AssertionError

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


def _share(of: int, total: float, inflow: float, left: int) -> int:
    if not (total > 0 and inflow > 0):
        return 0
    return min(int(float(of) * (total / inflow if total < inflow else 1.0)), left)


def _quick(bidding: Bidding) -> tuple[int, list[int], Array]:
    """Which of the last four bids only hands make true that each make half of it so, and which hands those are.

    The word of a hand has 16 bits for each such bid, the last bid's lowest: whether it makes half of it true, and then
    the others that do, five bits each.
    """
    most = max(map(max, bidding.counts))
    quick, matches, words = 0, [], [0] * len(bidding.weights)
    for y in range(CHUNK):
        bid = len(bidding.needs) - 1 - y
        halves = [hand for hand, count in enumerate(bidding.counts[bid]) if count == most]
        fits = bidding.needs[bid] == 2 * most and 1 <= len(halves) <= 4
        matches.append(len(halves) if fits else 0)
        if not fits:
            continue
        quick |= 1 << y
        for at, hand in enumerate(halves):
            others = halves[at + 1 :] + halves[:at]
            word = 1 + sum(other << (1 + 5 * place) for place, other in enumerate(others))
            words[hand] |= word << (16 * y)
    return quick, matches, np.array(words, dtype=np.uint64)
