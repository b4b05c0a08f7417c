"""Strategies of games of rising bids in files: as sums of plans, which may be gigabytes.

    "bids": {"kind": "<f4", "rows": bids, "hands": hands, "amounts": [first, second], "sha256": "...", "beside": "..."}

Sums are floats (ruse.solution.weights), with one row of hands per bid in the order of `bids.h`; `amounts` are the total
weights of the plans. Looking up a position reads only a few rows. The checksum of amounts and sums is for
`ruse verify`, which reads everything.
"""

from __future__ import annotations

from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ruse.core.game import Game, GameError
from ruse.core.types import Tables
from ruse.solution import weights
from ruse.solution.container import StoreError, a_line, a_list, an_object, field, shown

if TYPE_CHECKING:
    from ruse.forms.bidding import BiddingTable


def fields_of(tables: Tables, path: Path | None = None) -> dict[str, Any]:
    """The fields for a file. If there are many sums and a path, they are written to a file beside it."""
    from ruse.forms.bidding import parts_of

    table = cast("BiddingTable", tables[0])
    shape, sums = table.shape, table.sums
    kind, digest = np.dtype(sums.kind).newbyteorder("<"), table.digest()
    size = shape.bid_rows * shape.hands * kind.itemsize
    fields = {"kind": kind.str, "rows": shape.bid_rows, "hands": shape.hands, "amounts": list(sums.amounts)}
    return {**fields, **weights.kept(parts_of(shape, sums), size, digest, path, "bids")}


def tables_of(game: Game, said: Any, path: Path | None) -> Tables:
    """Read strategies from the fields of a file."""
    from ruse.forms.bidding import BiddingTable, HeldSums, bidding_of, shape_of

    bids = an_object(said, "bids")
    if (bidding := bidding_of(game)) is None:
        raise StoreError(f"expected a game of rising bids, got {game.title}")
    try:
        shape = shape_of(bidding)
    except GameError as error:
        raise StoreError(str(error)) from error
    kind, rows, hands = a_line(field(bids, "kind"), "kind"), field(bids, "rows"), field(bids, "hands")
    if kind not in weights.KINDS or (rows, hands) != (shape.bid_rows, shape.hands):
        raise StoreError(
            f"expected {shape.bid_rows:,} bids of {shape.hands} hands for {game.title}, "
            f"got {shown(rows)} of {shown(hands)} in {shown(kind)}"
        )
    amounts = a_list(field(bids, "amounts"), "amounts")
    if len(amounts) != 2 or not all(type(amount) is float and isfinite(amount) and amount >= 0 for amount in amounts):
        raise StoreError("expected two amounts of at least 0")
    numbers = weights.read(bids, kind, rows * hands, path, checked=False)
    sums = HeldSums(numbers, (amounts[0], amounts[1]), a_line(field(bids, "sha256"), "sha256"))
    return BiddingTable(game, bidding, 0, sums), BiddingTable(game, bidding, 1, sums)
