"""OpenSpiel's policies are read as they are, and ruse's NashConv is OpenSpiel's."""

from __future__ import annotations

import re
import sys
from fractions import Fraction
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy as python_policy
from open_spiel.python.algorithms import cfr
from open_spiel.python.algorithms.best_response import BestResponsePolicy
from open_spiel.python.algorithms.exploitability import nash_conv

import ruse
from amounts import some
from ruse.core.rationals import BoundedFloat
from ruse.formats.openspiel import OpenSpielError, OpenSpielGame, load

GAMES = [
    "kuhn_poker",
    "leduc_poker",
    "liars_dice(dice_sides=3,numdice=1)",
    "goofspiel(imp_info=True,num_cards=4,points_order=descending)",
    "oshi_zumo(coins=3,horizon=3,size=1)",
    "matrix_rps",
    "blotto(coins=4)",
    "coordinated_mp",
    "dark_hex(board_size=2)",
    "nim(pile_sizes=1;2;3)",
]
NEAR = 1e-10


def random_policies(game: OpenSpielGame, many: int) -> list[Any]:
    policies, draw = [], np.random.default_rng(25)
    for _ in range(many):
        policy = python_policy.TabularPolicy(game.spiel)
        shares = draw.random(policy.action_probability_array.shape) ** 3 * policy.legal_actions_mask
        policy.action_probability_array[:] = shares / shares.sum(axis=1, keepdims=True)
        policies.append(policy)
    return policies


def trained_policies(game: OpenSpielGame, many: int) -> list[Any]:
    solver, policies = cfr.CFRSolver(game.spiel), []
    for _ in range(many):
        solver.evaluate_and_update_policy()
        policy = python_policy.TabularPolicy(game.spiel)
        policy.action_probability_array[:] = solver.average_policy().action_probability_array
        policies.append(policy)
    return policies


@pytest.mark.cases(5)
@pytest.mark.slow
@pytest.mark.parametrize("text", GAMES)
def test_nash_conv_is_openspiels(text: str) -> None:
    game = load(text)
    form = ruse.sequence_form(game)
    many = some(5, 3)
    for number, policy in enumerate([*random_policies(game, many), *trained_policies(game, many)]):
        ours, theirs = ruse.exploitability(form, policy, nashconv=True), nash_conv(game.spiel, policy)
        assert ours == pytest.approx(theirs, abs=NEAR)
        assert theirs > 0 or number >= many  # CFR begins with the equilibrium of some payoff tables
        assert isinstance(ours, BoundedFloat) and ours.error < NEAR


def test_by_the_game_that_a_policy_says_it_is_for() -> None:
    (policy,) = random_policies(load("kuhn_poker"), 1)
    first, second = ruse.from_openspiel(policy)
    assert first.game.title == "openspiel:kuhn_poker" and (first.side, second.side) == (0, 1)
    assert sum(second["openspiel:kuhn_poker@2b"].values()) == 1
    theirs = nash_conv(policy.game, policy)
    assert ruse.exploitability(first.game, (first, second)) == pytest.approx(theirs / 2, abs=NEAR)
    assert ruse.exploitability(first.game, policy) == pytest.approx(theirs / 2, abs=NEAR)


def test_on_our_own_game() -> None:
    """Kuhn poker as ruse has it, by OpenSpiel's policy for its own."""
    (policy,) = random_policies(load("kuhn_poker"), 1)
    found = ruse.exploitability(ruse.games.kuhn(), policy, nashconv=True)
    assert found == pytest.approx(nash_conv(policy.game, policy), abs=NEAR)
    with pytest.raises(OpenSpielError, match="OpenSpiel does not have mini-poker"):
        ruse.exploitability(ruse.games.mini_poker(), policy)


def test_what_a_best_response_gets_is_openspiels() -> None:
    game = load("leduc_poker")
    (policy,) = random_policies(game, 1)
    answer = ruse.best_response(game, policy, "Player 2")
    pair = ruse.from_openspiel(policy, game)[0], answer
    theirs = BestResponsePolicy(game.spiel, 1, policy).value(game.spiel.new_initial_state())
    assert -ruse.value(game, pair) == pytest.approx(theirs, abs=NEAR)


def test_a_policy_of_ours_comes_back_as_it_was() -> None:
    solution = ruse.solve(ruse.games.kuhn())
    first, second = ruse.from_openspiel(solution.to_openspiel(), ruse.games.kuhn())
    for ours, theirs in zip(solution.tables, (first.table, second.table), strict=True):
        for position, odds in ours.items():
            for move, share in odds.items():
                assert theirs[position][move] == pytest.approx(float(share), abs=1e-15)


def test_compiled_policies_and_functions() -> None:
    game = load("kuhn_poker")
    uniform = pyspiel.UniformRandomPolicy(game.spiel)
    first, _ = ruse.from_openspiel(uniform, game)
    assert first["openspiel:kuhn_poker@0"] == {"Pass": Fraction(1, 2), "Bet": Fraction(1, 2)}
    always = ruse.from_openspiel(lambda state: {state.legal_actions()[0]: 1.0}, game)
    assert ruse.exploitability(game, always) == 1
    with pytest.raises(OpenSpielError, match=r"does not say which game it is for; give it as game="):
        ruse.from_openspiel(lambda state: {})


@pytest.mark.parametrize(
    ("policy", "reason"),
    [
        (lambda state: {0: 0.5, 1: 0.4}, "the odds at openspiel:kuhn_poker@2 sum to 0.9, not to 1"),
        (lambda state: {0: float("nan"), 1: 0.4}, "the odds of Pass at openspiel:kuhn_poker@2 are nan"),
        (lambda state: {7: 1.0}, "gives the illegal action 7 at openspiel:kuhn_poker@2"),
        (lambda state: state.nothing, "failed to give probabilities at openspiel:kuhn_poker@2: AttributeError"),
        (3, "expected a policy of OpenSpiel or a function of its states, got int"),
    ],
)
def test_bad_policies(policy: Any, reason: str) -> None:
    with pytest.raises(ruse.RuseError, match=re.escape(reason)):
        ruse.from_openspiel(policy, load("kuhn_poker"))


def test_policies_of_other_games() -> None:
    (policy,) = random_policies(load("kuhn_poker"), 1)
    with pytest.raises(ruse.RuseError, match="the OpenSpiel policy failed to give probabilities at openspiel:leduc"):
        ruse.exploitability(load("leduc_poker"), policy)
    with pytest.raises(OpenSpielError, match="expected a game of two players"):
        ruse.from_openspiel(python_policy.UniformRandomPolicy(pyspiel.load_game("kuhn_poker(players=3)")))
    with pytest.raises(ruse.GameError, match="imperfect recall"):
        text = "liars_dice_ir(dice_sides=3,numdice=1,recall_length=1)"
        ruse.exploitability(load(text), python_policy.UniformRandomPolicy(pyspiel.load_game(text)))


def test_without_openspiel(monkeypatch: pytest.MonkeyPatch) -> None:
    (policy,) = random_policies(load("kuhn_poker"), 1)
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(OpenSpielError, match=re.escape("install it with pip install 'ruse[openspiel]'")):
        ruse.from_openspiel(policy)
