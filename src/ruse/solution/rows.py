"""Strategies of games with a public tree in files: the weights that they stand for, not every position's odds.

    "rows": {"kind": "<f8", "shapes": [[moves, hands], [moves, hands]], "sha256": "...", "weights": "..."}

Weights are little-endian floats, side 0's first, a line a move in the order of public nodes, a column a hand. Few are
in the file itself, in base 64; many lie beside it, in a file of nothing else whose name is in "beside" instead. A line
of a side's node and the hand's units split in proportion are the odds (docs/reference/solution-file.md).
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ruse.core import atomic_files
from ruse.core.capabilities import Public
from ruse.core.game import Game, GameError
from ruse.core.types import Tables
from ruse.solution.container import StoreError, a_line, a_list, an_object, field, shown

if TYPE_CHECKING:
    from ruse.forms.public_table import PublicTable

Array = np.ndarray[Any, np.dtype[Any]]
MOST_WITHIN = 64 << 20  # bytes of weights in the solution file itself
KINDS = ("<f8", "<f4")


def fields_of(tables: Tables, path: Path | None = None) -> dict[str, Any]:
    """What a file says of them; where there are many, and a path is given, they are written beside it."""
    weights = [np.ascontiguousarray(cast("PublicTable", table).weights()) for table in tables]
    kind = weights[0].dtype.newbyteorder("<")
    numbers = np.concatenate([one.ravel() for one in weights]).astype(kind)
    digest = hashlib.sha256(numbers.tobytes()).hexdigest()
    found = {"kind": kind.str, "shapes": [list(one.shape) for one in weights], "sha256": digest}
    if path is None or numbers.nbytes <= MOST_WITHIN:
        return {**found, "weights": base64.b64encode(numbers.tobytes()).decode()}
    beside = path.with_name(f"{path.name}.{digest[:12]}.rows")
    try:
        atomic_files.replace(beside, numbers.data.cast("B"))
    except OSError as error:
        raise StoreError(f"cannot save strategies to {beside}: {atomic_files.reason(error)}") from error
    return {**found, "beside": beside.name}


def tables_of(game: Game, said: Any, path: Path | None) -> Tables:
    """The strategies that a file tells of; those beside it are mapped, not read."""
    from ruse.forms.public_table import public_tables  # compiled

    rows = an_object(said, "rows")
    kind, shapes = a_line(field(rows, "kind"), "kind"), a_list(field(rows, "shapes"), "shapes")
    whole = len(shapes) == 2 and all(
        isinstance(one, list) and len(one) == 2 and all(type(number) is int and number >= 0 for number in one)
        for one in shapes
    )
    if kind not in KINDS or not whole or not isinstance(game, Public):
        raise StoreError(f"expected weights of a game with a public tree, got {shown(kind)} of {game.title}")
    count = sum(map(prod, shapes))
    numbers = _beside(rows, kind, count, path) if "beside" in rows else _within(rows, kind)
    if len(numbers) != count:
        raise StoreError(f"expected {count:,} weights, got {len(numbers):,}")
    first = prod(shapes[0])
    try:
        return public_tables(game, (numbers[:first].reshape(shapes[0]), numbers[first:].reshape(shapes[1])))
    except GameError as error:
        raise StoreError(str(error)) from error


def _within(rows: Mapping[str, Any], kind: str) -> Array:
    text = field(rows, "weights")
    try:
        content = base64.b64decode(text.encode() if isinstance(text, str) else b"?", validate=True)
        numbers = np.frombuffer(content, dtype=kind)
    except (ValueError, binascii.Error) as error:
        raise StoreError("the weights are not floats in base 64") from error
    if hashlib.sha256(content).hexdigest() != field(rows, "sha256"):
        raise StoreError("the weights do not match their checksum: the file was changed or damaged")
    return numbers


def _beside(rows: Mapping[str, Any], kind: str, count: int, path: Path | None) -> Array:
    name = a_line(field(rows, "beside"), "beside")
    if path is None or Path(name).name != name:
        raise StoreError(f"expected strategies in a file beside this one, got {shown(name)}")
    beside = path.with_name(name)
    try:
        if (trouble := atomic_files.trouble(beside)) is not None:
            raise StoreError(f"cannot read the strategies in {beside}: {trouble}")
        size = beside.stat().st_size
        if size != count * np.dtype(kind).itemsize:
            raise StoreError(f"expected {count * np.dtype(kind).itemsize:,} bytes in {beside}, got {size:,}")
        with beside.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        if found != field(rows, "sha256"):
            raise StoreError(f"the strategies in {beside} do not match their checksum: they were changed or damaged")
        return np.memmap(beside, dtype=kind, mode="r")
    except OSError as error:
        raise StoreError(f"cannot read the strategies in {beside}: {atomic_files.reason(error)}") from error
