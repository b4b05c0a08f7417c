"""How many random cases a test tries: some of them in `make test`, all in `make soak`."""

from __future__ import annotations

import os

ALL = os.environ.get("RUSE_ALL") == "yes"


def some(many: int, part: int = 4) -> int:
    """One of so many parts, rounded up, or all of it."""
    return many if ALL else -(-many // part)
