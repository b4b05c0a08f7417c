"""Files that are never half-written and never endless to read.

Whenever the process ends, a path written here holds the old file or the new one.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from errno import EFBIG, EINVAL
from pathlib import Path
from secrets import token_hex


def replace(path: Path, content: bytes) -> None:
    """Put a whole new file in place of the old one; a link goes on to point where it does."""
    target = Path(os.path.realpath(path))
    if (found := trouble(target)) is not None:
        raise OSError(EINVAL, found, str(path))
    temporary = _beside(target)
    try:
        with temporary.open("xb") as file:
            file.write(content)
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
    if (found := trouble(target)) is not None:
        raise OSError(EINVAL, found, str(path))
    temporary = _beside(target)
    try:
        temporary.open("xb").close()
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
    temporary.unlink(missing_ok=True)


def _beside(target: Path) -> Path:
    return target.with_name(f".ruse-{token_hex(8)}.tmp")


def read(path: Path, most: int) -> bytes:
    """All bytes of an ordinary file. Raises an OSError or ValueError if it is none, or has more than `most`."""
    if (found := trouble(path)) is not None:
        raise OSError(EINVAL, found, str(path))
    with path.open("rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(EFBIG, f"more than {most:,} bytes", str(path))
    return content


def trouble(path: Path) -> str | None:
    """What is there instead of a file, if anything is: to replace a device would be a pity, to read one endless."""
    if path.is_dir():
        return "a folder"
    return "a device or pipe" if path.exists() and not path.is_file() else None


def warn(text: str) -> None:
    """Say on stderr what went wrong beside the work, which goes on; nobody may be there to hear it."""
    with suppress(OSError, ValueError, AttributeError):
        print(f"ruse: {text}", file=sys.stderr, flush=True)


def reason(error: OSError | ValueError) -> str:
    """What the system says, such as "no such file or directory"."""
    return str(getattr(error, "strerror", None) or error).lower()
