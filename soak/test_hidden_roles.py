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
        ({"players": 5, "talk": "none"}, Fraction(1, 5)),
        ({"players": 5, "talk": "vouch", "truth": 1}, Fraction(17, 60)),
        ({"players": 5, "talk": "round", "truth": 1}, Fraction(361, 1280)),
        ({"players": 5, "talk": "vouch", "truth": 1, "roles": MORDRED}, Fraction(41, 180)),
        ({"players": 5, "talk": "round", "truth": 1, "roles": MORDRED}, Fraction(57, 320)),
    ],
)
def test_values_hold_by_the_rules_and_in_games_played(parameters: dict[str, Any], share: Fraction) -> None:
    """Ten thousand games by what is stored, and as many by best responses to each side."""
    solution = ruse.solve(make("avalon", parameters))
    assert solution.certificate.exact and solution.win["good"] == share
    assert solution.verify() == solution.certificate
    for answering in (None, 0, 1):
        won = games_won(solution, GAMES, 0, answering)
        assert abs(won / GAMES - share) < 4 * sqrt(share * (1 - share) / GAMES)
