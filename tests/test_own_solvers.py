"""Solvers of installed packages are found by name, held to what all solvers are held to, and never believed; what is
wrong with one is one sentence."""

from __future__ import annotations

import doctest
import json
import os
import re
import shlex
import sys
import tomllib
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import processes
import ruse as package
from conformance import SMALL, check_random_game, check_small_game
from installing import install
from ruse.cli.program import main
from ruse.core import entry_points
from ruse.core.game import Game, RuseError
from ruse.solvers import SOLVERS, names
from stderr import only_progress, said
from test_readme import SECONDS, commands
from toys import random_games

Ruse = Callable[..., tuple[int, str, str]]  # the command line, as conftest.py has it

PAGE = (Path(__file__).parent.parent / "docs" / "how-to" / "write-a-solver.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"\$ cat (\S+)\n(.*?)```", PAGE, re.DOTALL))
POINTS = tomllib.loads(FILES["pyproject.toml"])["project"]["entry-points"]["ruse.solvers"]
MODULES = {name.removesuffix(".py"): text for name, text in FILES.items() if name.endswith(".py")}
GROUP = "ruse.solvers"


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The package of the page."""
    monkeypatch.chdir(tmp_path)
    install(tmp_path, monkeypatch, POINTS, GROUP, **MODULES)
    return tmp_path


def brought(folder: Path, monkeypatch: pytest.MonkeyPatch, text: str, name: str = "mine") -> None:
    """A package whose solver is `solver`."""
    monkeypatch.chdir(folder)
    install(folder, monkeypatch, {name: "throwaway_solver:solver"}, GROUP, throwaway_solver=text)
    entry_points.warn_once.cache_clear()


def test_the_examples_of_the_page_run(installed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {}
    for language, block in re.findall(r"```(\w+)\n(.*?)```", PAGE, re.DOTALL):
        if language == "python":
            test = doctest.DocTestParser().get_doctest(block, names, "page", "page", 0)
            assert doctest.DocTestRunner(verbose=False).run(test, clear_globs=False).failed == 0
            names = test.globs  # later blocks go on with them
        for command, shown in commands(block) if language == "console" else ():
            program, *arguments = shlex.split(command)
            if program == "ruse":
                assert main(arguments) == 0, command
                printed = SECONDS.sub("… s", capsys.readouterr().out).splitlines()
                assert printed[: len(shown)] == shown, command


@pytest.mark.cases(12)
@pytest.mark.parametrize("game", SMALL, ids=[game.title for game in SMALL])
@pytest.mark.parametrize("solver", POINTS)
def test_solvers_of_packages_are_held_to_what_all_are_held_to(solver: str, game: Game, installed: Path) -> None:
    check_small_game(solver, game)


@pytest.mark.parametrize("solver", POINTS)
@settings(max_examples=6, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(game=random_games(), seed=st.integers(0, 1000))
def test_their_bounds_are_true_of_random_games(solver: str, game: Game, seed: int, installed: Path) -> None:
    check_random_game(solver, game, seed)


def test_a_solver_of_a_package_goes_everywhere(installed: Path, ruse: Ruse) -> None:
    assert [name for name in names() if name not in SOLVERS] == list(POINTS)
    assert "fictitious-play" in ruse("solve", "--help")[1]
    asked = ("solve", "kuhn", "--solver", "fictitious-play", "--iterations", "60")
    status, out, err = ruse(*asked, "--json", "--log", "k.csv", "--checkpoint", "k.ck", "--out", "k.ruse")
    assert status == 0 and only_progress(err)
    found = json.loads(out)
    assert (found["solver"], found["iterations"]) == ("fictitious-play", 60) and 0 < found["gap"] < 1
    assert Path("k.csv").read_text().splitlines()[-1].startswith("60,")
    assert ruse("verify", "k.ruse")[0] == 0 and "fictitious-play" in ruse("show", "k.ruse", "--json")[1]
    whole = package.solve(package.games.kuhn(), "fictitious-play", iterations=100).tables
    status, out, _ = ruse(*asked[:-1], "100", "--checkpoint", "k.ck", "--resume", "--out", "more.ruse")
    assert status == 0 and package.load("more.ruse").tables == whole  # killed and resumed, bit for bit
    again = [sys.executable, "-m", "ruse", *asked, "--json"]
    done = processes.run(again, capture_output=True, text=True, check=True, env=dict(os.environ))
    assert json.loads(done.stdout)["certificate"] == found["certificate"]


LIES = """
from fractions import Fraction
from ruse.forms.certificate import Certificate
from ruse.solvers.plans import CertifiedPlans

def solver(task):
    plans = [[1] * tree.sequences for tree in task.form.trees]
    print("trust me")
    return CertifiedPlans(plans, Certificate(Fraction(5), Fraction(5)), 7)
"""


def test_what_a_solver_says_of_its_plans_is_not_believed(
    tmp_path: Path, ruse: Ruse, monkeypatch: pytest.MonkeyPatch
) -> None:
    brought(tmp_path, monkeypatch, LIES)
    status, out, err = ruse("solve", "rock-paper-scissors", "--solver", "mine", "--json")
    found = json.loads(out)
    assert status == 0 and "trust me" in err and found["certificate"]["upper"] == "0"
    status, out, _ = ruse("solve", "kuhn", "--solver", "mine", "--json")
    assert (
        Fraction(json.loads(out)["certificate"]["lower"]) < Fraction(-1, 18) and not json.loads(out)["value"]["exact"]
    )


RUN = """
class solver:
    "Nothing in particular."
    def __init__(self, task):
        self.sizes = [tree.sequences for tree in task.form.trees]
    def run(self, iterations):
        {run}
    def weights(self):
        return {weights}
    def state(self):
        return {{}}
    def restore(self, state):
        pass
"""
EVEN = "[[1.0] * size for size in self.sizes]"
LATER = "[[{} if self.done > 1 else 1.0] * size for size in self.sizes]"  # after good weights
COUNT = "self.done = getattr(self, 'done', 0) + iterations"
BAD = {
    "raises": (
        RUN.format(run="1 / 0", weights=EVEN),
        "failed to continue after iteration 0: ZeroDivisionError.*line 7",
    ),
    "leaves": ("import sys\ndef solver(task):\n    sys.exit(0)\n", "failed to solve: SystemExit: 0 .*line 3"),
    "nothing": ("def solver(task):\n    pass\n", "expected weights of both sides, .* got NoneType"),
    "text": (
        "def solver(task):\n    return ['x'] * 9, ['x'] * 9\n",
        "a number as the weight of sequence 0, .* got 'x'",
    ),
    "too few": ("def solver(task):\n    return [1], [1]\n", "expected 9 weights, .* got 1"),
    "not a number": ("def solver(task):\n    return [float('nan')] * 9, [1] * 9\n", "at sequence 0: ValueError"),
    "NaN": (RUN.format(run=COUNT, weights=LATER.format("float('nan')")), "mine returned NaN weights at iteration 2"),
    "infinite": (RUN.format(run=COUNT, weights=LATER.format("1e999")), "mine returned infinite weights at iteration 2"),
    "negative": (RUN.format(run=COUNT, weights=LATER.format("-1.0")), "mine returned negative weights at iteration 2"),
    "below 0": ("def solver(task):\n    return [1] * 9, [-1] * 9\n", "mine returned a negative weight for sequence 0"),
    "one side": (
        RUN.format(run="pass", weights="[[1.0]]"),
        "give weights of both sides at iteration 1: ValueError",
    ),
    "shapes": (RUN.format(run="pass", weights="[[1.0], [1.0]]"), "expected 9 and 9 weights .* got 1 and 1"),
    "unfinished": (
        "class solver:\n    def run(self, iterations): ...\n",
        "got solver, which has no weights and no state",
    ),
    "value": ("solver = 3\n", "expected a SolverSpec, a class or a function for .*, got int"),
    "broken": ("1 / 0\n", "cannot import the entry point mine .*: ZeroDivisionError"),
    "misses": (
        "import nowhere_to_be_found\n",
        "the entry point mine .* imports nowhere_to_be_found, which is not installed",
    ),
    "another way": (
        "from ruse.solvers import SolverSpec\nsolver = SolverSpec('x', '', 'a:b', goes_by='game')\n",
        "expected a solver with goes_by='form' for .*, got 'game'",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_what_is_wrong_with_a_solver_is_one_sentence(
    case: str, tmp_path: Path, ruse: Ruse, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, sentence = BAD[case]
    brought(tmp_path, monkeypatch, text)
    status, out, err = ruse("solve", "kuhn", "--solver", "mine", "--iterations", "3")
    assert (status, out) == (1, "") and len(said(err)) == 1 and re.search(sentence, err), err


def test_solvers_that_fail_are_told_once_and_left_out_and_names_of_ruse_are_taken(
    tmp_path: Path, ruse: Ruse, monkeypatch: pytest.MonkeyPatch
) -> None:
    points = {"breaks": "throwaway_bad:solver", "lp": "throwaway_solver:solver", "mine": "throwaway_solver:solver"}
    install(tmp_path, monkeypatch, points, GROUP, throwaway_bad="1 / 0\n", throwaway_solver=LIES)
    entry_points.warn_once.cache_clear()
    status, out, err = ruse("solve", "kuhn", "--solver", "magic")
    assert (status, out) == (1, "") and "expected one of the solvers auto, lp, " in err
    assert ", mine, got 'magic'" in err and "the entry point breaks (throwaway_bad:solver)" in err
    assert "ruse already has a solver 'lp': give throwaway_solver:solver another name" in err
    assert len(said(err)) == 3
    assert len(said(ruse("solve", "kuhn", "--solver", "magic")[2])) == 1
    assert ruse("solve", "kuhn", "--solver", "lp")[1].startswith("kuhn: worth -1/18 ")  # ruse's own, and in silence
    assert package.solve(package.games.kuhn()).solver == "lp"


def test_a_solver_that_is_not_asked_for_is_not_imported(
    tmp_path: Path, ruse: Ruse, monkeypatch: pytest.MonkeyPatch
) -> None:
    brought(tmp_path, monkeypatch, "raise SystemError('nobody asked')\n")
    assert "mine" in ruse("solve", "--help")[1] and ruse("solve", "kuhn")[0] == 0
    assert "throwaway_solver" not in sys.modules


def test_a_spec_says_more(tmp_path: Path, ruse: Ruse, monkeypatch: pytest.MonkeyPatch) -> None:
    text = LIES + (
        "from ruse.solvers import SolverSpec\nrun = solver\n"
        "solver = SolverSpec('x', 'even odds', 'throwaway_solver:run', accepts=lambda game: game.name == 'kuhn',\n"
        "    refusal='expected kuhn for {solver}, got {game}', exact=True)\n"
    )
    brought(tmp_path, monkeypatch, text)
    with pytest.raises(RuseError, match="expected kuhn for mine, got leduc"):
        package.solve(package.games.leduc(), "mine")
    status, out, err = ruse("solve", "kuhn", "--solver", "mine")
    assert status == 1 and "not exact" in out and "the bounds are not equal" in err


OWN_WAY = """
from fractions import Fraction
from ruse.forms.certificate import Certificate
from ruse.solving.result import SolveResult
from ruse.core.game import describe

class Even:
    SOLVER = "even-odds"

    def refusal(asked):
        return "" if asked.teams else "expected teams for even-odds"

    def solve(game, solver, asked, report):
        {solve}
        positions = describe(game, game.knows((), 0)), describe(game, game.knows((1,), 1))
        tables = [{{position: {{"1": Fraction(1, 2), "2": Fraction(1, 2)}}}} for position in positions]
        return SolveResult("even-odds", tuple(tables), Certificate(Fraction(7), Fraction(7)), 3, "it says so")

class Pennies:
    parts = {{"solve": Even}}
    wins = ("first", "second")
    def start(self): return ()
    def turn(self, state): return len(state) if len(state) < 2 else -2
    def moves(self, state): return [1, 2]
    def odds(self, state): return []
    def play(self, state, move): return (*state, move)
    def knows(self, state, side): return "?" if side and state else ()
    def payoff(self, state): return 1 if state[0] == state[1] else -1
"""


def test_a_game_of_ones_own_may_bring_its_way_which_is_not_believed(
    tmp_path: Path, ruse: Ruse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pennies.py").write_text(OWN_WAY.format(solve="pass"))
    found = json.loads(ruse("solve", "pennies.py", "--json")[1])
    assert (found["solver"], found["why"], found["value"]["exact"]) == ("even-odds", "it says so", "0")
    assert json.loads(ruse("solve", "pennies.py", "--json", "--solver", "lp")[1])["solver"] == "lp"
    assert json.loads(ruse("solve", "pennies.py", "--json", "--no-teams")[1])["solver"] == "matrix"
    Path("raises.py").write_text(OWN_WAY.format(solve="1 / 0"))
    status, out, err = ruse("solve", "raises.py")
    assert (status, out) == (1, "") and "failed to solve with even-odds: ZeroDivisionError" in err
    assert "(raises.py, line 14)" in err and len(said(err)) == 1
