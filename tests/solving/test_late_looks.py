"""Looks that cannot end in time are not begun, by clocks that move only when a test says so."""

from __future__ import annotations

from typing import Any

import pytest

from ruse import games, solve
from ruse.core import clock
from ruse.forms.integer_form import Compiled
from ruse.forms.sequence_form import sequence_form
from ruse.games.kuhn import Kuhn
from ruse.solvers.cfr import Cfr
from ruse.solvers.sampled import Sampled
from ruse.solvers.variants import VARIANTS
from ruse.solving import writing
from ruse.solving.iterate import loop
from ruse.solving.options import Limits, RunFiles


class Slow:
    """A clock that stands still, and work that moves it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now, self.begun = 0.0, 0
        monkeypatch.setattr(clock, "perf_counter", lambda: self.now)
        monkeypatch.setattr("ruse.solving.iterate.time.perf_counter", lambda: self.now)

    def work(self, seconds: float) -> None:
        self.begun += 1
        self.now += seconds


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Slow:
    return Slow(monkeypatch)


def slow_weights(slow: Slow, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a sampling run take longer than its time to say what it has come to."""
    weights = Sampled.weights

    def slowly(run: Sampled) -> Any:
        slow.work(70.0)
        clock.tick()
        return weights(run)

    monkeypatch.setattr(Sampled, "weights", slowly)


def test_a_first_look_that_is_not_done_in_time_leaves_the_uniform_strategy(
    slow: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not begun again once the time is up."""
    slow_weights(slow, monkeypatch)
    monkeypatch.setattr("ruse.solving.solve_form.UNIFORM_TAKES", 1.0)  # seconds: a large form
    solution = solve(games.kuhn(), "mccfr", time=60)
    assert slow.begun == 1 and solution.iterations == 0 and "uniform strategy" in solution.note
    assert solution.verify() == solution.certificate


def test_a_first_look_in_a_small_form_is_taken_although_the_time_is_up(
    slow: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow_weights(slow, monkeypatch)
    solution = solve(games.kuhn(), "mccfr", time=60)
    assert slow.begun == 2 and solution.iterations == 1


@pytest.mark.parametrize(("seconds", "looks"), [(6.0, 1), (13.0, 2), (17.0, 3)])
def test_a_look_begins_where_twice_its_time_is_left(slow: Slow, seconds: float, looks: int) -> None:
    compiled = Compiled(sequence_form(games.kuhn()))

    class SlowJudge:
        def certify(self, weights: Any) -> Any:
            slow.work(4.0)
            return compiled.certify(weights)

    with clock.deadline(seconds):
        ended = loop(
            Cfr(compiled, VARIANTS["cfr+"]), SlowJudge(), Limits(), RunFiles(), {}, lambda *_: None, look_takes=4.0
        )
    assert slow.begun == looks and slow.now < seconds and ended.stopped == "time"


def test_nobody_waits_for_draws_where_the_strategies_are_written_later(monkeypatch: pytest.MonkeyPatch) -> None:
    def written(*_: Any) -> Any:
        raise AssertionError("expected strategies to be written later")

    monkeypatch.setattr(writing.StrategyWriter, "seconds", lambda *_: 4_000.0)
    monkeypatch.setattr("ruse.solving.writing.as_tables", written)
    solution = solve(games.oshi_zumo(coins=3), "cfr+", time=1_000, iterations=2)
    assert solution.written and solution.win == {}


def test_importing_that_takes_all_of_the_time_leaves_the_uniform_strategy(
    slow: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A small form is built in a moment; nothing is compiled for it then."""
    monkeypatch.setattr("ruse.kernels._is_new", lambda sweep: hasattr(sweep, "py_func"))
    with clock.deadline(0.5):
        slow.work(3.0)
        solution = solve(games.kuhn(), "cfr+", time=0.5)
    assert solution.written and solution.iterations == 0 and "uniform strategy" in solution.note
    assert solution.verify() == solution.certificate


def test_time_that_is_up_before_a_walk_of_own_rules_keeps_the_bounds_of_the_form(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Own(Kuhn):
        pass

    def late(*_: Any) -> bool:
        raise clock.TimeIsUp("late")

    monkeypatch.setattr("ruse.solving.certify.walkable", late)
    solution = solve(Own(), "cfr+", time=600, iterations=20)
    assert solution.judged and solution.written and solution.certificate.gap < 1
