"""Beliefs with slips in The Resistance against many simulated deals, at positions drawn from games that slip."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

import ruse
from insight_evenings import assert_simulated, insight
from ruse.games.resistance import notation
from ruse.games.resistance.table import POINTS_TO_WIN

DEALS = 100_000
POSITIONS = 50


@pytest.mark.parametrize("number", range(POSITIONS))
def test_beliefs_are_those_of_deals(number: int) -> None:
    random = Random(number)
    players = 5 + number % 6
    table = ruse.games.resistance(players).table
    slip = Fraction(random.randint(1, 9), 10)
    spies = set(random.sample(range(players), table.spies))
    position, score = table.title, [0, 0]
    for size, fails in zip(table.missions[: random.randint(1, 4)], table.sabotages, strict=False):
        if POINTS_TO_WIN in score:
            break
        mission = sorted(random.sample(range(players), size))
        failed = sum(random.random() < 0.5 for seat in mission if seat in spies) >= fails
        position += f"/{notation.seats(mission)}{'-' if failed else '+'}"
        score[failed] += 1
    assert_simulated(insight(players), position, slip, DEALS)
