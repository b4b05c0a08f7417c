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
        ({"players": 5, "roles": "merlin,percival,assassin,morgana"}, Fraction(2, 3)),
        ({"players": 5, "roles": "merlin,percival,mordred,morgana"}, Fraction(67, 120)),
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


def test_seven_players_are_bounded_from_both_sides() -> None:
    solution = ruse.solve(make("avalon", {"players": 7}))
    assert (solution.certificate.lower, solution.certificate.upper) == (Fraction(5, 12), Fraction(1, 2))
    assert solution.verify() == solution.certificate


@pytest.mark.parametrize("limits", [{"gap": 1e-3}, {"time": 300.0}, {"iterations": 500}])
def test_six_players_with_mordred_within_limits(limits: dict[str, Any]) -> None:
    solution = ruse.solve(make("avalon", {"players": 6, "roles": MORDRED}), **limits)
    lower, upper = ((1 + bound) / 2 for bound in (solution.certificate.lower, solution.certificate.upper))
    assert lower <= Fraction(6543, 12464) <= upper and upper - lower < Fraction(1, 100)
    if "gap" in limits:
        assert solution.certificate.gap <= limits["gap"]
    if "time" in limits:
        assert solution.seconds < 1.1 * limits["time"]
