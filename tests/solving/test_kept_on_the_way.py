"""What an iterating run has proved stays proved, whatever ends it: time, Ctrl-C, a fault, the memory or a kill."""

from __future__ import annotations

import os
import signal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ruse
from ruse import games, solve
from ruse.core import clock
from ruse.core.game import RuseError
from ruse.forms.certificate import Certificate, certify
from ruse.forms.integer_form import Compiled
from ruse.forms.sequence_form import sequence_form
from ruse.solution.strategy import Solution
from ruse.solvers.cfr import Cfr
from ruse.solvers.variants import VARIANTS
from ruse.solving import writing
from ruse.solving.iterate import RunResult, loop
from ruse.solving.options import Limits, RunFiles

FORM = sequence_form(games.kuhn())
UNIFORM = Fraction(3, 8)  # the gap of the uniform strategy of Kuhn poker
SOLVERS = (
    "cfr", "cfr+", "dcfr", "pcfr+", "sapcfr+", "pdcfr+", "mccfr", "mccfr-baseline", "first-order", "pdhg", "mmd", "xdo"
)  # fmt: skip


class Told:
    """The bounds that progress has shown."""

    def __init__(self) -> None:
        self.bounds: list[tuple[float, float]] = []

    def __call__(self, text: str, lower: float | None, upper: float | None) -> None:
        if lower is not None and upper is not None:
            self.bounds.append((lower, upper))


def check_no_wider(solution: Solution, told: Told) -> None:
    assert told.bounds
    lower, upper = told.bounds[-1]
    assert solution.certificate.lower >= Fraction(lower) and solution.certificate.upper <= Fraction(upper)


@pytest.mark.parametrize("solver", SOLVERS)
def test_time_leaves_strategies_with_the_bounds_that_progress_showed(solver: str) -> None:
    solve(games.kuhn(), solver, iterations=20)  # compiled, if it was not
    told = Told()
    solution = solve(games.kuhn(), solver, time=0.6, report=told)
    check_no_wider(solution, told)
    assert solution.written and solution.certificate.gap < UNIFORM / 2
    assert solution.verify() == solution.certificate
    assert not solution.solver_finished and not solution.solved and solution.options["stopped"] == "time"


@pytest.mark.parametrize("solver", ["cfr+", "pdhg"])
def test_a_reduced_form_loses_nothing_on_the_way_back(solver: str) -> None:
    solve(games.leduc(), solver, iterations=20)
    told = Told()
    solution = solve(games.leduc(), solver, time=1, report=told)
    check_no_wider(solution, told)
    assert solution.written and solution.certificate.gap < 1 and solution.verify() == solution.certificate


def test_progress_never_shows_bounds_that_widen() -> None:
    told = Told()
    solution = solve(games.kuhn(), "mccfr-outcome", iterations=400, report=told)
    assert all(a[0] <= b[0] and a[1] >= b[1] for a, b in zip(told.bounds, told.bounds[1:], strict=False))
    check_no_wider(solution, told)
    assert solution.verify() == solution.certificate and solution.solver_finished


class Worse:
    """A run whose plans are good at first and bad later, side by side; `fault` comes at its last iteration."""

    ended = False

    def __init__(self, fault: BaseException | None = None) -> None:
        self.iterations, self._fault = 0, fault
        solved = solve_plans()
        self._good = [np.array([float(weight) for weight in plan]) for plan in solved]

    def run(self, iterations: int) -> None:
        self.iterations += iterations
        if self._fault is not None and self.iterations >= 6:
            raise self._fault

    def weights(self) -> tuple[Any, Any]:
        first, second = (np.arange(1.0, len(good) + 1) ** 3 for good in self._good)
        return self._good[0] if self.iterations == 2 else first, self._good[1] if self.iterations == 4 else second

    def state(self) -> dict[str, Any]:
        return {"done": np.array([self.iterations])}

    def restore(self, state: Any) -> None:
        self.iterations = int(state["done"][0])


def solve_plans() -> tuple[list[Fraction], list[Fraction]]:
    from ruse.solvers.lp import lp

    return lp(FORM).plans


def run_worse(fault: BaseException | None = None, files: RunFiles = RunFiles(), most: int = 9) -> RunResult[Any]:  # noqa: B008
    return loop(Worse(fault), Compiled(FORM), Limits(iterations=most), files, {"game": "kuhn"}, lambda *_: None)


def check_best(ended: RunResult[Any]) -> None:
    assert ended.certified.certificate.gap < 1e-9
    assert certify(FORM, ended.certified.fractions()) == ended.certified.certificate


def test_each_side_keeps_its_best_plan() -> None:
    check_best(run_worse())


@pytest.mark.parametrize(
    ("fault", "word"),
    [
        (KeyboardInterrupt(), "interrupted"),
        (MemoryError(), "memory"),
        (clock.TimeIsUp("late"), "time"),
        (RuseError("it broke"), "error"),
        (ZeroDivisionError("division by zero"), "error"),
    ],
)
def test_whatever_ends_a_run_leaves_its_best_plans(fault: BaseException, word: str) -> None:
    ended = run_worse(fault)
    check_best(ended)
    assert ended.stopped == word and ended.iterations == 5
    assert ended.error == (str(fault) if word == "error" else "")


def test_a_killed_run_goes_on_with_its_best_plans(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The plans were better before the kill than any that come after it."""
    monkeypatch.setattr("ruse.solving.iterate.SAVE_EVERY", 0.0)
    monkeypatch.setattr("ruse.solving.iterate.MOST_SAVING", 1e9)
    kept = RunFiles(tmp_path / "run", resume=True)
    with pytest.raises(SystemExit):
        run_worse(SystemExit(), kept)
    check_best(run_worse(files=kept))


def test_bounds_in_a_checkpoint_are_certified_anew(tmp_path: Path) -> None:
    from ruse.solution import checkpoint

    file = tmp_path / "run"
    run_worse(files=RunFiles(file), most=3)
    arrays = checkpoint.load(file, {"game": "kuhn"})
    assert arrays is not None
    arrays["points"][-1, 2:] = (5.0, 5.0, 0.0)  # as if it had proved that the game is worth 5
    checkpoint.save(file, {"game": "kuhn"}, arrays)
    ended = run_worse(files=RunFiles(file, resume=True))
    assert ended.certified.certificate.upper < 1 and certify(FORM, ended.certified.fractions()).upper < 1
    arrays["best0"] = np.full_like(arrays["best0"], np.nan)
    checkpoint.save(file, {"game": "kuhn"}, arrays)
    with pytest.raises(checkpoint.CheckpointError, match="arrays of this run"):
        run_worse(files=RunFiles(file, resume=True))


def test_a_checkpoint_of_an_older_version_has_no_best_plans(tmp_path: Path) -> None:
    from ruse.solution import checkpoint

    file = tmp_path / "run"
    run_worse(files=RunFiles(file), most=3)
    arrays = checkpoint.load(file, {"game": "kuhn"})
    assert arrays is not None and {"best0", "best1"} <= {*arrays}
    checkpoint.save(file, {"game": "kuhn"}, {name: array for name, array in arrays.items() if "best" not in name})
    assert run_worse(files=RunFiles(file, resume=True)).iterations == 9


def test_ctrl_c_twice_keeps_the_last_bounds() -> None:
    compiled = Compiled(FORM)
    run = Cfr(compiled, VARIANTS["cfr+"])

    def report(text: str, lower: float | None, upper: float | None) -> None:
        if run.iterations >= 100:
            os.kill(os.getpid(), signal.SIGINT)
            os.kill(os.getpid(), signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        ended = loop(run, compiled, Limits(), RunFiles(), {}, report)
    finally:
        signal.signal(signal.SIGINT, before)
    assert ended.stopped == "interrupted" and ended.certified.certificate.gap < 0.05


def test_a_solver_without_progress_leaves_the_uniform_strategy(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: Any, **__: Any) -> None:
        raise clock.TimeIsUp("late")

    for solver, module in (("lp", "lp"), ("lcp", "lcp"), ("lemke-howson", "lemke_howson")):
        monkeypatch.setattr(f"ruse.solvers.{module}.run", late)
        solution = solve(games.kuhn(), solver, time=600)
        assert "returning the uniform strategy" in solution.note and solution.certificate.gap == UNIFORM
        assert {*solution.strategy(0).at("kuhn@Q").values()} == {Fraction(1, 2)}
        assert solution.verify() == solution.certificate and not solution.solver_finished


def test_time_that_is_left_makes_the_double_oracle_exact() -> None:
    """It used to stop where floats could do no more."""
    solution = solve(games.leduc(), "double-oracle", time=600)
    assert solution.certificate.exact and solution.solver_finished


def test_auto_goes_on_from_the_iterations_that_it_has_done(monkeypatch: pytest.MonkeyPatch) -> None:
    from ruse.solving import auto

    for name, value in {"SMALL": 0, "LARGEST_LP": 0, "FIRST_STEPS": 1, "FOR_SUPPORT": 5}.items():
        monkeypatch.setattr(auto, name, value)
    started: list[int] = []
    begin = Cfr.run

    def run(self: Cfr, iterations: int) -> None:
        started.append(self.iterations)
        begin(self, iterations)

    monkeypatch.setattr(Cfr, "run", run)
    monkeypatch.setattr("ruse.solving.solve_form._polish", lambda task, found, rounds: found)
    solve(games.kuhn(), time=600, gap=1e-2)
    assert started.count(0) == 1 and max(started) > 5


def test_strategies_are_written_when_somebody_looks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(writing, "SEQUENCE", 1e6)  # seconds
    solution = solve(games.kuhn(), time=600)
    assert type(solution.tables[0]) is not dict and solution.verify() == Certificate(Fraction(-1, 18), Fraction(-1, 18))
    assert len(solution.tables[0]) == 6 and solution.strategy(0).at("kuhn@J")
    assert ruse.load(solution.save(tmp_path / "k.ruse")).tables == solution.tables


def test_any_finite_time_will_do() -> None:
    assert solve(games.kuhn(), time=1e308).certificate.exact
    for time in (float("nan"), float("inf"), -1.0, 0.0):
        with pytest.raises(RuseError, match="expected a time of more than 0 seconds"):
            solve(games.kuhn(), time=time)


@pytest.mark.parametrize("solver", ["sapcfr+", "mmd", "xdo", "mccfr-baseline"])
def test_a_resumed_run_ends_as_one_without_a_stop(solver: str, tmp_path: Path) -> None:
    """Through a file, with the best strategies so far; and the same command twice gives the same answer."""
    straight = solve(games.leduc(), solver, iterations=60, seed=3)
    again = solve(games.leduc(), solver, iterations=60, seed=3)
    file = tmp_path / "run.checkpoint"
    solve(games.leduc(), solver, iterations=23, seed=3, checkpoint=file)
    with pytest.raises(RuseError, match=f"already holds 23 iterations of {solver.replace('+', '[+]')} on leduc"):
        solve(games.leduc(), solver, iterations=60, seed=3, checkpoint=file)
    resumed = solve(games.leduc(), solver, iterations=60, seed=3, checkpoint=file, resume=True)
    assert straight.tables == again.tables == resumed.tables
    assert straight.certificate == again.certificate == resumed.certificate
