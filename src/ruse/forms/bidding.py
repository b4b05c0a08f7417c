"""Games of rising bids as the sweeps of ruse.kernels.gpu take them, and strategies there, looked up by position.

A public node is a set of bids. `bids.h` says how rows of hands lie, and `bounds.h` how sums of plans stand for plans in
whole units; the odds that are looked up here are those of the plan that is certified.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from itertools import combinations
from typing import Any, Protocol

import numpy as np

from ruse.core.arrays import Array
from ruse.core.bidding import Bidding
from ruse.core.capabilities import Public
from ruse.core.game import Game, GameError
from ruse.core.registry import call_optional
from ruse.core.types import Odds
from ruse.kernels.gpu.machines import WIDEST, Machine

SOURCES = ("simd.h", "bids.h", "bounds.h")
CHUNK = 4  # bids of a level, but for the first
NODES = 1 << CHUNK
UNITS = 50  # a plan is in whole units of 2^-50
KINDS = {"float32": "float", "float64": "double"}
BYTES = {"float32": 4, "float64": 8}
PORTION = 1 << 24  # numbers of sums that are read at once


@dataclass(frozen=True)
class BidShape:
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

    def bounds_bytes(self, kind: str) -> int:
        """What it takes to find the bounds of sums."""
        return self.bid_rows * self.hands * BYTES[kind] + self.groups * self.hands * 3 * 8

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


def bidding_of(game: Game) -> Bidding | None:
    """The plain numbers of a game of rising bids; None for other games."""
    bidding: object = call_optional(Public.bidding, game)
    return bidding if isinstance(bidding, Bidding) else None


def shape_of(bidding: Bidding) -> BidShape:
    """The shape of a game that the sweeps take; raises GameError of one that they do not."""
    bidding.check()
    shape = BidShape(len(bidding.weights), len(bidding.needs))
    if shape.hands > WIDEST:
        raise GameError(f"expected at most {WIDEST} hands, a lane each, got {shape.hands}")
    if not CHUNK <= shape.bids <= 40:
        raise GameError(f"expected {CHUNK} to 40 bids, got {shape.bids}")
    if sum(bidding.weights) ** 2 << UNITS >= 1 << 62:
        raise GameError(f"expected hands of a total weight below 2^6, for exact bounds, got {sum(bidding.weights)}")
    return shape


def built(
    bidding: Bidding, kind: str, machine: Callable[..., Machine], floor: bool = False, predict: bool = False
) -> tuple[Machine, tuple[Any, Any, Any]]:
    """A machine with the sweeps for a game, and the game's tables there."""
    shape = shape_of(bidding)
    quick, matches, word = _quick(bidding)
    constants = {
        "HANDS": shape.hands,
        "BIDS": shape.bids,
        "LEVELS": shape.levels,
        "FIRST": shape.first,
        "MOST": max(map(max, bidding.counts)),
        "FLOOR": int(floor),
        "PREDICT": int(predict),
        "QUICK": quick,
        **{f"MATCHES{y}": many for y, many in enumerate(matches)},
    }
    made = machine(SOURCES, constants, KINDS[kind])
    counts = np.array(bidding.counts, dtype=np.uint8).ravel()
    return made, (made.array(counts), made.array(np.array(bidding.needs, dtype=np.uint8)), made.array(word))


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


# Strategies.


class Sums(Protocol):
    """The sums of plans of both sides, wherever they are kept."""

    @property
    def kind(self) -> str:
        """float32 or float64"""

    @property
    def amounts(self) -> tuple[float, float]:
        """What the plans in each side's sums weigh."""

    def part(self, start: int, stop: int) -> Array: ...


@dataclass(frozen=True)
class HeldSums:
    """Sums of plans in an array, which may be a mapped file."""

    numbers: Array
    amounts: tuple[float, float]
    claimed: str | None = None  # the digest that they should have

    @property
    def kind(self) -> str:
        return str(self.numbers.dtype)

    def part(self, start: int, stop: int) -> Array:
        return self.numbers[start:stop]


def parts_of(shape: BidShape, sums: Sums) -> Iterator[Array]:
    """All of them, in little-endian numbers."""
    count = shape.bid_rows * shape.hands
    for start in range(0, count, PORTION):
        part = sums.part(start, min(start + PORTION, count))
        yield np.ascontiguousarray(part.astype(part.dtype.newbyteorder("<"), copy=False))


def digest_of(shape: BidShape, sums: Sums) -> str:
    checksum = sha256(np.array(sums.amounts, dtype="<f8").tobytes())
    for part in parts_of(shape, sums):
        checksum.update(part.data)
    return checksum.hexdigest()


def units(bidding: Bidding, shape: BidShape, sums: Sums, bids: Sequence[int]) -> tuple[list[int], list[list[int]]]:
    """After some bids, of whoever is to move: what units each hand brings here, and [move][hand] what moves take.

    Moves are the higher bids, and then the call if there is a bid. The rounding is that of `bounds.h`.
    """

    def totals(made: Sequence[int]) -> Array:
        start = shape.row(made) * shape.hands
        return sums.part(start, start + shape.hands).astype(float)

    side = len(bids) % 2
    flow = [weight << UNITS for weight in bidding.weights]
    inflow = np.array(flow, dtype=float) * (sums.amounts[side] / (1 << UNITS))
    if side == 0:
        inflow = sum((np.maximum(totals([bid]), 0.0) for bid in range(shape.bids)), np.zeros(shape.hands))
    for made in range(side, len(bids) + 1, 2):
        before, taken = bids[:made], []
        left, lowest = list(flow), before[-1] + 1 if before else 0
        for bid in range(lowest, shape.bids):
            share = [
                _share(*arguments)
                for arguments in zip(flow, totals([*before, bid]).tolist(), inflow.tolist(), left, strict=True)
            ]
            left = [rest - part for rest, part in zip(left, share, strict=True)]
            taken.append(share)
        if before:
            taken.append(left)
        else:
            taken[-1] = [part + rest for part, rest in zip(taken[-1], left, strict=True)]
        if made < len(bids):
            inflow = totals([*before, bids[made]])
            flow = taken[bids[made] - lowest]
    return flow, taken


def _share(of: int, total: float, inflow: float, left: int) -> int:
    if not (total > 0 and inflow > 0):
        return 0
    return min(int(float(of) * (total / inflow if total < inflow else 1.0)), left)


class BiddingTable(Mapping[str, Odds]):
    """A side's strategy, from positions `title@hand/bid/bid` to odds; nothing is written out.

    Where its own plan never comes, it calls.
    """

    kept_as = "bids"

    def __init__(self, game: Game, bidding: Bidding, side: int, sums: Sums) -> None:
        self.game, self.bidding, self.side, self.sums = game, bidding, side, sums
        self.shape = shape_of(self.bidding)
        self._hands = {name: number for number, name in enumerate(self.bidding.hands)}
        self._bids = {name: number for number, name in enumerate(self.bidding.bids)}

    def __getitem__(self, position: str) -> Odds:
        head, *steps = position.split("/")
        title, _, name = head.rpartition("@")
        bids = [self._bids.get(step, -1) for step in steps]
        rising = all(low < high for low, high in zip([-1, *bids], bids, strict=False))
        if title != self.game.title or name not in self._hands or not rising or len(bids) % 2 != self.side:
            raise KeyError(position)
        hand, moves = self._hands[name], [*self.bidding.bids[bids[-1] + 1 if bids else 0 :]]
        flow, taken = units(self.bidding, self.shape, self.sums, bids)
        moves += [self.bidding.call] * bool(bids)
        if not flow[hand]:
            return {move: Fraction(number == len(moves) - 1) for number, move in enumerate(moves)}
        return {move: Fraction(part[hand], flow[hand]) for move, part in zip(moves, taken, strict=True)}

    def __iter__(self) -> Iterator[str]:
        """Early ones first."""
        for many in range(self.side, self.shape.bids + 1, 2):
            for bids in combinations(self.bidding.bids, many):
                for hand in self.bidding.hands:
                    yield "/".join((f"{self.game.title}@{hand}", *bids))

    def __len__(self) -> int:
        return self.shape.hands << (self.shape.bids - 1)

    @cached_property
    def _digest(self) -> str:
        return digest_of(self.shape, self.sums)

    def digest(self) -> str:
        return self._digest

    def __eq__(self, other: object) -> bool:
        if isinstance(other, BiddingTable):
            same = self.game.title == other.game.title and self.side == other.side
            return same and (self.sums is other.sums or self.digest() == other.digest())
        return Mapping.__eq__(self, other)

    __hash__ = None  # type: ignore[assignment]
