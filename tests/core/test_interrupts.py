"""Rules that never answer are stopped, and only those."""

from __future__ import annotations

from signal import SIG_BLOCK, SIG_UNBLOCK, SIGALRM, pthread_sigmask
from time import sleep
from typing import Any

import pytest

import ruse
from ruse.core import interrupts
from ruse.core.contract import checked
from ruse.core.game import GameError

PATIENCE = 0.2  # seconds


class Slow:
    """Kuhn's poker, whose moves take their time."""

    def __init__(self, pause: Any) -> None:
        self.rules, self.pause = ruse.games.kuhn(), pause

    def __getattr__(self, name: str) -> Any:
        return getattr(self.rules, name)

    def moves(self, state: Any) -> Any:
        self.pause()
        return self.rules.moves(state)


def held_up() -> None:
    """As a process that stands still for longer than anybody has patience: what rings meanwhile, it hears once."""
    sleep(PATIENCE / 10)  # in which the time is up
    pthread_sigmask(SIG_BLOCK, {SIGALRM})
    try:
        sleep(2 * PATIENCE)
    finally:
        pthread_sigmask(SIG_UNBLOCK, {SIGALRM})


def test_rules_that_answer_once_their_process_goes_on_are_not_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interrupts, "PATIENCE", PATIENCE)
    game = checked(Slow(held_up))
    with interrupts.answering(1e-3):
        assert len(game.moves(game.start())) == 6


def test_rules_that_do_not_answer_are_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interrupts, "PATIENCE", PATIENCE)
    game = checked(Slow(lambda: sleep(600)))
    with interrupts.answering(1e-3), pytest.raises(GameError, match="did not answer in time"):
        game.moves(game.start())
