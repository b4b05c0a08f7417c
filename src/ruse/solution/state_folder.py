"""The folder for files that ruse saves for later, and the key that seals them."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from ruse.core import atomic_files, seals
from ruse.core.machine import folder_in, home
from ruse.solution.container import StoreError


def state_folder() -> Path:
    """The folder `ruse` in $XDG_STATE_HOME, if that is set to an absolute path, or in ~/.local/state."""
    try:
        state = folder_in("XDG_STATE_HOME") or home() / ".local" / "state"
    except RuntimeError as error:
        raise StoreError("there is no home folder to save to; set HOME or XDG_STATE_HOME") from error
    return state / "ruse"


def writable_folder(until_the_end: ExitStack, *needed: str) -> tuple[Path, bool]:
    """Return the state folder and True, or a temporary folder and False, with a warning, if `needed` are read-only."""
    try:
        state = state_folder()
        for name in needed:
            (state / name).mkdir(mode=0o700, parents=True, exist_ok=True)
            atomic_files.check_writable(state / name / "any")
        return state, True
    except StoreError as error:
        trouble = str(error)
    except (OSError, ValueError) as error:
        trouble = f"cannot save {' and '.join(needed)} in {state}: {atomic_files.reason(error)}"
    atomic_files.warn(f"{trouble}; using a temporary folder until ruse ends")
    return Path(until_the_end.enter_context(TemporaryDirectory(prefix="ruse-"))), False


def user_key() -> bytes:
    """Read the key of this user's state folder, and make one if there is none. Raises StoreError."""
    folder = state_folder()
    try:
        return seals.made_key(folder)
    except OSError as error:
        raise StoreError(f"cannot save a key in {folder}: {atomic_files.reason(error)}") from error


def user_key_if_any() -> bytes | None:
    """Read the key of this user's state folder; None if there is none."""
    try:
        return seals.read_key(state_folder())
    except StoreError:
        return None
