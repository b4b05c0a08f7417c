"""Moves that are taken back, games that were left, and games that are seen once more."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruse import games
from ruse.play import session as sessions
from ruse.play.hint import hint
from ruse.play.replay import replay
from ruse.play.session import SessionError
from ruse.play.storage import Sessions
from ruse.solving.pipeline import solve


def test_a_move_that_is_taken_back_and_made_again_gives_the_same_game() -> None:
    first = sessions.begin(solve(games.leduc()), 0, seed=2)
    second = sessions.play(first, 1, "call")
    assert sessions.take_back(second, 2) == first
    assert sessions.play(sessions.take_back(second, 2), 1, "call") == second
    for session, number in ((first, 1), (second, 1), (second, 3)):
        with pytest.raises(SessionError):
            sessions.take_back(session, number)


def test_what_was_left_is_listed_and_what_is_over_is_not(tmp_path: Path) -> None:
    kept, solution = Sessions(tmp_path), solve(games.kuhn())
    left = sessions.begin(solution, 0, seed=3)
    done = sessions.play(sessions.begin(solution, 0, seed=3), 1, "bet")
    for session in (left, done):
        kept.save(session)
    (tmp_path / "aaaaaaaaaaaaaaaaaaaaaa.json").write_text("{}")
    assert done.over and [one.id for one in kept.unfinished(9)] == [left.id]
    kept.forget(left.id)
    assert kept.unfinished(9) == [] and kept.read(done.id).over
    assert kept.take_back(done.id, 2, lambda _: solution).decisions == []
    assert [one.id for one in kept.unfinished(9)] == [done.id]


def test_nothing_is_replayed_before_the_end() -> None:
    session = sessions.begin(solve(games.kuhn()), 0, seed=3)
    with pytest.raises(SessionError, match="this game is not over yet"):
        replay(session)
    over = sessions.play(session, 1, "bet")
    assert replay(over).then == over and replay(over, 1).then == session and replay(over, 1).move == "bet"
    for step in (0, 3):
        with pytest.raises(SessionError, match="expected a step of 1 to 2"):
            replay(over, step)


def test_a_hint_is_what_the_strategy_does() -> None:
    session = sessions.begin(solve(games.kuhn()), 0, seed=3)
    assert session.position == "kuhn@Q" and hint(session) == "Optimal play: always check"
    session = sessions.begin(solve(games.resistance()), 0, seed=3)
    assert hint(session) == "Optimal play: always send ab (2 of abcde)"
