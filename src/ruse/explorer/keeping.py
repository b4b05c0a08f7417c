"""Names of the files that the explorer keeps solutions in."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path


def path_for(folder: Path, title: str, tag: str = "") -> Path:
    """Where the solution of a game is kept; a tag keeps solutions of the same game apart."""
    safe = re.sub(r"[^a-z0-9-]+", "_", title.lower())[:80]
    mark = "" if safe == title else f"-{sha256(title.encode()).hexdigest()[:8]}"
    return folder / f"{safe}{mark}{tag and '.'}{tag}.ruse"


def source_of(path: Path) -> str:
    """What tells files apart in addresses, without naming folders."""
    return sha256(str(path).encode()).hexdigest()[:8]
