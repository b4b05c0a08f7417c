"""One suite for every solver: each on every small game and on random games (`conformance`)."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ruse
from amounts import ALL, some
from conformance import PROMISES, SMALL, VALUE, check_random_game, check_small_game, judge, promise_of
from ruse.core.game import Game
from ruse.solvers import SOLVERS
from toys import random_games

POLISHED = ("cfr+", "pdcfr+", "pdhg", "mccfr")
SECONDS = {("quasi-perfect", "leduc")}
FOR_ANY = [name for name, spec in SOLVERS.items() if spec.goes_by in ("form", "samples", "choice")]


def test_promises_are_of_solvers() -> None:
    assert set(PROMISES) <= set(SOLVERS)


@pytest.mark.cases(84)
@pytest.mark.parametrize("game", SMALL, ids=[game.title for game in SMALL])
@pytest.mark.parametrize("solver", SOLVERS)
def test_small_games(solver: str, game: Game) -> None:
    if (solver, game.title) in SECONDS and not ALL:
        pytest.skip("takes seconds: make soak tries it")
    check_small_game(solver, game)


@pytest.mark.parametrize("solver", FOR_ANY)
@settings(max_examples=some(6, 2), suppress_health_check=[HealthCheck.too_slow])
@given(game=random_games(), seed=st.integers(0, 1000))
def test_random_games(solver: str, game: Game, seed: int) -> None:
    check_random_game(solver, game, seed)


@pytest.mark.cases(6)
@pytest.mark.slow
@pytest.mark.parametrize("solver", POLISHED)
@pytest.mark.parametrize("name", ["kuhn", "leduc", "kubicek"])
def test_polished_results_are_exact(solver: str, name: str) -> None:
    """Restricted to its support, solved and lifted, whatever a solver found becomes the golden fraction."""
    game = ruse.games.make(name)
    solution = ruse.solve(game, solver, **promise_of(solver).asked, polish=True)
    judge(solution, 0.0)
    assert solution.value == VALUE[name]
    assert isinstance(solution.value, Fraction)


@pytest.mark.parametrize("power", [12, 40, 290])
def test_small_games_are_exact_whatever_the_sizes_of_payoffs(power: int) -> None:
    """Floats lose the 1 beside 10^12; whole numbers do not."""
    large, text = 10**power, 'EFG 2 R "sizes" { "A" "B" } ""\nc "" 1 "" { "l" 1/3 "r" 2/3 } 0\n'
    payoffs = iter([large, 1, -1, 3, -large, 2, Fraction(1, large), -5])
    for chance in (1, 2):
        text += f'p "" 1 {chance} "" {{ "u" "d" }} 0\n'
        for _ in range(2):
            text += 'p "" 2 1 "" { "L" "R" } 0\n'
            for _ in range(2):
                payoff = next(payoffs)
                text += f't "" {hash((power, chance, payoff)) % 10**9 + 1} "" {{ {payoff}, {-payoff} }}\n'
    game = ruse.games.efg(text=text)
    value = ruse.solve(game, "lemke-howson").value
    for solver, asked in (("auto", {}), ("lp", {}), ("double-oracle", {}), ("lcp", {}), ("cfr+", {"polish": True})):
        solution = ruse.solve(game, solver, **asked, **({"iterations": 9} if asked else {}))
        judge(solution, 0.0)
        assert solution.value == value
