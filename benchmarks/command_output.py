"""What a command of `ruse` printed and wrote, as plain data, and how two of them differ (benchmarks.compare_commits).

Files are compared by what they hold: solutions and insight as JSON, checkpoints array by array, tables row by row. A
difference is either one of content, which counts, or one of wording, which is listed apart.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# Keys of sentences for people: whether they are there counts, how they are worded does not.
PROSE = {
    *("why", "note", "notes", "reason", "told", "title", "summary", "help", "meaning", "condition", "what", "hidden"),
    *("words", "outline", "rules", "failed", "pictures"),
}
TABLES = {"rules"}  # keys that hold sentences in one command and an object with content in another
# Keys of what differs from run to run: whether they are there counts, what they say does not.
VOLATILE = {
    *("seconds", "versions", "python", "file", "folder", "page", "index", "bytes", "seal", "digest", "id"),
    "run.spent",  # an array of a checkpoint
}
CLOCKED = {"points": 1, "history": 2, "run.points": 1}  # lists of rows of which one column is seconds
NOISE = (  # what differs from run to run within a text, and how it is written here
    (re.compile(r"\b(under )?\d+(\.\d+)?(e-\d+)? (s|ms|seconds?)\b"), "… s"),
    (re.compile(r"--resume [\w-]{22}(?!\S)"), "--resume …"),
    (re.compile(r"at most [\d,]+ nodes(.*) half of the [\d.,]+ "), r"at most … nodes\1 half of the … "),  # free memory
)
TEXTS = {".html", ".ipynb", ".txt", ".md"}  # files that are mostly prose
PICTURES = {".svg", ".png", ".pdf"}  # of these only that they are there counts
GZIP = 16 + zlib.MAX_WBITS
LONGEST = 1 << 20  # bytes of a text that is compared line by line
SHOWN = 120  # characters of a value in the report


@dataclass(frozen=True)
class Difference:
    place: str
    old: Any
    new: Any
    wording: bool = False

    def __str__(self) -> str:
        return f"{self.place}: {_brief(self.old)} -> {_brief(self.new)}"


class Missing:
    def __repr__(self) -> str:
        return "(missing)"


MISSING = Missing()


def without_noise(text: str) -> str:
    """A text without seconds, numbers of saved games and amounts of free memory."""
    for pattern, written in NOISE:
        text = pattern.sub(written, text)
    return text


def content_of(path: Path) -> Any:
    """What a file that ruse wrote holds, as plain data."""
    content, kind = path.read_bytes(), path.suffix
    if content.startswith(b"ruse/"):
        return json.loads(zlib.decompress(content.partition(b"\n")[2], GZIP))
    if content.startswith(b"ruse-checkpoint/"):
        return _arrays(content.partition(b"\n")[2])
    if kind in PICTURES:
        return "a picture"
    if kind == ".json":
        return json.loads(content)
    if kind == ".csv":
        return [*csv.DictReader(io.StringIO(content.decode()))]
    if kind == ".parquet":
        return _frame(path)
    if len(content) > LONGEST:
        return hashlib.sha256(content).hexdigest()
    return content.decode(errors="replace").splitlines()


def _arrays(archive: bytes) -> dict[str, Any]:
    """Arrays by their digests; a text among them, `about`, in full."""
    import numpy as np

    found: dict[str, Any] = {}
    with np.load(io.BytesIO(archive), allow_pickle=False) as arrays:
        for name, array in arrays.items():
            if name == "about":
                found[name] = json.loads(array.tobytes())
            else:
                if (column := CLOCKED.get(name)) is not None and array.ndim == 2:
                    array = np.delete(array, column, axis=1)
                found[name] = [array.dtype.str, [*array.shape], hashlib.sha256(array.tobytes()).hexdigest()]
    return found


def _frame(path: Path) -> list[dict[str, str]]:
    import pyarrow.parquet as parquet

    return [{name: str(value) for name, value in row.items()} for row in parquet.read_table(path).to_pylist()]


def differences(old: dict[str, Any], new: dict[str, Any]) -> Iterator[Difference]:
    """How two results of one command differ: `status`, `out`, `error` and `files` of each."""
    if old["status"] != new["status"]:
        yield Difference("exit status", old["status"], new["status"])
    if isinstance(old["out"], str) and isinstance(new["out"], str):
        yield from _lines("stdout", old["out"].splitlines(), new["out"].splitlines(), wording=True)
    else:
        yield from data_differences(old["out"], new["out"])
    yield from _lines("stderr", old["error"].splitlines(), new["error"].splitlines(), wording=True)
    for name in sorted({*old["files"], *new["files"]}):
        first, second = (one["files"].get(name, MISSING) for one in (old, new))
        if first is MISSING or second is MISSING:
            yield Difference(name, _there(first), _there(second))
        elif Path(name).suffix in TEXTS and isinstance(first, list):
            yield from _lines(name, first, second, wording=True)
        else:
            yield from data_differences(first, second, name)


def data_differences(old: Any, new: Any, place: str = "") -> Iterator[Difference]:
    """How two pieces of JSON differ, key by key."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [*old, *(key for key in new if key not in old)]:
            inner = f"{place}.{key}" if place else str(key)
            first, second = old.get(key, MISSING), new.get(key, MISSING)
            if first is MISSING or second is MISSING:
                yield Difference(inner, first, second)
            elif key in PROSE and not (key in TABLES and isinstance(first, dict)):
                if first != second:
                    yield Difference(inner, first, second, wording=True)
            elif key not in VOLATILE:
                yield from data_differences(_unclocked(key, first), _unclocked(key, second), inner)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, (first, second) in enumerate(zip(old, new, strict=True)):
            yield from data_differences(first, second, f"{place}[{number}]")
    elif isinstance(old, str) and isinstance(new, str):
        if without_noise(old) != without_noise(new):
            yield Difference(place or "stdout", old, new)
    elif type(old) is not type(new) or old != new:
        yield Difference(place or "stdout", old, new)


def _lines(place: str, old: list[str], new: list[str], wording: bool) -> Iterator[Difference]:
    for number in range(max(len(old), len(new))):
        first, second = (lines[number] if number < len(lines) else MISSING for lines in (old, new))
        if first is MISSING or second is MISSING or without_noise(str(first)) != without_noise(str(second)):
            yield Difference(f"{place}:{number + 1}", first, second, wording)


def _unclocked(key: str, rows: Any) -> Any:
    """Rows without their column of seconds, where the key says that they have one."""
    column = CLOCKED.get(key)
    if column is None or not isinstance(rows, list):
        return rows
    return [[*row[:column], *row[column + 1 :]] if isinstance(row, list) else row for row in rows]


def _there(content: Any) -> Any:
    return content if content is MISSING else "(written)"


def _brief(value: Any) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
