"""Bounds of strategies that are kept as sums of plans in a game of rising bids, recomputed in whole numbers.

The game's numbers are compared with its rules along random plays; the sums with their checksum; then both best
responses to the plans that they stand for are found by the sweeps of `bounds.h`, on a GPU where there is room, else on
the CPU.
"""

from __future__ import annotations

from typing import cast

from ruse.core.certificate import Certificate
from ruse.core.types import Tables
from ruse.forms.bidding import BiddingTable, built, digest_of, parts_of
from ruse.forms.bidding_bounds import BiddingBounds
from ruse.forms.bidding_check import along_plays
from ruse.kernels.gpu.machines import Cpu, DeviceError, Gpu, free_bytes
from ruse.verify.tree import VerifyError


def bounds(tables: Tables) -> Certificate:
    """What both tables guarantee."""
    table = cast("BiddingTable", tables[0])
    sums, shape, bidding = table.sums, table.shape, table.bidding
    along_plays(table.game, bidding)
    claimed = getattr(sums, "claimed", None)
    if claimed is not None and digest_of(shape, sums) != claimed:
        raise VerifyError("the strategies do not match their checksum: they were changed or damaged")
    machine, there = built(bidding, sums.kind, Gpu if _has_room(table) else Cpu)
    totals, start = machine.zeros(shape.bid_rows * shape.hands, sums.kind), 0
    for part in parts_of(shape, sums):
        machine.fill(totals, part, start)
        start += len(part)
    if not machine.finite(totals):
        raise VerifyError(f"expected finite sums of plans of {table.game.title}, got some that are not")
    return BiddingBounds(bidding, machine, there).certificate(totals, sums.amounts)


def _has_room(table: BiddingTable) -> bool:
    try:
        return free_bytes()[0] > table.shape.bounds_bytes(table.sums.kind)
    except DeviceError:
        return False
