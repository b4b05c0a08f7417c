"""The review of a finished game: grades, the decisions that mattered, and where the result came from."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

import ruse
from playing import solved, solved_costs, views
from ruse.insight.costs import costs
from ruse.play.review import Review, grade_word, review
from ruse.play.session import resume


def reviewed(name: str, side: int, moves: list[str]) -> Review:
    session = resume(solved(name), side, 1, moves, False, "a" * 22, None)
    return review(session, views(name), solved_costs(name))


def test_each_move_has_its_cost_and_a_grade() -> None:
    found = reviewed("kuhn", 0, ["KJ", "check", "bet", "fold"])
    assert [(grade.cost, grade.word) for grade in found.grades if grade] == [(0, "best"), (3, "blunder")]
    told = found.to_json()["review"]
    assert json.loads(json.dumps(told)) == told
    assert [(move["cost"], move["grade"], move["basis"]) for move in told["moves"]] == [
        ("0", "best", "reference"),
        ("3", "blunder", "reference"),
    ]
    here = solved_costs("kuhn").at("kuhn@K/check/bet", 0)
    assert here.moves["fold"].cost == 3 and told["moves"][1]["condition"] == here.condition


def test_the_lines_are_told_as_they_add_up() -> None:
    found = reviewed("kuhn", 0, ["KJ", "check", "bet", "fold"])
    assert found.balance is not None
    told = found.to_json()["review"]["balance"]
    # Before the deal -1/18; with K 7/6; after the check and the bluff 2; the fold loses 3.
    assert told["line"] == ["-1/18", "7/6", "7/6", "2", "-1", "-1"]
    assert (told["start"], told["luck"], told["costs"], told["mistakes"]) == ("-1/18", "37/18", "3", "0")
    assert [step["luck"] for step in told["steps"]] == ["11/9", "5/6", "0"] and told["fair"]
    assert found.origin() == [
        ("Expected at the start", "-0.056"),
        ("Luck", "+2.056"),
        ("Your mistakes", "-3.000"),
        ("Player 2's mistakes", "0"),
        ("Result", "-1.000"),
    ]
    assert "Move 2, fold, was a blunder: it cost 3 against an optimal Player 2. Best: call." in found.text()


def test_decisions_that_were_right_are_explained_too() -> None:
    found = reviewed("kuhn", 0, ["KJ", "check", "bet", "call"])
    (moment,) = found.moments  # both moves are as good at the first decision
    assert moment.number == 2
    assert moment.text.startswith("Move 2, call, was right where most was at stake: the worst move costs 3 against ")


def test_games_that_are_won_or_lost_speak_of_points() -> None:
    dice = solved("liars-dice")
    session = resume(dice, 0, 1, [], False, "a" * 22, None)
    while not session.over:
        session = ruse.play.session.play(session, session.number, (session.options or [])[-1])
    found = review(session, views("liars-dice"), costs(dice))
    names, amounts = zip(*found.origin(), strict=True)
    assert names[0] == "Expected at the start" and amounts[0] == "55.6%" and amounts[-1] in ("0.0%", "100.0%")
    assert found.balance is not None and all(amount == "0 points" or amount[0] in "+-" for amount in amounts[1:-1])


@pytest.mark.parametrize(
    ("cost", "word"),
    [("0", "best"), ("79/1000", "slip"), ("2/25", "mistake"), ("399/1000", "mistake"), ("2/5", "blunder")],
)
def test_grades_are_shares_of_the_range_of_payoffs(cost: str, word: str) -> None:
    assert grade_word(ruse.games.kuhn(), Fraction(cost)) == word  # which pays from -2 to 2


def test_an_unfinished_game_has_grades_and_no_balance() -> None:
    session = resume(solved("kuhn"), 0, 3, ["KJ", "check", "bet"], False, "a" * 22, None)
    found = review(session, views("kuhn"), solved_costs("kuhn"))
    assert found.balance is None and found.grades[0] is not None
    assert found.to_json()["review"]["balance"] is None
