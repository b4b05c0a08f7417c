"""Where ruse keeps what should last, and the key that seals it."""

from __future__ import annotations

import os
from pathlib import Path

from ruse.core import atomic_files, seals
from ruse.solution.container import StoreError


def state_folder() -> Path:
    """Where ruse keeps what should last: under $XDG_STATE_HOME, if that is set as it should be, or ~/.local/state."""
    given = Path(os.environ.get("XDG_STATE_HOME", ""))
    try:
        state = given if given.is_absolute() else Path.home() / ".local" / "state"
    except RuntimeError as error:
        raise StoreError("expected $XDG_STATE_HOME or a home folder to keep things in, got neither") from error
    return state / "ruse"


def user_key() -> bytes:
    """The key of this user's state folder, made if there is none. Raises StoreError."""
    folder = state_folder()
    try:
        return seals.made_key(folder)
    except OSError as error:
        raise StoreError(f"cannot keep a key in {folder}: {atomic_files.reason(error)}") from error


def user_key_if_any() -> bytes | None:
    """The key of this user's state folder; None where there is none, and so nothing that it has sealed."""
    try:
        return seals.read_key(state_folder())
    except StoreError:
        return None
