"""Files that are never half-written and never endless to read.

Whenever the process ends, a path written here holds the old file or the new one.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from errno import EFBIG, EINVAL
from pathlib import Path
from secrets import token_hex
from time import time
from typing import BinaryIO

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]


FRESH = 60.0  # seconds, in which a half-written file is nobody else's business


def replace(path: Path, content: bytes | memoryview) -> None:
    """Put a whole new file in place of the old one; a link goes on to point where it does."""
    replace_in_parts(path, (content,))


def replace_in_parts(path: Path, parts: Iterable[bytes | memoryview]) -> None:
    """Write content in parts, which need not be in memory all at once."""
    target = Path(os.path.realpath(path))
    if (problem := trouble(target)) is not None:
        raise OSError(EINVAL, problem, str(path))
    temporary = _beside(target)
    try:
        with temporary.open("xb") as file:
            with suppress(OSError):  # not every system can
                _hold(file)
            for part in parts:
                file.write(part)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
    with suppress(OSError):  # not every system can sync a folder
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def check_writable(path: Path) -> None:
    """Raise an OSError or ValueError if no file could be written there; leaves nothing behind."""
    target = Path(os.path.realpath(path))
    if (problem := trouble(target)) is not None:
        raise OSError(EINVAL, problem, str(path))
    temporary = _beside(target)
    try:
        temporary.open("xb").close()
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
    temporary.unlink(missing_ok=True)


def _beside(target: Path) -> Path:
    _clear(target.parent)
    return target.with_name(f".ruse-{token_hex(8)}.tmp")


_cleared: set[Path] = set()


def _clear(folder: Path) -> None:
    """Remove what killed processes have left half-written in a folder, once in the life of a process.

    Whoever still writes a file holds it, and a file of the last moments may be about to be held.
    """
    if folder in _cleared:
        return
    _cleared.add(folder)
    with suppress(OSError):
        for path in folder.glob(".ruse-*.tmp"):
            with suppress(OSError):
                if time() - path.stat().st_mtime > FRESH:
                    with path.open("ab") as file:
                        _hold(file)
                        path.unlink(missing_ok=True)


def _hold(file: BinaryIO) -> None:
    """Keep a file from being cleared, until it is closed or this process ends; BlockingIOError if another holds it."""
    if fcntl is not None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Hold an existing file, as it is, so that of all who do so one at a time goes on; not every system can."""
    with ExitStack() as stack:
        with suppress(OSError):
            file = stack.enter_context(path.open("rb"))
            if fcntl is not None:
                fcntl.flock(file, fcntl.LOCK_EX)
        yield


def read(path: Path, most: int) -> bytes:
    """All bytes of an ordinary file. Raises an OSError or ValueError if it is none, or has more than `most`."""
    if (problem := trouble(path)) is not None:
        raise OSError(EINVAL, problem, str(path))
    with path.open("rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(EFBIG, f"it has more than {most:,} bytes", str(path))
    return content


def trouble(path: Path) -> str | None:
    """Why a path cannot be written or read as a file: a device must not be replaced, and reading one never ends."""
    if path.is_dir():
        return "it is a folder"
    return "it is a device or pipe" if path.exists() and not path.is_file() else None


def warn(text: str) -> None:
    """Say on stderr what went wrong beside the work, which goes on; nobody may be there to hear it."""
    with suppress(OSError, ValueError, AttributeError):
        print(f"ruse: {text}", file=sys.stderr, flush=True)


def reason(error: OSError | ValueError) -> str:
    """What the system says, such as "no such file or directory"."""
    return str(getattr(error, "strerror", None) or error).lower()
