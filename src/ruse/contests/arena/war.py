"""War and Batawaf: both sides turn their top card, the higher one takes both; who has all the cards wins.

When the cards are equal, both sides add one card face down and turn another, until the cards differ; who has fewer than
two cards left for that loses, and if it is both it is a draw (our choice: the paper is silent). The winner puts all
these cards under its deck, in an order of its choice, which is all there is to decide. War has 13 ranks of 4 cards;
Batawaf, whose deck the paper does not give, 6 ranks of 6. A move is a round; a million of them without an end are a
draw. (Cauwet & Teytaud 2018, §III and §V-A.)

Parameters A, B, C, printed in §V-A: with a = exp(A), b = exp(B), c = exp(C), the won cards are put in ascending order
and rearranged by a permutation σ: any one with odds a / (a + b + c), none with b / (a + b + c) (ascending), the
reversal with c / (a + b + c) (descending). The variants with four parameters follow σ by a fixed permutation of k cards
that d = exp(D) and k are the seed of; at D = 0, as in the baseline, it changes nothing (our choice).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from ruse.contests.arena.contest import CUT, DRAW, LOSS, WIN, Contest, ContestError
from ruse.contests.arena.war_matches import MOST_MOVES, RANDOM, fixed_orders, matches, order_odds
from ruse.core.arrays import Array


def referee(ranks: int, copies: int, moves: Sequence[int]) -> int:
    """The outcome of a recorded match for the side that began, by the rules alone."""
    cards = ranks * copies
    deal = list(moves[:cards])
    if sorted(deal) != [rank for rank in range(1, ranks + 1) for _ in range(copies)]:
        raise ContestError(f"expected a deal of {copies} cards of each of {ranks} ranks, got {deal}")
    decks = [deal[::2], deal[1::2]]
    history = [(tuple(decks[0]), tuple(decks[1]))]
    place, played = cards, 0
    while played < MOST_MOVES:
        if place < len(moves) and moves[place] < 0:
            length = -moves[place]
            times = moves[place + 1] if place + 1 < len(moves) else 0
            if length >= len(history) or history[-1 - length] != history[-1] or times < 1:
                raise ContestError(f"expected moves that repeat, got {length} moves {times} times at entry {place}")
            place, played = place + 2, played + times * length
            continue
        played += 1
        won = turn_cards(decks)
        if won[-1] == won[-2]:
            ended(place, moves)
            return DRAW if len(decks[0]) == len(decks[1]) else LOSS if len(decks[0]) < 2 else WIN
        winner = 0 if won[-2] > won[-1] else 1
        put = list(moves[place : place + len(won)])
        if sorted(put) != sorted(won):
            raise ContestError(f"expected the cards {sorted(won)} to be put back, got {put} at entry {place}")
        place += len(put)
        decks[winner] += put
        if not decks[1 - winner]:
            ended(place, moves)
            return WIN if winner == 0 else LOSS
        history.append((tuple(decks[0]), tuple(decks[1])))
    ended(place, moves)
    if played > MOST_MOVES:
        raise ContestError(f"expected at most {MOST_MOVES:,} moves, got {played:,}")
    return CUT


def turn_cards(decks: Sequence[list[int]]) -> list[int]:
    """Take cards from both decks until the last two differ, or a side has fewer than two cards left for a war."""
    won = [decks[0].pop(0), decks[1].pop(0)]
    while won[-1] == won[-2] and min(map(len, decks)) >= 2:
        for _ in range(2):
            won += [decks[0].pop(0), decks[1].pop(0)]
    return won


def ended(place: int, moves: Sequence[int]) -> None:
    if place != len(moves):
        raise ContestError(f"expected the end after {place} entries, got {len(moves)}")


def words(strategy: Array) -> str:
    """The order that is chosen most, and how often."""
    odds, orders = np.empty(3), np.empty((3, 2), dtype=np.int8)
    order_odds(strategy, odds)
    fixed_orders(strategy, orders, np.empty(1, dtype=np.uint64))
    names = ["in random order", "lowest first", "best first"]
    if orders[2, 0] == 1:  # d turns a pair round
        names = ["in random order", "best first", "lowest first"]
    most = int(np.argmax(odds))
    if np.allclose(odds, 1 / 3):
        how = "Put won cards back in random order, lowest first or best first, each a third of the time."
    elif odds[most] > 0.995:
        how = f"Put won cards back {names[most]}."
    else:
        rest = ", ".join(f"{names[kind]} {odds[kind]:.0%}" for kind in range(3) if kind != most)
        how = f"Put won cards back {names[most]} {odds[most]:.0%} of the time ({rest})."
    mixed = len(strategy) > 3 and strategy[3] != 0 and odds[RANDOM] < 0.995
    return how + (" After a war they go back in another order." if mixed else "")


RULES = (
    "Both sides turn their top card and the higher one takes both; equal cards are covered with one card face down and "
    "one face up, and so on. The winner puts these cards under its deck in an order of its choice. Whoever has all "
    "the cards, or whose opponent cannot go on, wins."
)
ORDERS = "odds exp(A), exp(B), exp(C) of putting won cards back in random, ascending and descending order"
NAMED = {"random": (40.0, 0.0, 0.0), "ascending": (0.0, 40.0, 0.0), "descending": (0.0, 0.0, 40.0)}


def variant(name: str, ranks: int, copies: int, parameters: int, paper: dict[str, str]) -> Contest:
    return Contest(
        name,
        rules=RULES,
        parameters=parameters,
        meaning=ORDERS if parameters == 3 else f"{ORDERS}; exp(D) is the seed of a permutation that follows",
        matches=partial(matches, ranks, copies),
        referee=partial(referee, ranks, copies),
        words=words,
        cut=f"after {MOST_MOVES:,} moves",
        named={name: order + (0.0,) * (parameters - 3) for name, order in NAMED.items()},
        paper=paper,
        ours=False,
    )


METHODS = ("seed", "approximate", "iterative", "naive", "real")  # the paper's Table II

CONTESTS = (
    variant("war", 13, 4, 3, dict(zip(METHODS, ("0.632", "0.517", "0.653", "0.632", "0.487"), strict=True))),
    variant("war4", 13, 4, 4, dict(zip(METHODS, ("0.623", "0.623", "0.669", "0.605", "0.553"), strict=True))),
    variant("batawaf", 6, 6, 3, dict(zip(METHODS, ("0.627", "0.627", "0.627", "0.628", "0.444"), strict=True))),
    variant("batawaf4", 6, 6, 4, dict(zip(METHODS, ("0.606", "0.626", "0.626", "0.620", "0.544"), strict=True))),
)
