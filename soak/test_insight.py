"""Insight on many games and deals: beliefs against simulation, ranges and prices against other programs."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest

import ruse
from insight_checks import check_against_programs, check_against_vertices, insight, trees
from insight_deals import check_beliefs
from insight_oracle import Oracle
from ruse.insight.engine import TreeInsight

DEALS = 100_000
POSITIONS = 50


def test_beliefs_are_those_of_deals() -> None:
    random = Random(13)
    games = [ruse.games.kuhn(), ruse.games.goofspiel(4), ruse.games.liars_dice(3), ruse.games.liars_dice(4)]
    told = tried = 0
    while told < POSITIONS:
        game = games[tried % len(games)]
        oracle = Oracle(game)
        positions = [(side, known) for side in (0, 1) for known in oracle.sets[side]]
        slip = Fraction(random.randint(1, 9), 10)
        told += check_beliefs(ruse.solve(game), random.sample(positions, 2), slip, DEALS, random)
        tried += 1
        assert tried < 20 * POSITIONS


def test_ranges_are_those_of_vertices() -> None:
    games = 0
    for _, game in trees(range(5_000, 6_000), 14):
        oracle = Oracle(game)
        free = [len(oracle.sequences[side]) - len(oracle.sets[side]) - 1 for side in (0, 1)]
        if max(free) <= 4 and len(oracle.leaves) <= 16:
            check_against_vertices(game)
            games += 1
    assert games >= 500


def test_ranges_and_prices_are_those_of_other_programs() -> None:
    for seed, game in trees(range(10_000, 10_500), 80):
        check_against_programs(insight(game), game, 4, Random(seed))


@pytest.mark.parametrize("game", [ruse.games.liars_dice(4), ruse.games.goofspiel(4)], ids=lambda one: one.title)
def test_whole_games_are_those_of_other_programs(game: Any) -> None:
    check_against_programs(insight(game), game, 40, Random(2))


def test_leduc_over_all_strategies() -> None:
    """Strategies that treat suits alike are some of all, so ranges over all are at least as wide."""
    solution = ruse.solve(ruse.games.leduc())
    alike, every = TreeInsight(solution), TreeInsight(solution, symmetry=False)
    assert every.value == alike.value
    for position in ("leduc@Ks", "leduc@Ks/call/raise", "leduc@Qh/call/call/Js"):
        found = {one.move: one for one in every.at(position).moves}  # in an order of their own
        for one in alike.at(position).moves:
            other = found.pop(one.move)
            assert (one.range is None) == (other.range is None)
            if one.range is not None and other.range is not None:
                assert other.range.least.value <= one.range.least.value
                assert one.range.greatest.value <= other.range.greatest.value
            assert one.price is not None and other.price is not None and other.price <= one.price
        assert not found
