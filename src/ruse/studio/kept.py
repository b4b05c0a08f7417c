"""The library of solved variants: whatever a sweep has proved once, no sweep solves again.

A file a game in the user's state folder, `variants/GAME.jsonl`. Lines are only ever added, each a JSON object with the
identity of a canonical variant (ruse.core.identity), its row and a seal under this user's key (ruse.core.seals); lines
without a valid seal, as they were edited, half written or made elsewhere, are passed over, and their variants solved.
Only rows with equal bounds are kept.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from ruse.core import atomic_files, seals
from ruse.core.game import RuseError
from ruse.core.identity import is_walked
from ruse.solution.container import StoreError
from ruse.solution.state_folder import state_folder, user_key, user_key_if_any
from ruse.studio.rows import Row, of_json

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]


class Library:
    """Rows by the identity of their canonical variant. Trouble with the folder is told once, and then done without."""

    def __init__(self, name: str, empty: bool = False) -> None:
        """Of a game; an empty one knows nothing yet, but keeps what it is given all the same."""
        self.rows: dict[str, Row] = {}
        self._path: Path | None = None
        try:
            self._path = state_folder() / "variants" / f"{name}.jsonl"
            lines = self._path.read_bytes().splitlines() if self._path.exists() and not empty else []
        except (OSError, RuseError) as error:
            self._give_up(error)
            return
        key = user_key_if_any()
        for line in lines:
            if (found := _read(line, key)) is not None:
                self.rows[found[0]] = found[1]

    def add(self, rows: Iterable[tuple[str, Row]]) -> None:
        """Keep what is exact."""
        fresh = {key: row for key, row in rows if row.exact and is_walked(key) and self._tells(key, row)}
        self.rows |= fresh
        if self._path is None or not fresh:
            return
        try:
            key = user_key()
            told = [
                {"key": name, "row": (written := row.to_json()), "seal": seals.seal(key, _sealed(name, written))}
                for name, row in fresh.items()
            ]
            text = "".join(f"\n{json.dumps(one)}\n" for one in told)  # a line that others left half-written ends here
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("ab") as file:
                if fcntl is not None:
                    fcntl.flock(file, fcntl.LOCK_EX)
                file.write(text.encode())
                file.flush()
                os.fsync(file.fileno())
        except (OSError, StoreError) as error:
            self._give_up(error)

    def _tells(self, key: str, row: Row) -> bool:
        """Whether a row says more than what is there."""
        known = self.rows.get(key)
        return known is None or (known.lines is None and row.lines is not None)

    def _give_up(self, error: Exception) -> None:
        self._path = None
        why = atomic_files.reason(error) if isinstance(error, OSError) else str(error)
        atomic_files.warn(f"cannot use the saved variants, so ruse solves all of them: {why}")


def counted(path: Path) -> tuple[int, int]:
    """How many lines of a file are read, and how many are not: of an older version, damaged, or somebody else's."""
    lines = [line for line in path.read_bytes().splitlines() if line.strip()]
    key = user_key_if_any()
    good = sum(_read(line, key) is not None for line in lines)
    return good, len(lines) - good


def _read(line: bytes, key: bytes | None) -> tuple[str, Row] | None:
    """A line, if it is as it was written here."""
    with suppress(KeyError, TypeError, ValueError, ZeroDivisionError):
        found = json.loads(line)
        if seals.holds(key, _sealed(found["key"], found["row"]), found["seal"]):
            return found["key"], of_json(found["row"])
    return None


def _sealed(key: str, row: object) -> bytes:
    return f"variant {key} {json.dumps(row, sort_keys=True)}".encode()
