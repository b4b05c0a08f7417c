"""Many games of random moves against a strategy: what it is certified for is what it has to win."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

from ruse.play.session import begin, play, side_of
from ruse.solution.strategy import Solution


def random_games(solution: Solution, side: int | str, count: int, seed: int) -> Counter[Fraction]:
    """How often each payoff to side 0 came up in so many games in which `side` moved at random."""
    human = side_of(solution.game, side)
    found: Counter[Fraction] = Counter()
    for number in range(count):
        random = Random(f"{seed}/{number}")
        session = begin(solution, human, seed=random.randrange(1 << 53))
        while not session.over:
            move = session.choices[random.randrange(len(session.choices))]
            session = play(session, session.number, session.game.label(move))
        found[session.game.payoff(session.states[-1])] += 1
    return found
