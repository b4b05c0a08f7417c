"""Avalon at the tables that take minutes: exact values from both sides, verified by the rules, and games played."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import Any

import pytest

import ruse
from ruse.games import make
from seated import games_won

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
    won = games_won(solution, GAMES, 0)
    assert abs(won / GAMES - share) < 4 * sqrt(share * (1 - share) / GAMES)
