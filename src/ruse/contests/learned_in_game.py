"""A learned strategy in ruse's own game: its exact exploitability, and a solution to play against.

A strategy of the contest becomes a table of the game (`Contest.game`), as the first and as the second side; best
responses by the rules (`ruse.verify`) then say what it guarantees in either seat. Draws count a half. Contests without
a game are played in compiled code, both strategies to the end at once; there are no rules state by state, so nobody can
be asked for a move.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from ruse.contests.arena.contest import Contest
from ruse.contests.learned import Learned
from ruse.core import rationals
from ruse.core.game import Game
from ruse.core.registry import make
from ruse.core.types import Tables
from ruse.solution.strategy import Solution
from ruse.verify.verifier import bounds

SOLVER = "learned"
WHY_NOT = "its matches run in compiled code that plays two complete strategies, so a person cannot make single moves"
NO_TABLE = "the learned strategy randomises at every turn, so there is no table to play from"


class ExploitedStrategy(NamedTuple):
    """The payoffs, from -1 to 1, that a strategy guarantees as the first side and concedes at most as the second."""

    first: Fraction
    second: Fraction

    @property
    def rate(self) -> Fraction:
        """How often a perfect opponent wins, on average over both seats."""
        return Fraction(1, 2) - (self.first - self.second) / 4

    def to_json(self) -> dict[str, Any]:
        return {"opponent_wins": rationals.write(self.rate), "float": float(self.rate)}

    def format(self) -> str:
        exactly = rationals.write(self.rate)
        exactly = f", exactly {exactly}" if len(exactly) <= 20 and self.rate.denominator > 1 else ""
        return f"A perfect opponent who knows this strategy wins {100 * float(self.rate):.2f}%{exactly}."


def exploited(contest: Contest, parameters: Sequence[float]) -> ExploitedStrategy | None:
    """Compute the best responses to a strategy; None if it is no table of the game."""
    if (seated := _in_both_seats(contest, parameters)) is None:
        return None
    certificate = bounds(*seated)
    return ExploitedStrategy(certificate.lower, certificate.upper)


def as_solution(learned: Learned) -> Solution | None:
    """Make a solution of a strategy in both seats, with its guarantees; None if nobody can play against it."""
    if (seated := _in_both_seats(learned.game, learned.parameters)) is None:
        return None
    game, tables = seated
    return Solution(game, SOLVER, tables, bounds(game, tables), learned.seconds, learned.iterations)


def _in_both_seats(contest: Contest, parameters: Sequence[float]) -> tuple[Game, Tables] | None:
    """The game, and the strategy as a table of either side; None if it is no table."""
    if contest.game is None:
        return None
    game = make(contest.game.name, contest.game.parameters)
    first, second = (contest.game.table(contest.strategy(parameters), game, side) for side in (0, 1))
    return None if first is None or second is None else (game, (first, second))
