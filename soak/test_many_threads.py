"""Ten thousand calls of `ruse.solve` from eight threads: none fails, and all equal what one thread finds."""

from __future__ import annotations

from solving.test_threads import GAMES, differences

CALLS = 10_000
LARGER_CALLS = 200  # of games that take a tenth of a second or more


def test_ten_thousand_calls() -> None:
    assert differences(GAMES[:5], CALLS) == []


def test_larger_games() -> None:
    assert differences(GAMES, LARGER_CALLS) == []
