"""Every solver on every small game and on random games, judged by exact certificates only."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

import ruse
from golden import games
from ruse.certificate import certify, check_plan
from ruse.exact import rounded, shares, solve_exactly
from ruse.game import Game, GameError, RuseError
from ruse.normal_form import normal_form, strategy_counts
from ruse.reductions import reduce
from ruse.run import SOLVERS
from ruse.sequence_form import sequence_form
from ruse.solvers.backward_induction import backward_induction
from ruse.solvers.lp import lp, policy
from ruse.solvers.matrix import matrix
from ruse.strategy import Solution
from ruse.verify.plain import guarantee, table_policy
from toys import figure_2_2, random_games, random_perfect_information_games

SMALL = [(game, value) for title, game, value, _ in games() if title not in ("leduc", "tic-tac-toe")]


def bounds(solution: Solution) -> list[Fraction]:
    """What the tables guarantee, by a plain walk of the rules."""
    return [guarantee(solution.game, side, table_policy(solution.game, solution.tables[side], side)) for side in (0, 1)]


@pytest.mark.parametrize(("title", "game", "value", "stanza"), games(), ids=[title for title, *_ in games()])
def test_golden_values(title: str, game: Game, value: Fraction, stanza: dict[str, object]) -> None:
    solution = ruse.solve(game)
    assert solution.certificate.exact
    assert solution.value == value
    assert bounds(solution) == [value, value]
    if "float" in stanza:
        assert float(value) == pytest.approx(stanza["float"], abs=1e-12)


@pytest.mark.parametrize(("game", "value"), SMALL, ids=[game.title for game, _ in SMALL])
@pytest.mark.parametrize(("side", "method"), list(product((0, 1), ("simplex", "ipm"))))
def test_lp_from_either_side_by_either_method(game: Game, value: Fraction, side: int, method: str) -> None:
    """Both sides' strategies come from one solve through the duals (Bossle 2018, §5.2)."""
    solution = ruse.solve(game, "lp", side=side, method=method)
    assert solution.certificate.exact
    assert bounds(solution) == [value, value]


@pytest.mark.parametrize("method", ["simplex", "ipm"])
@pytest.mark.parametrize("symmetry", [True, False])
@pytest.mark.parametrize("side", [0, 1])
def test_leduc_is_exact_with_and_without_its_suits(side: int, symmetry: bool, method: str) -> None:
    """The suits use the same mechanism as the seats of The Resistance."""
    solution = ruse.solve(ruse.games.leduc(), "lp", symmetry=symmetry, side=side, method=method)
    value = next(value for title, _, value, _ in games() if title == "leduc")
    assert bounds(solution) == [value, value]


@pytest.mark.parametrize(("game", "value"), SMALL, ids=[game.title for game, _ in SMALL])
def test_the_normal_form_gives_the_same_value(game: Game, value: Fraction) -> None:
    solution = ruse.solve(game, "matrix")
    assert bounds(solution) == [value, value]


def test_kubicek_as_a_normal_form() -> None:
    """The 8 × 4 table that the slides print: rows ACE, ACF, ... and columns gi, gj, hi, hj."""
    table = normal_form(sequence_form(ruse.games.kubicek())).payoffs
    printed = [
        *([[3, 3, 1, 1]] * 2),
        *([[-2, -2, 3, 3]] * 2),
        *([[2, 0, 2, 0], [1, 3, 1, 3]] * 2),
    ]
    assert sorted(map(tuple, table)) == sorted(map(tuple, printed))


def test_bossle_figure_2_2_has_eight_strategies_on_six_leaves() -> None:
    form = sequence_form(figure_2_2())
    assert strategy_counts(form) == (3, 8)
    assert len(form.payoffs) == 5  # of 6 leaves, one pays nothing


def test_modified_rock_paper_scissors_is_played_as_the_thesis_says() -> None:
    solution = ruse.solve(ruse.games.rock_paper_scissors(paper_beats_rock="1/2"))
    odds = {"rock": Fraction(2, 5), "paper": Fraction(2, 5), "scissors": Fraction(1, 5)}
    assert solution.strategy(0).at(solution.game.title) == odds
    assert solution.strategy(1).at(f"{solution.game.title}/?") == odds  # the other side's choice is hidden


def test_never_bluffing_is_optimal_in_mini_poker() -> None:
    """Bossle 2018, §3.5. Under the objective printed there (±0.5 for passing) it would not be."""
    game = ruse.games.mini_poker()
    honest = {"mini-poker@1": {"bet": Fraction(1)}, "mini-poker@0": {"pass": Fraction(1)}}
    timid = {"mini-poker@1/bet": {"call": Fraction(1)}, "mini-poker@0/bet": {"fold": Fraction(1)}}
    assert guarantee(game, 0, table_policy(game, honest, 0)) == 0
    assert guarantee(game, 1, table_policy(game, timid, 1)) == 0


def test_a_strategy_has_odds_where_it_never_comes() -> None:
    """Off its own path a plan says nothing (0/0); the policy there is a best response."""
    form = sequence_form(ruse.games.kubicek())
    solved = lp(form)
    for side in (0, 1):
        for odds in policy(form, side, solved.plans):
            assert sum(odds) == 1 and min(odds) >= 0
    solution = ruse.solve(ruse.games.kuhn())
    assert solution.strategy(0).at("kuhn@K/check/bet") == {"fold": 0, "call": 1}  # also if K always bets


@settings(max_examples=60, deadline=None)
@given(random_games())
def test_random_games_agree(game: Game) -> None:
    """LP from either side, the reductions, and brute force over pure strategies, all exact."""
    form = sequence_form(game)
    solved = lp(form)
    assert solved.certificate.exact
    value = solved.certificate.lower
    assert lp(form, side=1, method="ipm").certificate.lower == value
    forced = lp(sequence_form(reduce(game)))
    assert forced.certificate.exact and forced.certificate.lower == value
    rows, columns = strategy_counts(form)
    if rows * columns <= 400:
        table = normal_form(form).payoffs
        maximin = max(min(row) for row in table)
        minimax = min(max(row[column] for row in table) for column in range(len(table[0])))
        assert maximin <= value <= minimax
        assert matrix(form).certificate.lower == value
    solution = ruse.solve(game, "lp")
    assert bounds(solution) == [value, value]


@settings(max_examples=40, deadline=None)
@given(random_perfect_information_games())
def test_games_without_secrets_agree_with_backward_induction(game: Game) -> None:
    induced = backward_induction(game)
    solved = lp(sequence_form(game))
    assert solved.certificate.lower == solved.certificate.upper == induced.value
    assert bounds(ruse.solve(game, "backward-induction")) == [induced.value, induced.value]


def test_backward_induction_refuses_secrets() -> None:
    with pytest.raises(GameError, match="without secrets, but first cannot tell"):
        ruse.solve(ruse.games.kuhn(), "backward-induction")


def test_a_plan_that_is_none_is_refused() -> None:
    form = sequence_form(ruse.games.kuhn())
    plans = lp(form).plans
    broken = list(plans[0])
    broken[1] += Fraction(1, 7)
    with pytest.raises(ValueError, match="information set 0"):
        certify(form, (broken, plans[1]))
    check_plan(form.trees[0], plans[0])


def test_bounds_hold_for_any_plans() -> None:
    """Even strategies certify for bounds around the value, and say so."""
    game = ruse.games.kuhn()
    form = sequence_form(game)
    plans = []
    for tree in form.trees:
        plan = [Fraction(1)] + [Fraction(0)] * (tree.sequences - 1)
        for parent, first, end in tree.sets():
            for sequence in range(first, end):
                plan[sequence] = plan[parent] / (end - first)
        plans.append(plan)
    certificate = certify(form, (plans[0], plans[1]))
    assert (certificate.lower, certificate.upper) == (Fraction(-5, 12), Fraction(1, 2))
    assert not certificate.exact


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 7), st.randoms(use_true_random=False))
def test_integer_systems_are_solved_exactly(size: int, random: object) -> None:
    draw = random.randint  # type: ignore[attr-defined]
    matrix = np.array([[draw(-9, 9) for _ in range(size)] for _ in range(size)], dtype=np.int64)
    right = np.array([draw(-9, 9) for _ in range(size)], dtype=np.int64)
    found = solve_exactly(csr_matrix(matrix), right)
    if found is None:
        assert abs(np.linalg.det(matrix)) < 0.5  # singular: the determinant is whole
    else:
        for row, side in zip(matrix.tolist(), right.tolist(), strict=True):
            assert sum(int(entry) * weight for entry, weight in zip(row, found, strict=True)) == side


def test_a_hilbert_like_system_needs_many_digits() -> None:
    size = 8
    scale = int(np.lcm.reduce(range(1, 2 * size)))
    rows = np.array([[scale // (i + j + 1) for j in range(size)] for i in range(size)], dtype=np.int64)
    ones = np.full(size, scale, dtype=np.int64)
    # Row sums of the inverse Hilbert matrix are whole (Choi 1983): (-1)^(n+i) (n+i-1)! / ((i-1)!^2 (n-i)!)
    found = solve_exactly(csr_matrix(rows), ones)
    assert found is not None and found[0] == -8 and found[-1] == 51480


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6), st.sampled_from([1, 12, 1000]))
def test_rounded_odds_are_odds(weights: list[float], denominator: int) -> None:
    odds = rounded(weights, denominator)
    assert sum(odds) == 1 and min(odds) >= 0


def test_shares_of_nothing_are_even() -> None:
    assert shares([Fraction(0), Fraction(-1)]) == [Fraction(1, 2), Fraction(1, 2)]


def test_unknown_solvers_and_wrong_games() -> None:
    with pytest.raises(RuseError, match="expected a solver out of auto"):
        ruse.solve(ruse.games.kuhn(), "magic")
    with pytest.raises(RuseError, match="expected resistance for the solver lazy-lp, got kuhn"):
        ruse.solve(ruse.games.kuhn(), "lazy-lp")
    assert set(SOLVERS) == {"auto", "lp", "lazy-lp", "backward-induction", "matrix"}
