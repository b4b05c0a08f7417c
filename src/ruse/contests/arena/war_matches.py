"""Matches of War and Batawaf, compiled; see `war` for the rules and the parameters."""

from __future__ import annotations

from math import exp, log, log1p
from typing import Any

import numpy as np
from numba import njit

from ruse.contests.arena.chance import GROWTH, S11, UNIT, Stream, begin, bits, scrambled, shuffle
from ruse.contests.arena.contest import CUT, DRAW, LOSS, WIN
from ruse.contests.arena.recorded import note, start_record, turned
from ruse.core.arrays import Array

MOST_MOVES = 1_000_000
RANDOM, ASCENDING, DESCENDING = 0, 1, 2
RING = 64  # places of a deck: cards leave at the head and come in at the tail
LAST = RING - 1
ALWAYS = 1 << 62
WATCHED = 64  # puts that both sides must still make in their usual way before a repetition is looked for
ONE = np.uint64(1)


@njit(cache=True, nogil=True)
def order_odds(strategy: Array, odds: Array) -> None:
    """Fill in the odds of the three orders; those that no draw of 53 bits could meet are 0."""
    most = max(strategy[0], strategy[1], strategy[2])
    for kind in range(3):
        odds[kind] = exp(strategy[kind] - most)
    total = odds.sum()
    for kind in range(3):
        odds[kind] = odds[kind] / total if odds[kind] > 2.0**-53 * total else 0.0


@njit(cache=True, nogil=True)
def fixed_orders(strategy: Array, orders: Array, stream: Stream) -> None:
    """Fill in the permutation of k cards, for every k: orders[k, :k], from the bits of d = exp(D)."""
    seed = np.ones(1)
    if len(strategy) > 3:
        seed[0] = exp(min(max(strategy[3], -700.0), 700.0))
    for k in range(len(orders)):
        orders[k, :k] = np.arange(k)
        if seed[0] != 1.0:
            stream[0] = scrambled(seed.view(np.uint64)[0]) + np.uint64(k)
            shuffle(stream, orders[k], k)


@njit(cache=True, nogil=True)
def habit(strategy: Array, habits: Array) -> None:
    """Fill in the usual order, 1 / log of its odds (0 if certain), and the share of the next order in what they leave.

    The number of usual puts before another order is geometric, so it can be drawn at once.
    """
    odds = np.empty(3)
    order_odds(strategy, odds)
    usual = np.argmax(odds)
    second, third = odds[(usual + 1) % 3], odds[(usual + 2) % 3]
    habits[0] = usual
    habits[1] = 1.0 / log1p(-second - third) if second + third > 0.0 else 0.0
    habits[2] = second / (second + third) if second + third > 0.0 else 0.0


@njit(cache=True, nogil=True)
def usual_puts(word: Any, rate: float) -> int:
    """How often the usual order is chosen before another, from 64 random bits."""
    return ALWAYS if rate == 0.0 else int(log(1.0 - np.float64(word >> S11) * UNIT) * rate)


@njit(cache=True, nogil=True)
def unusual_order(word: Any, usual: int, split: float) -> int:
    """One of the two orders that are not the usual one, from 64 random bits."""
    return (usual + (1 if np.float64(word >> S11) * UNIT < split else 2)) % 3


@njit(cache=True, nogil=True)
def arrange(stream: Stream, won: Array, k: int, kind: int, orders: Array, seat: int, scratch: Array) -> None:
    """Put the k cards won in the chosen order."""
    if kind == RANDOM:
        shuffle(stream, won, k)
        return
    for i in range(k):
        card, place = won[i], i
        while place > 0 and scratch[place - 1] > card:
            scratch[place] = scratch[place - 1]
            place -= 1
        scratch[place] = card
    for i in range(k):
        won[i] = scratch[orders[seat, k, i if kind == ASCENDING else k - 1 - i]]


@njit(cache=True, nogil=True)
def same(decks: Array, head: int, tails: Array, seen: Array, seen_size: int) -> bool:
    """Whether the decks are those seen before: seen[0, :seen_size] and seen[1] with all the other cards."""
    if tails[0] - head != seen_size:
        return False
    for seat in range(2):
        for i in range(tails[seat] - head):
            if decks[seat, (head + i) & LAST] != seen[seat, i]:
                return False
    return True


@njit(cache=True, nogil=True)
def deal(stream: Stream, ranks: int, copies: int, won: Array, decks: Array, record: Array) -> None:
    """Shuffle all cards and deal them to both decks."""
    cards = ranks * copies
    for i in range(cards):
        won[i] = i // copies + 1
    shuffle(stream, won, cards)
    for i in range(cards):
        note(record, won[i])
        decks[i & 1, i >> 1] = won[i]


@njit(cache=True, nogil=True)
def war(decks: Array, head: int, tails: Array, won: Array) -> int:
    """Turn cards until they differ, after two equal ones in `won`; return how many, 0 if a side runs out."""
    k = 2
    while won[k - 2] == won[k - 1]:
        if tails[0] - head < 2 or tails[1] - head < 2:
            return 0
        for _ in range(2):
            won[k], won[k + 1] = decks[0, head & LAST], decks[1, head & LAST]
            head += 1
            k += 2
    return k


@njit(cache=True, nogil=True)
def outcome_of(tails: Array) -> int:
    """Return the outcome if a side runs out of cards during a war: the side with more cards wins."""
    return DRAW if tails[0] == tails[1] else LOSS if tails[0] < tails[1] else WIN


@njit(cache=True, nogil=True)
def note_put(record: Array, decks: Array, seat: int, tail: int, k: int) -> None:
    """Record the k cards put under a deck."""
    for i in range(k):
        note(record, decks[seat, (tail + i) & LAST])


@njit(cache=True, nogil=True)
def remember(decks: Array, head: int, tails: Array, seen: Array) -> None:
    """Copy both decks."""
    for seat in range(2):
        for i in range(tails[seat] - head):
            seen[seat, i] = decks[seat, (head + i) & LAST]


@njit(cache=True, nogil=True)
def match(habits: Array, orders: Array, ranks: int, copies: int, stream: Stream, scratch: Array, record: Array) -> int:
    """One match. Recorded: the deal, the cards of every put in order, and `-length, times` for moves that repeat.

    The decks are rings; as both sides always turn equally many cards, they share the place of their heads. Where both
    sides mostly choose a fixed order, play may run in circles. Brent's way to see that (1980): keep the decks after 64,
    192, 448, … moves and compare. The moves of a circle are then counted, not played, for as long as both sides go on
    in their usual way.
    """
    cards = ranks * copies
    decks, seen, won, sorted_won = scratch[:2], scratch[2:4], scratch[4], scratch[5]
    head, tails = 0, np.full(2, cards // 2, dtype=np.int64)
    usual, left = np.empty(2, dtype=np.int64), np.empty(2, dtype=np.int64)
    for seat in range(2):
        usual[seat] = np.int64(habits[seat, 0])
        left[seat] = usual_puts(bits(stream), habits[seat, 1])
    recording = len(record) > 0
    watch = usual[0] != RANDOM and usual[1] != RANDOM
    due, window, seen_move, seen_size, seen_left = 0, WATCHED, 0, 0, (0, 0)
    coins, tossed = np.uint64(0), 0  # 64 at a time
    deal(stream, ranks, copies, won, decks, record)

    state = stream[0]  # drawn from here: a call with an array costs more than all the rest of a move
    move = 0
    while move < MOST_MOVES:
        move += 1
        mine, theirs = decks[0, head & LAST], decks[1, head & LAST]
        head += 1
        k = 2
        if mine == theirs:
            won[0], won[1] = mine, theirs
            k = war(decks, head, tails, won)
            if k == 0:
                return outcome_of(tails)
            head += (k - 2) // 2
            mine, theirs = won[k - 2], won[k - 1]
        seat = int(mine < theirs)
        if left[seat] > 0:
            left[seat] -= 1
            kind = usual[seat]
        else:
            left[seat] = usual_puts(scrambled(state + GROWTH), habits[seat, 1])
            state += GROWTH + GROWTH
            kind = unusual_order(scrambled(state), usual[seat], habits[seat, 2])
        tail = tails[seat]
        tails[seat] += k
        if k == 2:
            swap = int(kind == DESCENDING) ^ orders[seat, 2, 0]
            if kind == RANDOM:
                if tossed == 0:
                    state += GROWTH
                    coins, tossed = scrambled(state), 64
                swap = int(coins & ONE)
                coins, tossed = coins >> ONE, tossed - 1
            low, high = min(mine, theirs), max(mine, theirs)
            step = (high - low) * swap  # without a branch: nobody could foresee it
            decks[seat, tail & LAST], decks[seat, (tail + 1) & LAST] = low + step, high - step
        else:
            stream[0] = state
            arrange(stream, won, k, kind, orders, seat, sorted_won)
            state = stream[0]
            for i in range(k):
                decks[seat, (tail + i) & LAST] = won[i]
        if recording:
            note_put(record, decks, seat, tail, k)
        if tails[1 - seat] == head:
            return WIN if seat == 0 else LOSS

        if not watch:
            continue
        if left[0] < WATCHED or left[1] < WATCHED:
            due, window = 0, WATCHED
        elif move >= due:
            remember(decks, head, tails, seen)
            due, window, seen_left = move + window, 2 * window, (left[0], left[1])
            seen_move, seen_size = move, tails[0] - head
        elif same(decks, head, tails, seen, seen_size):
            length, first, second = move - seen_move, seen_left[0] - left[0], seen_left[1] - left[1]
            times = (MOST_MOVES - move) // length
            times = min(times, left[0] // max(first, 1), left[1] // max(second, 1))
            if times > 0:
                note(record, -length)
                note(record, times)
                move += times * length
                left[0], left[1] = left[0] - times * first, left[1] - times * second
    return CUT


@njit(cache=True, nogil=True)
def matches(
    ranks: int, copies: int, first: Array, second: Array, seed: int, begins: int, outcomes: Array, record: Array
) -> None:
    cards = ranks * copies
    stream = np.empty(1, dtype=np.uint64)
    scratch = np.empty((6, RING), dtype=np.int8)
    habits, orders = np.empty((2, 3)), np.empty((2, cards + 1, cards), dtype=np.int8)
    for seat, strategy in enumerate((first, second)):
        habit(strategy, habits[seat])
        fixed_orders(strategy, orders[seat], stream)
    habits_turned, orders_turned = habits[::-1].copy(), orders[::-1].copy()
    for number in range(len(outcomes)):
        begin(stream, seed, begins + number)
        start_record(record)
        if (begins + number) % 2 == 0:
            outcomes[number] = match(habits, orders, ranks, copies, stream, scratch, record)
        else:
            outcomes[number] = turned(match(habits_turned, orders_turned, ranks, copies, stream, scratch, record))
