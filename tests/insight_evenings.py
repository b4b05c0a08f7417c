"""Evenings of The Resistance, simulated by its rules seat by seat: what beliefs with slips should come to."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import sqrt
from random import Random
from typing import Any

import numpy as np

import ruse
from ruse.core.registry import part
from ruse.games.resistance import notation
from ruse.games.resistance.insight import ResistanceInsight
from ruse.games.resistance.verify import seat_policy


@cache
def insight(*table: Any) -> ResistanceInsight:
    game = ruse.games.resistance(*table)
    return part(game, "insight")(ruse.solve(game))


def assert_simulated(here: ResistanceInsight, position: str, slip: Fraction, deals: int) -> None:
    """Deal, play cards by the rules seat by seat with slips, and keep the deals that show the position's results."""
    game, table, random = here.game, here.table, Random(position)
    policy = seat_policy(game, 1, here.solution.tables[1].__getitem__)
    read = notation.read(table, position)
    kept = np.zeros(table.players)
    count = 0
    for _ in range(deals):
        spies = tuple(sorted(random.sample(range(table.players), table.spies)))
        state = game.play(game.start(), spies)
        for mission, passed in read.done:
            state = game.play(state, mission)
            team = [seat for seat in mission if seat in spies]
            told: list[int] = []
            ordered = state
            for _ in team:  # the order, as the first spies aboard carry it out
                odds = policy(ordered)
                told.append(random.choices([0, 1], [float(odds[0]), float(odds[1])])[0])
                ordered = game.play(ordered, told[-1])
            for card in told:
                state = game.play(state, random.randrange(2) if random.random() < slip else card)
            if (sum(state.done[-1].cards) < table.sabotages[len(state.done) - 1]) != passed:
                break
        else:
            count += 1
            kept[list(spies)] += 1
    assert count > 50
    for share, seen in zip(here.suspects(position, slip).values(), kept / count, strict=True):  # type: ignore[union-attr]
        odds = float(share)
        assert abs(seen - odds) <= 4 * sqrt(odds * (1 - odds) / count) + 1e-9
