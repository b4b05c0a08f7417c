"""What the machine has to offer."""

from __future__ import annotations

import os
from pathlib import Path


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# The folders of the user: an empty or relative HOME or XDG_… counts as unset, as the XDG specification asks.
#
# Python takes an empty HOME for the root of the file system, so nothing in ruse asks for `Path.home()` but this.


def folder_in(variable: str) -> Path | None:
    """The folder that an environment variable names; None where it is unset, empty or relative."""
    folder = Path(os.environ.get(variable, ""))
    return folder if folder.is_absolute() else None


def home() -> Path:
    """The user's home folder: $HOME, or what the password database says. Raises RuntimeError where there is none."""
    try:
        from pwd import getpwuid
    except ImportError:  # Windows
        return Path.home()
    if (given := folder_in("HOME")) is not None:
        return given
    try:
        folder = Path(getpwuid(os.getuid()).pw_dir)
    except KeyError:
        raise RuntimeError("no home folder") from None
    if not folder.is_absolute():
        raise RuntimeError("no home folder")
    return folder
