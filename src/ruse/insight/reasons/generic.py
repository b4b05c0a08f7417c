"""Reasons that any game has: the cost of a move, what follows it, what it gives away, and its price as a habit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ruse.core.capabilities import Representatives
from ruse.core.game import END, PositionError
from ruse.core.presentation import Presentation
from ruse.core.registry import presentation
from ruse.core.types import StrategyTable
from ruse.insight.costs import FEWEST_MISTAKES, PositionCosts
from ruse.insight.model import MoveInsight
from ruse.insight.reasons.model import ANSWERS, COST, HABIT, REVEALS, Question, Reason
from ruse.insight.reasons.play import Answer, HeldHand, TreePlay
from ruse.insight.reasons.wording import Wording, listed, sentence
from ruse.present.nodes import as_fraction

NOTHING, HALF = Fraction(0), Fraction(1, 2)
MOST_ANSWERS = 3  # named in a sentence
MOST_HANDS = 4  # named in a sentence
LEAST_SHIFT = Fraction(1, 50)  # of a belief, to be worth a sentence
RARE = Fraction(1, 100)  # odds that are not worth a number
LEAST_PRICE = Fraction(1, 100)  # of a habit to be worth a sentence, as a share of what is at stake in the game
OWN_MISTAKE = ", after a mistake of yours"  # as conditions of costs say it


def activity(question: Question, move: str) -> str:
    """What a sentence calls making a move: "checking", "sending abc", "playing r1"."""
    game = question.solution.game
    return presentation(game).activity(question.position, move) or f"playing {move}"


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
    against, terms = _condition(costs, wording, numbers["after"])
    outcome = wording.payoff_text(numbers["after"])
    if here.cost and _alike(outcome, wording.payoff_text(numbers["instead"])):
        text = f"{doing} costs only {wording.gap(here.cost)}{against}, compared with {instead}: {outcome} after either"
    elif here.cost:
        then = _then(wording, numbers["instead"], outcome)
        text = f"{doing} costs {wording.gap(here.cost)}{against}: {outcome} after it, and {then} after {instead}"
    elif other.cost:
        numbers["margin"] = other.cost
        gap = wording.gap(other.cost)
        text = f"{doing} is best{against}: {outcome}{terms}; "
        terms = ""
        text += (
            f"{instead} would cost {gap}" if len(costs.moves) == 2 else f"the next best is {instead}, which costs {gap}"
        )
    elif all(not move.cost for move in costs.moves.values()) and len(costs.moves) > 2:
        text = f"{outcome}{against}, whatever you do here"
    else:
        equals = sum(not move.cost for move in costs.moves.values())
        best = "equally good" if equals == 2 else "both among the best"
        text = f"{doing} and {instead} are {best}{against}: {outcome} either way"
    return Reason(COST, sentence(text + terms), numbers, max(here.cost, other.cost))


def _condition(costs: PositionCosts, wording: Wording, outcome: Fraction) -> tuple[str, str]:
    """The condition of a cost as a phrase in the middle of the sentence, and as one at its end."""
    condition = costs.condition
    if costs.basis == FEWEST_MISTAKES:
        return "", f", after a mistake of {wording.them}"
    if not condition.startswith("against"):
        return "", f", {condition}" if condition else ""
    against = condition.replace(OWN_MISTAKE, "")
    if against == condition:
        return f" {against}", ""
    won = wording.won_or_lost and outcome == 1
    return f" {against}", ", although an earlier move of yours was a mistake" if won else ", after a mistake of yours"


def _alike(outcome: str, other: str) -> bool:
    """Whether two payoffs read the same, as far as they are rounded."""
    return outcome.removesuffix(" on average") == other.removesuffix(" on average")


def _then(wording: Wording, payoff: Fraction, before: str) -> str:
    """A payoff in the second half of a comparison that begins with another, such as "you win 7% of the time"."""
    text = wording.payoff_text(payoff).removeprefix("you ")
    if before.endswith("of the time") and text.endswith("of the time"):
        return wording.level(payoff)
    return text


def answers_reason(question: Question, play: TreePlay) -> Reason | None:
    """Say how the other side answers, and what each answer leaves."""
    wording = question.wording
    answers = play.answers(question.position, question.side, question.move)
    if not fits(question, answers) or len(answers) < 2 or not all(answer.label for answer in answers):
        return None
    phrases, numbers = [], dict[str, Fraction]()
    for answer in answers[:MOST_ANSWERS]:
        assert answer.value is not None
        numbers[f"odds:{answer.label}"] = answer.odds
        numbers[f"value:{answer.label}"] = wording.to_me(answer.value)
        then = wording.payoff_text(numbers[f"value:{answer.label}"])
        phrases.append(f"{answer.label} {wording.often(answer.odds)}, and then {then}")
    rest = "; otherwise something else" * (len(answers) > MOST_ANSWERS)
    text = f"{wording.they('answer')} {'; '.join(phrases)}{rest}"
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
    answers = play.answers(question.position, question.side, question.move)
    if all(play.nodes.turn[at] == END and not answer.label for answer in answers for at, _ in answer.states):
        return None  # the game is over, so nobody acts on it
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


def habits_of_hands(question: Question, hands: Sequence[HeldHand], mine: str, name: Callable[[str], str]) -> str:
    """Say which hands make a move and how often, and what that makes the other side think."""
    wording = question.wording
    makes = sorted((hand for hand in hands if hand.often), key=lambda hand: (-(hand.often or NOTHING), hand.secret))
    if len(makes) == len(hands) and len({hand.often for hand in makes}) == 1:
        return f"good players do this with every hand alike, so it tells {wording.them} nothing"
    by_share: dict[str, list[str]] = {}
    for hand in makes[:MOST_HANDS]:
        by_share.setdefault(wording.often(hand.often or NOTHING), []).append(name(hand.secret))
    phrases = [f"{often} with {listed(names)}" for often, names in by_share.items()]
    phrases += ["sometimes with others"] * (len(makes) > MOST_HANDS)
    likeliest = max(makes, key=lambda hand: hand.after or NOTHING)
    never = sorted(hand.secret for hand in hands if not hand.often)
    ruled_out = listed([name(secret) for secret in never])
    if mine in never:
        text = f"good players never do this with {name(mine)}, but {listed(phrases)}"
    else:
        text = f"good players do this {listed(phrases)}"
        text += f", and never with {ruled_out}" * (0 < len(never) <= 2)
    if len(makes) == 1:
        seems = f"your hand then looks like {name(likeliest.secret)}" if mine in never else "it gives that hand away"
        return f"{text}, so {seems}"
    seems = wording.does("your hand then", "looks", likeliest.after or NOTHING, f"like {name(likeliest.secret)}")
    return f"{text}; to an onlooker, {seems}"


def _numbers(hand: HeldHand) -> dict[str, Fraction]:
    named = {"before": hand.before, "after": hand.after, "often": hand.often}
    return {name: number for name, number in named.items() if number is not None}


def secret_here(play: TreePlay, question: Question) -> str | None:
    """The secret that the side has at the position, as somebody would name it; None if it has none or several."""
    members = play.nodes.members[question.side].get(question.position, [])
    named = {play.secret(at, question.side) for at in members}
    return named.pop() if len(named) == 1 else None


def habit_reason(question: Question, move: MoveInsight, value: Fraction, now: Policy) -> Reason | None:
    """Say what making the move every time costs, and how the other side would exploit the habit."""
    wording = question.wording
    if move.price is None or move.guarantee is None or not move.guarantee.exact:
        return None
    if move.price < LEAST_PRICE * _at_stake(question) or not move.price:
        return None
    doing = activity(question, move.move)
    own = value if question.side == 0 else -value
    numbers = {"price": move.price, "value": own, "habit": move.guarantee.value}
    text = f"if you made a habit of {doing} here, "
    if wording.won_or_lost and wording.level(numbers["habit"]) != wording.level(own):
        text += wording.instead(numbers["habit"], own)
    else:
        text += f"it would cost you {wording.gap(move.price)} a game"
    change = changed_most(question, move.guarantee.answer, now)
    if change is not None:
        numbers |= {"now": change.before, "then": change.after}
        text += f", because {change.text(question)}"
    costly = question.costs.moves[question.move].cost > 0
    return Reason(HABIT, sentence(text), numbers, move.price, False if costly else None)


def _at_stake(question: Question) -> Fraction:
    """How far payoffs of the game are apart, as far as ruse knows them all."""
    if question.wording.won_or_lost or question.play is None:
        return Fraction(2)
    payoffs = question.play.nodes.payoff.values()
    return as_fraction(max(payoffs)) - as_fraction(min(payoffs))


@dataclass(frozen=True)
class ChangedAnswer:
    """A move of the other side that its answer to a habit makes more often than its strategy does."""

    position: str
    move: str
    before: Fraction
    after: Fraction
    named: bool  # whether the position has the names of the one in question

    def text(self, question: Question) -> str:
        wording = question.wording
        if not self.named:
            return f"{wording.them} would play another way against it"
        now = f"and not just {wording.often(self.before)}"
        if self.before < RARE:
            now = "which hardly ever happens now" if self.before else "which never happens now"
        move = phrase(question, self.position, self.move)
        switch = f"always {move}" if self.after == 1 else f"{move} {wording.often(self.after)}"
        return f"{wording.them} would {switch}{when(question, self.position)}, {now}"


def phrase(question: Question, position: str, move: str) -> str:
    """What a sentence calls a move of the other side, after "would": "send cde", "call", "choose r1"."""
    shown = presentation(question.solution.game)
    if named := shown.move_phrase(position, move):
        return named.partition(" (")[0]
    return move if shown.activity(position, move) else f"choose {move}"


def when(question: Question, position: str) -> str:
    """Say when the other side is in a position, as far as the one in question leaves that open: " with Q after ac-"."""
    head, *steps = position.split("/")
    here = question.position.split("/")[1:]
    common = next((place for place, pair in enumerate(zip(steps, here, strict=False)) if pair[0] != pair[1]), None)
    if common is None:
        common = min(len(steps), len(here))
    more = steps[common:] if len(steps) > common else [] if len(steps) == len(here) else steps
    if more == [question.move]:
        more = []
    shown, secret = presentation(question.solution.game), head.partition("@")[2]
    begun = len(steps) - len(more)
    named = [_noun(shown, "/".join([head, *steps[: begun + place]]), step) for place, step in enumerate(more)]
    holding = f" with {shown.secret_phrase(secret)}" * bool(secret)
    return holding + f" after {' and '.join(named)}" * bool(more)


def _noun(shown: Presentation[Any], position: str, step: str) -> str:
    """What a sentence calls a step of a position: "a bet", "ac-"."""
    doing = shown.activity(position, step)
    if " " in doing or not doing.endswith("ing"):
        return step
    return f"a {shown.move_phrase(position, step).partition(' (')[0] or step}"


class Policy:
    """The odds of a strategy at positions of its table."""

    def __init__(self, table: StrategyTable) -> None:
        self.table = table

    def at(self, position: str) -> Mapping[str, Fraction]:
        return self.table.get(position, {})


def changed_most(question: Question, answer: StrategyTable, now: Policy) -> ChangedAnswer | None:
    """The move of the other side that its answer to a habit changes most, on the way to the position or after it.

    Positions after the one in question come first, because that is where the habit shows.
    """
    game, position = question.solution.game, question.position
    if isinstance(game, Representatives):
        position = game.representative_position(position, question.side)[0]
    steps, possible = _public(position).rstrip("?"), _possible(question)
    changes: list[tuple[bool, Fraction, int, ChangedAnswer]] = []
    for place, odds in answer.items():
        usual, there = now.at(place), _public(place)
        follows, leads = there.startswith(steps), steps.startswith(there.rstrip("?"))
        if not usual or not (follows or leads) or not possible(place):
            continue
        name = max({*odds, *usual}, key=lambda name: (odds.get(name, NOTHING) - usual.get(name, NOTHING), name))
        before, after = usual.get(name, NOTHING), odds.get(name, NOTHING)
        if after > before:
            change = ChangedAnswer(place, name, before, after, _public(position) == _public(question.position))
            changes.append((leads, before - after, len(place), change))
    return min(changes, key=lambda entry: entry[:3])[3] if changes else None


def _possible(question: Question) -> Callable[[str], bool]:
    """Whether the other side can be in a position of its own while you have the secret that you have."""
    play, other = question.play, 1 - question.side
    mine = None if play is None else secret_here(play, question)
    if play is None or not mine:
        return lambda place: True
    members = play.nodes.members[other]
    return lambda place: any(play.secret(at, question.side) == mine for at in members.get(place, []))


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
        phrases, numbers = [], dict[str, Fraction]()
        for option, answer in list(zip(options, answers, strict=True))[:MOST_ANSWERS]:
            assert answer.value is not None
            numbers[f"odds:{option.move}"] = answer.odds
            numbers[f"value:{option.move}"] = wording.to_me(answer.value)
            then = wording.payoff_text(numbers[f"value:{option.move}"])
            phrases.append(f"{option.gloss or option.move} {wording.often(option.odds)}, and then {then}")
        rest = "; otherwise something else" * (len(answers) > MOST_ANSWERS)
        return Reason(
            ANSWERS, sentence(f"what follows: {'; '.join(phrases)}{rest}"), numbers, swing(question, answers) / 4
        )
    return None
