"""A solver in a notebook: `ruse.solve(game, MySolver)` and `ruse.iterate`; what is wrong with it is one sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import ruse
from ruse.core.arrays import Array
from ruse.core.types import Report
from ruse.solvers import SOLVERS, SolverSpec, Task, UnknownSolver
from ruse.solvers.plans import CertifiedPlans, uniform_plan

KUHN = ruse.games.kuhn()
VALUE = Fraction(-1, 18)
FORM = ruse.sequence_form(KUHN)


class FictitiousPlay:
    """Fictitious play (Brown 1951), on the public sequence form."""

    def __init__(self, task: Task) -> None:
        self.form = ruse.SequenceForm(task.game, task.form)
        self.played: list[Array] = [self.form.uniform_plan(side) for side in (0, 1)]

    def run(self, iterations: int) -> None:
        for _ in range(iterations):
            means = [played / played[0] for played in self.played]
            answers = [self.form.best_response(side, means[1 - side]).plan for side in (0, 1)]
            self.played = [played + answer for played, answer in zip(self.played, answers, strict=True)]

    def weights(self) -> list[Array]:
        return self.played


def fictitious_play(task: Task) -> Iterator[list[Array]]:
    run = FictitiousPlay(task)
    while True:
        run.run(1)
        yield run.weights()


def even(task: Task) -> list[list[int]]:
    return [[1] * tree.sequences for tree in task.form.trees]


@pytest.mark.parametrize("solver", [FictitiousPlay, fictitious_play])
def test_a_class_and_a_generator_function_are_solvers(solver: Any) -> None:
    solution = ruse.solve(KUHN, solver, iterations=300)
    assert solution.solver == solver.__name__ and solution.iterations == 300
    assert solution.certificate.lower <= VALUE <= solution.certificate.upper
    assert float(solution.certificate.gap) < 0.05 and solution.verify() == solution.certificate
    assert ruse.solve(KUHN, solver, iterations=300, polish=True).value == VALUE


def test_a_function_gives_weights_once() -> None:
    solution = ruse.solve(KUHN, even, forced=False)
    assert solution.solver == "even" and solution.certificate == FORM.bounds(*map(FORM.uniform_plan, (0, 1)))
    spec = SolverSpec(
        "mine",
        "",
        lambda task: CertifiedPlans(tuple(map(uniform_plan, task.form.trees)), solution.certificate, 0),  # type: ignore[arg-type]
    )
    assert ruse.solve(KUHN, spec, forced=False).certificate == solution.certificate


def test_a_generator_that_ends() -> None:
    def three(task: Task) -> Iterator[Any]:
        for _ in range(3):
            yield even(task)

    assert ruse.solve(KUHN, three, gap=1e-3).iterations == 3
    assert [step.iteration for step in ruse.iterate(KUHN, three)] == [1, 2, 3]


# Faults.


def yields(*answers: Callable[[Task], Any]) -> Callable[[Task], Iterator[Any]]:
    """A generator function whose steps are these; the last one repeats."""

    def mine(task: Task) -> Iterator[Any]:
        for answer in answers:
            yield answer(task)
        while answers:
            yield answers[-1](task)

    return mine


def broken(number: float) -> Callable[[Task], Any]:
    return lambda task: [np.full(tree.sequences, number) for tree in task.form.trees]


def changes(task: Task) -> Any:
    task.form.payoffs[0] = 0
    return even(task)


def raises(task: Task) -> Any:
    raise ZeroDivisionError("oops")


FAULTS: dict[str, Callable[[Task], Iterator[Any]]] = {
    "mine returned NaN weights at iteration 3": yields(even, even, broken(np.nan)),
    "mine returned infinite weights at iteration 2": yields(even, broken(np.inf)),
    "mine returned negative weights at iteration 1": yields(broken(-1.0)),
    "the solver mine ended without yielding strategies": yields(),
    "expected 13 and 13 weights from the solver mine at iteration 1, got 2 and 2": yields(lambda task: [[1, 1]] * 2),
    "the solver mine failed to give weights of both sides at iteration 1: TypeError": yields(lambda task: None),
    "the solver mine failed to continue after iteration 0: ValueError: assignment destination is read-only": yields(
        changes
    ),
    "the solver mine failed to continue after iteration 2: ZeroDivisionError: oops": yields(even, even, raises),
}


@pytest.mark.parametrize("reason", FAULTS)
def test_faults_name_the_iteration(reason: str) -> None:
    with pytest.raises(ruse.RuseError, match=re.escape(reason)) as caught:
        for _ in ruse.iterate(KUHN, FAULTS[reason]):
            pass
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("reason", [reason for reason in FAULTS if "oops" not in reason])
def test_a_solve_refuses_the_same(reason: str) -> None:
    with pytest.raises(ruse.RuseError, match=re.escape(reason)):
        ruse.solve(KUHN, FAULTS[reason], iterations=20, forced=False)


def test_what_was_found_before_a_fault_is_the_answer_and_the_fault_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    solution = ruse.solve(KUHN, yields(even, even, raises), iterations=20)
    assert solution.iterations == 2 and "ZeroDivisionError: oops" in solution.note
    assert "mine failed after iteration 2" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("solver", "reason"),
    [
        (3, "expected a SolverSpec, a class or a function for ruse.solve, got int"),
        (type("Lacking", (), {"run": None}), "which has no run and no weights"),
        (lambda task: [[1.0], [1.0]], "expected 9 weights, one per sequence, from the solver <lambda>, got 1"),
        (lambda task: [[float("nan")] * 9] * 2, "failed to give numbers as weights, at sequence 0: ValueError"),
        (lambda task: None, "expected weights of both sides, or a run"),
        (raises, "the solver raises failed to solve: ZeroDivisionError: oops"),
    ],
)
def test_what_is_no_solver(solver: Any, reason: str) -> None:
    with pytest.raises(ruse.RuseError, match=re.escape(reason)):
        ruse.solve(KUHN, solver)


def test_checkpoints_need_a_state(tmp_path: Any) -> None:
    with pytest.raises(ruse.RuseError, match="FictitiousPlay has no state and no restore, which a checkpoint needs"):
        ruse.solve(KUHN, FictitiousPlay, iterations=5, checkpoint=tmp_path / "x")
    with pytest.raises(ruse.RuseError, match="is a generator function, which a checkpoint cannot save: write a class"):
        ruse.solve(KUHN, fictitious_play, iterations=5, checkpoint=tmp_path / "x")

    with pytest.raises(ruse.RuseError, match="is a generator and has no state; write a class to save it"):
        next_state = ruse.iterate(KUHN, fictitious_play)
        next(next_state)
        next_state.state()


# Step by step.

ITERATING = [spec.name for spec in SOLVERS.values() if spec.iterates]


@pytest.mark.parametrize("name", ITERATING)
def test_steps_are_those_of_a_solve_without_reductions(name: str) -> None:
    run = ruse.iterate(KUHN, name, iterations=6, seed=3)
    steps = list(run)
    solution = ruse.solve(KUHN, name, iterations=6, seed=3, forced=False, refine=False)
    assert steps[-1].iteration == solution.iterations
    for step in steps:
        for side in (0, 1):
            FORM.check_plan(side, step.average[side])
            FORM.check_plan(side, step.plans[side])
    bounds = [step.bounds() for step in steps]
    best = max(one.lower for one in bounds), min(one.upper for one in bounds)
    assert best == (solution.certificate.lower, solution.certificate.upper)


def test_the_average_of_cfr_is_the_average_of_its_plans() -> None:
    steps = list(ruse.iterate(KUHN, "cfr", iterations=5))
    for side in (0, 1):
        mean = np.mean([step.plans[side] for step in steps], axis=0)
        assert steps[-1].average[side] == pytest.approx(mean)
    assert not np.allclose(steps[-1].plans[0], steps[-1].average[0])


def test_a_loop_can_be_left_changed_and_continued() -> None:
    run = ruse.iterate(KUHN, "cfr+")
    for step in run:
        if step.bounds().gap < 0.05:
            break
    assert run.iteration == step.iteration < 100 and "without reductions" in repr(run)
    kept, averaged = run.state(), run.step().average[0].copy()
    run.every, run.limit = 10, step.iteration + 25
    assert [one.iteration - step.iteration for one in run] == [10, 20, 25]
    run.limit += 1
    assert len(list(run)) == 1
    run.restore(kept)
    assert run.iteration == step.iteration and (run.step().average[0] == averaged).all()
    kept["total0"][:] = 1.0  # a changed state is gone on from
    run.restore(kept)
    assert not np.allclose(run.step().average[0], averaged)
    with pytest.raises(ruse.RuseError, match=r"this is not a state of cfr\+ on kuhn"):
        run.restore({})


def test_steps_keep_their_plans() -> None:
    first, second = ruse.iterate(KUHN, "cfr", iterations=2)
    assert not (first.average[0] == second.average[0]).all()
    with pytest.raises(ValueError, match="read-only"):
        first.plans[0][0] = 2
    assert ruse.exploitability(FORM, second.average) == pytest.approx(float(second.bounds().gap / 2), abs=1e-9)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("lp",), "lp does not iterate; use one of cfr, cfr+,"),
        (("auto",), "auto does not iterate; use one of cfr, cfr+,"),
        ((even,), "even does not iterate; use ruse.solve(game, even)"),
        (("cfr", 0), "every must be at least 1, got 0"),
        (("cfr", 1, 0), "iterations must be at least 1, got 0"),
    ],
)
def test_what_does_not_iterate(arguments: tuple[Any, ...], reason: str) -> None:
    names = dict(zip(("solver", "every", "iterations"), arguments, strict=False))
    with pytest.raises(ruse.RuseError, match=re.escape(reason)):
        ruse.iterate(KUHN, **names)
    assert issubclass(UnknownSolver, ruse.RuseError)


# What callbacks hear, and which reductions were used.


def test_callbacks_hear_the_bounds_of_their_iteration() -> None:
    heard: dict[int, tuple[float, float]] = {}

    def report(text: str, lower: float | None, upper: float | None) -> None:
        found = re.match(r"iteration ([\d,]+)", text)
        if found and lower is not None and upper is not None:
            heard[int(found[1].replace(",", ""))] = lower, upper

    hears: Report = report
    solution = ruse.solve(KUHN, "cfr", iterations=60, report=hears)
    points = {point.iteration: (point.lower, point.upper) for point in solution.points}
    assert heard and heard.items() <= points.items() and {1, 2, 3} <= heard.keys()


def test_a_solve_names_its_reductions() -> None:
    assert ruse.solve(KUHN).to_json()["reductions"] == ["forced"]
    assert ruse.solve(KUHN, forced=False).to_json()["reductions"] == []
    assert ruse.solve(ruse.games.leduc()).reductions == ("symmetry",)
    assert ruse.solve(ruse.games.leduc(), "cfr+", gap=0.5).reductions == ("refine",)
    assert ruse.solve(ruse.games.resistance(players=5)).reductions == ("teams", "symmetry", "forced")


def test_a_file_does_not_say_which_reductions_were_used(tmp_path: Any) -> None:
    loaded = ruse.load(ruse.solve(KUHN).save(tmp_path / "kuhn.ruse"))
    assert loaded.reductions is None and "reductions" not in loaded.to_json()
