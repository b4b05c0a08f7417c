"""Drills: what is dealt, what an answer is worth, and the score that is kept."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from datetime import date, timedelta
from fractions import Fraction
from pathlib import Path
from random import Random
from threading import Thread

import pytest

import ruse as package
from ruse.core.game import GameError, PositionError
from ruse.play import scores as kept
from ruse.play.coach import QuickInsight
from ruse.play.drill import Drill, weight
from ruse.play.rival import IllegalMove
from ruse.play.scores import AnswerTally, DrillScore, Scores
from ruse.play.session import SessionError
from ruse.present.viewer import viewer
from ruse.solution.container import StoreError

Ruse = Callable[..., tuple[int, str, str]]
KUHN = package.solve(package.games.kuhn())


@pytest.fixture(autouse=True)
def _no_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine is no failure."""
    monkeypatch.setattr("ruse.play.coach.QUICK", 60.0)
    monkeypatch.setattr("ruse.play.drill.BRIEF", 60.0)


def drill(solution: package.Solution = KUHN, side: int = 0) -> Drill:
    views = viewer(solution)
    return Drill(solution, side, views, QuickInsight(solution, views))


def test_deals_are_decisions_that_something_depends_on() -> None:
    here = drill()
    found = here.looked_at(Random(1))
    assert len(found) >= 4 and len({one.position for one in found}) == len(found)
    assert all(one.stake > 0 and len(one.session.choices) == 2 for one in found)
    dealt = {here.deal(DrillScore(), Random(seed)).position for seed in range(6)}
    assert len(dealt) > 1
    assert {one.position: one.stake for one in found}["kuhn@J/check/bet"] == Fraction(1, 6)  # if it always calls


def test_the_costly_and_what_went_wrong_comes_up_most() -> None:
    cheap, dear = sorted(drill().looked_at(Random(1)), key=lambda one: one.stake)[:: len(KUHN.game.sides) + 1][:2]
    assert weight(cheap, DrillScore()) < weight(dear, DrillScore())
    wrong, right = (DrillScore({}, {cheap.position: AnswerTally(8, count)}) for count in (0, 8))
    assert weight(cheap, wrong) == pytest.approx(17 * weight(cheap, DrillScore()))
    assert weight(cheap, right) == pytest.approx(weight(cheap, DrillScore()) / 9)


def test_an_answer_is_right_if_some_optimal_strategy_makes_it() -> None:
    here = drill()
    bluff = here.mark(here.at("kuhn@J"), "bet")
    assert bluff.right and bluff.cost == 0 and bluff.verdict.price == Fraction(2, 9)
    assert "As a fixed habit it would cost" in bluff.text(KUHN) and "bet 0 to 1/3" in bluff.text(KUHN)
    call = here.mark(here.at("kuhn@J/check/bet"), "call")
    assert not call.right and call.cost == call.verdict.price == Fraction(1, 6)
    assert call.text(KUHN).startswith("Not optimal") and "The only optimal move here is fold." in call.text(KUHN)
    with pytest.raises(IllegalMove):
        here.mark(here.at("kuhn@J"), "raise")
    with pytest.raises(PositionError, match="where Player 1 moves"):
        here.at("kuhn@J/check")


def test_a_game_without_secrets_is_drilled_by_what_moves_lose() -> None:
    solution = package.solve(package.games.nim((1, 2)))
    here = drill(solution)
    question = here.deal(DrillScore(), Random(1))
    marks = [here.mark(question, move) for move in question.session.options or ()]
    assert {one.right for one in marks} == {True, False} and all(one.cost > 0 for one in marks if not one.right)


def test_a_side_that_nothing_depends_on_cannot_be_drilled() -> None:
    solution = package.solve(package.games.matrix("0 0; 0 0"))
    with pytest.raises(GameError, match="there is nothing to drill"):
        drill(solution).deal(DrillScore(), Random(0))


def test_the_score_follows_over_days(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, scores = KUHN.game, Scores(tmp_path)

    class Later(date):
        @classmethod
        def today(cls) -> date:
            return date(2026, 11, 16) + timedelta(days=scores.of(game, 0).total.answered // 2)

    monkeypatch.setattr(kept, "date", Later)
    for number in range(1, 6):
        scores.add(game, 0, number, "kuhn@J", number % 2 == 0, Fraction(number % 2, 18))
    score = Scores(tmp_path).of(game, 0)
    assert score.total == AnswerTally(5, 2, Fraction(3, 18))
    assert list(score.days) == ["2026-11-16", "2026-11-17", "2026-11-18"]
    assert score.positions["kuhn@J"].answered == 5 and Scores(tmp_path).of(game, 1) == DrillScore()
    assert [(one.title, one.side) for one in scores.all()] == [("kuhn", "first")]


def test_no_answer_counts_twice_and_none_is_lost(tmp_path: Path) -> None:
    game = KUHN.game
    Scores(tmp_path).add(game, 0, 1, "kuhn@J", True, Fraction(0))
    with pytest.raises(SessionError, match="another tab"):
        Scores(tmp_path).add(game, 0, 1, "kuhn@J", True, Fraction(0))
    refused: list[int] = []

    def answer() -> None:
        scores, given = Scores(tmp_path), 0
        while given < 10:
            try:
                number = scores.of(game, 1).total.answered + 1
                scores.add(game, 1, number, "kuhn@J/bet", True, Fraction(0))
                given += 1
            except SessionError:
                refused.append(1)

    both = [Thread(target=answer) for _ in range(2)]
    for one in both:
        one.start()
    for one in both:
        one.join()
    assert Scores(tmp_path).of(game, 1).total.answered == 20


@pytest.mark.parametrize(
    "spoiled",
    [
        "",
        "[]",
        '{"format": 2}',
        '{"format": 1, "game": "kuhn", "won": false}',
        '{"format": 1, "game": "kuhn", "won": false, "sides": {"first": {"days": {"x": {}}, "positions": {}}}}',
        '{"format": 1, "game": "kuhn", "won": false, "sides": {"first": {"days": {"2026-01-01": '
        '{"answered": 1, "right": 2, "cost": "0"}}, "positions": {}}}}',
    ],
)
def test_a_damaged_score_is_refused_and_stays(tmp_path: Path, spoiled: str) -> None:
    scores = Scores(tmp_path)
    scores.add(KUHN.game, 0, 1, "kuhn@J", True, Fraction(0))
    (path,) = tmp_path.glob("*.json")
    path.write_text(spoiled)
    with pytest.raises(StoreError, match=path.name):
        scores.add(KUHN.game, 0, 1, "kuhn@J", True, Fraction(0))
    assert path.read_text() == spoiled and scores.all() == []


def test_a_drill_in_the_terminal(ruse: Ruse, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr("sys.stdin", io.StringIO("?\nnonsense\n1\n1\n1\n1\n"))
    status, out, err = ruse("play", "kuhn", "--drill", "--side", "second", "--seed", "2", "--json")
    said = json.loads(out)
    assert status == 0 and len(said["answers"]) == 4 == said["score"]["total"]["answered"]
    assert "expected one of the moves" in err and "Today: " in err
    monkeypatch.setattr("sys.stdin", io.StringIO("1\nq\n"))
    status, out, _ = ruse("play", "kuhn", "--drill", "--side", "second")
    assert status == 0 and "In total" in out and " of 5 right" in out
    assert ruse("play", "kuhn", "--drill", "--at", "kuhn@J")[0] == 1
