"""Sweeps in files: CSV, Parquet, JSON or HTML, written atomically, and never over the results of another sweep."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from html import escape
from pathlib import Path
from typing import Any

from ruse.core import atomic_files
from ruse.core.game import RuseError, display_name
from ruse.core.registry import imported
from ruse.formats.frames import PARQUET, parquet_of
from ruse.studio.rows import cell
from ruse.studio.sweep import Sweep
from ruse.studio.words import summary

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

KINDS = ("json", "csv", "parquet", "html")
MOST_BYTES = 1 << 30
SHADES = ("#1d3557", "#275d75", "#2f6f63", "#9cc98a", "#d3e08a", "#fbe87c")  # from little to much
LIGHT = 3  # the first shade on which text is dark
BEGIN, END = '<script type="application/json" id="sweep">', "</script>"
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .7rem; text-align: left; border-bottom: 1px solid #ddd; }
thead th { position: sticky; top: 0; background: #fff; }
"""


class ResultsError(RuseError):
    """A results file that cannot be written or that holds something else."""


def kind(path: Path) -> str:
    """Return the kind of file that a name asks for."""
    suffix = path.suffix.lower().removeprefix(".")
    if suffix not in KINDS:
        raise ResultsError(f"expected a file that ends in .csv, .parquet, .json or .html, got {str(path)!r}")
    return suffix


def write(sweep: Sweep, path: Path) -> Path:
    """Write the rows to a file atomically."""
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


# As a page.


def page(sweep: Sweep) -> str:
    """Return the page; it also holds the rows as JSON, for programs."""
    rows = list(sweep)
    least, most = (min(row.measure for row in rows), max(row.measure for row in rows)) if rows else (0, 0)
    side = display_name(sweep.variants.items[0].game.sides[0])
    measured = f"{side} wins" if rows and rows[0].wins else f"payoff to {side}"
    names = list(rows[0].parameters) if rows else []
    heads = "".join(f'<th scope="col">{escape(name.replace("_", " "))}</th>' for name in [*names, measured, "lines"])
    lines = []
    for row in rows:
        share = (row.measure - least) / (most - least) if most > least else 0
        cells = "".join(f"<td>{escape(str(cell(value)))}</td>" for value in row.parameters.values())
        counted = "" if row.lines is None else row.lines
        value_cell = f'<td class="shade-{round(5 * share)}">{escape(row.format_value())}</td>'
        lines.append(f"<tr>{cells}{value_cell}<td>{counted}</td></tr>")
    shades = "\n".join(
        f".shade-{number} {{ background: {shade}; color: {'#111' if number >= LIGHT else '#fff'}; }}"
        for number, shade in enumerate(SHADES)
    )
    data = json.dumps(sweep.to_json(), ensure_ascii=False).replace("</", "<\\/")
    paragraphs = "\n".join(f"<p>{escape(line)}</p>" for line in summary(sweep))
    title = escape(f"{sweep.name}: {len(rows):,} variants")
    return (
        f'<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{title}</title>\n'
        f"<style>{STYLE}{shades}\n</style></head>\n<body>\n<main>\n<h1>{title}</h1>\n{paragraphs}\n"
        f"<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n" + "\n".join(lines) + "\n</tbody>\n</table>\n</main>\n"
        f"{BEGIN}{data}{END}\n</body>\n</html>\n"
    )


def rows_in(text: str) -> str:
    """Return the JSON of a sweep that was written as a page. Raise ValueError for any other page."""
    _, marker, rest = text.partition(BEGIN)
    if not marker:
        raise ValueError("no sweep")
    return rest.partition(END)[0]


# Protection of other files.


def check_ours(path: Path, parameters: list[Mapping[str, Any]]) -> None:
    """Raise ResultsError if there is a file that holds anything but rows of these variants."""
    if not path.exists():
        return
    try:
        content = atomic_files.read(path, MOST_BYTES)
        rows = list(_read(content, list(parameters[0])))
    except (OSError, ValueError, KeyError, TypeError, csv.Error) as error:
        why = atomic_files.reason(error) if isinstance(error, OSError) else "not the rows of this sweep"
        raise _others(path, why) from error
    known = {tuple(map(_text, variant.values())) for variant in parameters}
    for number, row in enumerate(rows, 1):
        if row not in known:
            raise _others(path, f"row {number:,} is {', '.join(row)}")


def _others(path: Path, why: str) -> ResultsError:
    return ResultsError(f"{path} holds other data ({why}); choose another name, or remove it")


def _read(content: bytes, names: list[str]) -> Iterator[tuple[str, ...]]:
    """Yield the parameters of every row as texts."""
    if not content:
        return
    if content.startswith(PARQUET):
        table = imported("pyarrow.parquet").read_table(io.BytesIO(content), columns=names).to_pylist()
        rows: Any = table
    elif content.lstrip().startswith((b"{", b"<")):
        text = content.decode() if content.lstrip().startswith(b"{") else rows_in(content.decode())
        rows = [row["parameters"] for row in json.loads(text)["rows"]]
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
    """Lock a results file; a second sweep that tries to write it raises ResultsError."""
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
