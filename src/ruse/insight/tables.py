"""Insight as a table for other programs: CSV and Parquet, a row a move.

side      int    0 or 1
position  text   where the side moves
move      text   as in the position's notation
kind      text   must, may or never; nothing where no optimal strategy comes, or where it is not proved
least     text   the least odds over all optimal strategies that come here, as an exact fraction; nothing if none does
greatest  text   the greatest
price     text   what it costs if it is always made here, from the start
loss      text   what it loses here against the stored opponent; nothing where that never comes here
proved    bool   whether ranges and price are exact, rather than bounds
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from ruse.core import atomic_files
from ruse.formats.frames import TableError, parquet_of
from ruse.insight.model import Insight, PositionInsight


class Row(NamedTuple):
    side: int
    position: str
    move: str
    kind: str | None
    least: str | None
    greatest: str | None
    price: str | None
    loss: str | None
    proved: bool


def rows(insight: Insight, report: Callable[[str, None, None], object] = lambda *_: None) -> list[Row]:
    """All positions where a side moves."""
    positions = list(insight.positions())
    found: list[Row] = []
    for number, (side, position) in enumerate(positions, 1):
        report(f"position {number:,} of {len(positions):,}", None, None)
        found.extend(rows_at(PositionInsight(position, side, insight.moves(position, side))))
    return found


def rows_at(there: PositionInsight) -> Iterable[Row]:
    for one in there.moves:
        told = one.to_json()
        ends, costs = (told["least"], told["greatest"]), (told["price"], told["loss"])
        exact = (one.range is None or one.range.exact) and one.guarantee is not None and one.guarantee.exact
        yield Row(there.side, there.position, one.move, one.kind, *ends, *costs, exact)


def write(found: Iterable[Row], path: Path, kind: str) -> None:
    """A file of the kind "csv" or "parquet", all of it or nothing."""
    if kind == "parquet":
        content = parquet_of([dict(row._asdict()) for row in found])
    else:
        text = io.StringIO(newline="")
        writer: Any = csv.writer(text, lineterminator="\n")
        writer.writerow(Row._fields)
        writer.writerows(["" if entry is None else entry for entry in row] for row in found)
        content = text.getvalue().encode()
    try:
        atomic_files.replace(path, content)
    except (OSError, ValueError) as error:
        raise TableError(f"cannot write to {path}: {atomic_files.reason(error)}") from error
