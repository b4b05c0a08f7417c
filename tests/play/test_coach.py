"""The coach and the review."""

from __future__ import annotations

import json
import re
from fractions import Fraction

import pytest

import ruse
from playing import played, solved, solved_costs, table, table_costs, views
from ruse.core.game import RuseError
from ruse.games import GAMES
from ruse.play.coach import QuickInsight, Views, amount, judge, views_of
from ruse.play.review import picture as plot
from ruse.play.review import review
from ruse.play.session import begin, play, resume
from ruse.solution.strategy import Solution


# The second side's strategy in Kuhn's poker is unique (Kuhn 1950): J bluffs 1/3 after a check and folds,
# Q checks and calls 1/3, K bets and calls. Against it, by hand:
@pytest.mark.parametrize(
    ("moves", "number", "before", "after", "loss", "best"),
    [
        # Q bets: J folds (1), K calls (-2): -1/2. Q checks: -1/3, as J checks 2/3 of the time and K bets.
        (["QJ", "bet"], 1, "-1/3", "-1/2", "1/6", ["check"]),
        (["QJ", "check"], 1, "-1/3", "-1/3", "0", ["check"]),
        # J bets: Q calls 1/3, so 0; K calls: -2; on average -1, as much as by check and fold.
        (["JQ", "bet"], 1, "-1", "-1", "0", ["check", "bet"]),
        # K bets: J folds, Q calls 1/3, on average 7/6. K checks: J bluffs 1/3 and Q checks, 7/6 too.
        (["KJ", "check"], 1, "7/6", "7/6", "0", ["check", "bet"]),
        # K folds to a bluff: -1 instead of 2.
        (["KJ", "check", "bet", "fold"], 2, "2", "-1", "3", ["call"]),
        # J calls a bet of K: -2 instead of -1.
        (["JK", "check", "bet", "call"], 2, "-1", "-2", "1", ["fold"]),
    ],
)
def test_the_coach_in_kuhn_poker(
    moves: list[str], number: int, before: str, after: str, loss: str, best: list[str]
) -> None:
    session = resume(solved("kuhn"), 0, 1, moves, True, "a" * 22, None)
    verdict = judge(session, views("kuhn"), number)
    assert (verdict.after, verdict.loss, list(verdict.best)) == (Fraction(after), Fraction(loss), best)
    assert verdict.before == Fraction(before)
    assert verdict.exact


def test_the_second_side_hears_its_own_gains() -> None:
    session = resume(solved("kuhn"), 1, 1, ["JK", "bet", "fold"], True, "a" * 22, None)
    verdict = judge(session, views("kuhn"), 1)
    assert (verdict.after, verdict.loss, list(verdict.best)) == (-1, 3, ["call"])
    assert verdict.text(session.game) == "fold cost 3 against this opponent (best: call)"
    with pytest.raises(RuseError, match="expected the number of one of your moves, 1 to 1, got 2"):
        judge(session, views("kuhn"), 2)


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("name", list(GAMES))
def test_reviews_of_every_game(name: str, side: int) -> None:
    for seed in range(2):
        session = played(solved(name), side, seed, pick=seed)
        found = review(session, views(name))
        assert len(found.verdicts) == len(session.decisions)
        assert all(verdict.loss is not None and verdict.loss >= 0 for verdict in found.verdicts)
        assert found.total == sum(verdict.loss or 0 for verdict in found.verdicts) >= 0
        assert found.line[-1] == session.gain
        told = found.to_json()
        assert json.loads(json.dumps(told)) == told
        assert told["review"]["total"] == str(found.total)
        assert str(session.decisions[0].move) in found.text() if session.decisions else found.text()


@pytest.mark.parametrize("players", [5, 7])
def test_reviews_of_the_resistance_know_missions_that_are_alike(players: int) -> None:
    judged = views_of(table(players))
    for side in (0, 1):
        session = played(table(players), side, 1, pick=3)
        for verdict in review(session, judged).verdicts:
            assert verdict.loss is not None and verdict.loss >= 0
            assert verdict.before is not None and -1 <= verdict.before <= 1


def test_optimal_moves_cost_nothing() -> None:
    """A person who follows its own strategy loses nothing on the way."""
    for side in (0, 1):
        for seed in range(8):
            session = begin(solved("kuhn"), side, seed=seed)
            while not session.over:
                odds = solved("kuhn").strategy(side).at(session.position)
                session = play(session, session.number, max(odds, key=lambda move: odds[move]))
            assert review(session, views("kuhn")).total == 0


def test_what_cannot_be_judged_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_large(solution: Solution) -> Views:
        raise RuseError("expected a smaller game, got a large one")

    session = resume(solved("kuhn"), 0, 1, ["KJ", "check", "bet", "fold"], True, "a" * 22, None)
    monkeypatch.setattr("ruse.present.viewer.viewer", too_large)
    found = review(session, views_of(session.solution))
    assert found.verdicts[0].text(session.game) == "check cannot be judged: expected a smaller game, got a large one"
    assert found.total == 0 and found.line == [-1]
    assert found.to_json()["review"]["moves"][0]["loss"] is None
    assert "Lost in total, counting the moves that could be judged: nothing." in found.text()


def test_amounts() -> None:
    kuhn, five = ruse.games.kuhn(), ruse.games.resistance(5)
    assert amount(kuhn, Fraction(1, 6)) == "1/6 ≈ 0.167"
    assert amount(kuhn, Fraction(3)) == "3"
    assert amount(kuhn, Fraction(1, 3), exact=False) == "about 0.3333"
    assert amount(kuhn, Fraction(123456, 654321)) == "about 0.1887"
    assert amount(five, Fraction(1, 5)) == "10 percentage points"


def test_the_picture_of_a_line() -> None:
    lines = plot([-1.0, 0.0, 1.0], -1, 1, ruse.games.resistance(5))
    assert lines[0] == "  100% │        ●"
    assert lines[3] == "   50% │    ●"
    assert lines[6] == "    0% │●"
    long = plot([0.0] * 500, 0, 0, ruse.games.kuhn())
    assert max(map(len, long)) < 80


def test_a_never_move_costs_something_even_where_the_stored_opponent_lets_it_pass() -> None:
    """Both spies are aboard the first mission: against the stored resistance all is lost, but not against every one."""
    found, judged = {}, table_costs(5)
    for order in ("pass", "sabotage"):
        session = resume(table(5), 1, 1, ["ab", "ab", order], True, "a" * 22, None)
        views = views_of(session.solution)
        verdict = judge(session, views, 1, QuickInsight(session.solution, views).prices, judged)
        assert verdict.alike and verdict.loss == 0
        assert verdict.to_json(session.game)["alike"] is True
        assert verdict.cost == judged.at("resistance-5@ab/ab?").cost(order)
        assert "already lost" not in verdict.text(session.game)
        found[order] = verdict
    assert found["pass"].text(session.game) == "pass cost nothing against an optimal resistance"
    assert found["sabotage"].cost and re.fullmatch(
        r"sabotage cost [\d.]+ percentage points against an optimal resistance \(best: pass\)",
        found["sabotage"].text(session.game),
    )
    silent = judge(session, views, 1)
    assert silent.price is None and silent.cost is None and "habit" not in silent.text(session.game)


def test_a_mixed_move_says_what_it_would_cost_as_a_habit() -> None:
    """A bluff with J costs nothing now and then; whoever always bluffs loses 2/9."""
    session = resume(solved("kuhn"), 0, 1, ["JQ", "bet"], True, "a" * 22, None)
    quick = QuickInsight(solved("kuhn"), views("kuhn"))
    told = judge(session, views("kuhn"), 1, quick.prices, solved_costs("kuhn")).text(session.game)
    assert told == (
        "bet cost nothing against an optimal Player 2. As a fixed habit from the start it would cost 2/9 ≈ 0.222"
    )


def test_a_win_that_was_declined_is_named() -> None:
    """Spies with two points and enough aboard win by a sabotage."""
    moves = ["ab", "ac", "sabotage", "abc", "sabotage", "ab", "pass"]
    session = resume(table(5), 1, 1, moves, True, "a" * 22, None)
    verdict = judge(session, views_of(table(5)), 3, costs=table_costs(5))
    assert verdict.missed == "sabotage" and "sabotage would have won at once" in verdict.text(session.game)
    grade = review(session, views_of(table(5)), table_costs(5)).grades[2]
    assert grade is not None and grade.word != "best" and "sabotage wins at once" in grade.text()
