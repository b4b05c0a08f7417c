"""Seals: what tells a file that ruse wrote for this user from one that was edited or came from elsewhere.

A seal is the HMAC-SHA-256 of some content under a key that a folder holds and only its owner can read. Whoever can read
the key can make seals: they guard against files that were copied, restored or changed by hand, not against the user.
"""

from __future__ import annotations

import hmac
import os
from contextlib import suppress
from errno import EINVAL
from hashlib import sha256
from pathlib import Path
from secrets import token_bytes, token_hex

from ruse.core import atomic_files

KEY = "key"
KEY_BYTES = 32
DIGITS = 32  # hexadecimal ones of a seal


def seal(key: bytes, content: bytes) -> str:
    """The seal of some content."""
    return hmac.new(key, content, sha256).hexdigest()[:DIGITS]


def holds(key: bytes | None, content: bytes, candidate: object) -> bool:
    """Whether a seal is that of some content; never without a key."""
    if key is None or not isinstance(candidate, str):
        return False
    return hmac.compare_digest(seal(key, content).encode(), candidate.encode())


def read_key(folder: Path) -> bytes | None:
    """The folder's key, if there is a whole one."""
    try:
        key = atomic_files.read(folder / KEY, KEY_BYTES)
    except (OSError, ValueError):
        return None
    return key if len(key) == KEY_BYTES else None


def made_key(folder: Path) -> bytes:
    """The folder's key; of several processes that make one at the same time, all get the first. Raises OSError."""
    if (key := read_key(folder)) is not None:
        return key
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    mine = folder / f".ruse-{token_hex(8)}.tmp"
    try:
        with os.fdopen(os.open(mine, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(token_bytes(KEY_BYTES))
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(mine, folder / KEY)
        except FileExistsError:
            if read_key(folder) is None:  # damaged: nothing that it sealed can be known any more
                mine.replace(folder / KEY)
        except OSError:  # a file system without links
            mine.replace(folder / KEY)
    finally:
        with suppress(OSError):
            mine.unlink(missing_ok=True)
    key = read_key(folder)
    if key is None:
        raise OSError(EINVAL, f"expected a key of {KEY_BYTES} bytes, got none", str(folder / KEY))
    return key
