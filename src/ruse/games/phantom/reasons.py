"""The reason for or against a list: what it would be worth if the other side knew it."""

from __future__ import annotations

from fractions import Fraction

from ruse.games.phantom.rules import Unseen
from ruse.games.phantom.verify import best_answer
from ruse.insight.reasons.model import HABIT, Question, Reason
from ruse.insight.reasons.wording import sentence

UNBOUNDED = Fraction(-2)  # below every payoff, so that the best answer is looked for among all lists


def habit_of_a_list(question: Question, game: Unseen) -> list[Reason]:
    """Say how the other side would answer a list that you always play, and what that would leave you."""
    wording, bounds = question.wording, question.solution.certificate
    response = best_answer(game, question.side, {question.move: Fraction(1)}, UNBOUNDED)
    if response is None:
        return []
    gained, answer = response
    mine, usual = -gained, wording.to_me(bounds.lower if question.side == 0 else bounds.upper)
    price = usual - mine
    text = (
        f"if you always played this list, {wording.them} would play {answer}, and {wording.instead(mine, usual)}"
        if price
        else f"even if you always played this list, {wording.them} could not exploit it"
    )
    return [Reason(HABIT, sentence(text), {"price": price, "value": usual, "habit": mine}, price)]
