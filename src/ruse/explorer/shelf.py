"""Order on the shelf: names that people give to the solutions kept here, and taking one away.

Only files in the explorer's own folder have either; what somebody keeps elsewhere is not ours to touch. Names are in
one JSON object beside the files, from what tells a file apart in addresses to its name.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from pathlib import Path

from ruse.core import atomic_files
from ruse.core.game import RuseError
from ruse.explorer import keeping
from ruse.explorer.entries import Entry
from ruse.explorer.errors import Gone
from ruse.explorer.library import Library

NAMES = "names.json"
MOST_NAME = 80  # characters
MOST_BYTES = 1 << 20
writing = threading.Lock()


def is_kept(library: Library, entry: Entry) -> bool:
    """Whether a file can be renamed and deleted here: not what is built in, and solved again when it is looked at."""
    return entry.path is not None and entry.path.parent == library.folder and entry.origin not in ("built in", "given")


def names(library: Library) -> Mapping[str, str]:
    """The names that were given; none where the file is damaged, as they are only names."""
    try:
        found = json.loads(atomic_files.read(library.folder / NAMES, MOST_BYTES).decode())
    except (OSError, ValueError):
        return {}
    texts = found.items() if isinstance(found, dict) else ()
    return {source: name for source, name in texts if isinstance(name, str) and name.isprintable()}


def label(entry: Entry, given: Mapping[str, str]) -> str:
    """What people read: the name that was given, or the title with its parameters as words."""
    if entry.source in given:
        return given[entry.source]
    name, bracket, inside = entry.title.partition("(")
    if not bracket:
        return entry.title
    table = entry.summary.table if entry.summary else ""
    return f"{name}, {table or inside.removesuffix(')').replace('=', ' ').replace(',', ', ')}"


def rename(library: Library, source: str, name: str) -> Entry:
    """Give a kept solution a name; an empty one gives it its own back."""
    entry, name = _kept(library, source), " ".join(name.split())
    if not name.isprintable() or len(name) > MOST_NAME:
        raise RuseError(f"expected a name of at most {MOST_NAME} characters in a line, got {name[:40]!r}")
    with writing:
        _write(library, {**_others(library, source), **({source: name} if name else {})})
    return entry


def delete(library: Library, source: str) -> Entry:
    """Take a kept solution away, with its name."""
    entry = _kept(library, source)
    assert entry.path is not None
    try:
        keeping.remove(entry.path)
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
    raise Gone(f"there is no saved solution {source[:40]!r}, or it is not one that this page may change")


def _others(library: Library, source: str) -> dict[str, str]:
    return {one: name for one, name in names(library).items() if one != source}


def _write(library: Library, found: Mapping[str, str]) -> None:
    path: Path = library.folder / NAMES
    try:
        atomic_files.replace(path, json.dumps(found, ensure_ascii=False, indent=1).encode())
    except OSError as error:
        raise RuseError(f"cannot save names here: {atomic_files.reason(error)}") from error
