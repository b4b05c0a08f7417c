"""Strategies as whole-number weights that a game reads by itself, by `tables_of` in its part `solve`.

    "weights": {"kind": "<u2", "counts": [n, m], "sha256": "...", "weights": "..."}

Side 0's numbers come first. Many of them are written to a file beside the solution, which is mapped into memory
(ruse.solution.weights).
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any, Protocol, cast

import numpy as np

from ruse.core.arrays import Array
from ruse.core.game import Game, GameError
from ruse.core.registry import part
from ruse.core.types import Tables
from ruse.solution import weights as weights_of
from ruse.solution.container import StoreError, a_line, a_list, an_object, field, shown

KINDS = ("<u2", "<u4")


class WeightTable(Protocol):
    """A table made of weights."""

    def numbers(self) -> Array: ...


def fields_of(tables: Tables, path: Path | None = None) -> dict[str, Any]:
    """The fields for a file. If there are many weights and a path, they are written to a file beside it."""
    numbers = [np.ascontiguousarray(cast(WeightTable, table).numbers()) for table in tables]
    kind = numbers[0].dtype.newbyteorder("<")
    parts = [array.astype(kind, copy=False) for array in numbers]
    digest = hashlib.sha256()
    for array in parts:
        digest.update(array.data)
    fields = {"kind": kind.str, "counts": [len(array) for array in parts]}
    size = sum(array.nbytes for array in parts)
    return {**fields, **weights_of.kept(parts, size, digest.hexdigest(), path, "weights")}


def tables_of(game: Game, said: Any, path: Path | None) -> Tables:
    """Read strategies from the fields of a file; weights in a file beside it are mapped into memory."""
    weights = an_object(said, "weights")
    kind, counts = a_line(field(weights, "kind"), "kind"), a_list(field(weights, "counts"), "counts")
    tables_here = part(game, "solve", "tables_of")
    whole = len(counts) == 2 and all(type(count) is int and count >= 0 for count in counts)
    if kind not in KINDS or not whole or tables_here is None:
        raise StoreError(f"expected weights of a game that reads them, got {shown(kind)} of {game.title}")
    numbers = weights_of.read(weights, kind, sum(counts), path, checked=True)
    try:
        tables: Tables = tables_here(game, (numbers[: counts[0]], numbers[counts[0] :]))
    except GameError as error:
        raise StoreError(str(error)) from error
    return tables
