"""The sequence form in public: matrices, names, conversions, best responses; bad arrays are refused in a sentence."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

import ruse
from ruse.core.game import Game
from ruse.forms.certificate import certify
from ruse.solvers.plans import uniform_plan
from toys import random_games

KUHN = ruse.games.kuhn()
FORM = ruse.sequence_form(KUHN)


def test_the_matrices_are_those_of_the_paper() -> None:
    """E x = e, F y = f, and x' A y is the payoff (Koller, Megiddo and von Stengel 1996)."""
    x, y = FORM.uniform_plan(0), FORM.uniform_plan("Player 2")
    for side, plan in enumerate((x, y)):
        matrix, right = FORM.constraints(side)
        assert matrix.shape == (7, 13) and matrix @ plan == pytest.approx(right) and right.tolist() == [1.0] + [0.0] * 6
    assert FORM.payoffs.shape == (13, 13) and FORM.payoffs.nnz == 30
    assert x @ FORM.payoffs @ y == pytest.approx(1 / 8) == FORM.value(x, y)
    exact = FORM.exact_payoffs()
    assert all(FORM.payoffs[place] == pytest.approx(float(payoff)) for place, payoff in exact.items())


def test_the_lp_of_the_form_has_the_value_of_the_game() -> None:
    """With what is public alone, and scipy: max q0 with F' q <= A' x, E x = e, x >= 0."""
    from scipy.optimize import linprog
    from scipy.sparse import bmat

    (e_matrix, e), (f_matrix, f) = FORM.constraints(0), FORM.constraints(1)
    sequences, sets = FORM.payoffs.shape[0], len(f)
    found = linprog(
        np.concatenate([np.zeros(sequences), -f]),
        A_ub=bmat([[-FORM.payoffs.T, f_matrix.T]]),
        b_ub=np.zeros(FORM.payoffs.shape[1]),
        A_eq=bmat([[e_matrix, np.zeros((len(e), sets))]]),
        b_eq=e,
        bounds=[(0, None)] * sequences + [(None, None)] * sets,
    )
    assert -found.fun == pytest.approx(-1 / 18)
    assert ruse.exploitability(FORM, found.x[:sequences], side=0) == pytest.approx(0, abs=1e-9)


def test_names() -> None:
    assert FORM.information_sets("first") == list(ruse.solve(KUHN, forced=False).tables[0])
    names = FORM.sequences(0)
    assert names[:3] == ["∅", "kuhn@K check", "kuhn@K bet"] and len(names) == 13 == len({*names})
    assert FORM.moves(1)[1] == ("fold", "call") and FORM.index(1)["kuhn@Q/bet"] == 1


@given(random_games())
def test_conversions_lead_back(game: Game) -> None:
    form = ruse.sequence_form(game)
    draw = np.random.default_rng(1)
    for side in (0, 1):
        odds = form.to_behaviour(side, draw.random(form.trees[side].sequences))
        plan = form.to_plan(side, odds)
        form.check_plan(side, plan)
        policy = form.to_policy(side, plan)
        assert form.to_plan(side, plan) == pytest.approx(plan)
        assert form.to_behaviour(side, plan) == pytest.approx(odds)
        assert form.to_behaviour(side, policy) == pytest.approx(odds)
        matrix, right = form.constraints(side)
        assert matrix @ plan == pytest.approx(right)


@given(random_games())
def test_best_responses_in_floats_and_in_fractions_are_those_of_the_certificate(game: Game) -> None:
    form = ruse.sequence_form(game)
    exactly = [uniform_plan(tree) for tree in form.trees]
    proved = certify(form.arrays, (exactly[0], exactly[1]))
    for side, wanted in ((0, proved.upper), (1, proved.lower)):
        found = form.best_response(side, exactly[1 - side])
        assert found.value == wanted and all(isinstance(weight, Fraction) for weight in found.plan)
        near = form.best_response(side, np.array(exactly[1 - side], dtype=float))
        assert near.value == pytest.approx(float(wanted))
        form.check_plan(side, near.plan)
        pair = (near.plan, exactly[1]) if side == 0 else (exactly[0], near.plan)
        assert form.value(*pair) == pytest.approx(float(wanted))
    gap = form.bounds(form.uniform_plan(0), form.uniform_plan(1)).gap
    assert float(gap) == pytest.approx(float(proved.gap), abs=1e-9)


def test_gains_are_the_gradient() -> None:
    x, y = FORM.uniform_plan(0), FORM.uniform_plan(1)
    assert FORM.gains(0, y) @ x == pytest.approx(1 / 8) == -(FORM.gains(1, x) @ y)


def test_arrays_are_shared_and_read_only() -> None:
    assert FORM.trees[0] is FORM.arrays.trees[0] and FORM.payoffs is FORM.payoffs
    for array in (FORM.payoffs.data, FORM.trees[1].parent, FORM.trees[0].first, FORM.arrays.rows):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_short_texts() -> None:
    text = "<sequence form of kuhn: 13 × 13 sequences, 6 + 6 information sets, 30 payoffs>"
    assert repr(FORM) == text
    assert repr(FORM.trees[0]) == "<treeplex of 13 sequences and 6 information sets>"
    assert repr(FORM.arrays) == "<sequence form of 13 × 13 sequences, 30 payoffs>"
    assert "<table>" in FORM._repr_html_() and "6 information sets" in FORM._repr_html_()


REFUSED: dict[str, Callable[[], object]] = {
    "expected 13 numbers, one per sequence of Player 1, got 2": lambda: FORM.to_plan(0, [1, 2]),
    "the weight of '∅' is nan; use finite numbers": lambda: FORM.to_plan(0, np.full(13, np.nan)),
    "the weight of 'kuhn@Q/check check' is -1;": lambda: FORM.gains(0, [1.0, -1.0] + [0.0] * 11),
    "'kuhn@X' is not a position where Player 1 moves": lambda: FORM.to_plan(0, {"kuhn@X": {"bet": 1}}),
    "'raise' is not a move at kuhn@K; its moves are check, bet": lambda: FORM.to_plan(0, {"kuhn@K": {"raise": 1}}),
    "2 is not a side of kuhn; use 0, 1, Player 1 or Player 2": lambda: FORM.uniform_plan(2),
    "the weights of kuhn@K sum to 2, but the sequence that leads there has weight 1": lambda: FORM.check_plan(
        0, np.ones(13)
    ),
    "a realization plan has weight 1 for the empty sequence, not 2": lambda: FORM.check_plan(0, 2 * np.ones(13)),
    "expected numbers for Player 1, got list": lambda: FORM.to_plan(0, ["x"] * 13),
    "expected a game, such as ruse.games.kuhn(), got 'kuhn'": lambda: ruse.sequence_form("kuhn"),
    "pig has no game tree, and so no sequence form": lambda: ruse.sequence_form(ruse.games.pig()),
    "is too large for a sequence form": lambda: ruse.sequence_form(ruse.games.resistance(players=9)),
}


@pytest.mark.parametrize("reason", REFUSED)
def test_refusals(reason: str) -> None:
    with pytest.raises(ruse.RuseError, match=re.escape(reason)) as caught:
        REFUSED[reason]()
    assert "\n" not in str(caught.value)


def test_tensors() -> None:
    torch = pytest.importorskip("torch")
    found = FORM.to_torch()
    x, y = (torch.tensor(FORM.uniform_plan(side)) for side in (0, 1))
    assert float(x @ (found.payoffs @ y)) == pytest.approx(1 / 8)
    for side, plan in enumerate((x, y)):
        assert torch.allclose(found.constraints[side] @ plan, found.right_hand_sides[side])
    assert FORM.value(x, y) == pytest.approx(1 / 8)
    with pytest.raises(ruse.PolicyError, match="this tensor is on the device meta; call"):
        FORM.value(x.to("meta"), y)


def test_tensors_without_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ruse.RuseError, match=re.escape("needs the package torch; install it with pip install torch")):
        FORM.to_torch()
