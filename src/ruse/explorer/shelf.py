"""Names that people give to saved solutions, and deleting a saved solution.

Only files in the explorer's own folder can be renamed or deleted; other files are left alone. Names are in one JSON
object beside the files, from the source of a file in addresses to its name.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from pathlib import Path

from ruse.core import atomic_files
from ruse.core.game import RuseError
from ruse.explorer import solution_files
from ruse.explorer.entries import Entry
from ruse.explorer.errors import Gone
from ruse.explorer.library import Library

NAMES = "names.json"
MOST_NAME = 80  # characters
MOST_BYTES = 1 << 20
writing = threading.Lock()


def is_kept(library: Library, entry: Entry) -> bool:
    """Return whether a file can be renamed and deleted here; solutions of built-in games cannot."""
    return entry.path is not None and entry.path.parent == library.folder and entry.origin not in ("built in", "given")


def names(library: Library) -> Mapping[str, str]:
    """Return the names that people gave; none if the file is damaged."""
    try:
        content = json.loads(atomic_files.read(library.folder / NAMES, MOST_BYTES).decode())
    except (OSError, ValueError):
        return {}
    texts = content.items() if isinstance(content, dict) else ()
    return {source: name for source, name in texts if isinstance(name, str) and name.isprintable()}


def label(entry: Entry, given: Mapping[str, str]) -> str:
    """Return the name that somebody gave, or the title with its parameters as words."""
    if entry.source in given:
        return given[entry.source]
    name, bracket, inside = entry.title.partition("(")
    if not bracket:
        return entry.title
    table = entry.summary.table if entry.summary else ""
    return f"{name}, {table or inside.removesuffix(')').replace('=', ' ').replace(',', ', ')}"


def rename(library: Library, source: str, name: str) -> Entry:
    """Rename a saved solution; an empty name restores its own."""
    entry, name = _kept(library, source), " ".join(name.split())
    if not name.isprintable() or len(name) > MOST_NAME:
        raise RuseError(f"expected a name of at most {MOST_NAME} characters in a line, got {name[:40]!r}")
    with writing:
        _write(library, {**_others(library, source), **({source: name} if name else {})})
    return entry


def delete(library: Library, source: str) -> Entry:
    """Delete a saved solution and its name."""
    entry = _kept(library, source)
    assert entry.path is not None
    try:
        solution_files.remove(entry.path)
    except OSError as error:
        raise RuseError(f"cannot delete {entry.path.name}: {atomic_files.reason(error)}") from error
    with writing:
        if source in names(library):
            _write(library, _others(library, source))
    return entry


def _kept(library: Library, source: str) -> Entry:
    for entry in library.entries():
        if entry.source == source and is_kept(library, entry):
            return entry
    raise Gone(f"there is no saved solution {source[:40]!r} that can be changed here")


def _others(library: Library, source: str) -> dict[str, str]:
    return {other: name for other, name in names(library).items() if other != source}


def _write(library: Library, content: Mapping[str, str]) -> None:
    path: Path = library.folder / NAMES
    try:
        atomic_files.replace(path, json.dumps(content, ensure_ascii=False, indent=1).encode())
    except OSError as error:
        raise RuseError(f"cannot save names here: {atomic_files.reason(error)}") from error
