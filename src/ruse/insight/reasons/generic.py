"""Reasons that any game has: the cost of a move, what follows it, what it gives away, and its price as a habit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from fractions import Fraction

from ruse.core.game import END, PositionError
from ruse.core.registry import presentation
from ruse.core.types import StrategyTable
from ruse.insight.model import MoveInsight
from ruse.insight.reasons.model import ANSWERS, COST, HABIT, REVEALS, Question, Reason
from ruse.insight.reasons.play import Answer, HeldHand, TreePlay
from ruse.insight.reasons.wording import Wording, sentence

NOTHING, HALF = Fraction(0), Fraction(1, 2)
MOST_ANSWERS = 3  # told in a sentence
LEAST_SHIFT = Fraction(1, 50)  # of a belief, to be worth a sentence


def activity(question: Question, move: str) -> str:
    """What a sentence calls making a move: "checking", "sending abc"; the move itself where the game has no word."""
    game = question.solution.game
    return presentation(game).activity(question.position, move) or move


def cost_reason(question: Question) -> Reason:
    """Say what the move costs, and compared with what."""
    wording, costs = question.wording, question.costs
    here, rival = costs.moves[question.move], question.rival
    doing = activity(question, question.move)
    numbers = {"cost": here.cost, "after": question.value}
    if rival is None:
        return Reason(COST, sentence(f"{doing} is the only move here"), numbers)
    other = costs.moves[rival]
    instead = activity(question, rival)
    numbers["instead"] = wording.to_me(other.value)
    against, terms = _condition(costs.condition)
    worth = wording.worth(numbers["after"])
    if here.cost:
        then = _then(wording, numbers["instead"])
        text = f"{doing} costs {wording.gap(here.cost)}{against}: {worth} after it, and {then} after {instead}"
    elif other.cost:
        numbers["margin"] = other.cost
        gap = wording.gap(other.cost)
        text = f"{doing} is best{against}: {worth}. The next best is {instead}, which costs {gap}"
    elif all(not move.cost for move in costs.moves.values()) and len(costs.moves) > 2:
        text = f"{worth}{against}, whatever you do here"
    else:
        best = "equally good" if len(costs.moves) == 2 else "both among the best moves"
        text = f"{doing} and {instead} are {best}{against}: {worth} either way"
    return Reason(COST, sentence(text) + terms, numbers, max(here.cost, other.cost))


def _condition(condition: str) -> tuple[str, str]:
    """The condition of a cost as a phrase within the sentence, or as a sentence after it."""
    if condition.startswith("against"):
        return f" {condition}", ""
    return "", f" That is {condition}." if condition else ""


def _then(wording: Wording, payoff: Fraction) -> str:
    """A payoff in the second half of a comparison that begins with "you"."""
    return wording.worth(payoff).removeprefix("you ") if not wording.won_or_lost else wording.level(payoff)


def answers_reason(question: Question, play: TreePlay) -> Reason | None:
    """Say how the other side answers, and what each answer leaves."""
    wording = question.wording
    answers = play.answers(question.position, question.side, question.move)
    if not fits(question, answers) or len(answers) < 2 or not all(answer.label for answer in answers):
        return None
    told, numbers = [], dict[str, Fraction]()
    for answer in answers[:MOST_ANSWERS]:
        assert answer.value is not None
        numbers[f"odds:{answer.label}"] = answer.odds
        numbers[f"value:{answer.label}"] = wording.to_me(answer.value)
        then = wording.worth(numbers[f"value:{answer.label}"])
        told.append(f"{answer.label} {wording.often(answer.odds)}, and then {then}")
    rest = "; otherwise something else" * (len(answers) > MOST_ANSWERS)
    text = f"{wording.they('answer')} {'; '.join(told)}{rest}"
    return Reason(ANSWERS, sentence(text), numbers, swing(question, answers) / 4)


def fits(question: Question, answers: Sequence[Answer]) -> bool:
    """Whether the values after all answers make up the value of the move, so that no sentence contradicts the cost."""
    if any(answer.value is None for answer in answers):
        return False
    total = sum((answer.odds * answer.value for answer in answers if answer.value is not None), NOTHING)
    return abs(total - question.costs.moves[question.move].value) <= (
        0 if question.wording.exact else Fraction(1, 10**6)
    )


def swing(question: Question, answers: Sequence[Answer]) -> Fraction:
    """How much depends on the answer: how far the values after it are from the value of the move, on average."""
    value = question.costs.moves[question.move].value
    return sum((answer.odds * abs(answer.value - value) for answer in answers if answer.value is not None), NOTHING)


def reveals_reason(question: Question, play: TreePlay) -> Reason | None:
    """Say how what the other side thinks of your secret moves with the move."""
    wording = question.wording
    hands = [hand for hand in play.hands(question.position, question.side, question.move) if hand.secret]
    mine = secret_here(play, question)
    if len(hands) < 2 or mine is None:
        return None
    doing = activity(question, question.move)
    own = next((hand for hand in hands if hand.secret == mine), None)
    numbers = {f"{name}:{hand.secret}": number for hand in hands for name, number in _numbers(hand).items()}
    if own is None or own.after is None:
        return None
    shift = own.after - own.before
    if abs(shift) < LEAST_SHIFT:
        return None
    likely = f"{wording.percent(own.after)} likely after {doing}, and {wording.percent(own.before)} before"
    text = f"to anybody who does not know it, your {mine} becomes {'more' if shift > 0 else 'less'} likely: {likely}"
    return Reason(REVEALS, sentence(text), numbers, abs(shift) / 4)


def _numbers(hand: HeldHand) -> dict[str, Fraction]:
    named = {"before": hand.before, "after": hand.after, "often": hand.often}
    return {name: number for name, number in named.items() if number is not None}


def secret_here(play: TreePlay, question: Question) -> str | None:
    """The secret that the side has at the position, as the other side's view names it."""
    nodes = play.nodes
    members = nodes.members[question.side].get(question.position, [])
    named = {presentation(nodes.game).hidden_from(nodes.states[at], 1 - question.side) for at in members}
    return named.pop() if len(named) == 1 else None


def habit_reason(question: Question, move: MoveInsight, value: Fraction, now: Policy) -> Reason | None:
    """Say what making the move every time costs, and how the other side would exploit the habit."""
    wording = question.wording
    if move.price is None or move.guarantee is None or not move.guarantee.exact:
        return None
    doing = activity(question, move.move)
    own = value if question.side == 0 else -value
    numbers = {"price": move.price, "value": own, "habit": move.guarantee.value}
    if not move.price:
        text = f"doing this every time would cost nothing, because {wording.them} could not exploit it"
        return Reason(HABIT, sentence(text), numbers, NOTHING, True)
    text = (
        f"if you made a habit of {doing} here, it would cost you {wording.gap(move.price)} a game: "
        f"{wording.instead(numbers['habit'], own)}"
    )
    change = changed_most(question, move.guarantee.answer, now)
    if change is not None:
        position, name, before, after = change
        numbers |= {"now": before, "then": after}
        text += f", because {when(position)}{wording.them} would {_changed(wording, name, before, after)}"
    return Reason(
        HABIT, sentence(text), numbers, move.price, None if not question.costs.moves[question.move].cost else False
    )


def _changed(wording: Wording, name: str, before: Fraction, after: Fraction) -> str:
    now = f"which {wording.verb('do')} not happen now" if not before else f"and not just {wording.often(before)}"
    now = "which never happens now" if not before else now
    return f"always choose {name}, {now}" if after == 1 else f"choose {name} {wording.often(after)}, {now}"


def when(position: str) -> str:
    """Say when a side is in a position: "with Q after bet, "."""
    head, *steps = position.split("/")
    secret = head.partition("@")[2]
    said = [f"with {secret}"] * bool(secret) + [f"after {', '.join(steps)}"] * bool(steps)
    return f"{' '.join(said)} " if said else ""


class Policy:
    """The odds of a strategy at positions of its table."""

    def __init__(self, table: StrategyTable) -> None:
        self.table = table

    def at(self, position: str) -> Mapping[str, Fraction]:
        return self.table.get(position, {})


def changed_most(question: Question, answer: StrategyTable, now: Policy) -> tuple[str, str, Fraction, Fraction] | None:
    """The move of the other side that its answer to a habit changes most: position, move, odds now and then.

    Positions after the one in question come first, because that is where the habit shows.
    """
    steps = _public(question.position)
    changes = []
    for position, odds in answer.items():
        usual = now.at(position)
        if not usual:
            continue
        name = max({*odds, *usual}, key=lambda name: odds.get(name, NOTHING) - usual.get(name, NOTHING))
        before, after = usual.get(name, NOTHING), odds.get(name, NOTHING)
        if after > before:
            follows = _public(position).startswith(steps)
            changes.append((not follows, before - after, len(position), position, name, before, after))
    return min(changes)[3:] if changes else None


def _public(position: str) -> str:
    """The public steps of a position."""
    return position[len(position.partition("/")[0]) :]


def seen_reason(question: Question) -> Reason | None:
    """Say what may happen next, from the view after the move: for games whose states are too many to list."""
    wording = question.wording
    view = question.look(question.position)
    after = next((option.after for option in view.options if option.move == question.move), None)
    if after is None:
        return None
    with suppress(PositionError):
        there = question.look(after)
        if there.turn in (question.side, END) or len(there.options) < 2:
            return None
        options = sorted((option for option in there.options if option.odds), key=lambda option: -option.odds)
        answers = [Answer(option.move, option.odds, option.value, []) for option in options]
        if len(answers) < 2 or not fits(question, answers) or not swing(question, answers):
            return None
        told, numbers = [], dict[str, Fraction]()
        for option, answer in list(zip(options, answers, strict=True))[:MOST_ANSWERS]:
            assert answer.value is not None
            numbers[f"odds:{option.move}"] = answer.odds
            numbers[f"value:{option.move}"] = wording.to_me(answer.value)
            then = wording.worth(numbers[f"value:{option.move}"])
            told.append(f"{option.gloss or option.move} {wording.often(option.odds)}, and then {then}")
        rest = "; otherwise something else" * (len(answers) > MOST_ANSWERS)
        return Reason(
            ANSWERS, sentence(f"what follows: {'; '.join(told)}{rest}"), numbers, swing(question, answers) / 4
        )
    return None
