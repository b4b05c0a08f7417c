"""Where ruse keeps what should last, and the key that seals it."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from ruse.core import atomic_files, seals
from ruse.core.home import folder_in, home
from ruse.solution.container import StoreError


def state_folder() -> Path:
    """Where ruse keeps what should last: under $XDG_STATE_HOME, if that is set as it should be, or ~/.local/state."""
    try:
        state = folder_in("XDG_STATE_HOME") or home() / ".local" / "state"
    except RuntimeError as error:
        raise StoreError("there is no home folder to save to; set HOME or XDG_STATE_HOME") from error
    return state / "ruse"


def writable_folder(until_the_end: ExitStack, *needed: str) -> tuple[Path, bool]:
    """The folder that lasts, and True; where its folders `needed` cannot be written, a temporary one and a warning."""
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
    """The key of this user's state folder, made if there is none. Raises StoreError."""
    folder = state_folder()
    try:
        return seals.made_key(folder)
    except OSError as error:
        raise StoreError(f"cannot save a key in {folder}: {atomic_files.reason(error)}") from error


def user_key_if_any() -> bytes | None:
    """The key of this user's state folder; None where there is none, and so nothing that it has sealed."""
    try:
        return seals.read_key(state_folder())
    except StoreError:
        return None
