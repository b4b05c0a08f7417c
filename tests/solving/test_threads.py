"""Solving from many threads at once: every call answers, and the same."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import ruse
from ruse.core.game import Game

THREADS = 8
GAMES = (
    ruse.games.kuhn(),
    ruse.games.matrix("3 -1; -2 1"),
    ruse.games.kubicek(),
    ruse.games.mini_poker(),
    ruse.games.matrix("1e12 -1e-9; -3e-9 7e11"),
    ruse.games.tic_tac_toe(),
    ruse.games.resistance(players=5),
)


def differences(games: Sequence[Game], calls: int) -> list[str]:
    """What goes wrong when so many calls share some threads."""
    expected = [ruse.solve(game) for game in games]

    def call(number: int) -> str:
        game, known = games[number % len(games)], expected[number % len(games)]
        found = ruse.solve(game)
        same = found.certificate == known.certificate and found.tables == known.tables
        return "" if same else f"call {number} of {game.title}: {found.headline()}"

    with ThreadPoolExecutor(THREADS) as threads:
        return [text for text in threads.map(call, range(calls)) if text]


def test_calls_from_threads_do_not_disturb_each_other() -> None:
    assert differences(GAMES[:5], 200) == []
