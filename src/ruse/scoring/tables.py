"""Policies as tables: one row per move, in a CSV or Parquet file or a data frame of pandas, polars or Arrow.

position   where the side moves
move       as in the position's notation
odds       a fraction such as 2/3, or a number; a column `share` or `probability` does as well
side       0, 1 or a name; without this column the position tells the side
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from ruse.core import atomic_files
from ruse.core.game import Game, PolicyError, PositionError, side_number
from ruse.core.registry import imported

MOST_BYTES = 512 << 20
ENDINGS = (".csv", ".parquet")
ODDS = ("odds", "share", "probability")  # columns that may hold the odds, the first that is there
PARQUET = b"PAR1"
Policy = dict[str, dict[str, Any]]


def is_table(path: str) -> bool:
    """Whether a file holds a table, by its ending."""
    return path.lower().endswith(ENDINGS)


def is_frame(thing: Any) -> bool:
    """Whether something is a data frame of pandas or polars, or an Arrow table."""
    return hasattr(thing, "columns") and (hasattr(thing, "shape") or hasattr(thing, "schema"))


def read(game: Game, table: Any) -> Policy | tuple[Policy | None, Policy | None]:
    """The odds in a table by position: for both sides apart where the table says the side, else together."""
    if isinstance(table, str | Path):
        names, rows = _rows_of_file(Path(table))
    else:
        names, rows = _frame(table)
    odds = next((name for name in ODDS if name in names), "odds")
    for name in ("position", "move", odds):
        if name not in names:
            raise PolicyError(
                f"a table of a policy needs the columns position, move and odds; this one has {', '.join(names[:9])}"
            )
    places = [names.index(name) for name in ("position", "move", odds)]
    at = names.index("side") if "side" in names else None
    policies: dict[int | None, Policy] = {}
    for number, row in enumerate(rows, 1):
        if len(row) < len(names):
            raise PolicyError(f"row {number:,} of the table has {len(row)} entries, not {len(names)}")
        position, move, share = (row[place] for place in places)
        part = policies.setdefault(None if at is None else _side(game, row[at], number), {})
        moves = part.setdefault(str(position), {})
        if str(move) in moves:
            raise PolicyError(f"row {number:,} of the table gives the odds of {move} at {position} again")
        moves[str(move)] = share
    if at is None:
        return policies.get(None, {})
    return policies.get(0), policies.get(1)


def _side(game: Game, side: Any, number: int) -> int:
    text = str(side).strip()
    try:
        return side_number(game, int(text) if text in ("0", "1") else text)
    except PositionError as error:
        raise PolicyError(f"{error} (row {number:,} of the table)") from error


def _frame(frame: Any) -> tuple[list[str], Iterable[Sequence[Any]]]:
    names = [str(name) for name in (frame.column_names if hasattr(frame, "column_names") else frame.columns)]
    columns = [frame[name] for name in names]
    lists = [column.to_pylist() if hasattr(column, "to_pylist") else list(column) for column in columns]
    return names, zip(*lists, strict=True)


def _rows_of_file(path: Path) -> tuple[list[str], Iterable[Sequence[Any]]]:
    if path.suffix.lower() not in ENDINGS:
        raise PolicyError(f"a table of a policy ends in .csv or .parquet, not {path.name!r}")
    try:
        content = atomic_files.read(path, MOST_BYTES)
    except (OSError, ValueError) as error:
        raise PolicyError(f"cannot read the table {path}: {atomic_files.reason(error)}") from error
    if content.startswith(PARQUET):
        return _parquet(path, content)
    try:
        rows = [row for row in csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""), strict=True) if row]
    except (UnicodeDecodeError, csv.Error) as error:
        raise PolicyError(f"{path} is not a CSV file in UTF-8: {error}") from error
    if not rows:
        raise PolicyError(f"{path} is empty; write a line position,move,odds and one row per move")
    return rows[0], rows[1:]


def _parquet(path: Path, content: bytes) -> tuple[list[str], Iterable[Sequence[Any]]]:
    try:
        arrow, parquet = imported("pyarrow"), imported("pyarrow.parquet")
    except ImportError as error:
        raise PolicyError(
            "Parquet files need the package pyarrow; install it with pip install 'ruse[tables]'"
        ) from error
    try:
        return _frame(parquet.read_table(io.BytesIO(content)))
    except (arrow.ArrowException, OSError) as error:
        raise PolicyError(f"{path} is not a Parquet file: {str(error).splitlines()[0]}") from error
