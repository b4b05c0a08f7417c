"""The clock of a run: deadlines hold for what is called within them, and for nobody else."""

from __future__ import annotations

from math import inf
from threading import Thread

import pytest

from ruse.core import clock


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time by a clock that only moves when it is told to."""
    time = [100.0]
    monkeypatch.setattr(clock, "perf_counter", lambda: time[0])
    return time


def test_time_is_up_at_the_deadline_and_not_before(now: list[float]) -> None:
    with clock.deadline(2):
        now[0] += 2
        clock.tick()
        now[0] += 0.01
        with pytest.raises(clock.TimeIsUp):
            clock.tick()
    clock.tick()


def test_a_deadline_within_another_never_lasts_longer(now: list[float]) -> None:
    assert clock.left() == inf
    with clock.deadline(5):
        with clock.deadline(2):
            assert clock.left() == 2
        with clock.deadline(9):
            assert clock.left() == 5
        with clock.deadline(None):
            assert clock.left() == 5
        now[0] += 10
        assert clock.left() == -5
    assert clock.left() == inf


def test_a_deadline_is_the_business_of_its_own_thread(now: list[float]) -> None:
    found: list[float] = []
    with clock.deadline(1):
        thread = Thread(target=lambda: found.append(clock.left()))
        thread.start()
        thread.join()
    assert found == [inf]
