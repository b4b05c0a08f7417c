"""Sizes of variants before anything is solved, and what ruse says of a game that is too large."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ruse.cli.program import main
from ruse.core import size_estimate
from ruse.studio.fitting import fitting

BIDS = '''
from fractions import Fraction
from ruse import CHANCE, END


class Bids:
    """Roll, and bid higher and higher."""

    def __init__(self, bids: int = 6):
        self.bids = bids

    def start(self):
        return ()

    def turn(self, state):
        return CHANCE if len(state) < 2 else END if state[-1] == "call" else len(state) % 2

    def moves(self, state):
        if len(state) < 2:
            return [1, 2]
        return [*range((state[-1] if len(state) > 2 else 0) + 1, self.bids + 1), *["call"] * (len(state) > 2)]

    def odds(self, state):
        return [Fraction(1, 2)] * 2

    def play(self, state, move):
        return (*state, move)

    def knows(self, state, side):
        return (*state[side : side + 1], *state[2:])

    def payoff(self, state):
        true = state[0] + state[1] >= state[-2]
        return state[-2] if true == (len(state) % 2 == 0) else -state[-2]
'''


@pytest.fixture
def bids(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "bids.py").write_text(BIDS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "bids.py"


def test_where_a_game_stops_fitting(
    bids: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(size_estimate, "free_bytes", lambda: 10_000_000)
    assert main(["sizes", "bids.py", "--bids", "4|8|24", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [row["fits"] for row in rows] == [True, True, False]
    assert [row["route"] for row in rows] == ["sequence form", "sequence form", "sampling"]
    assert main(["sizes", "bids.py", "--bids", "4|8|24"]) == 0
    out = capsys.readouterr().out
    assert "by sampling, which proves nothing" in out and "From bids 24 on, variants do not fit in half of" in out


def test_a_game_that_is_too_large_says_what_to_do(
    bids: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["solve", "bids.py", "--bids", "40"]) == 1
    first, *ways = capsys.readouterr().err.splitlines()
    assert "is too large to solve: its tree has about 10^" in first and first.endswith("What you can do:")
    text = "\n".join(ways)
    for hint in ("ruse sizes bids.py:Bids --bids 13..40", "payoff_range()", "Symmetric", "public()", "cluster"):
        assert hint in text


def test_sampling_that_proves_nothing_says_so(bids: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = bids.read_text(encoding="utf-8").replace("    def start", "    wins = ('first', 'second')\n\n    def start")
    bids.write_text(text.replace("return state[-2] if true", "return 1 if true").replace("else -state[-2]", "else -1"))
    assert main(["solve", "bids.py", "--bids", "40", "--solver", "mccfr", "--iterations", "2"]) == 1
    shown = capsys.readouterr()
    assert "no bounds proved yet" in shown.out.splitlines()[0]
    assert "was only sampled: its tree has about" in shown.err and "an iteration sees about" in shown.err


def test_other_games_have_ways_of_their_own() -> None:
    assert {row.route for row in fitting("mafia", players="5..8")} == {"states"}
    assert all(row.fits and row.nodes for row in fitting("liars-dice", faces="2..3"))
