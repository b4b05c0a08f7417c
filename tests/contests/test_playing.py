"""Learned strategies as solutions to play against: what they guarantee is proved, where a person can play them."""

from __future__ import annotations

import pytest

from amounts import ALL
from ruse.contests.arena import CONTESTS, find
from ruse.contests.arena.page import FOUND
from ruse.contests.learned import load
from ruse.contests.learned_in_game import as_solution, exploited


@pytest.mark.parametrize("name", ["nim", "morra", *(["pig"] if ALL else [])])
def test_a_learned_strategy_guarantees_what_a_perfect_opponent_leaves_it(name: str) -> None:
    learned = load(FOUND / f"{name}.ruse")
    solution, perfect = as_solution(learned), exploited(find(name), learned.parameters)
    assert solution is not None and perfect is not None
    assert (solution.certificate.lower, solution.certificate.upper) == (perfect.first, perfect.second)
    assert solution.verify() == solution.certificate


def test_contests_without_rules_state_by_state_are_not_played() -> None:
    names = [name for name in CONTESTS if find(name).game is None]
    assert {"war", "cheat", "flip", "battleship"} <= set(names)
    assert all(as_solution(load(FOUND / f"{name}.ruse")) is None for name in names if (FOUND / f"{name}.ruse").exists())
