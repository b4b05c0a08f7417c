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


def test_a_deadline_may_count_from_an_earlier_moment(now: list[float]) -> None:
    begun = clock.moment()
    now[0] += 3
    with clock.deadline(5, begun):
        assert clock.left() == 2


def test_slowness_is_the_time_that_passed_over_what_the_processor_did(
    now: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It counts from the earlier moment too: imports are the first work that shows how busy a machine is."""
    worked = [7.0]
    monkeypatch.setattr(clock, "process_time", lambda: worked[0])
    begun = clock.moment()
    now[0], worked[0] = now[0] + 2, worked[0] + 0.5
    with clock.deadline(5, begun):
        assert clock.slowness() == 4


def test_a_moment_beyond_the_deadline_does_not_move_when_it_is_due(now: list[float]) -> None:
    with clock.deadline(2):
        now[0] += 3
        with clock.leaving(0.0, 0.5):
            assert clock.left() == 0.5 and clock.due() == -1
    assert clock.due() == inf
