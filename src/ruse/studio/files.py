"""Sweeps in files: CSV, Parquet, JSON or a page, written whole, by one at a time, and never over another sweep's."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from ruse.core import atomic_files
from ruse.core.game import RuseError
from ruse.core.registry import imported
from ruse.formats.frames import PARQUET, parquet_of
from ruse.studio.page import page, rows_in
from ruse.studio.rows import cell
from ruse.studio.sweep import Sweep

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

KINDS = ("json", "csv", "parquet", "html")
MOST_BYTES = 1 << 30


class ResultsError(RuseError):
    """A results file that cannot be written, or is somebody else's."""


def kind(path: Path) -> str:
    """Which kind of file a name asks for."""
    found = path.suffix.lower().removeprefix(".")
    if found not in KINDS:
        raise ResultsError(f"expected a file that ends in .csv, .parquet, .json or .html, got {str(path)!r}")
    return found


def write(sweep: Sweep, path: Path) -> Path:
    """The rows in a file, all of it or nothing."""
    content = {"json": _json, "csv": _csv, "parquet": _parquet, "html": _html}[kind(path)](sweep)
    try:
        atomic_files.replace(path, content)
    except (OSError, ValueError) as error:
        raise ResultsError(f"cannot write to {path}: {atomic_files.reason(error)}") from error
    return path


def _json(sweep: Sweep) -> bytes:
    return (json.dumps(sweep.to_json(), indent=1, ensure_ascii=False) + "\n").encode()


def _csv(sweep: Sweep) -> bytes:
    text = io.StringIO(newline="")
    rows = [row.flat() for row in sweep]
    writer = csv.DictWriter(text, list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def _parquet(sweep: Sweep) -> bytes:
    return parquet_of([row.flat() for row in sweep])


def _html(sweep: Sweep) -> bytes:
    return page(sweep).encode()


# Whose file it is.


def check_ours(path: Path, parameters: list[Mapping[str, Any]]) -> None:
    """Raise ResultsError if there is a file that holds anything but rows of these variants."""
    if not path.exists():
        return
    try:
        content = atomic_files.read(path, MOST_BYTES)
        found = list(_read(content, list(parameters[0])))
    except (OSError, ValueError, KeyError, TypeError, csv.Error) as error:
        why = atomic_files.reason(error) if isinstance(error, OSError) else "it holds something else"
        raise _others(path, why) from error
    known = {tuple(map(_text, one.values())) for one in parameters}
    for number, row in enumerate(found, 1):
        if row not in known:
            raise _others(path, f"row {number:,} is {', '.join(row)}")


def _others(path: Path, why: str) -> ResultsError:
    return ResultsError(
        f"expected a new file, or the results of this very sweep, got {path}: {why}; give another name, or remove it"
    )


def _read(content: bytes, names: list[str]) -> Iterator[tuple[str, ...]]:
    """The parameters of every row, as texts."""
    if not content:
        return
    if content.startswith(PARQUET):
        table = imported("pyarrow.parquet").read_table(io.BytesIO(content), columns=names).to_pylist()
        rows: Any = table
    elif content.lstrip().startswith((b"{", b"<")):
        text = content.decode() if content.lstrip().startswith(b"{") else rows_in(content.decode())
        rows = [one["parameters"] for one in json.loads(text)["rows"]]
    else:
        rows = csv.DictReader(io.StringIO(content.decode(), newline=""), strict=True)
        if not {*names} <= {*(rows.fieldnames or ())}:
            raise KeyError
    for row in rows:
        yield tuple(_text(row[name]) for name in names)


def _text(value: Any) -> str:
    return "" if value is None else str(cell(value))


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Within it no other sweep writes the same file; one that tries is told so."""
    if fcntl is None:
        yield
        return
    lock = path.with_name(f".{path.name}.lock")
    try:
        file = lock.open("ab")
    except OSError as error:
        raise ResultsError(f"cannot write to {path}: {atomic_files.reason(error)}") from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if not os.path.samestat(os.fstat(file.fileno()), lock.stat()):  # somebody has just removed it
                raise BlockingIOError
        except OSError as error:
            raise ResultsError(f"another sweep is writing {path}; wait for it, or choose another file") from error
        try:
            yield
        finally:
            with suppress(OSError):
                lock.unlink(missing_ok=True)
