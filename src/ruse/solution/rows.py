"""Strategies of games with a public tree in files: as weights rather than the odds at every position.

    "rows": {"kind": "<f8", "shapes": [[moves, hands], [moves, hands]], "sha256": "...", "weights": "..."}

Weights are floats (ruse.solution.weights), side 0's first, with one line per move in the order of public nodes and one
column per hand. The odds are proportional to the weights at a node (docs/reference/solution-file.md).
"""

from __future__ import annotations

import hashlib
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ruse.core.capabilities import Public
from ruse.core.game import Game, GameError
from ruse.core.types import Tables
from ruse.solution import weights as weights_of
from ruse.solution.container import StoreError, a_line, a_list, an_object, field, shown

if TYPE_CHECKING:
    from ruse.forms.public_table import PublicTable


def fields_of(tables: Tables, path: Path | None = None) -> dict[str, Any]:
    """The fields for a file. If there are many weights and a path, they are written to a file beside it."""
    weights = [np.ascontiguousarray(cast("PublicTable", table).weights()) for table in tables]
    kind = weights[0].dtype.newbyteorder("<")
    numbers = np.concatenate([array.ravel() for array in weights]).astype(kind)
    digest = hashlib.sha256(numbers.data).hexdigest()
    fields = {"kind": kind.str, "shapes": [list(array.shape) for array in weights]}
    return {**fields, **weights_of.kept([numbers], numbers.nbytes, digest, path, "rows")}


def tables_of(game: Game, said: Any, path: Path | None) -> Tables:
    """Read strategies from the fields of a file; weights in a file beside it are mapped into memory."""
    from ruse.forms.public_table import public_tables  # compiled

    rows = an_object(said, "rows")
    kind, shapes = a_line(field(rows, "kind"), "kind"), a_list(field(rows, "shapes"), "shapes")
    whole = len(shapes) == 2 and all(
        isinstance(shape, list) and len(shape) == 2 and all(type(number) is int and number >= 0 for number in shape)
        for shape in shapes
    )
    if kind not in weights_of.KINDS or not whole or not isinstance(game, Public):
        raise StoreError(f"expected weights of a game with a public tree, got {shown(kind)} of {game.title}")
    numbers = weights_of.read(rows, kind, sum(map(prod, shapes)), path, checked=True)
    first = prod(shapes[0])
    try:
        return public_tables(game, (numbers[:first].reshape(shapes[0]), numbers[first:].reshape(shapes[1])))
    except GameError as error:
        raise StoreError(str(error)) from error
