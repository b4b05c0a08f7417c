"""Drills: what is dealt, what an answer is worth, and the score that is kept."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from datetime import date, timedelta
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from random import Random
from threading import Thread

import pytest

import ruse as package
from ruse.core.game import GameError, PositionError
from ruse.core.identity import identity
from ruse.insight.costs import costs
from ruse.play import scores as kept
from ruse.play.coach import QuickInsight
from ruse.play.drill import Drill, DrillRun
from ruse.play.rival import IllegalMove
from ruse.play.scores import AnswerTally, DrillScore, PositionTally, Scores
from ruse.play.session import SessionError
from ruse.play.spacing import INTERVALS, Spacing, after_answer
from ruse.present.viewer import viewer
from ruse.solution.container import StoreError

Ruse = Callable[..., tuple[int, str, str]]
KUHN = package.solve(package.games.kuhn())


@pytest.fixture(autouse=True)
def _no_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine is no failure."""
    monkeypatch.setattr("ruse.play.coach.QUICK", 60.0)


def drill(solution: package.Solution = KUHN, side: int = 0) -> Drill:
    views = viewer(solution)
    return Drill(solution, side, views, costs(solution, views), QuickInsight(solution, views))


def matter(here: Drill) -> set[str]:
    """Every listed position at which some move costs something."""
    found = {here.name(position): here.costs.at(position, here.side) for position in here.solution.tables[here.side]}
    return {name for name, there in found.items() if any(move.cost for move in there.moves.values())}


GAMES = {
    "kuhn": package.games.kuhn,
    "liars-dice": lambda: package.games.liars_dice(3),
    "resistance-5": lambda: package.games.resistance(5),
}


@pytest.mark.cases(3)
@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("name", GAMES)
def test_no_decision_comes_twice_before_all_were_seen(name: str, side: int) -> None:
    """Fifty deals; six times around in games with few decisions."""
    here, run, random = drill(package.solve(GAMES[name]()), side), DrillRun(), Random(7)
    rounds: dict[int, list[str]] = {}
    needed = matter(here)
    for _ in range(min(50, 6 * len(needed))):
        question = here.deal(DrillScore(), run, random)
        assert question.stake > 0
        rounds.setdefault(run.rounds, []).append(here.name(question.position))
    assert needed and all(len(set(dealt)) == len(dealt) for dealt in rounds.values())
    assert all(needed <= set(rounds[number]) for number in list(rounds)[:-1])
    assert len(rounds) > 1 or len(needed) > 8


@pytest.mark.soak
def test_no_decision_of_leduc_comes_twice_in_a_thousand() -> None:
    here, run, random = drill(package.solve(package.games.leduc())), DrillRun(), Random(7)
    rounds: dict[int, list[str]] = {}
    for _ in range(1_000):
        question = here.deal(DrillScore(), run, random)
        rounds.setdefault(run.rounds, []).append(question.position)
    assert all(len(set(dealt)) == len(dealt) for dealt in rounds.values())
    assert matter(here) <= set(rounds[1])


def test_the_costly_and_what_went_wrong_comes_up_most() -> None:
    here = drill()
    cheap, dear = here.at("kuhn@Q"), here.at("kuhn@K/check/bet")
    assert (cheap.stake, dear.stake) == (Fraction(1, 6), 3)
    assert here.weight(cheap, DrillScore()) < here.weight(dear, DrillScore())
    wrong, right = (DrillScore({}, {cheap.position: PositionTally(AnswerTally(8, count))}) for count in (0, 8))
    assert here.weight(cheap, wrong) == pytest.approx(17 * here.weight(cheap, DrillScore()))
    assert here.weight(cheap, right) == pytest.approx(here.weight(cheap, DrillScore()) / 9)


def test_an_answer_is_right_if_some_optimal_strategy_makes_it() -> None:
    here = drill()
    bluff = here.mark(here.at("kuhn@J"), "bet")
    assert bluff.right and bluff.cost == 0 and bluff.proved
    assert bluff.text(KUHN).startswith("Right: bet costs nothing against an optimal Player 2.")
    assert "Optimal play mixes here: check 2/3 to 1, bet 0 to 1/3." in bluff.text(KUHN)
    call = here.mark(here.at("kuhn@J/check/bet"), "call")
    assert not call.right and call.cost == 1
    assert call.text(KUHN) == (
        "Not optimal: call costs 1 against an optimal Player 2. You get -2 after call, and -1 after fold. "
        "The only optimal move here is fold."
    )
    with pytest.raises(IllegalMove):
        here.mark(here.at("kuhn@J"), "raise")
    with pytest.raises(PositionError, match="where Player 1 moves"):
        here.at("kuhn@J/check")


def test_teams_are_called_teams() -> None:
    here = drill(package.solve(package.games.resistance(5)))
    marked = here.mark(here.at("resistance-5/ab-"), "ade")
    assert "Any of these teams is optimal here: " in marked.text(here.solution)
    assert " 0 to 1" not in marked.text(here.solution)


def test_a_game_without_secrets_is_drilled_by_what_moves_lose() -> None:
    solution = package.solve(package.games.nim((1, 2)))
    here = drill(solution)
    question = here.deal(DrillScore(), DrillRun(), Random(1))
    marks = [here.mark(question, move) for move in question.session.options or ()]
    assert {one.right for one in marks} == {True, False} and all(one.cost > 0 for one in marks if not one.right)


def test_a_side_that_nothing_depends_on_cannot_be_drilled() -> None:
    solution = package.solve(package.games.matrix("0 0; 0 0"))
    with pytest.raises(GameError, match="there is nothing to drill"):
        drill(solution).deal(DrillScore(), DrillRun(), Random(0))


@pytest.fixture
def calendar(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], date]:
    """A clock that goes to the day of that number."""
    today = [0]

    class Clock(date):
        @classmethod
        def today(cls) -> date:
            return date(2026, 11, 16) + timedelta(days=today[0])

    monkeypatch.setattr(kept, "date", Clock)

    def go(day: int) -> date:
        today[0] = day
        return Clock.today()

    return go


def test_the_score_follows_over_days(tmp_path: Path, calendar: Callable[[int], date]) -> None:
    game, scores = KUHN.game, Scores(tmp_path)
    for number in range(1, 6):
        calendar((number - 1) // 2)
        scores.add(game, 0, "kuhn@J", number % 2 == 0, Fraction(number % 2, 18), number=number)
    score = Scores(tmp_path).of(game, 0)
    assert score.total == AnswerTally(5, 2, Fraction(3, 18))
    assert list(score.days) == ["2026-11-16", "2026-11-17", "2026-11-18"]
    assert score.positions["kuhn@J"].tally.answered == 5 and Scores(tmp_path).of(game, 1) == DrillScore()
    assert [(one.title, one.side) for one in scores.all()] == [("kuhn", "first")]


def test_what_went_wrong_comes_back_over_days(tmp_path: Path, calendar: Callable[[int], date]) -> None:
    """After 1, 2, 4, 8 and 16 days if every answer is right, and then no more."""
    game, scores = KUHN.game, Scores(tmp_path)
    asked = [0]
    calendar(0)
    scores.add(game, 0, "kuhn@Q", False, Fraction(1, 6))
    for day in range(1, 60):
        calendar(day)
        if scores.of(game, 0).due_positions:
            asked.append(day)
            scores.add(game, 0, "kuhn@Q", True, Fraction(0))
    assert [later - sooner for sooner, later in pairwise(asked)] == list(INTERVALS) == [1, 2, 4, 8, 16]
    assert scores.of(game, 0).positions["kuhn@Q"].spacing == Spacing()


def test_a_hint_and_a_second_mistake_begin_again(calendar: Callable[[int], date]) -> None:
    day = calendar(0)
    third = Spacing(3, day.isoformat())
    assert after_answer(third, False, day) == Spacing(1, "2026-11-17")
    assert after_answer(third, True, day) == Spacing(4, "2026-11-24")
    early = Spacing(3, "2026-11-17")
    assert after_answer(early, True, day) == early and after_answer(Spacing(), True, day) == Spacing()
    hinted = DrillScore().with_answer(day, "kuhn@Q", True, Fraction(0), hinted=True)
    assert hinted.positions["kuhn@Q"].spacing == Spacing(1, "2026-11-17") and hinted.total.right == 1
    assert (hinted.due, hinted.waiting) == (0, 1)
    calendar(1)
    assert (hinted.due, hinted.waiting) == (1, 0)


def test_due_decisions_come_first_and_once_in_a_run(calendar: Callable[[int], date]) -> None:
    here, score = drill(), DrillScore()
    for number, position in enumerate(("kuhn@Q", "kuhn@J/check/bet", "kuhn@nonsense")):
        score = score.with_answer(calendar(number), position, False, Fraction(1))
    calendar(9)
    run = DrillRun()
    dealt = [here.deal(score, run, Random(seed)) for seed in range(3)]
    assert [(one.position, one.again) for one in dealt] == [
        ("kuhn@Q", True),
        ("kuhn@J/check/bet", True),
        ("kuhn@K/check/bet", False),
    ]


def test_no_answer_counts_twice_and_none_is_lost(tmp_path: Path) -> None:
    game = KUHN.game
    Scores(tmp_path).add(game, 0, "kuhn@J", True, Fraction(0), number=1)
    with pytest.raises(SessionError, match="another tab"):
        Scores(tmp_path).add(game, 0, "kuhn@J", True, Fraction(0), number=1)

    def answer() -> None:
        for _ in range(10):
            Scores(tmp_path).add(game, 1, "kuhn@J/bet", True, Fraction(0))

    both = [Thread(target=answer) for _ in range(2)]
    for one in both:
        one.start()
    for one in both:
        one.join()
    assert Scores(tmp_path).of(game, 1).total.answered == 20


def test_scores_of_earlier_versions_are_read(tmp_path: Path) -> None:
    scores = Scores(tmp_path)
    scores.add(KUHN.game, 0, "kuhn@J", False, Fraction(1))
    (path,) = tmp_path.glob("*.json")
    fields = json.loads(path.read_text())
    for name in ("last", "box", "due"):
        del fields["sides"]["first"]["positions"]["kuhn@J"][name]
    path.write_text(json.dumps(fields))
    assert scores.of(KUHN.game, 0).positions == {"kuhn@J": PositionTally(AnswerTally(1, 0, Fraction(1)))}


def test_a_score_can_be_cleared_by_side(tmp_path: Path) -> None:
    game, scores = KUHN.game, Scores(tmp_path)
    for side in (0, 1):
        scores.add(game, side, "kuhn@J", True, Fraction(0))
    scores.forget(identity(game), "first")
    assert scores.of(game, 0) == DrillScore() and scores.of(game, 1).total.answered == 1
    scores.forget(identity(game), "second")
    assert not list(tmp_path.glob("*.json"))
    scores.forget(identity(game), "second")
    with pytest.raises(StoreError, match="identity"):
        scores.forget("../kuhn", "first")


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
        *(
            '{"format": 1, "game": "kuhn", "won": false, "sides": {"first": {"days": {}, "positions": {"kuhn@J": '
            '{"answered": 1, "right": 0, "cost": "0", ' + field + "}}}}}"
            for field in ('"box": 6', '"box": "1"', '"due": 3', '"due": "tomorrow"', '"last": "now"')
        ),
    ],
)
def test_a_damaged_score_is_refused_and_stays(tmp_path: Path, spoiled: str) -> None:
    scores = Scores(tmp_path)
    scores.add(KUHN.game, 0, "kuhn@J", True, Fraction(0))
    (path,) = tmp_path.glob("*.json")
    path.write_text(spoiled)
    with pytest.raises(StoreError, match=path.name):
        scores.add(KUHN.game, 0, "kuhn@J", True, Fraction(0))
    assert path.read_text() == spoiled and scores.all() == []
    scores.forget(identity(KUHN.game), "second")
    assert scores.of(KUHN.game, 0) == DrillScore()


def test_a_drill_in_the_terminal(ruse: Ruse, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr("sys.stdin", io.StringIO("?\nnonsense\nhint\n1\nskip\n1\n1\n1\n"))
    status, out, err = ruse("play", "kuhn", "--drill", "--side", "second", "--seed", "2", "--json")
    said = json.loads(out)
    assert status == 0 and len(said["answers"]) == 4 == said["score"]["total"]["answered"]
    assert "expected one of the moves" in err and "Today: " in err and "Optimal play: always " in err
    assert err.count("You have seen every decision that matters.") == 1
    assert said["score"]["waiting"] >= 1 and said["score"]["due"] == 0
    monkeypatch.setattr("sys.stdin", io.StringIO("1\nq\n"))
    status, out, _ = ruse("play", "kuhn", "--drill", "--side", "second")
    assert status == 0 and "In total" in out and " of 5 right" in out and "back because you got" in out
    assert ruse("play", "kuhn", "--drill", "--at", "kuhn@J")[0] == 1
    assert ruse("play", "kuhn", "--forget")[0] == 1
    assert ruse("play", "kuhn", "--drill", "--forget", "--side", "second")[:2] == (
        0,
        "Forgot the drills of kuhn as Player 2.\n",
    )
    monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
    assert "No answers yet." in ruse("play", "kuhn", "--drill", "--side", "second")[1]


def test_a_game_of_ones_own_is_drilled(ruse: Ruse, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    page = Path(__file__).parents[2] / "docs" / "how-to" / "write-a-game.md"
    (code,) = re.findall(r"\$ cat onecard.py\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    own = tmp_path / "onecard.py"
    own.write_text(code, encoding="utf-8")
    monkeypatch.setattr("sys.stdin", io.StringIO("fold\ncheck\nfold\ncheck\nq\n"))
    status, out, err = ruse("play", str(own), "--drill", "--cards", "4")
    assert (status, err) == (0, "") and "A drill of Player 1 in " in out and re.search(r" of [1-4] right", out)
