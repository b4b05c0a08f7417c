"""What commands may say on stderr."""

from __future__ import annotations

import re


def only_progress(err: str) -> bool:
    """Whether there is nothing but what slow machines make long work say."""
    return not said(err)


def said(err: str) -> list[str]:
    """The lines that any machine says."""
    return [line for line in err.splitlines() if not re.match(r"\d+ s: ", line)]
