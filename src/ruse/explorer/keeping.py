"""Names of the files that the explorer keeps solutions in."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path

SENT = "sent-"


def path_for(folder: Path, title: str, tag: str = "") -> Path:
    """Where the solution of a game is kept; a tag keeps solutions of the same game apart."""
    safe = re.sub(r"[^a-z0-9-]+", "_", title.lower())[:80]
    mark = "" if safe == title else f"-{tag_of(title.encode())}"
    return folder / f"{safe}{mark}{tag and '.'}{tag}.ruse"


def source_of(path: Path) -> str:
    """What tells files apart in addresses, without naming folders."""
    return tag_of(str(path).encode())


def tag_of(content: bytes) -> str:
    """The same for the same content, so that what is asked for twice is kept once."""
    return sha256(content).hexdigest()[:8]


def sent_path(folder: Path, title: str, content: bytes) -> Path:
    """Where a file is kept that somebody sent."""
    return path_for(folder, title, SENT + tag_of(content))


def was_sent(path: Path) -> bool:
    return f".{SENT}" in path.name
