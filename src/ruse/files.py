"""Files that are never half-written: whenever the process ends, the path holds the old file or the new one."""

from __future__ import annotations

import os
from contextlib import suppress
from errno import EINVAL
from pathlib import Path
from secrets import token_hex


def replace(path: Path, content: bytes) -> None:
    """Put a whole new file in place of the old one; a link goes on to point where it does."""
    target = Path(os.path.realpath(path))
    if (found := trouble(target)) is not None:
        raise OSError(EINVAL, f"expected a file to write to, got {found}", str(path))
    temporary = target.with_name(f".ruse-{token_hex(8)}.tmp")
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


def trouble(path: Path) -> str | None:
    """What is there instead of a file, if anything is: to replace a device would be a pity, to read one endless."""
    if path.is_dir():
        return "a folder"
    return "a device or pipe" if path.exists() and not path.is_file() else None


def reason(error: OSError | ValueError) -> str:
    """What the system says, such as "no such file or directory"."""
    return str(getattr(error, "strerror", None) or error).lower()
