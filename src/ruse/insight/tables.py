"""Insight as a table for other programs: CSV and Parquet, with one row per move.

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
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from ruse.core import atomic_files
from ruse.formats.frames import TableError, parquet_of
from ruse.insight.model import Insight, PositionInsight


class InsightRow(NamedTuple):
    side: int
    position: str
    move: str
    kind: str | None
    least: str | None
    greatest: str | None
    price: str | None
    loss: str | None
    proved: bool


def rows(insight: Insight) -> list[InsightRow]:
    """The rows of all positions where a side moves."""
    return [row for side, position in insight.positions() for row in rows_of(insight, position, side)]


def rows_of(insight: Insight, position: str, side: int) -> Iterable[InsightRow]:
    """The rows of a position where a side moves."""
    return rows_at(PositionInsight(position, side, insight.moves(position, side)))


def rows_at(there: PositionInsight) -> Iterable[InsightRow]:
    for move in there.moves:
        fields = move.to_json()
        ends, costs = (fields["least"], fields["greatest"]), (fields["price"], fields["loss"])
        exact = (move.range is None or move.range.exact) and move.guarantee is not None and move.guarantee.exact
        yield InsightRow(there.side, there.position, move.move, move.kind, *ends, *costs, exact)


def write(table_rows: Iterable[InsightRow], path: Path, kind: str) -> None:
    """Write a file of the kind "csv" or "parquet", all of it or nothing."""
    if kind == "parquet":
        content = parquet_of([dict(row._asdict()) for row in table_rows])
    else:
        text = io.StringIO(newline="")
        writer: Any = csv.writer(text, lineterminator="\n")
        writer.writerow(InsightRow._fields)
        writer.writerows(["" if entry is None else entry for entry in row] for row in table_rows)
        content = text.getvalue().encode()
    try:
        atomic_files.replace(path, content)
    except (OSError, ValueError) as error:
        raise TableError(f"cannot write to {path}: {atomic_files.reason(error)}") from error
