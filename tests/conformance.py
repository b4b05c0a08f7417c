"""What every solver is held to, wherever it comes from: each on every small game and on random games, judged by exact
certificates only.

The bounds are checked against the golden value, and recomputed by a plain walk of the rules from the strategies that
were written down. What a solver must reach is its promise; one that has made none is held to that of its kind.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

import ruse
from golden import games
from ruse.core.capabilities import ByClass, Memoryless, Open
from ruse.core.game import Game, RuseError
from ruse.games.four_in_a_row.rules import FourInARow
from ruse.games.hidden_roles import HiddenRoles
from ruse.games.resistance import Resistance
from ruse.solution.strategy import Solution
from ruse.solvers import find
from ruse.verify.verifier import bounds

TINY = {"players": 3, "spies": 1, "missions": [1, 1, 1, 1, 1]}
VALUE = {title: value for title, _, value, _ in games()}
SMALL: list[Game] = [
    *(game for title, game, _, stanza in games() if not stanza.get("large") and title != "tic-tac-toe"),
    ruse.games.resistance(**TINY),
    ruse.games.avalon(3, 1, [1, 3, 3, 3, 3], talk="none"),
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


EXACT = Promise(0, {})
ROUGH = 0.25  # the gap of one that has promised nothing, nor says that it is exact
PROMISES: dict[str, Promise] = {
    "auto": EXACT,
    "lp": EXACT,
    "quasi-perfect": EXACT,
    "lazy-lp": EXACT,
    "orbits": EXACT,
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
    "sapcfr+": Promise(5e-3, {"iterations": 400}),
    "pdcfr+": Promise(5e-3, {"iterations": 400}),
    "first-order": Promise(5e-2, {"iterations": 2000}),
    "pdhg": Promise(1e-3, {"iterations": 2000}),
    "mmd": Promise(5e-3, {"iterations": 400}),
    "xdo": Promise(5e-3, {"iterations": 400}),
    "mccfr": Promise(0.25, {"iterations": 3000, "seed": 1}),
    "mccfr-baseline": Promise(0.25, {"iterations": 3000, "seed": 1}),
    "mccfr-outcome": Promise(0.6, {"iterations": 20000, "seed": 1}),
}


def promise_of(solver: str) -> Promise:
    """What a solver has to reach: what it has promised, else what goes without saying."""
    spec = find(solver)
    return PROMISES.get(solver) or Promise(0 if spec.exact else ROUGH, {"iterations": 500} if spec.iterates else {})


def refused(solver: str, game: Game) -> bool:
    """Whether a solver is not for this game: it must then say so in one sentence."""
    if isinstance(game, Memoryless) or solver == "value-iteration":
        return not isinstance(game, Memoryless) or solver not in ("auto", "backward-induction", "value-iteration")
    if solver == "quasi-perfect":
        return isinstance(game, ByClass)
    if solver == "lazy-lp":
        return not isinstance(game, Resistance)
    if solver == "orbits":
        return not isinstance(game, HiddenRoles)
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


def check_small_game(solver: str, game: Game) -> None:
    """Solved as well as promised, or refused in a sentence."""
    promise = promise_of(solver)
    if refused(solver, game):
        with pytest.raises(RuseError, match=r"expected|needs|solves only"):
            ruse.solve(game, solver)
        return
    solution = solved_or_refused(game, solver, promise.asked)
    if solution is None:
        return
    judge(solution, promise.gap * largest(game))
    assert solution.solver == solver or solver == "auto" or (solver, solution.solver) == ("lazy-lp", "simple-rules")
    if "iterations" in promise.asked:
        assert solution.iterations == promise.asked["iterations"] or solution.certificate.exact


def check_random_game(solver: str, game: Game, seed: int) -> None:
    """Any certificate must be true; exact solvers must close the gap, and agree with the LP."""
    promise = promise_of(solver)
    asked = {**promise.asked, "seed": seed, **({"iterations": 50} if promise.gap else {})}
    solution = solved_or_refused(game, solver, asked)
    if solution is None:
        return
    assert bounds(game, solution.tables) == solution.certificate
    value = ruse.solve(game, "lp").value
    assert solution.certificate.lower <= value <= solution.certificate.upper
    if not promise.gap:
        assert solution.certificate.exact
