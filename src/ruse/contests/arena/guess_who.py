"""Guess Who: both sides narrow down the other's hidden number of 128 by yes/no questions; who knows it first wins.

The mover has n candidates left and asks about c of them: yes with probability c/n, and c candidates remain, else n - c.
A side with one candidate left after its own question wins at once. (Cauwet & Teytaud 2018, §III and §V-B; Nica 2015.)

The strategies are the paper's Eqs. 1-3. With m candidates left to the other side and d = max(n - m, 0), ask about

    c = floor(β r (n - 1)/2 + (1 - β) (n/2 - α d/2 + γ (n/2) (d/n)² + ζ (n/2) (d/n)³ + ι (n - m)/2)),

clipped to 1..n-1, where r is drawn from [0, 1] at each question. guess-who-deter has (α, γ, ζ, ι) and β = 0; guess-who
has β as its fifth parameter. Zeros are the dichotomy. The paper prints d as max(n - m, 0)/2 in Eqs. 2 and 3, which
contradicts Eq. 1 (α d/2 is there α max(n - m, 0)/2) and its results: with it ONL would lose to OL.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor
from typing import Any

import numpy as np
from numba import njit

from ruse.contests.arena.chance import Stream, begin, below, share
from ruse.contests.arena.contest import LOSS, WIN, Contest, ContestError, KnownOptimum, Solvable
from ruse.contests.arena.recorded import note, start_record, turned
from ruse.core import rationals
from ruse.core.arrays import Array
from ruse.core.capabilities import Ranged
from ruse.core.game import describe
from ruse.core.registry import call_optional, make
from ruse.core.types import StrategyTable

CHARACTERS = 128
LARGEST = 1e6  # a parameter beyond it counts as this: far more than clips c anyway
BETA = 4  # the place of β


@njit(cache=True, nogil=True)
def clipped(number: float) -> float:
    return min(max(number, -LARGEST), LARGEST)


@njit(cache=True, nogil=True)
def leaning(strategy: Array, aims: Array) -> float:
    """Fill aims[n, m] with what is rounded down to c, less its random part; and return β."""
    alpha, gamma = clipped(strategy[0]), clipped(strategy[1])
    zeta, iota = clipped(strategy[2]), clipped(strategy[3])
    beta = clipped(strategy[BETA]) if len(strategy) > BETA else 0.0
    for n in range(2, CHARACTERS + 1):
        for m in range(1, CHARACTERS + 1):
            d = float(max(n - m, 0))
            twice = n - alpha * d + gamma * d * d / n + zeta * d * d * d / (n * n) + iota * (n - m)
            aims[n, m] = (1.0 - beta) * twice / 2
    return beta


@njit(cache=True, nogil=True)
def rounded(aim: float, n: int) -> int:
    return min(max(floor(aim), 1), n - 1)


@njit(cache=True, nogil=True)
def round_all(aims: Array, asked: Array) -> None:
    for n in range(2, CHARACTERS + 1):
        for m in range(1, CHARACTERS + 1):
            asked[n, m] = rounded(aims[n, m], n)


@njit(cache=True, nogil=True)
def match(asked: Array, aims: Array, betas: Array, beginner: int, stream: Stream, record: Array) -> int:
    """One match; strategy `beginner`, 0 or 1, begins. Recorded: every c, and 1 for yes or 0 for no."""
    mine = theirs = CHARACTERS
    mover = beginner
    while True:
        c = int(asked[mover, mine, theirs])
        if betas[mover] != 0.0:
            c = rounded(betas[mover] * share(stream) * (mine - 1) / 2 + aims[mover, mine, theirs], mine)
        yes = below(stream, mine) < c
        note(record, c)
        note(record, int(yes))
        mine = c if yes else mine - c
        if mine == 1:
            return WIN if mover == beginner else LOSS
        mine, theirs = theirs, mine
        mover = 1 - mover


@njit(cache=True, nogil=True)
def matches(first: Array, second: Array, seed: int, begins: int, outcomes: Array, record: Array) -> None:
    """What is asked is worked out once for the whole series, up to the random part."""
    stream = np.empty(1, dtype=np.uint64)
    aims = np.zeros((2, CHARACTERS + 1, CHARACTERS + 1))
    asked = np.zeros((2, CHARACTERS + 1, CHARACTERS + 1), dtype=np.int16)
    betas = np.array([leaning(first, aims[0]), leaning(second, aims[1])])
    for side in range(2):
        round_all(aims[side], asked[side])
    for number in range(len(outcomes)):
        begin(stream, seed, begins + number)
        start_record(record)
        if (begins + number) % 2 == 0:
            outcomes[number] = match(asked, aims, betas, 0, stream, record)
        else:
            outcomes[number] = turned(match(asked, aims, betas, 1, stream, record))


def asked_table(strategy: Array) -> Array:
    """How many candidates a deterministic strategy asks about, by [own candidates, the other's]: int16[129, 129]."""
    if len(strategy) > BETA and strategy[BETA] != 0:
        raise ContestError(f"expected a strategy without a random part, got beta {strategy[BETA]:g}")
    aims, asked = np.zeros((CHARACTERS + 1,) * 2), np.zeros((CHARACTERS + 1,) * 2, dtype=np.int16)
    leaning(strategy, aims)
    round_all(aims, asked)
    return asked


def referee(moves: Sequence[int]) -> int:
    """The outcome of a recorded match for the side that began, by the rules alone."""
    if len(moves) % 2:
        raise ContestError(f"expected a question and an answer in turn, got {len(moves)} numbers")
    candidates = [CHARACTERS, CHARACTERS]
    for turn in range(len(moves) // 2):
        if 1 in candidates:
            raise ContestError(f"expected the end once a side knows, got question {turn}")
        mover, (c, answer) = turn % 2, moves[2 * turn : 2 * turn + 2]
        if not 1 <= c < candidates[mover]:
            raise ContestError(f"expected a question about 1 to {candidates[mover] - 1} candidates, got {c}")
        if answer not in (0, 1):
            raise ContestError(f"expected the answer 0 or 1, got {answer}")
        candidates[mover] = c if answer else candidates[mover] - c
    if 1 not in candidates:
        raise ContestError(f"expected a match to the end, got {candidates} candidates left")
    return WIN if candidates[0] == 1 else LOSS


def words(strategy: Array) -> str:
    """What it asks when level, late and ahead."""
    said = []
    aims = np.zeros((CHARACTERS + 1,) * 2)
    beta = leaning(strategy, aims)
    for mine, theirs, when in ((64, 64, "Level"), (64, 16, "Late"), (64, 4, "Very late"), (16, 64, "Ahead")):
        least, most = sorted(rounded(aims[mine, theirs] + r * beta * (mine - 1) / 2, mine) for r in (0.0, 1.0))
        asked = str(least) if least == most else f"{least} to {most}"
        said.append(f"{when}, with {mine} candidates against {theirs}, ask about {asked}")
    return ". ".join(said) + "."


RULES = (
    "Both sides have a hidden number out of 128. They take turns to ask whether the other's is among c of the n that "
    "are left. Whoever has a single candidate left after asking wins."
)
PRINTED: dict[str, Sequence[float]] = {  # α, γ, ζ, ι of §V-B
    "dichotomy": [0, 0, 0, 0],
    "OL": [1, 0, 0, 0],
    "ONL": [-1 / 4, -3 / 2, 0, 0],
    "Best": [-0.56, -1.58, -0.06, -0.022],
}


def table(strategy: Array, game: Any, side: int) -> StrategyTable | None:
    """A strategy as a table of the game."""
    if len(strategy) > BETA and strategy[BETA] != 0:
        return None  # it draws a number anew at every question
    asked = asked_table(strategy)
    strategy_table = {}
    for mine in range(2, CHARACTERS + 1):
        for theirs in range(2, CHARACTERS + 1):
            about = int(asked[mine, theirs])
            here = game.start()._replace(turn=side, mine=mine, theirs=theirs)
            strategy_table[describe(game, here)] = {str(min(about, mine - about)): Fraction(1)}
    return strategy_table


def optimum() -> KnownOptimum:
    """Solving takes half a minute; the game's formula is quick."""
    game = make(GAME.name, GAME.parameters)
    payoff, source = call_optional(Ranged.known_value, game), call_optional(Ranged.known_by, game)
    assert payoff is not None
    rate = (1 + payoff) / 2
    text = f"whoever asks first wins {100 * float(rate):.2f}% ({rate}), by {source}"
    return KnownOptimum(
        text, f"ruse solve guess-who --mine {CHARACTERS} --theirs {CHARACTERS}", rationals.write(payoff)
    )


GAME = Solvable("guess-who", table, {"mine": CHARACTERS, "theirs": CHARACTERS})
CONTESTS = (
    Contest(
        "guess-who-deter",
        rules=RULES,
        parameters=4,
        meaning="α, γ, ζ and ι of the paper's Eq. 3, which says how many to ask about when late",
        matches=matches,
        referee=referee,
        words=words,
        named=PRINTED,
        paper={"approximate": "0.785714", "naive": "0.613484", "real": "0.597514"},
        ours=False,
        game=GAME,
        optimum=optimum,
    ),
    Contest(
        "guess-who",
        rules=RULES,
        parameters=5,
        meaning="α, γ, ζ and ι of the paper's Eq. 3, and the random share β of its Eq. 2",
        matches=matches,
        referee=referee,
        words=words,
        named={name: [*numbers, 0] for name, numbers in PRINTED.items()},
        paper={"approximate": "0.679", "iterative": "0.771", "naive": "1", "real": "0.615"},
        ours=False,
        game=GAME,
        optimum=optimum,
    ),
)
