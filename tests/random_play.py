"""Many games of random moves against a strategy, to compare its results with its certificate."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

from ruse.play.session import begin, play, side_of
from ruse.solution.strategy import Solution


def random_games(solution: Solution, side: int | str, count: int, seed: int) -> Counter[Fraction]:
    """Count the payoffs to side 0 in many games in which `side` moves at random."""
    human = side_of(solution.game, side)
    payoffs: Counter[Fraction] = Counter()
    for number in range(count):
        random = Random(f"{seed}/{number}")
        session = begin(solution, human, seed=random.randrange(1 << 53))
        while not session.over:
            move = session.choices[random.randrange(len(session.choices))]
            session = play(session, session.number, session.game.label(move))
        payoffs[session.game.payoff(session.states[-1])] += 1
    return payoffs
