"""The user's saved variants: a variant that one sweep solved exactly is not solved again.

There is one file per game in the user's state folder, `variants/GAME.jsonl`. Lines are only added. Each is a JSON
object with the identity of a canonical variant (ruse.core.identity), its row and a seal under this user's key
(ruse.core.seals). Lines without a valid seal (edited, incomplete or from elsewhere) are ignored, and their variants are
solved again. Only rows with equal bounds are saved.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from ruse.core import atomic_files, seals
from ruse.core.game import RuseError
from ruse.core.identity import is_walked
from ruse.metrics.metric import METRICS
from ruse.solution.container import StoreError
from ruse.solution.state_folder import state_folder, user_key, user_key_if_any
from ruse.studio.rows import VariantMetrics, VariantRow, of_json

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]


class SavedVariants:
    """Rows by the identity of their canonical variant. Without a usable folder, ruse warns once and saves nothing."""

    def __init__(self, name: str, empty: bool = False) -> None:
        """Read the rows of a game; with `empty`, ignore what is saved but still save new rows."""
        self.rows: dict[str, VariantRow] = {}
        self._path: Path | None = None
        try:
            self._path = state_folder() / "variants" / f"{name}.jsonl"
            lines = self._path.read_bytes().splitlines() if self._path.exists() and not empty else []
        except (OSError, RuseError) as error:
            self._give_up(error)
            return
        key = user_key_if_any()
        for line in lines:
            if (entry := _read(line, key)) is not None:
                self.rows[entry[0]] = entry[1]

    def add(self, rows: Iterable[tuple[str, VariantRow]]) -> None:
        """Save exact rows."""
        fresh = {
            key: self._with_known(key, row)
            for key, row in rows
            if row.exact and is_walked(key) and self._adds_to(key, row)
        }
        self.rows |= fresh
        if self._path is None or not fresh:
            return
        try:
            key = user_key()
            entries = [
                {"key": name, "row": (written := row.to_json()), "seal": seals.seal(key, _sealed(name, written))}
                for name, row in fresh.items()
            ]
            text = "".join(
                f"\n{json.dumps(entry)}\n" for entry in entries
            )  # the first newline ends a line that was left incomplete
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("ab") as file:
                if fcntl is not None:
                    fcntl.flock(file, fcntl.LOCK_EX)
                file.write(text.encode())
                file.flush()
                os.fsync(file.fileno())
        except (OSError, StoreError) as error:
            self._give_up(error)

    def _adds_to(self, key: str, row: VariantRow) -> bool:
        """Return whether a row says more than the saved one."""
        known = self.rows.get(key)
        return (
            known is None
            or (known.lines is None and row.lines is not None)
            or (known.metrics is None and is_saved(row.metrics))
        )

    def _with_known(self, key: str, row: VariantRow) -> VariantRow:
        """Return a row with what the saved one says besides, without figures that may change."""
        known = self.rows.get(key)
        lines = row.lines if known is None or row.lines is not None else known.lines
        metrics = row.metrics if is_saved(row.metrics) else None if known is None else known.metrics
        return replace(row, lines=lines, metrics=metrics)

    def _give_up(self, error: Exception) -> None:
        self._path = None
        why = atomic_files.reason(error) if isinstance(error, OSError) else str(error)
        atomic_files.warn(f"cannot use the saved variants, so ruse solves all of them: {why}")


def is_saved(metrics: VariantMetrics | None) -> bool:
    """Whether metrics stay as they are: complete, and ruse's own."""
    return (
        metrics is not None and metrics.complete and metrics.figures.keys() <= METRICS.keys() and bool(metrics.figures)
    )


def counted(path: Path) -> tuple[int, int]:
    """Count the valid lines of a file, and the invalid ones: of an older version, damaged or from elsewhere."""
    lines = [line for line in path.read_bytes().splitlines() if line.strip()]
    key = user_key_if_any()
    good = sum(_read(line, key) is not None for line in lines)
    return good, len(lines) - good


def _read(line: bytes, key: bytes | None) -> tuple[str, VariantRow] | None:
    """Read a line; None unless its seal is valid."""
    with suppress(KeyError, TypeError, ValueError, ZeroDivisionError):
        entry = json.loads(line)
        if seals.holds(key, _sealed(entry["key"], entry["row"]), entry["seal"]):
            return entry["key"], of_json(entry["row"])
    return None


def _sealed(key: str, row: object) -> bytes:
    return f"variant {key} {json.dumps(row, sort_keys=True)}".encode()
