"""A learned strategy as a solution to play against, for contests whose games ruse has.

Its bounds are what the strategy guarantees in either seat, by best responses. Other contests are played in compiled
code, both strategies to the end at once; there are no rules state by state, so nobody can be asked for a move.
"""

from __future__ import annotations

from ruse.contests.learned import Learned
from ruse.core.registry import make
from ruse.solution.strategy import Solution
from ruse.verify.verifier import bounds

SOLVER = "learned"
WHY_NOT = "its matches run in compiled code that plays two complete strategies, so a person cannot make single moves"
NO_TABLE = "the learned strategy randomises at every turn, so there is no table to play from"


def as_solution(learned: Learned) -> Solution | None:
    """Make a solution of a strategy in both seats, with its guarantees; None if nobody can play against it."""
    contest = learned.game
    if contest.game is None:
        return None
    game = make(contest.game.name, contest.game.parameters)
    first, second = (contest.game.table(contest.strategy(learned.parameters), game, side) for side in (0, 1))
    if first is None or second is None:
        return None
    tables = (first, second)
    return Solution(game, SOLVER, tables, bounds(game, tables), learned.seconds, learned.iterations)
