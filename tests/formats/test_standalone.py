"""The file that checks itself: run by a Python without ruse, tampered with, and compared with the rules."""

from __future__ import annotations

import ast
import hashlib
import inspect
import json
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

import ruse
from amounts import some
from processes import run
from ruse.core.game import Game
from ruse.formats import standalone_check
from ruse.formats.standalone import tables_text, write_standalone
from ruse.solution.strategy import Solution
from ruse.verify.verifier import bounds
from stored import ODD_TABLE, forged, solved
from toys import random_games

DOCS = Path(__file__).parents[2] / "docs"
NAMED: list[tuple[str, Callable[[], Game]]] = [
    ("leduc", ruse.games.leduc),
    ("liar's dice", lambda: ruse.games.liars_dice(faces=4)),
    ("matrix", lambda: ruse.games.matrix("0 1/3 -1; 2 0 0.5", rows=["up", "down"])),
    ("goofspiel", lambda: ruse.games.goofspiel(cards=3)),
    ("resistance of three", lambda: ruse.games.resistance(*ODD_TABLE)),
    ("avalon of three", lambda: ruse.games.avalon(3, 1, [1] * 5)),  # whose entries stand for several moves
]


def python(path: Path, *arguments: str, isolated: bool = True) -> tuple[int, str, str]:
    """Run a file by Python: `isolated` from the environment and everything installed, as anywhere else."""
    flags = ["-I", "-S"] if isolated else []
    done = run([sys.executable, *flags, str(path), *arguments], capture_output=True, text=True, cwd=path.parent)
    return done.returncode, done.stdout, done.stderr


def edited(solution: Solution, change: Callable[[dict[str, Any], list[Any]], object]) -> str:
    """Tables that somebody has changed, with the checksum that belongs to them."""
    head, *rows = map(json.loads, tables_text(solution).splitlines())
    change(head, rows)
    body = "\n".join(json.dumps(row) for row in rows)
    head["sha256"] = hashlib.sha256(body.encode()).hexdigest()
    return f"{json.dumps(head)}\n{body}\n"


def refusal(text: str) -> str:
    with pytest.raises(standalone_check.Wrong) as caught:
        standalone_check.check(standalone_check.read(text))
    return str(caught.value)


def test_anybody_can_run_it(tmp_path: Path) -> None:
    status, out, err = python(write_standalone(solved("kuhn"), tmp_path / "check.py"))
    assert (status, err) == (0, "")
    assert "-1/18 <= value <= -1/18" in out and "proves the tables" in out


@pytest.mark.cases(4)
@pytest.mark.slow
@pytest.mark.parametrize("make", [pytest.param(make, id=name) for name, make in NAMED])
def test_named_games(make: Callable[[], Game], tmp_path: Path) -> None:
    solution = ruse.solve(make())
    path = write_standalone(solution, tmp_path / "check.py")
    status, out, _ = python(path)
    certificate = solution.certificate
    assert status == 0 and f"{certificate.lower} <= value <= {certificate.upper}" in out
    status, out, err = python(path, "--rules", "ruse", isolated=False)
    assert status == 0 and "The tables are those of the rules" in out, err


@pytest.mark.soak
def test_resistance_of_five_by_class(tmp_path: Path) -> None:
    path = write_standalone(solved("resistance"), tmp_path / "check.py")
    assert "-2/5 <= value <= -2/5" in python(path)[1]
    status, _, err = python(path, "--rules", "mine.py")
    assert status == 1 and "--rules ruse" in err
    assert python(path, "--rules", "ruse", isolated=False)[0] == 0


@settings(max_examples=some(40))
@given(random_games())
def test_random_games(game: Game) -> None:
    """The bounds are those of `ruse.verify`, which has another recursion."""
    solution = ruse.solve(game)
    found = standalone_check.check(standalone_check.read(tables_text(solution)))
    certificate = bounds(solution.game, solution.tables)
    assert found == (certificate.lower, certificate.upper)


def test_the_code_is_short_and_uses_the_standard_library_alone() -> None:
    source = inspect.getsource(standalone_check)
    assert len(source.splitlines()) <= 300
    imported = {
        name.split(".")[0]
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else [one.name for one in node.names])
    }
    assert imported - {"ruse"} <= sys.stdlib_module_names  # ruse only by --rules ruse


def test_the_documentation_shows_what_it_prints(tmp_path: Path) -> None:
    shown = re.search(r"\$ python check.py\n(.*?)```", (DOCS / "how-to/proofs.md").read_text(encoding="utf-8"), re.S)
    assert shown is not None
    assert python(write_standalone(solved("kuhn"), tmp_path / "check.py"))[1] == shown[1]


# What does not hold.


def test_changed_data_is_refused(tmp_path: Path) -> None:
    path = write_standalone(solved("kuhn"), tmp_path / "check.py")
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('["check","bet"],["2/3","1/3"]', '["check","bet"],["1/3","2/3"]', 1), encoding="utf-8")
    assert python(path) == (1, "", "NOT proved: the tables are not as they were written: their checksum differs.\n")
    path.write_text(text.replace('"lower": "-1/18"', '"lower": "-1/17"'), encoding="utf-8")
    assert python(path) == (1, "", "NOT proved: the lower bound is -1/18, but the file claims -1/17.\n")
    path.write_text(text.replace('[0,"kuhn@J"', '[0,kuhn@J"'), encoding="utf-8")
    assert python(path)[0] == 1


def _payoff(_: dict[str, Any], rows: list[Any]) -> None:
    place = next(number for number, row in enumerate(rows) if row == "1")
    rows[place] = "2"


def _odds(_: dict[str, Any], rows: list[Any]) -> None:
    rows[0][3] = ["1/2", "1/3"]


def _negative(_: dict[str, Any], rows: list[Any]) -> None:
    rows[0][3] = ["3/2", "-1/2"]


def _chance(head: dict[str, Any], rows: list[Any]) -> None:
    rows[head["information_sets"]][0][1] = "1/5"


def _merged(head: dict[str, Any], rows: list[Any]) -> None:
    """The first side forgets its move: where it has checked with J, it takes that for its first move."""
    first = [number for number, row in enumerate(rows) if isinstance(row, int) and rows[row][1] == "kuhn@J/check/bet"]
    rows[first[0]] = next(number for number, row in enumerate(rows) if isinstance(row, list) and row[1] == "kuhn@J")


def _short(_: dict[str, Any], rows: list[Any]) -> None:
    rows.pop()


def _long(_: dict[str, Any], rows: list[Any]) -> None:
    rows.append("0")


def _unknown(_: dict[str, Any], rows: list[Any]) -> None:
    rows[next(number for number, row in enumerate(rows) if isinstance(row, int))] = -1


def _silent(_: dict[str, Any], rows: list[Any]) -> None:
    rows[0][3] = None


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (_payoff, "bound is"),
        (_odds, "probabilities at kuhn@J are none"),
        (_negative, "probabilities at kuhn@J are none"),
        (_chance, "probabilities of a chance move sum to"),
        (_merged, "imperfect recall at kuhn@J"),
        (_short, "ends too early"),
        (_long, "more rows than states"),
        (_unknown, "no information set -1"),
        (_silent, "says nothing at kuhn@J"),
    ],
)
def test_tables_that_prove_nothing(change: Callable[[dict[str, Any], list[Any]], object], sentence: str) -> None:
    assert sentence in refusal(edited(solved("kuhn"), change))


def test_strategies_without_their_bounds_are_not_written(tmp_path: Path) -> None:
    bad = forged(solved("kuhn"), "kuhn@J", {"bet": Fraction(1)})
    with pytest.raises(ruse.RuseError, match="lower bound is"):
        write_standalone(bad, tmp_path / "check.py")
    missing = replace(solved("kuhn"), tables=({}, solved("kuhn").tables[1]))
    with pytest.raises(ruse.RuseError, match="says nothing at"):
        write_standalone(missing, tmp_path / "check.py")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: ruse.games.nim(heaps=[1, 2]), "ruse solves nim.* state by state, so there is no tree"),
        (lambda: ruse.games.resistance(players=7), "at most 500,000 states"),
        (ruse.games.tic_tac_toe, "at most 500,000 states"),
    ],
    ids=["nim", "resistance-7", "tic-tac-toe"],
)
def test_games_without_a_tree_that_fits(make: Callable[[], Game], sentence: str, tmp_path: Path) -> None:
    with pytest.raises(ruse.RuseError, match=sentence):
        write_standalone(ruse.solve(make()), tmp_path / "check.py")


# Rules.

COIN = '''
from fractions import Fraction

CHANCE, END = -1, -2


class Coin:
    """A coin falls heads with a bias; side 0 sees it and may say so, side 1 believes it or not."""

    def __init__(self, bias: Fraction = Fraction(1, 3), prize: int = 2):
        self.bias, self.prize = bias, prize

    def start(self):
        return ()

    def turn(self, state):
        return (CHANCE, 0, 1, END)[len(state)]

    def moves(self, state):
        return (["heads", "tails"], [("say", 1), ("say", 0)], ["believe", "doubt"])[len(state)]

    def odds(self, state):
        return [self.bias, 1 - self.bias]

    def play(self, state, move):
        return (*state, move)

    def knows(self, state, side):
        return state if side == 0 else state[1:]

    def payoff(self, state):
        coin, (_, said), answer = state
        if answer == "doubt":
            return -1 if (coin == "heads") != bool(said) else 1
        return self.prize if said else 0
'''


def test_rules_in_a_file(tmp_path: Path) -> None:
    """Without ruse: the tables are derived from the file alone, with the parameters that they are about."""
    mine = tmp_path / "mine.py"
    mine.write_text(COIN, encoding="utf-8")
    solution = ruse.solve(ruse.games.find(str(mine), {"bias": "2/5"}))
    path = write_standalone(solution, tmp_path / "check.py")
    for spelled in ("mine.py", "mine.py:Coin"):
        status, out, err = python(path, "--rules", spelled)
        assert (status, err) == (0, "") and f"The tables are those of the rules in {spelled}." in out

    for old, new, sentence in (
        ("self.prize if said", "1 + self.prize if said", "by the rules, but"),
        ("[self.bias, 1 - self.bias]", "[1 - self.bias, self.bias]", "by the rules, but"),
        ("state if side == 0", "state[1:] if side == 0", "information set"),
        ('["believe", "doubt"]', '["trust", "doubt"]', "is another one by the rules"),
        ('["believe", "doubt"]', '["believe", "doubt", "ask"]', "states"),
        ("return (*state, move)", "return oops", "the rules fail: NameError"),
    ):
        assert old in COIN
        mine.write_text(COIN.replace(old, new), encoding="utf-8")
        status, out, err = python(path, "--rules", "mine.py")
        assert status == 1 and out == "" and err.startswith("NOT proved: ") and "Traceback" not in err
        assert sentence in err, err


def test_rules_that_are_not_there(tmp_path: Path) -> None:
    path = write_standalone(solved("kuhn"), tmp_path / "check.py")
    (tmp_path / "none.py").write_text("x = 1\n", encoding="utf-8")
    for spelled, sentence in (
        ("nowhere.py", "there is no file of rules 'nowhere.py'"),
        ("none.py", "expected one game in none.py, got 0"),
        ("none.py:Game", "expected one game in none.py, got 0"),
        ("ruse", "No module named 'ruse'"),
    ):
        status, _, err = python(path, "--rules", spelled)
        assert status == 1 and sentence in err and "Traceback" not in err


# The command.


def test_the_command(ruse: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ruse("solve", "kuhn", "--out", "kuhn.ruse")
    status, out, _ = ruse("verify", "kuhn.ruse", "--standalone", "--out", "check.py", "--json")
    assert status == 0 and json.loads(out)["written"] == "check.py" and json.loads(out)["verified"] is True
    assert python(tmp_path / "check.py")[0] == 0
    for arguments in (("--standalone",), ("--out", "x.py")):
        status, _, err = ruse("verify", "kuhn.ruse", *arguments)
        assert status == 2 and "give both, or neither" in err
    status, _, err = ruse("verify", "kuhn.ruse", "--standalone", "--out", "nowhere/check.py")
    assert status == 1 and "does not exist" in err
    ruse("solve", "resistance", "--players", "7", "--out", "seven.ruse")
    status, out, err = ruse("verify", "seven.ruse", "--standalone", "--out", "seven.py")
    assert status == 1 and "at most 500,000 states" in err and out == "" and not Path("seven.py").exists()
