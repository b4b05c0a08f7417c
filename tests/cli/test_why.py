"""`ruse show FILE.ruse POSITION --why[=MOVE]`: reasons in words and as data, and what is refused."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from ruse.solution.store import save
from stored import solved


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "kuhn.ruse"
    save(solved("kuhn"), path)
    return str(path)


def test_the_best_move_and_the_closest_wrong_one(ruse: Any, file: str) -> None:
    status, out, err = ruse("show", file, "kuhn@K/check", "--why")
    right, wrong = out.strip().split("\n\n")
    assert (status, err) == (0, "")
    assert right.startswith("Betting is best against") and wrong.startswith("Checking costs ")


def test_reasons_as_data(ruse: Any, file: str) -> None:
    status, out, _ = ruse("show", file, "kuhn@J", "--why=bet", "--json")
    told = json.loads(out)
    assert status == 0 and (told["position"], told["side"], list(told["why"])) == ("kuhn@J", "first", ["bet"])
    bet = told["why"]["bet"]
    assert bet["cost"] == "0" and bet["condition"] == "against an optimal Player 2" and bet["line"][0] == "kuhn@J"
    habit = next(reason for reason in bet["reasons"] if reason["kind"] == "habit")
    assert Fraction(habit["numbers"]["price"]) == Fraction(habit["strength"]) == Fraction(2, 9)
    assert bet["reasons"][0]["kind"] == "cost" and all(reason["text"].endswith(".") for reason in bet["reasons"])


def test_costs_are_left_out_rather_than_counted_against_somebody_else(
    ruse: Any, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the reference opponent takes too long; a move that is never made may cost 0 against another one."""
    monkeypatch.setattr("ruse.insight.costs.PATIENCE", 0.0)
    status, out, _ = ruse("show", file, "kuhn@Q")
    assert status == 0 and "What the moves cost is left out" in out and "costs nothing" not in out
    told = json.loads(ruse("show", file, "kuhn@Q", "--json")[1])["moves"]["first"]
    assert told["moves"] == {} and told["costs"] is None and told["odds"]["check"] == "1"


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["kuhn@J", "--why=dance"], 1, "there is no move 'dance' at kuhn@J; choose check, bet"),
        (["kuhn@Z", "--why"], 1, "expected a position of kuhn"),
        (["kuhn@Z/raise", "--why=bet"], 1, "expected a position of kuhn"),
        (["kuhn", "--why"], 1, "there is no move to explain at kuhn"),
        (["kuhn@J/check/check", "--why"], 1, "there is no move to explain at kuhn@J/check/check"),
        (["--why"], 2, "--why needs a position"),
    ],
)
def test_refused(ruse: Any, file: str, arguments: list[str], status: int, words: str) -> None:
    told = ruse("show", file, *arguments)
    assert told[0] == status and words in told[2] and told[1] == "" and "Traceback" not in told[2]
