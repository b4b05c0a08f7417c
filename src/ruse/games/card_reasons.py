"""Reasons at a card table: pot odds, what a bet is for, which hands do the same, and what the other side holds.

Shared by Kuhn's poker, mini-poker, Leduc and other limit poker. All of them name moves check, bet, call, raise, fold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from ruse.core.game import END
from ruse.core.registry import presentation
from ruse.insight.reasons.generic import LEAST_SHIFT, fits, habits_of_hands, secret_here, swing
from ruse.insight.reasons.model import ANSWERS, REVEALS, Question, Reason
from ruse.insight.reasons.play import Answer, HeldHand, TreePlay, Weighted
from ruse.insight.reasons.wording import Wording, amount, sentence

POT_ODDS, HOLDS = "pot odds", "holds"
NOTHING, HALF = Fraction(0), Fraction(1, 2)
DOING = {"bet": "betting", "raise": "raising", "fold": "folding", "check": "checking", "call": "calling"}
STAKING = ("bet", "raise")
MOST_HANDS = 5  # named in a sentence
MOST_ANSWERING = 2  # hands, named behind an answer
Group = Callable[[str], str]  # hands alike share one name
Name = Callable[[str], str]  # what a sentence calls a hand: "a king"


def activity(position: str, move: str) -> str:
    """Name a move as people do at the table: a call that nobody has bet before is a check."""
    if move == "call" and not facing(position):
        return DOING["check"]
    return DOING.get(move, move)


def facing(position: str) -> bool:
    """Whether the other side has just bet or raised."""
    return position.rsplit("/", 1)[-1] in STAKING


def reasons(question: Question, group: Group = lambda hand: hand, name: Name = str) -> list[Reason]:
    """`group` names hands that are alike by one name, and `name` is what a sentence calls them."""
    play = question.play
    if play is None:
        return []
    candidates = [
        _pot_odds(question, play),
        _answers(question, play, group, name),
        _holds(question, play, group, name),
        _range(question, play, group, name),
    ]
    return [reason for reason in candidates if reason is not None]


def _mine(question: Question, play: TreePlay, at: int) -> Fraction:
    return question.wording.to_me(Fraction(play.nodes.game.payoff(play.nodes.states[at])))


def shown_down(question: Question, play: TreePlay, states: Weighted) -> tuple[Fraction, Fraction] | None:
    """How often you win and how often you tie if hands are shown in all of these states; None if play goes on."""
    if any(play.nodes.turn[at] != END for at, _ in states):
        return None
    payoffs = [(_mine(question, play, at), weight) for at, weight in states]
    wins = sum((weight for payoff, weight in payoffs if payoff > 0), NOTHING)
    return wins, sum((weight for payoff, weight in payoffs if not payoff), NOTHING)


def _ends(wording: Wording, subject: str, wins: Fraction, ties: Fraction) -> str:
    """Say how often you win and tie: "you win two times in three (2/3)", "you tie 40% of the time and never win"."""
    if not ties:
        return wording.does(subject, "win", wins)
    if not wins:
        return wording.does(subject, "tie", ties) + " and never win" * (ties < 1)
    return f"{subject} win {wording.often(wins)} and tie {wording.often(ties)}"


def _pot_odds(question: Question, play: TreePlay) -> Reason | None:
    """What calling costs, what it can win, and how often it must win; for a call that ends the hand, and a fold."""
    wording, moves = question.wording, question.costs.moves
    if not facing(question.position) or not {"call", "fold"} <= set(moves) or question.move not in ("call", "fold"):
        return None
    calls = play.answers(question.position, question.side, "call")
    folded = play.answers(question.position, question.side, "fold")
    if len(calls) != 1 or (ending := shown_down(question, play, calls[0].states)) is None:
        return None
    wins, ties = ending
    chance = wins + ties / 2
    payoffs = [_mine(question, play, at) for at, _ in calls[0].states]
    stake = max(abs(payoff) for payoff in payoffs)
    lost = -_mine(question, play, folded[0].states[0][0])
    if not stake > lost:
        return None
    price, pot = stake - lost, stake + lost
    needed = price / (pot + price)
    text = (
        f"you have the best hand for sure, so a call wins the {amount(pot)} in the pot for {amount(price)}"
        if wins == 1
        else f"you have the worse hand for sure, so a call only loses {amount(price)} more"
        if wins == ties == 0
        else f"a call costs {amount(price)} and can win the {amount(pot)} in the pot, so it pays if you win "
        f"{wording.at_least(needed)}{', a tie counting half' * (ties > 0)}; here {_ends(wording, 'you', wins, ties)}"
    )
    numbers = {"price": price, "pot": pot, "needed": needed, "wins": wins, "ties": ties}
    pays = None if chance == needed else (chance > needed) == (question.move == "call")
    return Reason(POT_ODDS, sentence(text), numbers, 2 * stake * abs(chance - needed) + Fraction(1, 10), pays)


def _answers(question: Question, play: TreePlay, group: Group, name: Name) -> Reason | None:
    """What the other side does about the move and with which hands, and whether a bet is a bluff or for value."""
    wording = question.wording
    answers = play.answers(question.position, question.side, question.move)
    if _over(question, play) and not facing(question.position):
        return _showdown(question, play, answers[0].states)
    if not fits(question, answers) or not all(answer.label for answer in answers):
        return None
    numbers = {f"odds:{answer.label}": answer.odds for answer in answers}
    numbers |= {f"value:{answer.label}": wording.to_me(answer.value) for answer in answers if answer.value is not None}
    held = {answer.label: set(_hidden(play, answer.states, question.side, group)) for answer in answers}
    phrases, subject = [], wording.them
    for answer in answers:
        verb = wording.verb("check" if answer.label == "call" and question.move not in STAKING else answer.label)
        does = f"{wording.does(subject, verb, answer.odds)}{_with(answer.label, held, name)}"
        phrases.append(f"{does}, and {_outcome(question, play, answer, numbers)}")
        subject = "it" if not wording.they_are_many else "they"
    text = "; ".join(phrases)
    if question.move in STAKING:
        text += _purpose(question, play, answers, numbers)
    return Reason(ANSWERS, sentence(text), numbers, swing(question, answers) / 4 + Fraction(1, 10))


def _showdown(question: Question, play: TreePlay, states: Weighted) -> Reason | None:
    """How often you win and tie where the move shows the hands."""
    ending = shown_down(question, play, states)
    if ending is None:
        return None
    doing, ends = activity(question.position, question.move), _ends(question.wording, "you", *ending)
    return Reason(
        ANSWERS, sentence(f"{doing} shows the hands now, and {ends}"), {"wins:": ending[0], "ties:": ending[1]}, HALF
    )


def _with(answer: str, held: Mapping[str, set[str]], name: Name) -> str:
    """Name the hands behind an answer, if they are few and others answer otherwise."""
    hands = held[answer]
    if len(hands) > MOST_ANSWERING or hands == set().union(*held.values()) or "" in hands:
        return ""
    return f", with {' or '.join(name(hand) for hand in sorted(hands))}"


def _purpose(question: Question, play: TreePlay, answers: Sequence[Answer], numbers: dict[str, Fraction]) -> str:
    """What a bet is for: which hands it makes fold, and which ones call."""
    wins, ties = numbers.get("wins:call"), numbers.get("ties:call")
    folds = next((answer for answer in answers if answer.label == "fold"), None)
    beaten = None if folds is None else _beaten(question, play, folds)
    if beaten is not None:
        numbers["beaten:fold"] = beaten
    if wins == ties == 0 and beaten == 1:
        return "; only worse hands fold and only better hands call, so the bet gains nothing"
    if wins == ties == 0:
        return ": this is a bluff" + ", which makes better hands fold" * (beaten == 0)
    return ": this is a bet for value" if wins == 1 else ""


def _beaten(question: Question, play: TreePlay, folds: Answer) -> Fraction | None:
    """How often you would have won if a hand that folds had called; None if that would not have ended the hand."""
    nodes, share = play.nodes, NOTHING
    for at, weight in folds.states:
        showdown = next((child for child in nodes.children(nodes.parent[at]) if nodes.step[child] == "call"), None)
        if showdown is None or nodes.turn[showdown] != END:
            return None
        payoff = _mine(question, play, showdown)
        share += weight * (1 if payoff > 0 else HALF if payoff == 0 else 0)
    return share


def _outcome(question: Question, play: TreePlay, answer: Answer, numbers: dict[str, Fraction]) -> str:
    if answer.label == "fold":
        return "you take the pot"
    ending = shown_down(question, play, answer.states)
    if ending is None:
        return question.wording.payoff_text(numbers[f"value:{answer.label}"])
    numbers[f"wins:{answer.label}"], numbers[f"ties:{answer.label}"] = ending
    return _ends(question.wording, "then you", *ending)


def _hidden(play: TreePlay, states: Weighted, side: int, group: Group) -> dict[str, Fraction]:
    """What the other side holds, by name, with the odds."""
    shown, odds = presentation(play.nodes.game), dict[str, Fraction]()
    for at, weight in states:
        name = group(shown.hidden_from(play.nodes.states[at], side) or "")
        odds[name] = odds.get(name, NOTHING) + weight
    return odds


def _holds(question: Question, play: TreePlay, group: Group, name: Name) -> Reason | None:
    """What the other side holds, by its play and by the cards alone, once it has done something."""
    wording, side = question.wording, question.side
    if question.position.count("/") == 0 or question.move not in ("call", "fold") or not facing(question.position):
        return None
    by_play = _hidden(play, play.states(question.position, side), side, group)
    members = play.nodes.members[side][question.position]
    chances = [Fraction(play.nodes.chance[at]) for at in members]
    by_cards = _hidden(
        play, [(at, chance / sum(chances)) for at, chance in zip(members, chances, strict=True)], side, group
    )
    shifts = {name: by_play.get(name, NOTHING) - share for name, share in by_cards.items()}
    likeliest = max(shifts, key=shifts.__getitem__)
    if shifts[likeliest] < LEAST_SHIFT:
        return None
    numbers = {f"holds:{name}": by_play.get(name, NOTHING) for name in by_cards}
    numbers |= {f"cards:{name}": share for name, share in by_cards.items()}
    likely = numbers[f"holds:{likeliest}"]
    holds = wording.does(wording.them, wording.verb("hold"), likely, name(likeliest))
    if likely == 1:
        holds = f"{wording.them} must hold {name(likeliest)}"
    text = f"from its play, {holds}; the cards alone would say {wording.percent(by_cards[likeliest])}"
    return Reason(HOLDS, sentence(text), numbers, shifts[likeliest] / 2)


def grouped(hands: Sequence[HeldHand], group: Group) -> list[HeldHand]:
    """Hands that are alike as one."""
    groups: dict[str, list[HeldHand]] = {}
    for hand in hands:
        groups.setdefault(group(hand.secret), []).append(hand)
    return [_merged(name, members) for name, members in groups.items()]


def _merged(name: str, hands: Sequence[HeldHand]) -> HeldHand:
    before = sum((hand.before for hand in hands), NOTHING)
    made = sum((hand.before * hand.often for hand in hands if hand.often is not None), NOTHING)
    after = (
        None if any(hand.after is None for hand in hands) else sum((hand.after or NOTHING for hand in hands), NOTHING)
    )
    return HeldHand(name, before, after, made / before if before else None)


def _over(question: Question, play: TreePlay) -> bool:
    """Whether the move ends the game, so that nobody acts on it."""
    answers = play.answers(question.position, question.side, question.move)
    return all(not answer.label and play.nodes.turn[at] == END for answer in answers for at, _ in answer.states)


def _hands(question: Question, play: TreePlay, group: Group) -> list[HeldHand]:
    """The hands that somebody may hold here who sees only what is public; none if the move ends the hand."""
    if question.move == "fold" or _over(question, play):
        return []
    hands = [hand for hand in play.hands(question.position, question.side, question.move) if hand.secret]
    return [hand for hand in grouped(hands, group) if hand.before]


def _range(question: Question, play: TreePlay, group: Group, name: Name) -> Reason | None:
    """Which hands make this move, so that it does not give yours away."""
    hands = _hands(question, play, group)
    makes = [hand for hand in hands if hand.often]
    if not makes or not 2 <= len(hands) <= MOST_HANDS:
        return None
    numbers = {f"often:{hand.secret}": hand.often for hand in hands if hand.often is not None}
    numbers |= {f"after:{hand.secret}": hand.after for hand in hands if hand.after is not None}
    mine = group(secret_here(play, question) or "")
    text = habits_of_hands(question, hands, mine, name)
    never = any(hand.secret == mine and not hand.often for hand in hands)
    return Reason(REVEALS, sentence(text), numbers, Fraction(1, 5 if len(makes) > 1 else 20), False if never else None)
