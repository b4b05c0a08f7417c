"""Flip: both sides put cards on two piles in turn, one rank up or down; who has none left wins.

Two of the 52 cards are turned, the others dealt evenly. The five topmost cards of each side lie open for both to see,
and a card that is played makes room for the next. A side in turn plays an open card on one of the two piles if it is
one rank above or below the pile's top card; the ranks are a circle, so a king goes on an ace and back. A side that
cannot play passes. (Cauwet & Teytaud 2018, §III.) The deal, and what happens when neither side can play, are our
choice: each side turns its next hidden card, the one that began on the left pile and the other on the right one; if
neither has hidden cards, the side with fewer cards left wins, and it is a draw if they have equally many. A card goes
on a pile once, so every match ends.

420 parameters, the number and the kind of which are the paper's and the rest our choice: a value q = l·f + f'Qf of the
position after a move, for the 20 FEATURES f of what is open then; l comes first, then Q by rows. The move of highest
value is played, and one of them at random when there are several.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import pi

import numpy as np
from numba import njit

from ruse.contests.arena.chance import Stream, begin, below, shuffle
from ruse.contests.arena.contest import DRAW, LOSS, WIN, Contest, ContestError
from ruse.contests.arena.recorded import note, start_record, turned
from ruse.core.arrays import Array

RANKS, CARDS, OPEN, HAND = 13, 52, 5, 25
PASS, TURN = 0, 1  # in records; a card of rank r (from 1) on pile p is 2 r + p
LARGEST = 1e300  # of a parameter

# After a move: the pile that was covered, the other pile, and what lies open; the card to come is not known yet.
FEATURES = (
    "own cards that fit the covered pile",
    "own cards that fit the other pile",
    "the other side's cards that fit the covered pile",
    "the other side's cards that fit the other pile",
    "own cards of the covered pile's rank",
    "the other side's cards of the covered pile's rank",
    "own cards two ranks from the covered pile",
    "the other side's cards two ranks from the covered pile",
    "own cards two ranks from the other pile",
    "the other side's cards two ranks from the other pile",
    "own pairs of neighbouring ranks",
    "own pairs of equal ranks",
    "own runs of two that begin on the covered pile",
    "the other side's runs of two that begin on the covered pile",
    "an answer for the other side",
    "an answer for the other side while it has much left",
    "a card to go on with while there is much left",
    "piles far apart",
    "a covered pile near the ace (cosine on the circle of ranks)",
    "a covered pile from two to seven (sine)",
)
COUNT = len(FEATURES)
PARAMETERS = COUNT + COUNT * COUNT
COSINE, SINE = np.cos(2 * pi * np.arange(RANKS) / RANKS), np.sin(2 * pi * np.arange(RANKS) / RANKS)
# Means of the features, and how far they differ between the moves of a turn, in 600 matches of the baseline: to say in
# words which of them decide.
USUAL = np.array([29, 42, 41, 25, 16, 26, 42, 35, 28, 39, 54, 42, 22, 30, 73, 40, 45, 60, 0, 0]) / 100
SPREAD = np.array([22, 17, 28, 20, 27, 35, 22, 28, 21, 25, 22, 27, 24, 47, 28, 17, 11, 12, 47, 46]) / 100


@njit(cache=True, nogil=True)
def weigh(strategy: Array, linear: Array, square: Array) -> None:
    """Fill in l and Q + Q', bounded."""
    for i in range(COUNT):
        linear[i] = min(max(strategy[i], -LARGEST), LARGEST)
        for j in range(COUNT):
            straight, mirrored = strategy[COUNT * (i + 1) + j], strategy[COUNT * (j + 1) + i]
            square[i, j] = min(max(straight, -LARGEST), LARGEST) + min(max(mirrored, -LARGEST), LARGEST)


@njit(cache=True, nogil=True)
def describe(shown: Array, left: Array, mover: int, pile: int, other_pile: int, f: Array) -> None:
    """Fill in the features after the mover has put a card of rank `pile` on a pile, beside `other_pile`.

    shown[side, rank] counts the open cards; the card played is still among them, so it is taken out meanwhile.
    """
    foe = 1 - mover
    shown[mover, pile] -= 1
    up, down, high, low = (pile + 1) % 13, (pile + 12) % 13, (pile + 2) % 13, (pile + 11) % 13
    other_up, other_down = (other_pile + 1) % 13, (other_pile + 12) % 13
    other_high, other_low = (other_pile + 2) % 13, (other_pile + 11) % 13
    f[0] = (shown[mover, up] + shown[mover, down]) * 0.5
    f[1] = (shown[mover, other_up] + shown[mover, other_down]) * 0.5
    f[2] = (shown[foe, up] + shown[foe, down]) * 0.5
    f[3] = (shown[foe, other_up] + shown[foe, other_down]) * 0.5
    f[4] = shown[mover, pile]
    f[5] = shown[foe, pile]
    f[6] = (shown[mover, high] + shown[mover, low]) * 0.5
    f[7] = (shown[foe, high] + shown[foe, low]) * 0.5
    f[8] = (shown[mover, other_high] + shown[mover, other_low]) * 0.5
    f[9] = (shown[foe, other_high] + shown[foe, other_low]) * 0.5
    neighbours, equals, last = 0, 0, shown[mover, RANKS - 1]
    for rank in range(RANKS):
        count = shown[mover, rank]
        neighbours += count * last
        equals += count * (count - 1)
        last = count
    f[10] = neighbours * 0.5
    f[11] = equals * 0.5
    f[12] = shown[mover, up] * shown[mover, high] + shown[mover, down] * shown[mover, low]
    f[13] = shown[foe, up] * shown[foe, high] + shown[foe, down] * shown[foe, low]
    f[14] = 1.0 if f[2] + f[3] > 0.0 else 0.0
    f[15] = left[foe] / HAND if f[14] > 0.0 else 0.0
    f[16] = left[mover] / HAND if f[0] + f[1] > 0.0 else 0.0
    apart = abs(pile - other_pile)
    f[17] = min(apart, RANKS - apart) / 6.0
    f[18], f[19] = COSINE[pile], SINE[pile]
    shown[mover, pile] += 1


@njit(cache=True, nogil=True)
def value(linear: Array, square: Array, mover: int, f: Array, sums: Array) -> float:
    """l·f + f'Qf with `square` = Q + Q'; features are often 0, and their rows are then left out."""
    for i in range(COUNT):
        sums[i] = 2.0 * linear[mover, i]
    for i in range(COUNT):
        if f[i] != 0.0:
            for j in range(COUNT):
                sums[j] += f[i] * square[mover, i, j]
    total = 0.0
    for i in range(COUNT):
        total += f[i] * sums[i]
    return 0.5 * total


@njit(cache=True, nogil=True)
def deal(stream: Stream, cards: Array, shown: Array, record: Array) -> None:
    """Shuffle the cards (two piles, then 25 of each side, the topmost first) and fill in the open ones."""
    for i in range(CARDS):
        cards[i] = i >> 2
    shuffle(stream, cards, CARDS)
    if len(record) > 0:
        for i in range(CARDS):
            note(record, 1 + cards[i])
    shown[:] = 0
    for side in range(2):
        for i in range(OPEN):
            shown[side, cards[2 + HAND * side + i]] += 1


@njit(cache=True, nogil=True)
def best_move(
    linear: Array,
    square: Array,
    mover: int,
    piles: Array,
    options: int,
    shown: Array,
    left: Array,
    f: Array,
    stream: Stream,
) -> tuple[int, int]:
    """Return the rank of the best card that fits and its pile; one of them at random if several are best."""
    best, ties, chosen, chosen_pile = -np.inf, 0, -1, 0
    for option in range(options):
        pile = option >> 1
        rank = (piles[pile] + 1 + 11 * (option & 1)) % RANKS
        if shown[mover, rank] == 0:
            continue
        describe(shown, left, mover, rank, piles[1 - pile], f[0])
        payoff = value(linear, square, mover, f[0], f[1])
        if payoff < best:
            continue
        ties = ties + 1 if payoff == best else 1
        if ties == 1 or below(stream, ties) == 0:
            best, chosen, chosen_pile = payoff, rank, pile
    return chosen, chosen_pile


@njit(cache=True, nogil=True)
def outcome_of(mine: int, theirs: int) -> int:
    """Return the outcome when nobody can turn cards: the side with fewer cards left wins."""
    return DRAW if mine == theirs else WIN if mine < theirs else LOSS


@njit(cache=True, nogil=True)
def match(linear: Array, square: Array, stream: Stream, cards: Array, shown: Array, f: Array, record: Array) -> int:
    """One match. Recorded: the cards (two piles, then 25 of each side, the topmost first) and every turn."""
    recording = len(record) > 0
    deal(stream, cards, shown, record)
    hidden, left = np.empty(2, dtype=np.int64), np.full(2, HAND, dtype=np.int64)
    for side in range(2):
        hidden[side] = 2 + HAND * side + OPEN  # where its next hidden card is
    piles = cards[:2].astype(np.int64)

    mover, passed = 0, False
    while True:
        options = 4 if piles[0] != piles[1] else 2
        fits, chosen, chosen_pile = 0, -1, 0
        for option in range(options):
            rank = (piles[option >> 1] + 1 + 11 * (option & 1)) % RANKS
            if shown[mover, rank] > 0:
                fits, chosen, chosen_pile = fits + 1, rank, option >> 1
        if fits > 1:
            chosen, chosen_pile = best_move(linear, square, mover, piles, options, shown, left, f, stream)
        if fits > 0:
            if recording:
                note(record, 2 * (chosen + 1) + chosen_pile)
            piles[chosen_pile] = chosen
            shown[mover, chosen] -= 1
            left[mover] -= 1
            if left[mover] == 0:
                return WIN if mover == 0 else LOSS
            if hidden[mover] < 2 + HAND * (mover + 1):
                shown[mover, cards[hidden[mover]]] += 1
                hidden[mover] += 1
            passed = False
        elif not passed:
            if recording:
                note(record, PASS)
            passed = True
        else:
            if recording:
                note(record, TURN)
            if hidden[0] == 2 + HAND and hidden[1] == CARDS:
                return outcome_of(left[0], left[1])
            for side in range(2):
                if hidden[side] < 2 + HAND * (side + 1):
                    piles[side] = cards[hidden[side]]
                    hidden[side] += 1
                    left[side] -= 1
            passed = False
        mover = 1 - mover


@njit(cache=True, nogil=True)
def matches(first: Array, second: Array, seed: int, begins: int, outcomes: Array, record: Array) -> None:
    stream = np.empty(1, dtype=np.uint64)
    cards, shown = np.empty(CARDS, dtype=np.int8), np.empty((2, RANKS), dtype=np.int8)
    linear, square, f = np.empty((2, COUNT)), np.empty((2, COUNT, COUNT)), np.empty((2, COUNT))
    weigh(first, linear[0], square[0])
    weigh(second, linear[1], square[1])
    linear_turned, square_turned = linear[::-1].copy(), square[::-1].copy()
    for number in range(len(outcomes)):
        begin(stream, seed, begins + number)
        start_record(record)
        if (begins + number) % 2 == 0:
            outcomes[number] = match(linear, square, stream, cards, shown, f, record)
        else:
            outcomes[number] = turned(match(linear_turned, square_turned, stream, cards, shown, f, record))


def referee(moves: Sequence[int]) -> int:
    """The outcome of a recorded match for the side that began, by the rules alone."""
    if sorted(moves[:CARDS]) != sorted(list(range(1, RANKS + 1)) * 4):
        raise ContestError(f"expected a deal of 52 cards, got {list(moves[:CARDS])}")
    piles, hands = list(moves[:2]), [list(moves[2 : 2 + HAND]), list(moves[2 + HAND : CARDS])]
    mover, passed = 0, False
    for place in range(CARDS, len(moves)):
        move, can = moves[place], can_play(hands[mover], piles)
        if move > TURN:
            rank, pile = divmod(move, 2)
            if rank not in hands[mover][:OPEN] or (rank - piles[pile]) % RANKS not in (1, RANKS - 1):
                raise ContestError(f"expected an open card that fits, got rank {rank} on pile {pile} at entry {place}")
            hands[mover].remove(rank)  # the topmost of its rank, hence an open one
            piles[pile], passed = rank, False
            if not hands[mover]:
                break
        elif can or move != (TURN if passed else PASS):
            wanted = "a card to be played" if can else "cards to be turned" if passed else "a pass"
            raise ContestError(f"expected {wanted}, got {move} at entry {place}")
        elif passed and max(map(len, hands)) <= OPEN:
            break
        elif passed:
            turn_hidden_cards(hands, piles)
            passed = False
        else:
            passed = True
        mover = 1 - mover
    else:
        raise ContestError(f"expected a match to its end, got {len(moves)} entries that do not end it")
    if place != len(moves) - 1:
        raise ContestError(f"expected the end after {place + 1} entries, got {len(moves)}")
    mine, theirs = map(len, hands)
    return DRAW if mine == theirs else WIN if mine < theirs else LOSS


def can_play(hand: Sequence[int], piles: Sequence[int]) -> bool:
    """Return whether an open card of a hand fits a pile."""
    return any((card - pile) % RANKS in (1, RANKS - 1) for card in hand[:OPEN] for pile in piles)


def turn_hidden_cards(hands: Sequence[list[int]], piles: list[int]) -> None:
    """Turn the next hidden card of each side, if it has one, onto its pile."""
    for side, hand in enumerate(hands):
        if len(hand) > OPEN:
            piles[side] = hand.pop(OPEN)


def words(strategy: Array) -> str:
    """Say what decides most in usual positions: the slopes of the value, by the usual spread of each feature."""
    if not strategy.any():
        return "Play any card that fits, at random."
    linear, square = np.empty(COUNT), np.empty((COUNT, COUNT))
    weigh(strategy, linear, square)
    slopes = (linear + square @ USUAL) * SPREAD
    order = np.argsort(-np.abs(slopes), kind="stable")
    said = "Of the cards that fit, play the one that leaves the best position."
    for verb, sign in (("likes", 1), ("shuns", -1)):
        most = [FEATURES[i] for i in order if sign * slopes[i] > 0][:3]
        said += f" It {verb} most: {'; '.join(most)}." if most else ""
    return said


# Leave the other side no card that fits, or as few as possible.
BLOCK = [{2: -1.0, 3: -1.0, 14: -4.0}.get(i, 0.0) for i in range(PARAMETERS)]

CONTESTS = (
    Contest(
        "flip",
        rules=(
            "Both sides have 25 cards, the top five of which lie open. They take turns to put one of those five on "
            "one of two piles, a rank above or below its top card; king and ace are neighbours. When neither can, "
            "each turns a hidden card onto a pile. Whoever has no cards left first wins."
        ),
        parameters=PARAMETERS,
        meaning="l and Q, by rows, of the value l·f + f'Qf of the position after a move, f being 20 features of it",
        matches=matches,
        referee=referee,
        words=words,
        named={"block": BLOCK},
        paper={"seed": "0.554", "approximate": "0.598", "iterative": "0.588", "naive": "0.593", "real": "0.591"},
    ),
)
