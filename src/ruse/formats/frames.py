"""Strategies as tables for other programs: CSV, Parquet, and frames of Arrow, polars and pandas.

    side      int8      0 or 1
    position  text      where the side moves
    move      text      as in the position's notation
    odds      text      the exact fraction, such as 2/3, from which a table is read back
    share     float64   the odds as a float, for plots
    reached   boolean   whether play comes to the position if both sides follow their strategies; empty if not known

One row is a move at a position; the rows of one position stand together and their odds sum to 1.
The metadata of a Parquet file and of an Arrow table hold, under "ruse" and in JSON, the game, the solver and the
certificate.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ruse.core import atomic_files, rationals
from ruse.core.former_modules import former_classes
from ruse.core.game import RuseError
from ruse.core.registry import imported
from ruse.core.types import StrategyTable, Tables
from ruse.solution.on_path import Positions
from ruse.solution.strategy import Solution, Strategy

MOST_BYTES = 512 << 20  # of a file
PARQUET = b"PAR1"  # how such a file begins
SHOWN = 60


class TableError(RuseError):
    """A table without strategies, or a file that cannot be read or written."""


class StrategyRow(NamedTuple):
    """One move at one position."""

    side: int
    position: str
    move: str
    odds: str
    share: float
    reached: bool | None = None


def rows(solution: Solution) -> list[StrategyRow]:
    """Both strategies, side 0's first, in the order of their tables."""
    return _rows(solution.tables, solution.on_path)


def _rows(both: Tables, on_path: Positions | None = None) -> list[StrategyRow]:
    return [
        StrategyRow(
            side,
            position,
            move,
            rationals.write(share),
            float(share),
            None if on_path is None else position in on_path[side],
        )
        for side, table in enumerate(both)
        for position, odds in table.items()
        for move, share in odds.items()
    ]


def tables(entries: Iterable[Sequence[Any]]) -> Tables:
    """Read both strategies from rows whose first four entries are side, position, move and odds."""
    made: tuple[dict[str, dict[str, Fraction]], dict[str, dict[str, Fraction]]] = ({}, {})
    for number, (side, position, move, odds, *_) in enumerate(entries, 1):
        if str(side) not in ("0", "1"):
            raise TableError(f"expected side 0 or 1 in row {number:,}, got {_shown(side)}")
        if not all(isinstance(text, str) and text for text in (position, move, odds)):
            found_there = _shown((position, move, odds))
            raise TableError(f"expected texts as position, move and odds in row {number:,}, got {found_there}")
        at = made[int(side)].setdefault(position, {})
        if move in at:
            raise TableError(
                f"expected each move once, got {_shown(move)} at {_shown(position)} again in row {number:,}"
            )
        try:
            at[move] = rationals.read(odds)
        except ValueError as error:
            raise TableError(f"{error} as odds in row {number:,}") from error
    return made


def metadata(solution: Solution) -> dict[str, Any]:
    """The metadata of a table: the fields of `ruse solve --json`, the names of the sides, and the versions."""
    return {**solution.to_json(), "sides": list(solution.game.sides), "versions": dict(solution.versions)}


def to_arrow(solution: Solution) -> Any:
    """A `pyarrow.Table`, with metadata."""
    arrow = _package("pyarrow")
    kinds = (arrow.int8(), arrow.string(), arrow.string(), arrow.string(), arrow.float64(), arrow.bool_())
    fields = [
        arrow.field(name, kind, nullable=name == "reached")
        for name, kind in zip(StrategyRow._fields, kinds, strict=True)
    ]
    schema = arrow.schema(fields, metadata={"ruse": json.dumps(metadata(solution), ensure_ascii=False)})
    return arrow.table(list(map(list, _columns(solution))), schema=schema)


def to_polars(solution: Solution) -> Any:
    """A `polars.DataFrame`."""
    polars = _package("polars")
    kinds = (polars.Int8, polars.String, polars.String, polars.String, polars.Float64, polars.Boolean)
    return polars.DataFrame(_columns(solution), schema=dict(zip(StrategyRow._fields, kinds, strict=True)))


def to_pandas(solution: Solution) -> Any:
    """A `pandas.DataFrame`."""
    pandas = _package("pandas")
    frame = pandas.DataFrame(rows(solution), columns=list(StrategyRow._fields))
    return frame.astype({"side": "int8", "share": "float64", "reached": "boolean"})


def strategy_frame(strategy: Strategy) -> Any:
    """One side's strategy as a `pandas.DataFrame`, without `reached`, which takes both strategies."""
    tables: tuple[StrategyTable, StrategyTable] = ({}, strategy.table) if strategy.side else (strategy.table, {})
    frame = _package("pandas").DataFrame(_rows(tables), columns=list(StrategyRow._fields))
    return frame.drop(columns="reached").astype({"side": "int8", "share": "float64"})


def _columns(solution: Solution) -> list[tuple[Any, ...]]:
    return list(zip(*rows(solution), strict=True)) or [()] * len(StrategyRow._fields)


def _package(name: str) -> Any:
    try:
        return imported(name)
    except ImportError as error:
        extra = name.partition(".")[0]
        raise TableError(f"this needs the package {extra}; install it with pip install 'ruse[tables]'") from error


def write_csv(solution: Solution, path: str | Path) -> Path:
    """A CSV file in UTF-8, with a line of names, all of it or nothing."""
    return _write(path, csv_of(solution.tables, solution.on_path).encode())


def csv_of(both: Tables, on_path: Positions | None = None) -> str:
    """Both strategies as the text of such a file; `on_path` holds the positions that play reaches, where known."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(StrategyRow._fields)
    texts = {None: "", True: "true", False: "false"}
    writer.writerows((*row[:-1], texts[row.reached]) for row in _rows(both, on_path))
    return text.getvalue()


def write_parquet(solution: Solution, path: str | Path) -> Path:
    """A Parquet file, all of it or nothing."""
    content = io.BytesIO()
    _package("pyarrow.parquet").write_table(to_arrow(solution), content)
    return _write(path, content.getvalue())


def parquet_of(records: list[dict[str, Any]]) -> bytes:
    """Any records of plain values, as the bytes of a Parquet file."""
    content = io.BytesIO()
    _package("pyarrow.parquet").write_table(_package("pyarrow").Table.from_pylist(records), content)
    return content.getvalue()


def write_records(records: Sequence[Mapping[str, Any]], path: Path) -> Path:
    """Any records of plain values as a CSV file, or as Parquet where the name ends so."""
    if path.suffix == ".parquet":
        return _write(path, parquet_of([dict(record) for record in records]))
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(records[0]) if records else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)
    return _write(path, text.getvalue().encode())


def _write(path: str | Path, content: bytes) -> Path:
    path = Path(path)
    try:
        atomic_files.replace(path, content)
    except (OSError, ValueError) as error:
        raise TableError(f"cannot write to {path}: {atomic_files.reason(error)}") from error
    return path


def read_table(path: str | Path) -> Tables:
    """Both strategies from a CSV or Parquet file, exactly; `ruse.verify.verifier.bounds` certifies them."""
    path = Path(path)
    try:
        content = atomic_files.read(path, MOST_BYTES)
    except (OSError, ValueError) as error:
        raise TableError(f"cannot read the table {path}: {atomic_files.reason(error)}") from error
    try:
        return tables(_parquet_rows(content) if content.startswith(PARQUET) else _csv_rows(content))
    except TableError as error:
        raise TableError(f"{error} ({path})") from error.__cause__


def _csv_rows(content: bytes) -> list[list[str]]:
    try:
        lines = [row for row in csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""), strict=True) if row]
    except (UnicodeDecodeError, csv.Error) as error:
        raise TableError(f"this is not CSV in UTF-8: {error}") from error
    _check_names(lines[0] if lines else [])
    for number, row in enumerate(lines[1:], 1):
        if len(row) != len(lines[0]):
            raise TableError(f"expected {len(lines[0])} entries in row {number:,}, got {len(row)}")
    return lines[1:]


def _parquet_rows(content: bytes) -> Iterable[Sequence[Any]]:
    arrow, parquet = _package("pyarrow"), _package("pyarrow.parquet")
    try:
        table = parquet.read_table(io.BytesIO(content))
        _check_names(table.column_names)
        return zip(*(column.to_pylist() for column in table.columns[:4]), strict=True)
    except (arrow.ArrowException, OSError) as error:
        raise TableError(f"this is not Parquet: {str(error).splitlines()[0]}") from error


def _check_names(names: Sequence[str]) -> None:
    expected = list(StrategyRow._fields)
    if list(names[:4]) != expected[:4]:  # what follows is not read
        raise TableError(f"expected the columns {', '.join(expected[:5])}, got {_shown(', '.join(names))}")


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


if not TYPE_CHECKING:
    __getattr__ = former_classes(__name__, {"Row": "StrategyRow"})
