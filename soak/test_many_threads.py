"""Ten thousand calls of `ruse.solve` from eight threads: none fails, and all equal what one thread finds."""

from __future__ import annotations

from test_threads import GAMES, differences

CALLS = 10_000


def test_ten_thousand_calls() -> None:
    assert differences(GAMES, CALLS) == []
