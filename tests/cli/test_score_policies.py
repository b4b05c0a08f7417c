"""`ruse score GAME policy.csv`: guarantees and exploitability of policies in tables and solution files."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

import ruse as package

Ruse = Callable[..., tuple[int, str, str]]  # the command line, as conftest.py has it
TABLE = "position,move,odds\nkuhn@J,check,0.333333\nkuhn@J,bet,0.666667\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.csv").write_text(TABLE, encoding="utf-8")
    return tmp_path


def test_a_solution_file_is_scored_exactly(folder: Path, ruse: Ruse) -> None:
    package.solve(package.games.kuhn(), "cfr+", iterations=20).save("kuhn.ruse")
    status, out, _ = ruse("score", "kuhn", "kuhn.ruse", "--json")
    found = json.loads(out)
    lower, upper = (Fraction(score["guarantee"]["exact"]) for score in found["scores"])
    assert status == 0 and [score["side"] for score in found["scores"]] == ["first", "second"]
    assert Fraction(found["nashconv"]["exact"]) == upper - lower == 2 * Fraction(found["exploitability"]["exact"])
    assert found["warnings"] == []
    status, out, _ = ruse("score", "kuhn", "kuhn.ruse", "--side", "Player 2")
    assert status == 0 and len(out.splitlines()) == 1 and "Player 2's strategy concedes Player 1 at most" in out


def test_a_table_of_floats(folder: Path, ruse: Ruse) -> None:
    status, out, err = ruse("score", "kuhn", "mine.csv")
    assert status == 0 and out == "Player 1's strategy gets at least -0.444445 against any opponent\n"
    assert "5 of 6 information sets of Player 1's policy have no odds, such as kuhn@K; ruse plays the uniform" in err
    status, out, _ = ruse("score", "kuhn", "mine.csv", "--json")
    found = json.loads(out)
    (score,) = found["scores"]
    assert score["guarantee"]["exact"] is None and 0 < score["guarantee"]["error"] < 1e-9
    assert "exploitability" not in found and len(found["warnings"]) == 1


def test_both_sides_in_one_table(folder: Path, ruse: Ruse) -> None:
    solution = package.solve(package.games.kuhn())
    solution.to_pandas().to_csv("both.csv", index=False)
    status, out, err = ruse("score", "kuhn", "both.csv")
    assert status == 0 and err == "" and out.splitlines()[-1] == "Exploitability = 0, NashConv = 0"
    solution.to_pandas().to_parquet("both.parquet")
    assert ruse("score", "kuhn", "both.parquet")[1] == out


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("kuhn", "mine.csv", "--strict"), "5 of 6 information sets of Player 1's policy have no odds"),
        (("leduc", "mine.csv"), "this policy is for another game: no position of leduc is called 'kuhn@J'"),
        (("kuhn", "none.csv"), "cannot read the table none.csv: no such file or directory"),
        (("kuhn", "mine.csv", "--side", "third"), "'third' is not a side of kuhn; use 0, 1, Player 1 or Player 2"),
        (("kuhn", "bad.csv"), "the odds at kuhn@J sum to 0.9, not to 1"),
        (("nim", "mine.csv"), "positions of nim do not show whose they are; name the side"),
    ],
)
def test_refusals(arguments: tuple[str, ...], reason: str, folder: Path, ruse: Ruse) -> None:
    Path("bad.csv").write_text("position,move,odds\nkuhn@J,check,0.9\n", encoding="utf-8")
    status, out, err = ruse("score", *arguments)
    assert (status, out) == (1, "") and reason in err and len(err.splitlines()) == 1
