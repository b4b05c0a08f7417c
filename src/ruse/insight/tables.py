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
cost      text   the primary figure (docs/explanation/costs.md): what it costs against the reference opponent
basis     text   against whom or what that is: reference, quasi-perfect, fewest-mistakes, best or stored
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from ruse.core import atomic_files, rationals
from ruse.formats.frames import TableError, parquet_of
from ruse.insight.costs import PositionCosts, costs_of
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
    cost: str | None
    basis: str | None


def rows(insight: Insight) -> list[InsightRow]:
    """The rows of all positions where a side moves."""
    return [row for side, position in insight.positions() for row in rows_of(insight, position, side)]


def rows_of(insight: Insight, position: str, side: int) -> Iterable[InsightRow]:
    """The rows of a position where a side moves."""
    there = PositionInsight(position, side, insight.moves(position, side))
    return rows_at(there, costs_of(insight).at(position, side))


def rows_at(there: PositionInsight, here: PositionCosts | None) -> Iterable[InsightRow]:
    """The rows of a position; `here` are the costs of its moves, if they are known."""
    for move in there.moves:
        fields = move.to_json()
        ends, costs = (fields["least"], fields["greatest"]), (fields["price"], fields["loss"])
        exact = (move.range is None or move.range.exact) and move.guarantee is not None and move.guarantee.exact
        cost = None if here is None else here.cost(move.move)
        figure = (None, None) if here is None or cost is None else (rationals.write(cost), here.basis)
        yield InsightRow(there.side, there.position, move.move, move.kind, *ends, *costs, exact, *figure)


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
