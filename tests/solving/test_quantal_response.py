"""Quantal response equilibria: Gambit's numbers, formulas by hand, and the equations by a walk of the rules."""

from __future__ import annotations

from collections.abc import Callable
from math import exp, log
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ruse
from amounts import some
from ruse.core.game import CHANCE, END, Game, RuseError, describe
from ruse.solving.quantal_response import QuantalResponse, quantal_response
from toys import TreeGame, random_games


@pytest.mark.parametrize(
    ("rationality", "row", "column"), [(1, 0.643, 0.5883), (2, 0.7727, 0.6117), (3, 0.8595, 0.6038)]
)
def test_the_numbers_of_gambit(rationality: int, row: float, column: float) -> None:
    """Gambit's test of `logit_solve_lambda` (tests/test_nash.py), on its constant-sum game."""
    found = quantal_response(ruse.games.matrix("1 1; 0 1"), rationality)
    (first,), (second,) = (list(table.values()) for table in found.tables)
    assert first["r1"] == pytest.approx(row, abs=5e-5) and second["c1"] == pytest.approx(column, abs=5e-5)


@pytest.mark.parametrize("rationality", [0.0, 0.3, 2.0, 20.0])
def test_matching_pennies_with_one_large_prize(rationality: float) -> None:
    """Against the formulas p = s(r (5 q - 1)), q = s(r (1 - 5 p)), s(z) = 1 / (1 + e^-z), by bisection."""

    def curve(z: float) -> float:
        return 1 / (1 + exp(-z))

    def answer(p: float) -> float:
        return curve(rationality * (1 - 5 * p))

    p = _root(lambda p: p - curve(rationality * (5 * answer(p) - 1)))
    found = quantal_response(ruse.games.matrix("4 0; 0 1"), rationality)
    (first,), (second,) = (list(table.values()) for table in found.tables)
    assert first["r1"] == pytest.approx(p, abs=1e-9) and second["c1"] == pytest.approx(answer(p), abs=1e-9)
    assert found.value == pytest.approx(4 * p * answer(p) + (1 - p) * (1 - answer(p)), abs=1e-9)


def _root(function: Callable[[float], float]) -> float:
    low, high = 0.0, 1.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) < 0 else (low, middle)
    return low


@pytest.mark.parametrize("rationality", [0.5, 5, 60])
@pytest.mark.parametrize("name", ["kuhn", "mini-poker", "rock-paper-scissors", "goofspiel"])
def test_small_games_keep_the_formula(name: str, rationality: float) -> None:
    game = ruse.games.goofspiel(3) if name == "goofspiel" else ruse.games.make(name)
    _check(quantal_response(game, rationality))


@pytest.mark.slow
def test_a_larger_game_keeps_the_formula() -> None:
    _check(quantal_response(ruse.games.liars_dice(3), 4))


@settings(max_examples=some(40, 8), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(game=random_games(), rationality=st.sampled_from([0.0, 0.2, 1.0, 4.0]))
def test_random_games_keep_the_formula(game: TreeGame, rationality: float) -> None:
    _check(quantal_response(game, rationality))


def _check(found: QuantalResponse) -> None:
    """Odds are proportional to exp(rationality * worth), worth by a walk of the rules under these odds."""
    game = found.game
    worth: dict[tuple[int, str], dict[str, float]] = {}
    reach: dict[tuple[int, str], float] = {}

    def walk(state: Any, weights: tuple[float, float, float]) -> float:
        """The payoff from here on; `weights` are those of both sides and of chance on the way."""
        turn = game.turn(state)
        if turn == END:
            return float(game.payoff(state))
        moves = list(game.moves(state))
        if turn == CHANCE:
            odds = [float(share) for share in game.odds(state)]
            after = [(weights[0], weights[1], weights[2] * share) for share in odds]
            return sum(
                share * walk(game.play(state, move), to)
                for move, share, to in zip(moves, odds, after, strict=True)
                if share
            )
        position = describe(game, game.knows(state, turn))
        table = found.tables[turn][position]
        others = weights[1 - turn] * weights[2]
        reach[turn, position] = reach.get((turn, position), 0.0) + others
        total, sums = 0.0, worth.setdefault((turn, position), dict.fromkeys(table, 0.0))
        for move in moves:
            share = table[game.label(move)]
            to = (
                (weights[0] * share, weights[1], weights[2])
                if turn == 0
                else (weights[0], weights[1] * share, weights[2])
            )
            value = walk(game.play(state, move), to)
            sums[game.label(move)] += others * value
            total += share * value
        return total

    assert walk(game.start(), (1.0, 1.0, 1.0)) == pytest.approx(found.value, abs=1e-9)
    assert found.residual < 1e-8
    for (side, position), sums in worth.items():
        sign = 1 if side == 0 else -1
        odds = found.tables[side][position]
        assert sum(odds.values()) == pytest.approx(1, abs=1e-8)
        first, *rest = odds
        for move in rest:
            more = sign * (sums[move] - sums[first]) / reach[side, position]
            assert log(odds[move] / odds[first]) == pytest.approx(found.rationality * more, abs=1e-6)


def test_the_ends_of_the_branch() -> None:
    """Uniform at 0; near an equilibrium where hardly any mistakes are left."""
    game = ruse.games.kuhn()
    start = quantal_response(game, 0)
    assert all(set(odds.values()) == {0.5} for table in start.tables for odds in table.values())
    far = quantal_response(game, 2_000)
    assert far.value == pytest.approx(-1 / 18, abs=1e-4)
    assert far.tables[1]["kuhn@Q/bet"]["call"] == pytest.approx(1 / 3, abs=1e-2)
    assert "rationality 2000" in repr(far)


@pytest.mark.parametrize(
    ("game", "rationality", "reason"),
    [
        (ruse.games.kuhn(), -1, "rationality from 0 to 1e\\+12, got -1"),
        (ruse.games.kuhn(), float("nan"), "got nan"),
        (ruse.games.kuhn(), float("inf"), "got inf"),
        (ruse.games.pig(10), 1, "it has no game tree"),
        (ruse.games.resistance(), 1, "its strategies are stored by class"),
        (ruse.games.liars_dice(5), 1, "accepts at most 2,500"),
        (ruse.games.matrix("1000000000 0; 0 1"), 1e12, "could not be followed beyond a rationality of"),
    ],
)
def test_bad_input(game: Game, rationality: float, reason: str) -> None:
    with pytest.raises(RuseError, match=reason):
        quantal_response(game, rationality)
