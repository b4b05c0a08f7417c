"""What is hidden has a name, also where the other side holds the same as the side that looks."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import ruse as package
from ruse.insight import insight
from ruse.present.viewer import viewer

DICE = """
from fractions import Fraction
from ruse import CHANCE, END

class PayDice:
    def __init__(self, faces: int = 3): self.faces = faces
    def start(self): return (0, 0, ())
    def turn(self, state):
        if not state[1]: return CHANCE
        return END if state[2][-1:] == ("liar",) or len(state[2]) == 3 else len(state[2]) % 2
    def moves(self, state):
        if not state[1]: return list(range(1, self.faces + 1))
        higher = [bid for bid in range(1, 2 * self.faces + 2) if not state[2] or bid > state[2][-1]]
        return [*higher, "liar"] if state[2] else higher[:-3]
    def odds(self, state): return [Fraction(1, self.faces)] * self.faces
    def play(self, state, move):
        if not state[0]: return (move, 0, ())
        return (state[0], state[1], (*state[2], move)) if state[1] else (state[0], move, ())
    def knows(self, state, side): return (state[side], *state[2]) if state[side] else ()
    def payoff(self, state):
        bids = [bid for bid in state[2] if bid != "liar"]
        return 1 if (state[0] + state[1] >= bids[-1]) == (len(bids) % 2 == 1) else -1
"""


@pytest.fixture
def solution(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(tmp_path)
    Path("paydice.py").write_text(DICE)
    return package.solve(package.games.find("paydice.py"))


def test_an_opponent_with_my_own_number_is_named(solution: Any) -> None:
    views = viewer(solution)
    for position, side in (("pay-dice@2", 0), ("pay-dice@2/1", 1), ("pay-dice@3/1/2", 0)):
        hidden = {belief.what: belief.odds for belief in views.at(position, side).beliefs}
        assert list(hidden) == ["1", "2", "3"] and sum(hidden.values()) == 1
    assert {belief.what: belief.odds for belief in views.at("pay-dice@2", 0).beliefs}["2"] == Fraction(1, 3)


def test_insight_names_it_too(solution: Any) -> None:
    found = insight(solution)
    assert [belief.fact for belief in found.beliefs("pay-dice@2", 0, Fraction(0))] == ["1", "2", "3"]
    worst = found.worst("pay-dice@2", 0)
    assert worst is not None and worst.fact in ("1", "2", "3")


def test_where_nothing_is_hidden_nothing_is_named() -> None:
    views = viewer(package.solve(package.games.tic_tac_toe()))
    assert not views.at("tic-tac-toe", 0).beliefs
