"""The time of a whole run: by a clock that moves a little whenever it is looked at, what is proved by then is told."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from math import inf
from pathlib import Path
from typing import Any

import pytest

from ruse import Game, games, kernels, solve
from ruse.core import clock
from ruse.core.clock import TimeIsUp
from ruse.forms import integer_form
from ruse.forms.integer_form import Compiled
from ruse.forms.reductions import reduce
from ruse.forms.sequence_form import sequence_form
from ruse.solvers import double_oracle as polishing
from ruse.solving import auto, writing
from ruse.verify import VerifyError

RULES = ("start", "turn", "moves", "odds", "play", "knows", "payoff", "label", "format_position")
STEP = 1e-3  # seconds that pass between two looks
GAMES: dict[str, tuple[Callable[[], Game], str, Fraction]] = {
    "leduc": (games.leduc, "cfr+", Fraction(-13)),
    "kuhn": (games.kuhn, "auto", Fraction(-2)),
    "matrix": (lambda: games.matrix("3 -1; -2 1"), "auto", Fraction(-2)),
    "resistance": (lambda: games.resistance(6), "auto", Fraction(-1)),
    "resistance by its tree": (lambda: games.resistance(5), "lp", Fraction(-1)),
    "tic-tac-toe": (games.tic_tac_toe, "auto", Fraction(-1)),
    "nim": (games.nim, "auto", Fraction(-1)),
    "pig": (lambda: games.pig(goal=10), "auto", Fraction(-1)),
    "sampled": (lambda: games.goofspiel(cards=13), "auto", Fraction(-1)),
    "4-in-a-row": (games.four_in_a_row, "auto", Fraction(-1)),
    "phantom": (games.phantom_tic_tac_toe, "auto", Fraction(-1)),
}


@pytest.fixture
def ticking(monkeypatch: pytest.MonkeyPatch) -> None:
    time = [0.0]

    def now() -> float:
        time[0] += STEP
        return time[0]

    monkeypatch.setattr(clock, "perf_counter", now)


@pytest.mark.cases(22)
@pytest.mark.usefixtures("ticking")
@pytest.mark.parametrize("looks", [1, 3, 30, 300])
@pytest.mark.parametrize("name", GAMES)
def test_a_run_ends_with_bounds_that_hold_wherever_its_time_is_up(name: str, looks: int) -> None:
    make, solver, least = GAMES[name]
    game = make()
    solution = solve(game, solver, time=looks * STEP)
    lower, upper = solution.certificate.lower, solution.certificate.upper
    assert least <= lower <= upper
    if not solution.written:
        assert solution.tables == ({}, {}) and not solution.solver_finished
        with pytest.raises(VerifyError, match="time ran out before they were written"):
            solution.verify()
    elif solution.judged:
        assert solution.verify() == solution.certificate


@pytest.mark.usefixtures("ticking")
def test_every_walk_looks_at_the_clock() -> None:
    """Time that is up at the first look ends every way to a solution, before it has done anything long."""
    for make, solver, least in [GAMES[name] for name in GAMES if name not in ("kuhn", "matrix")]:
        solution = solve(make(), solver, time=STEP / 10)
        assert not solution.judged and solution.certificate.lower == least


def test_a_game_that_does_not_say_what_it_pays_has_no_answer_before_one_is_proved() -> None:
    with pytest.raises(TimeIsUp, match="time ran out before there was an answer"):
        solve(_Hidden(games.kuhn()), time=1e-9)


class _Hidden:
    """A game without a payoff range: no more than the rules."""

    def __init__(self, game: Any) -> None:
        for name in (*RULES, "name", "title", "parameters", "sides", "wins"):
            setattr(self, name, getattr(game, name))


def test_strategies_that_there_is_no_time_for_are_written_later_or_leave_the_bounds(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, ruse: Any
) -> None:
    """They are written when somebody looks at them, but where the game itself was reduced."""
    monkeypatch.setattr("ruse.solving.writing.SEQUENCE", 1e6)  # seconds
    file = tmp_path / "k.ruse"
    words = ("solve", "matrix", "--payoffs", "1 0; 0 1", "--time", "600")
    status, out, err = ruse(*words, "--out", str(file))
    assert (status, err) == (0, "") and "worth 1/2" in out and "r1 or r2, equally often (1/2)" in out
    assert ruse("verify", str(file))[0] == 0
    monkeypatch.setattr("ruse.solving.routes.sequence_form._reduced_game", lambda game, *_: reduce(game, symmetry=True))
    status, out, err = ruse("solve", "leduc", "--time", "600", "--out", str(file))
    assert (status, err) == (0, "") and "before the strategies were written" in out and "Check it" not in out
    status, out, err = ruse("verify", str(file))
    assert status == 1 and "time ran out before they were written" in out
    assert ruse("show", str(file))[0] == 0
    found = json.loads(ruse("solve", "leduc", "--time", "600", "--json")[1])
    assert found["options"] == {"time": 600.0, "unwritten": True} and found["certificate"]["exact"]


def test_time_that_is_not_asked_for_is_never_up() -> None:
    assert clock.left() == inf
    assert solve(games.kuhn()).certificate.exact and clock.left() == inf
    solve(games.kuhn(), time=600)
    assert clock.left() == inf


def test_code_that_has_yet_to_be_compiled_is_not_used_in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ruse.kernels._is_new", lambda sweep: hasattr(sweep, "py_func"))
    monkeypatch.setattr(clock, "perf_counter", lambda: 0.0)  # so that nothing else takes the time
    hurried = solve(games.leduc(), "cfr+", time=1.4)
    assert hurried.iterations == 0 and "uniform strategy" in hurried.note and "compiling" in hurried.note
    assert hurried.verify() == hurried.certificate and not hurried.solver_finished
    assert solve(games.leduc(), "cfr+", iterations=3).iterations == 3  # nobody waits


def test_symmetry_in_a_small_form_needs_no_compiled_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ruse.kernels._is_new", lambda sweep: hasattr(sweep, "py_func"))
    monkeypatch.setattr(clock, "perf_counter", lambda: 0.0)
    assert "after symmetry" in solve(games.leduc(), "cfr+", time=1.4).note


def test_iterations_get_the_time_that_writing_would_take_too_much_of(monkeypatch: pytest.MonkeyPatch) -> None:
    """Strategies are then written when somebody looks at them."""
    left: list[float] = []
    monkeypatch.setattr(writing.StrategyWriter, "seconds", lambda *_: 400.0)

    def stopped(*_: Any, **__: Any) -> Any:
        left.append(clock.left())
        raise TimeIsUp("the time is up")

    monkeypatch.setattr("ruse.solving.solve_form._solve_by", stopped)
    solution = solve(games.kuhn(), "cfr+", time=1_000)
    assert left[0] > 800 and solution.written and solution.verify() == solution.certificate


def test_strategies_by_class_are_written_when_somebody_looks_at_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is no time for that, they are not left out."""
    monkeypatch.setattr(writing.StrategyWriter, "seconds", lambda *_: 4_000.0)
    solution = solve(games.resistance(3, 1, (1, 2, 1, 2, 2), (1, 1, 1, 1, 1)), "cfr+", time=1_000, gap=0.01)
    assert solution.written and solution.iterations
    assert solution.verify().gap == solution.certificate.gap <= Fraction(1, 100)


def test_a_games_own_kernel_is_compiled_code_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ruse.kernels._is_new", lambda sweep: hasattr(sweep, "py_func"))
    assert not solve(games.phantom_tic_tac_toe(), time=1.4).judged


def test_bounds_seen_before_the_time_was_up_are_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a run was in the middle of: what its last look has proved is not lost."""
    from ruse.forms.integer_form import Compiled

    certify, looks = Compiled.certify, [0]

    def late(self: Any, weights: Any) -> Any:
        looks[0] += 1
        if looks[0] > 4:
            raise TimeIsUp("the time is up")
        return certify(self, weights)

    monkeypatch.setattr(Compiled, "certify", late)
    solution = solve(games.kuhn(), "cfr+", time=600)
    assert solution.iterations == 4 and solution.verify() == solution.certificate


@pytest.mark.usefixtures("ticking")
def test_no_attempt_takes_all_the_time_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where polishing goes on and on, what it leaves goes to iterations that bring the bounds together."""
    for name, value in {"SMALL": 0, "LARGEST_LP": 0, "FIRST_STEPS": 1, "FOR_SUPPORT": 2}.items():
        monkeypatch.setattr(auto, name, value)
    monkeypatch.setattr(kernels, "_compiling_takes", lambda _: 0.0)  # whatever else this process has imported
    made: list[Compiled] = []
    monkeypatch.setattr(integer_form, "Compiled", lambda form: made.append(Compiled(form)) or made[-1])

    def endless(*_: Any, **__: Any) -> None:
        while True:
            clock.tick()

    monkeypatch.setattr(polishing, "polish", endless)
    told: list[str] = []
    found = solve(games.liars_dice(3), time=9_000 * STEP, gap=1e-3, report=lambda text, *_: told.append(text))
    assert found.solver == "pdcfr+" and found.certificate.gap <= 1e-3 and len(made) == 1
    assert any(text.startswith("polishing") for text in told)
    hurried, patient = (auto.choose(sequence_form(games.kuhn()), iterating=False, seconds=one) for one in (9, inf))
    assert [one.solver for one in hurried.attempts] == ["pdhg", "pdcfr+", "pdcfr+"]
    assert [one.solver for one in patient.attempts] == ["pdhg", "pdcfr+", "lp"]
