"""Strategies of games of rising bids in files: the sums of plans that they stand for, which may be gigabytes.

    "bids": {"kind": "<f4", "rows": bids, "hands": hands, "amounts": [first, second], "sha256": "...", "beside": "..."}

Sums are little-endian floats, a row of hands a bid in the order of `bids.h`; `amounts` are what the plans in them
weigh. Few are in the file itself, in base 64, as "weights"; many lie in a file beside it, which is mapped and not read:
looking a position up takes a few rows. The checksum, of amounts and sums, is for `ruse verify`, which reads everything.
"""

from __future__ import annotations

import base64
import binascii
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ruse.core import atomic_files
from ruse.core.capabilities import RisingBids
from ruse.core.game import Game, GameError
from ruse.core.types import Tables
from ruse.solution.container import StoreError, a_line, a_list, an_object, field, shown
from ruse.solution.rows import KINDS, MOST_WITHIN

if TYPE_CHECKING:
    from ruse.forms.bidding import BiddingTable


def fields_of(tables: Tables, path: Path | None = None) -> dict[str, Any]:
    """What a file says of them; where there are many, and a path is given, they are written beside it."""
    from ruse.forms.bidding import parts_of

    table = cast("BiddingTable", tables[0])
    shape, sums = table.shape, table.sums
    kind, digest = np.dtype(sums.kind).newbyteorder("<"), table.digest()
    found = {
        "kind": kind.str,
        "rows": shape.bid_rows,
        "hands": shape.hands,
        "amounts": list(sums.amounts),
        "sha256": digest,
    }
    if path is None or shape.bid_rows * shape.hands * kind.itemsize <= MOST_WITHIN:
        content = b"".join(part.tobytes() for part in parts_of(shape, sums))
        return {**found, "weights": base64.b64encode(content).decode()}
    beside = path.with_name(f"{path.name}.{digest[:12]}.bids")
    try:
        atomic_files.replace_in_parts(beside, (part.data.cast("B") for part in parts_of(shape, sums)))
    except OSError as error:
        raise StoreError(f"cannot save strategies to {beside}: {atomic_files.reason(error)}") from error
    return {**found, "beside": beside.name}


def tables_of(game: Game, said: Any, path: Path | None) -> Tables:
    """The strategies that a file tells of."""
    from ruse.forms.bidding import BiddingTable, HeldSums, shape_of

    bids = an_object(said, "bids")
    if not isinstance(game, RisingBids):
        raise StoreError(f"expected a game of rising bids, got {game.title}")
    try:
        shape = shape_of(game.bidding())
    except GameError as error:
        raise StoreError(str(error)) from error
    kind, rows, hands = a_line(field(bids, "kind"), "kind"), field(bids, "rows"), field(bids, "hands")
    if kind not in KINDS or (rows, hands) != (shape.bid_rows, shape.hands):
        raise StoreError(
            f"expected {shape.bid_rows:,} bids of {shape.hands} hands for {game.title}, "
            f"got {shown(rows)} of {shown(hands)} in {shown(kind)}"
        )
    amounts = a_list(field(bids, "amounts"), "amounts")
    if len(amounts) != 2 or not all(type(one) is float and isfinite(one) and one >= 0 for one in amounts):
        raise StoreError("expected two amounts of at least 0")
    numbers = _mapped(bids, kind, rows * hands, path) if "beside" in bids else _within(bids, kind)
    if len(numbers) != rows * hands:
        raise StoreError(f"expected {rows * hands:,} sums, got {len(numbers):,}")
    sums = HeldSums(numbers, (amounts[0], amounts[1]), a_line(field(bids, "sha256"), "sha256"))
    return BiddingTable(game, 0, sums), BiddingTable(game, 1, sums)


def _within(bids: dict[str, Any], kind: str) -> np.ndarray[Any, np.dtype[Any]]:
    text = field(bids, "weights")
    try:
        return np.frombuffer(
            base64.b64decode(text.encode() if isinstance(text, str) else b"?", validate=True), dtype=kind
        )
    except (ValueError, binascii.Error) as error:
        raise StoreError("the sums are not floats in base 64") from error


def _mapped(bids: dict[str, Any], kind: str, count: int, path: Path | None) -> np.ndarray[Any, np.dtype[Any]]:
    name = a_line(field(bids, "beside"), "beside")
    if path is None or Path(name).name != name:
        raise StoreError(f"expected strategies in a file beside this one, got {shown(name)}")
    beside, expected = path.with_name(name), count * np.dtype(kind).itemsize
    try:
        if (trouble := atomic_files.trouble(beside)) is not None:
            raise StoreError(f"cannot read the strategies in {beside}: {trouble}")
        if (size := beside.stat().st_size) != expected:
            raise StoreError(f"expected {expected:,} bytes in {beside}, got {size:,}")
        return np.memmap(beside, dtype=kind, mode="r")
    except OSError as error:
        raise StoreError(f"cannot read the strategies in {beside}: {atomic_files.reason(error)}") from error
