"""Cheat: put cards face down and say they are of the current colour; who has none left first wins.

The 52 cards have 4 colours; each side has 26. The side in turn leads a card openly, and its colour becomes the current
one. Then each side in turn puts a card of any colour face down, or says "cheat". If the last card was of the current
colour, the side that said so takes all the cards on the table, otherwise the other side does; whoever takes them leads.
The first side without cards wins, at once. (Cauwet & Teytaud 2018, §III.) As all cards are dealt, a side knows of each
colour how many the other side holds or has put on the table: 13 less its own cards and those it has put there itself.

28 parameters, the number and the kind of which are the paper's and the rest our choice. Every option (lead a colour,
put a card of a colour, say "cheat") has a value, and the highest is chosen: a quadratic function of the 6 FEATURES of
what the option leads to, without constant, plus noise, uniform between -s and s. The first parameter sets
s = 0.1 · exp(x); the linear terms follow, then the products in the order 11, 12, … 16, 22, … 66. A side puts its last
card in any case.
The variant "special" has one parameter more: a perturbation between -1 and 1 of the value of every option, built from
the bits of that parameter, the option and the counts of cards behind its features; at 0 there is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

import numpy as np
from numba import njit

from ruse.contests.arena.chance import GROWTH, S11, UNIT, Stream, begin, scrambled, share, shuffle
from ruse.contests.arena.contest import CUT, LOSS, WIN, Contest, ContestError, KnownOptimum
from ruse.contests.arena.recorded import note, start_record, turned
from ruse.core.arrays import Array

COLOURS, EACH, HAND = 4, 13, 26
CARDS = COLOURS * EACH
SAY = 4  # "cheat", beside the colours 0 to 3
NOBODY = -1  # current colour before a lead
MOST_MOVES = 1_000
NOISE = 0.1
LARGEST = 1e300  # of a parameter
ASKED = 500  # draws, to say in words what a strategy does

FEATURES = (
    "own cards after it (expected, in hands of 26)",
    "the other side's cards after it (expected, in hands of 26)",
    "how likely it is right: a card of the current colour, or a cheat found out",
    "own cards left of the colour put (in 13)",
    "cards of the current colour that the other side may have (in 13)",
    "one over the other side's cards after it",
)
COUNT = len(FEATURES)
PARAMETERS = 1 + COUNT + COUNT * (COUNT + 1) // 2


@njit(cache=True, nogil=True)
def weigh(strategy: Array, weights: Array) -> None:
    """Fill in the noise and the bounded weights; the perturbation stays as it is, or 0."""
    weights[0] = NOISE * exp(min(max(strategy[0], -700.0), 600.0))
    for i in range(1, PARAMETERS):
        weights[i] = min(max(strategy[i], -LARGEST), LARGEST)
    weights[PARAMETERS] = strategy[PARAMETERS] if len(strategy) > PARAMETERS else 0.0


@njit(cache=True, nogil=True)
def arbitrary(seed: float, key: int) -> float:
    """A fixed number from -1 to 1 for an option and a 29th parameter; 0 if that is 0."""
    if seed == 0.0:
        return 0.0
    word = scrambled(scrambled(np.float64(seed).view(np.uint64)) ^ (np.uint64(key) * GROWTH))
    return 2.0 * (np.float64(word >> S11) * UNIT) - 1.0


@njit(cache=True, nogil=True)
def quadratic_value(weights: Array, side: int, f: tuple[float, ...]) -> float:
    """The quadratic value of an option."""
    total, place = 0.0, 1 + COUNT
    for i in range(COUNT):
        total += weights[side, 1 + i] * f[i]
        for j in range(i, COUNT):
            total += weights[side, place] * f[i] * f[j]
            place += 1
    return total


@njit(cache=True, nogil=True)
def believed(hands: Array, puts: Array, side: int, current: int, leader: int) -> tuple[int, float]:
    """Cards of the current colour that the other side may have, and the chance that its last card was one.

    All of its cards that this side has not seen are taken to be equally likely to be the last one.
    """
    foe = 1 - side
    led = 1 if leader == foe else 0
    may = EACH - hands[side, current] - puts[side, current] - led
    unseen = hands[foe, COLOURS] + puts[foe, COLOURS] - led
    return may, 1.0 if puts[foe, COLOURS] == led else may / unseen


@njit(cache=True, nogil=True)
def choose(weights: Array, side: int, hands: Array, puts: Array, current: int, leader: int, stream: Stream) -> int:
    """The option that a side chooses: a colour to lead or put, or SAY.

    hands[side, colour] and puts[side, colour], the cards that a side has put on the table, end with their totals. Only
    what the side knows is used: its own cards, and how many the other one has and has put.
    """
    own, others = hands[side, COLOURS], hands[1 - side, COLOURS]
    pile = puts[0, COLOURS] + puts[1, COLOURS]
    may, right = 0, 0.0
    if current != NOBODY:
        may, right = believed(hands, puts, side, current, leader)
    best, best_noise, chosen = -np.inf, 0.0, SAY
    for option in range(COLOURS + 1):
        if option == SAY:
            if current == NOBODY or own == 1:
                continue
            wrong = 1.0 - right
            after, others_after = (own + right * pile) / HAND, (others + wrong * pile) / HAND
            f = (after, others_after, wrong, 0.0, 0.0, right / others + wrong / (others + pile))
            kept = 0
        else:
            kept = hands[side, option] - 1
            if kept < 0:
                continue
            if current == NOBODY:
                may = EACH - hands[side, option]
            honest = 1.0 if current == NOBODY or option == current else 0.0
            f = ((own - 1) / HAND, others / HAND, honest, kept / EACH, may / EACH, 1.0 / others)
        noise = weights[side, 0] * (2.0 * share(stream) - 1.0)
        key = (((option * 64 + own) * 64 + others) * 16 + kept) * 16 + may
        total = quadratic_value(weights, side, f) + arbitrary(weights[side, PARAMETERS], key) + noise
        if total > best or (total == best and noise > best_noise):
            best, best_noise, chosen = total, noise, option
    return chosen


@njit(cache=True, nogil=True)
def match(weights: Array, stream: Stream, cards: Array, hands: Array, puts: Array, record: Array) -> int:
    """One match. Recorded: how many cards of each colour the side that begins has, then every option chosen."""
    for i in range(CARDS):
        cards[i] = i % COLOURS
    shuffle(stream, cards, CARDS)
    hands[:], puts[:] = 0, 0
    hands[:, COLOURS] = HAND
    for i in range(CARDS):
        hands[i & 1, cards[i]] += 1
    recording = len(record) > 0
    if recording:
        for colour in range(COLOURS):
            note(record, hands[0, colour])
    mover, leader, current, honest = 0, 0, NOBODY, True
    for _ in range(MOST_MOVES):
        option = choose(weights, mover, hands, puts, current, leader, stream)
        if recording:
            note(record, option)
        if option == SAY:
            if not honest:
                mover = 1 - mover
            for colour in range(COLOURS + 1):
                hands[mover, colour] += puts[0, colour] + puts[1, colour]
                puts[0, colour], puts[1, colour] = 0, 0
            current = NOBODY
            continue
        if current == NOBODY:
            current, leader = option, mover
        honest = option == current
        for place in (option, COLOURS):
            hands[mover, place] -= 1
            puts[mover, place] += 1
        if hands[mover, COLOURS] == 0:
            return WIN if mover == 0 else LOSS
        mover = 1 - mover
    return CUT


@njit(cache=True, nogil=True)
def matches(first: Array, second: Array, seed: int, begins: int, outcomes: Array, record: Array) -> None:
    stream, cards = np.empty(1, dtype=np.uint64), np.empty(CARDS, dtype=np.int8)
    hands, puts = np.empty((2, COLOURS + 1), dtype=np.int64), np.empty((2, COLOURS + 1), dtype=np.int64)
    weights = np.empty((2, PARAMETERS + 1))
    weigh(first, weights[0])
    weigh(second, weights[1])
    weights_turned = weights[::-1].copy()
    for number in range(len(outcomes)):
        begin(stream, seed, begins + number)
        start_record(record)
        if (begins + number) % 2 == 0:
            outcomes[number] = match(weights, stream, cards, hands, puts, record)
        else:
            outcomes[number] = turned(match(weights_turned, stream, cards, hands, puts, record))


def referee(moves: Sequence[int]) -> int:
    """The outcome of a recorded match for the side that began, by the rules alone."""
    deal = list(moves[:COLOURS])
    if len(deal) < COLOURS or sum(deal) != HAND or not all(0 <= count <= EACH for count in deal):
        raise ContestError(f"expected {HAND} cards of {COLOURS} colours, got {deal}")
    hands, mover = [deal, [EACH - count for count in deal]], 0
    table: list[int] = []
    for place in range(COLOURS, len(moves)):
        move = moves[place]
        if not sum(hands[0]) or not sum(hands[1]):
            raise ContestError(f"expected the end when a side has no cards, got {move} at entry {place}")
        if move == SAY and table:
            taker = mover if table[-1] == table[0] else 1 - mover
            for card in table:
                hands[taker][card] += 1
            table, mover = [], taker
        elif 0 <= move < COLOURS and hands[mover][move]:
            hands[mover][move] -= 1
            table.append(move)
            mover = 1 - mover
        else:
            raise ContestError(f"expected a card that side {mover} has, or to say cheat, got {move} at entry {place}")
    if not sum(hands[0]) or not sum(hands[1]):
        return WIN if not sum(hands[0]) else LOSS
    if len(moves) - COLOURS != MOST_MOVES:
        raise ContestError(f"expected a match to the end or {MOST_MOVES:,} moves, got {len(moves) - COLOURS:,}")
    return CUT


def asked(weights: Array, own: Sequence[int], others: int, put: Sequence[int], current: int) -> Array:
    """How often a strategy chooses each option in a situation; the other side led and has put the rest of the cards."""
    hands, puts = np.zeros((2, COLOURS + 1), dtype=np.int64), np.zeros((2, COLOURS + 1), dtype=np.int64)
    hands[0], puts[0] = [*own, sum(own)], [*put, sum(put)]
    hands[1, COLOURS] = others
    puts[1, COLOURS] = CARDS - others - sum(own) - sum(put)
    stream = np.zeros(1, dtype=np.uint64)
    chosen = [choose(weights, 0, hands, puts, current, 1, stream) for _ in range(ASKED)]
    return np.bincount(chosen, minlength=SAY + 1) / ASKED


def words(strategy: Array) -> str:
    """Say what a strategy does in five typical situations."""
    weights, none = np.empty((1, PARAMETERS + 1)), (0, 0, 0, 0)
    weigh(strategy, weights[0])
    if not strategy[1:].any():
        return "Lead or put any card, or say cheat, at random."
    lead = asked(weights, (9, 7, 6, 4), 26, none, NOBODY)
    which = ("most", "second most", "second fewest", "fewest")[lead.argmax()]
    said = [f"Lead the colour you have {which} of ({lead.max():.0%})." if lead.max() > 0.4 else "Lead any colour."]
    for when, own, others, put in (
        ("With cards of the current colour early on", (5, 8, 6, 6), 24, (1, 0, 0, 0)),
        ("Without any", (0, 9, 8, 8), 24, (1, 0, 0, 0)),
        ("When the other side is down to three cards", (9, 10, 10, 10), 3, (2, 1, 1, 1)),
    ):
        odds = asked(weights, own, others, put, 0)
        acts = {"put one": odds[0], "put another colour": odds[1:SAY].sum(), "say cheat": odds[SAY]}
        listed = ", ".join(f"{act} ({often:.0%})" for act, often in acts.items() if often > 0.1)
        said.append(f"{when}, {listed}.")
    lacks = asked(weights, (13, 12, 12, 12), 3, none, NOBODY)[0]
    return " ".join([*said, f"If you lead then, choose the colour that it lacks {lacks:.0%} of the time."])


RULES = (
    "Both sides have 26 cards of four colours; one leads a card, and they take turns to put cards face down, as if "
    "they were of its colour. A side may say cheat instead: it takes all cards on the table if the last one was of "
    "that colour, otherwise the other side does, and whoever takes them leads. Whoever has no cards left first wins."
)
MEANING = "noise 0.1 · exp(x), then 6 linear and 21 quadratic weights of the features of what an option leads to"
HONEST = [1.0 if i == 3 else 0.0 for i in range(PARAMETERS)]  # prefer what is right, or likely to be


def optimum() -> KnownOptimum:
    text = "neither side need ever lose, by the rules of §V-C (docs/explanation/cheat.md)"
    return KnownOptimum(text, "python -m ruse.contests.arena.cheat_never_lose", "0")


CONTESTS = (
    Contest(
        "cheat",
        rules=RULES,
        parameters=PARAMETERS,
        meaning=MEANING,
        matches=matches,
        referee=referee,
        words=words,
        cut=f"after {MOST_MOVES:,} moves",
        named={"honest": HONEST},
        paper={"seed": "0.845", "approximate": "0.783", "iterative": "0.817", "naive": "0.803", "real": "0.811"},
        optimum=optimum,
    ),
    Contest(
        "cheat-special",
        rules=RULES,
        parameters=PARAMETERS + 1,
        meaning=f"{MEANING}, then the seed of an arbitrary perturbation from -1 to 1 (0 for none)",
        matches=matches,
        referee=referee,
        words=words,
        cut=f"after {MOST_MOVES:,} moves",
        named={"honest": [*HONEST, 0.0]},
        paper={"seed": "0.641", "approximate": "0.64", "iterative": "0.58", "naive": "0.65", "real": "0.62"},
        optimum=optimum,
    ),
)
