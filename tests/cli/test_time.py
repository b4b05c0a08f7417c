"""What the commands say of runs that were cut short, and of those that were not."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ruse.core.clock import TimeIsUp


def test_solved_is_said_only_of_what_is_solved(ruse: Any) -> None:
    said = {
        ("--solver", "lp"): "Solved by lp",
        ("--solver", "cfr+", "--gap", "1e-3"): "Solved by cfr+",
        ("--solver", "cfr+", "--iterations", "5"): "Approximate: cfr+ reached a gap of",
        ("--solver", "cfr+", "--gap", "1e-9", "--iterations", "5"): "Approximate: cfr+ reached a gap of",
        ("--solver", "cfr+", "--time", "0.7"): "Stopped: cfr+ ran out of time after",
    }
    for options, sentence in said.items():
        status, out, _ = ruse("solve", "kuhn", *options)
        assert status == 0 and sentence in out, out
        assert ("Solved" in out) == sentence.startswith("Solved")
        assert ("(stopped: cfr+ ran out of time)" in out.splitlines()[0]) == sentence.startswith("Stopped")
        found = json.loads(ruse("solve", "kuhn", *options, "--json")[1])
        assert found["solver_finished"] is not sentence.startswith("Stopped")


def test_nothing_proved_is_status_1(ruse: Any) -> None:
    status, out, err = ruse("solve", "leduc", "--time", "1e-9")
    assert status == 1 and out.startswith("leduc: no bounds proved yet; payoffs lie between -13 and 13 (stopped: auto")
    assert "Solved" not in out and "no bounds proved yet" in err
    status, out, _ = ruse("solve", "leduc", "--time", "1e-9", "--json")
    found = json.loads(out)
    assert status == 1 and not found["certificate"]["exact"] and found["solver_finished"] is False


def test_sampling_goes_on_while_there_is_time(ruse: Any) -> None:
    """A game too large to walk used to be left after a quarter of its time, for writing that took far less."""
    status, out, _ = ruse("solve", "goofspiel", "--cards", "13", "--time", "3", "--json")
    found = json.loads(out)
    assert status == 1 and found["solver_finished"] is False and found["options"]["unjudged"]
    assert found["seconds"] >= 0.5 * 3  # not a quarter, on a busy machine either


@pytest.mark.parametrize("command", ["solve", "insight", "check", "sweep"])
def test_any_finite_time_will_do(ruse: Any, command: str) -> None:
    assert ruse(command, "kuhn", "--time", "1e308")[0] == 0
    for wrong in ("nan", "inf", "-inf"):
        status, _, err = ruse(command, "kuhn", f"--time={wrong}")
        assert status == 2 and "invalid number" in err


def test_insight_keeps_the_answers_that_it_has(ruse: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: Any, **__: Any) -> Any:
        raise TimeIsUp("late")

    monkeypatch.setattr("ruse.insight.engine.TreeInsight.simplest", late)
    status, out, err = ruse("insight", "kuhn", "--time", "600", "--simplest")
    assert status == 0 and out.startswith("kuhn: worth -1/18") and "give it more time for the rest" in err
    found = json.loads(ruse("insight", "kuhn", "--time", "600", "--simplest", "--json")[1])
    assert found["value"] == "-1/18" and found["complete"] is False and found["unique"]["second"]


def test_insight_into_what_is_not_solved_in_time_tells_the_bounds(ruse: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: Any, **__: Any) -> Any:
        raise TimeIsUp("late")

    monkeypatch.setattr("ruse.solvers.lp.run", late)
    monkeypatch.setattr("ruse.solving.solve_form.check_compiled", late)
    status, out, err = ruse("insight", "kuhn", "--time", "600")
    assert status == 1 and out.startswith("kuhn: worth between -0.2084 and 0.1667") and "give it more time" in err
    found = json.loads(ruse("insight", "kuhn", "--time", "600", "--json")[1])
    assert found["certificate"]["lower"] == "-5/24" and found["complete"] is False
