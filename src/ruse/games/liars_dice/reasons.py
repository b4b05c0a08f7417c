"""Reasons for bids: how likely a bid is true, by the dice alone and by the way the other side bids."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb

from ruse.games.liars_dice.rules import CALLS, EXACT, LIAR, LiarsDice
from ruse.insight.reasons.generic import cost_reason, fits, habits_of_hands, secret_here, swing
from ruse.insight.reasons.model import ANSWERS, COST, REVEALS, Question, Reason
from ruse.insight.reasons.play import TreePlay
from ruse.insight.reasons.wording import sentence

TRUE = "true"
NOTHING = Fraction(0)


def activity(move: str) -> str:
    return {LIAR: "calling liar", EXACT: "calling the bid exact"}.get(move) or f"bidding {move}"


def held(roll: str) -> str:
    """What a sentence calls a roll: "a 2", "2 and 4"."""
    return f"a {roll}"


def reasons(question: Question, game: LiarsDice) -> list[Reason]:
    play = question.play
    if play is None:
        return []
    candidates = [
        _cost(question, game, play),
        _truth(question, game, play),
        _answers(question, play),
        _range(question, play),
    ]
    return [reason for reason in candidates if reason is not None]


def by_dice(game: LiarsDice, roll: str, bid: str, side: int, exactly: bool = False) -> Fraction:
    """How likely a bid is true, or just true, for a side that holds a roll and knows nothing of the other dice."""
    number, face = bid.split("-")
    need = int(number) - game.matching(roll, face)
    faces = [str(each) for each in range(1, game.faces + 1)]
    hit = Fraction(sum(game.counts(die, face) for die in faces), game.faces)
    dice = game.dice[1 - side]
    enough = range(max(need, 0), (min(need, dice) if exactly else dice) + 1)
    return sum((comb(dice, hits) * hit**hits * (1 - hit) ** (dice - hits) for hits in enough), NOTHING)


def is_true(game: LiarsDice, rolls: Sequence[str], bid: str, exactly: bool) -> bool:
    number, face = bid.split("-")
    counted = sum(game.matching(roll, face) for roll in rolls)
    return counted == int(number) if exactly else counted >= int(number)


def _cost(question: Question, game: LiarsDice, play: TreePlay) -> Reason | None:
    """The cost of the move, after what is sure about the bid that stands; None if nothing is."""
    roll, *bids = question.position.removeprefix(f"{game.title}@").split("/")
    if not bids:
        return None
    bid, by_own = bids[-1], by_dice(game, roll, bids[-1], question.side)
    true = _true(question, play, bid, False)
    if true not in (0, 1) or len(question.costs.moves) < 2:
        return None
    verdict = "true" if true else "false"
    because = "whatever the other dice show" if by_own == true else "given how the other side bids"
    cost = cost_reason(question)
    calls = question.costs.moves.get(LIAR)
    bids_on = " calling liar would lose;" if true and question.move not in CALLS and calls and calls.cost else ""
    text = f"{bid} is already {verdict}, {because}, so{bids_on} {cost.text[:1].lower()}{cost.text[1:]}"
    return Reason(COST, sentence(text), {**cost.numbers, "standing": true}, cost.strength)


def _true(question: Question, play: TreePlay, bid: str, exactly: bool) -> Fraction:
    """How likely a bid is true, or just true, as the other side bids."""
    game, states = play.nodes.game, play.states(question.position, question.side)
    return sum((weight for at, weight in states if is_true(game, play.nodes.states[at].rolls, bid, exactly)), NOTHING)


def _truth(question: Question, game: LiarsDice, play: TreePlay) -> Reason | None:
    """How likely the bid that counts is true: the last one for a call, else the new one."""
    wording = question.wording
    roll, *bids = question.position.removeprefix(f"{game.title}@").split("/")
    calls, exactly = question.move == LIAR, question.move == EXACT
    bid = bids[-1] if calls or exactly else question.move
    true = _true(question, play, bid, exactly)
    if calls and true in (0, 1):
        return None  # the sentence about the cost says so
    dice = by_dice(game, roll, bid, question.side, exactly)
    verdict = "exact" if exactly else "true"
    numbers = {"true": true, "dice": dice}
    if true in (0, 1) and dice == true:
        own = "your own dice already make it" if true else "no dice can make it with yours"
        text = f"{bid} is {verdict if true else f'not {verdict}' if exactly else 'false'} for sure: {own}"
    else:
        chance, alone = (1 - true, 1 - dice) if calls else (true, dice)
        text = wording.does(bid, "is", chance, "false" if calls else verdict)
        if chance != alone:
            text += f", given how the other side bids; the dice alone would say {wording.percent(alone)}"
    favours = None if true == Fraction(1, 2) else (true < Fraction(1, 2)) == calls
    return Reason(TRUE, sentence(text), numbers, abs(2 * true - 1) / 2 + Fraction(1, 10), favours)


def _answers(question: Question, play: TreePlay) -> Reason | None:
    """How often the other side calls, and what is left if it bids on."""
    wording = question.wording
    answers = play.answers(question.position, question.side, question.move)
    if question.move in CALLS or not fits(question, answers):
        return None
    calls = next((answer for answer in answers if answer.label == LIAR), None)
    share = NOTHING if calls is None else calls.odds
    numbers = {"calls": share}
    bids_on = [answer for answer in answers if answer.label not in CALLS]
    parts = [wording.does("the other side", "calls", share, "liar")]
    if calls is not None and calls.value is not None:
        numbers["called"] = wording.to_me(calls.value)
        parts[0] += f", and then {wording.payoff_text(numbers['called'])}"
    if bids_on and calls is not None:
        odds = 1 - share
        rest = sum((answer.odds * (answer.value or NOTHING) for answer in bids_on), NOTHING) / odds
        numbers["bids on"] = wording.to_me(rest)
        likeliest = bids_on[0]
        numbers["likeliest"] = likeliest.odds
        parts.append(
            f"otherwise it bids on, mostly {likeliest.label}, and then {wording.payoff_text(numbers['bids on'])}"
        )
    if (instead := _calls_instead(question, play)) is not None:
        numbers[f"calls:{question.rival}"] = instead
        parts.append(question.wording.does(f"after {question.rival} it", "calls", instead, "liar"))
    return Reason(ANSWERS, sentence("; ".join(parts)), numbers, swing(question, answers) / 4)


def _calls_instead(question: Question, play: TreePlay) -> Fraction | None:
    """How often the other side calls the bid to compare with; None if that is no bid, or as good."""
    rival = question.rival
    costs = [question.costs.moves[move].cost for move in (question.move, rival) if move is not None]
    if rival is None or rival in CALLS or costs[0] == costs[1]:
        return None
    answers = play.answers(question.position, question.side, rival)
    return sum((answer.odds for answer in answers if answer.label == LIAR), NOTHING)


def _range(question: Question, play: TreePlay) -> Reason | None:
    """Which rolls make the same bid."""
    hands = [hand for hand in play.hands(question.position, question.side, question.move) if hand.before]
    makes = sorted((hand for hand in hands if hand.often), key=lambda hand: -(hand.after or NOTHING))
    if question.move in CALLS or len(hands) < 2 or not makes or abs(question.value) == 1:
        return None
    numbers = {f"often:{hand.secret}": hand.often for hand in hands if hand.often is not None}
    numbers |= {f"after:{hand.secret}": hand.after for hand in makes if hand.after is not None}
    mine = secret_here(play, question) or ""
    text = habits_of_hands(question, hands, mine, held)
    never = all(hand.secret != mine for hand in makes)
    return Reason(REVEALS, sentence(text), numbers, Fraction(1, 5), False if never else None)
