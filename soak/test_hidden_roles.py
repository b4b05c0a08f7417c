"""Avalon at the tables that take minutes: exact values from both sides, verified by the rules, and games played."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from random import Random
from typing import Any

import pytest

import ruse
from ruse.core.game import CHANCE, END
from ruse.games import make
from ruse.games.hidden_roles import HiddenRoles
from ruse.games.hidden_roles.verify import seat_policy
from ruse.solution.strategy import Solution

GAMES = 10_000
MORDRED = "merlin,assassin,mordred"


@pytest.mark.parametrize(
    ("parameters", "share"),
    [
        ({"players": 5}, Fraction(2, 3)),  # Carminati et al. 2023
        ({"players": 6}, Fraction(3, 4)),  # the same
        ({"players": 5, "roles": MORDRED}, Fraction(731, 1782)),  # the same
        ({"players": 6, "roles": MORDRED}, Fraction(6543, 12464)),  # the same
    ],
)
def test_values_with_private_talk(parameters: dict[str, Any], share: Fraction) -> None:
    solution = ruse.solve(make("avalon", parameters))
    assert solution.certificate.exact and solution.win["good"] == share
    assert solution.verify() == solution.certificate
    won = games_won(solution)
    assert abs(won / GAMES - share) < 4 * sqrt(share * (1 - share) / GAMES)


def games_won(solution: Solution) -> int:
    """How many games the good side wins when both play what is stored."""
    random, game = Random(0), solution.game
    assert isinstance(game, HiddenRoles)
    policies = [seat_policy(game, side, solution.tables[side]) for side in (0, 1)]
    won = 0
    for _ in range(GAMES):
        state = game.start()
        while (turn := game.turn(state)) != END:
            odds = (
                dict(zip(game.moves(state), game.odds(state), strict=True)) if turn == CHANCE else policies[turn](state)
            )
            (move,) = random.choices(list(odds), [float(share) for share in odds.values()])
            state = game.play(state, move)
        won += game.payoff(state) == 1
    return won
