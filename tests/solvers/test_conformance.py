"""One suite for every solver: each on every small game and on random games, judged by exact certificates only.

What a solver must reach is stated here, solver by solver; a new one fails until it is listed. The bounds are checked
against the golden value, and recomputed by a plain walk of the rules from the strategies that were written down.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ruse
from golden import games
from ruse.core.capabilities import Memoryless, Open
from ruse.core.game import Game, RuseError
from ruse.games.four_in_a_row.rules import FourInARow
from ruse.games.resistance import Resistance
from ruse.solution.strategy import Solution
from ruse.solvers import ITERATING, SOLVERS
from ruse.verify.dispatch import bounds
from toys import random_games

TINY = {"players": 3, "spies": 1, "missions": [1, 1, 1, 1, 1]}
VALUE = {title: value for title, _, value, _ in games()}
SMALL: list[Game] = [
    *(game for title, game, _, stanza in games() if not stanza.get("large") and title != "tic-tac-toe"),
    ruse.games.resistance(**TINY),
    ruse.games.liars_dice(3),
    ruse.games.goofspiel(3),
    ruse.games.battleship("1x2", [1], [1], 1),
    ruse.games.oshi_zumo(2),
    ruse.games.guess_who(6, 5),
    ruse.games.nim([1, 2, 3]),
]


@dataclass(frozen=True)
class Promise:
    """What a solver reaches on every small game: a gap relative to the largest payoff, and how it is asked to."""

    gap: float  # 0: exact
    asked: dict[str, Any]

    def on(self, game: Game) -> dict[str, Any]:
        return self.asked


EXACT = Promise(0, {})
PROMISES: dict[str, Promise] = {
    "auto": EXACT,
    "lp": EXACT,
    "lazy-lp": EXACT,
    "backward-induction": EXACT,
    "value-iteration": EXACT,  # which it is where play never comes back to a state
    "alpha-beta": EXACT,
    "matrix": EXACT,
    "lcp": EXACT,
    "lemke-howson": EXACT,
    "double-oracle": EXACT,
    "cfr": Promise(5e-2, {"iterations": 400}),
    "cfr+": Promise(5e-3, {"iterations": 400}),
    "dcfr": Promise(5e-3, {"iterations": 400}),
    "hs-dcfr": Promise(3e-2, {"iterations": 400}),
    "pcfr+": Promise(5e-3, {"iterations": 400}),
    "pdcfr+": Promise(5e-3, {"iterations": 400}),
    "first-order": Promise(5e-2, {"iterations": 2000}),
    "pdhg": Promise(1e-3, {"iterations": 2000}),
    "mccfr": Promise(0.25, {"iterations": 3000, "seed": 1}),
    "mccfr-outcome": Promise(0.6, {"iterations": 20000, "seed": 1}),
}
FOR_SOME = ("lazy-lp", "backward-induction", "value-iteration", "alpha-beta")  # not for random games
POLISHED = ("cfr+", "pdcfr+", "pdhg", "mccfr")


def refused(solver: str, game: Game) -> bool:
    """Whether a solver is not for this game: it must then say so in one sentence."""
    if isinstance(game, Memoryless) or solver == "value-iteration":
        return not isinstance(game, Memoryless) or solver not in ("auto", "backward-induction", "value-iteration")
    if solver == "lazy-lp":
        return not isinstance(game, Resistance)
    if solver == "alpha-beta":
        return not isinstance(game, FourInARow)
    if solver == "backward-induction":
        return not isinstance(game, Open)
    return False


def solved_or_refused(game: Game, solver: str, asked: dict[str, Any]) -> Solution | None:
    """None where the table of a tree is too large for those who need one, which they must say."""
    try:
        return ruse.solve(game, solver, **asked)
    except RuseError as error:
        assert solver in ("matrix", "lemke-howson") and "expected a normal form of at most" in str(error)
        return None


def largest(game: Game) -> float:
    """The largest payoff of the golden games: a gap means as much as the stakes are high."""
    return 13.0 if game.name == "leduc" else 4.0 if game.name in ("kubicek", "matrix", "mini-poker") else 2.0


def judge(solution: Solution, gap: float) -> None:
    """The certificate is true, of the strategies as they are written, and as tight as promised."""
    certificate = solution.certificate
    assert bounds(solution.game, solution.tables) == certificate
    assert certificate.lower <= certificate.upper
    assert certificate.gap <= gap
    value = VALUE.get(solution.game.title)
    if value is not None:
        assert certificate.lower <= value <= certificate.upper


def test_every_solver_has_made_a_promise() -> None:
    assert set(PROMISES) == set(SOLVERS)


@pytest.mark.parametrize("game", SMALL, ids=[game.title for game in SMALL])
@pytest.mark.parametrize("solver", PROMISES)
def test_small_games(solver: str, game: Game) -> None:
    promise = PROMISES[solver]
    if refused(solver, game):
        with pytest.raises(RuseError, match="expected"):
            ruse.solve(game, solver)
        return
    solution = solved_or_refused(game, solver, promise.asked)
    if solution is None:
        return
    judge(solution, promise.gap * largest(game))
    assert solution.solver == solver or solver == "auto" or (solver, solution.solver) == ("lazy-lp", "simple-rules")
    if "iterations" in promise.asked and solver != "double-oracle":
        assert solution.iterations == promise.asked["iterations"] or solution.certificate.exact


@pytest.mark.parametrize("solver", [name for name in PROMISES if name not in FOR_SOME])
@settings(max_examples=12, suppress_health_check=[HealthCheck.too_slow])
@given(game=random_games(), seed=st.integers(0, 1000))
def test_random_games(solver: str, game: Game, seed: int) -> None:
    """Any certificate must be true; exact solvers must close the gap, and agree with the LP."""
    promise = PROMISES[solver]
    asked = {**promise.asked, "seed": seed, **({"iterations": 50} if solver in ITERATING and promise.gap else {})}
    solution = solved_or_refused(game, solver, asked)
    if solution is None:
        return
    assert bounds(game, solution.tables) == solution.certificate
    value = ruse.solve(game, "lp").value
    assert solution.certificate.lower <= value <= solution.certificate.upper
    if not promise.gap:
        assert solution.certificate.exact


@pytest.mark.slow
@pytest.mark.parametrize("solver", POLISHED)
@pytest.mark.parametrize("name", ["kuhn", "leduc", "kubicek"])
def test_polished_results_are_exact(solver: str, name: str) -> None:
    """Restricted to its support, solved and lifted, whatever a solver found becomes the golden fraction."""
    game = ruse.games.make(name)
    solution = ruse.solve(game, solver, **PROMISES[solver].asked, polish=True)
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
