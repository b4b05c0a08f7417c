"""What commands may say on stderr."""

from __future__ import annotations

import re


def only_progress(err: str) -> bool:
    """Whether there is nothing but what slow machines make long work say."""
    return all(re.match(r"\d+ s: ", line) for line in err.splitlines())
