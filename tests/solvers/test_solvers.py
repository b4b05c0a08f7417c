"""Every solver on every small game and on random games, judged by exact certificates only."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ruse
from amounts import some
from exact_simplex import solve_table
from golden import games
from ruse.core.capabilities import Symmetric
from ruse.core.exact import IntegerMatrix, rounded, shares, solve_exactly
from ruse.core.game import Game, GameError, RuseError
from ruse.core.walk import check
from ruse.forms.certificate import certify, check_plan
from ruse.forms.normal_form import normal_form, strategy_counts
from ruse.forms.reductions import reduce
from ruse.forms.reductions.forced import without_forced
from ruse.forms.sequence_form import sequence_form
from ruse.games.leduc import Leduc
from ruse.solution.strategy import Solution
from ruse.solvers.backward_induction import backward_induction
from ruse.solvers.lp import lp
from ruse.solvers.matrix import matrix
from ruse.solvers.plans import policy
from ruse.verify.tree import guarantee, table_policy
from toys import figure_2_2, label_games, random_games, random_perfect_information_games

SMALL = [
    (game, value)
    for title, game, value, stanza in games()
    if not stanza.get("large") and title not in ("leduc", "tic-tac-toe")
]
# Payoff tables of these have more than 10^20 entries.
TABLES = [pair for pair in SMALL if pair[0].title != "policy-deck" and "theirs" not in pair[0].parameters]


def bounds(solution: Solution) -> list[Fraction]:
    """What the tables guarantee, by a plain walk of the rules."""
    return [guarantee(solution.game, side, table_policy(solution.game, solution.tables[side], side)) for side in (0, 1)]


@pytest.mark.parametrize(("title", "game", "value", "stanza"), games(), ids=[title for title, *_ in games()])
def test_golden_values(title: str, game: Game, value: Fraction, stanza: dict[str, object]) -> None:
    solution = ruse.solve(game)
    assert solution.certificate.exact
    assert solution.value == value
    if "by_class" in stanza:  # too large for a plain walk
        assert solution.verify() == solution.certificate
    else:
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


@pytest.mark.cases(2)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("side", "symmetry", "method"),
    [(0, True, "simplex"), (0, False, "ipm"), (1, True, "ipm"), (1, False, "simplex")],  # every two of them together
)
def test_leduc_is_exact_with_and_without_its_suits(side: int, symmetry: bool, method: str) -> None:
    """The suits use the same mechanism as the seats of The Resistance."""
    solution = ruse.solve(ruse.games.leduc(), "lp", symmetry=symmetry, side=side, method=method)
    value = next(value for title, _, value, _ in games() if title == "leduc")
    assert bounds(solution) == [value, value]


@pytest.mark.parametrize(("game", "value"), TABLES, ids=[game.title for game, _ in TABLES])
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


@settings(max_examples=some(60), deadline=None)
@given(random_games())
def test_random_games_agree(game: Game) -> None:
    """LP from either side, the reductions, and brute force over pure strategies, all exact."""
    form = sequence_form(game)
    solved = lp(form)
    assert solved.certificate.exact
    value = solved.certificate.lower
    assert lp(form, side=1, method="ipm").certificate.lower == value
    if (forced := without_forced(form)) is not None:
        smaller = lp(forced.form)
        assert smaller.certificate.exact and smaller.certificate.lower == value
        assert certify(form, forced.grown(smaller.plans)) == smaller.certificate
    rows, columns = strategy_counts(form)
    if rows * columns <= 400:
        table = normal_form(form).payoffs
        maximin = max(min(row) for row in table)
        minimax = min(max(row[column] for row in table) for column in range(len(table[0])))
        assert maximin <= value <= minimax
        assert matrix(form).certificate.lower == value
        assert len(table) > 4 or len(table[0]) > 4 or kernel_value(table) == value
    solution = ruse.solve(game, "lp")
    assert bounds(solution) == [value, value]


def kernel_value(table: list[list[Fraction]]) -> Fraction:
    """The value of a small table with no LP at all: some square part of it is a kernel (Shapley and Snow 1950)."""
    for size in range(1, min(len(table), len(table[0])) + 1):
        for rows in combinations(range(len(table)), size):
            for columns in combinations(range(len(table[0])), size):
                part = [[table[row][column] for column in columns] for row in rows]
                first, second = equalised([list(column) for column in zip(*part, strict=True)]), equalised(part)
                if first is None or second is None or min(*first, *second) < 0:
                    continue
                low = min(
                    sum(x * table[row][c] for x, row in zip(first, rows, strict=True)) for c in range(len(table[0]))
                )
                high = max(sum(y * line[c] for y, c in zip(second, columns, strict=True)) for line in table)
                if low == high:
                    return low
    raise AssertionError("every table has a kernel")


def equalised(part: list[list[Fraction]]) -> list[Fraction] | None:
    """Weights of sum one that make all rows of a square table worth the same, by Cramer's rule; None if not unique."""
    size = len(part)
    system = [[*row, Fraction(-1)] for row in part] + [[Fraction(1)] * size + [Fraction(0)]]
    whole = determinant(system)
    if not whole:
        return None
    weights = []
    for column in range(size):
        swapped = [[*row[:column], Fraction(number == size), *row[column + 1 :]] for number, row in enumerate(system)]
        weights.append(determinant(swapped) / whole)
    return weights


@settings(max_examples=some(40), deadline=None)
@given(label_games())
def test_symmetry_is_lossless_in_any_game_that_declares_it(game: Game) -> None:
    check(game)
    with_it, without = (lp(sequence_form(reduce(game, symmetry=symmetry))).certificate for symmetry in (True, False))
    assert with_it == without and with_it.exact
    assert bounds(ruse.solve(game)) == [with_it.lower] * 2


def test_a_wrong_declaration_is_not_believed() -> None:
    """If ranks could be renamed, Leduc would be another game; the certificate is of this one."""

    class Renamed(Leduc):
        provides = (Symmetric,)

        def labels(self) -> Any:
            return (("Js", "Jh", "Qs", "Qh", "Ks", "Kh"),)

    assert not ruse.solve(Renamed()).certificate.exact


def test_a_declaration_counts_only_in_the_class_body_of_the_game_itself() -> None:
    game = ruse.games.leduc()
    game.labels = lambda: (("Js", "Jh", "Qs", "Qh", "Ks", "Kh"),)  # type: ignore[method-assign]
    assert not isinstance(game, Symmetric) and not isinstance(type("Mine", (Leduc,), {})(), Symmetric)
    assert ruse.solve(game).value == ruse.solve(ruse.games.leduc()).value


@pytest.mark.parametrize(
    "payoffs",
    [
        "0.1234567890123456789 1; 1 0",
        "1e30 1; 1 0",
        "1000000000000 0; 0 1",
        "1e7 0; 0 1e-7",
        "1e-30 -1 7; 3 1e20 0",
        "0",
    ],
)
def test_payoffs_of_any_length_are_exact(payoffs: str) -> None:
    """Where HiGHS's tolerances hide the optimum, fractions are pivoted."""
    assert ruse.solve(ruse.games.matrix(payoffs)).certificate.exact


@settings(max_examples=some(60), deadline=None)
@given(st.integers(1, 5), st.integers(1, 5), st.randoms(use_true_random=False))
def test_pivoting_in_fractions_agrees(rows: int, columns: int, random: object) -> None:
    draw = random.randint  # type: ignore[attr-defined]
    payoffs = [[Fraction(draw(-3, 3)) for _ in range(columns)] for _ in range(rows)]
    first, second = solve_table(payoffs)
    assert sum(first) == sum(second) == 1 and min(*first, *second) >= 0
    low = min(sum(x * row[column] for x, row in zip(first, payoffs, strict=True)) for column in range(columns))
    high = max(sum(y * entry for y, entry in zip(second, row, strict=True)) for row in payoffs)
    assert low == high


@settings(max_examples=some(40), deadline=None)
@given(random_perfect_information_games())
def test_games_without_secrets_agree_with_backward_induction(game: Game) -> None:
    induced = backward_induction(game)
    solved = lp(sequence_form(game))
    assert solved.certificate.lower == solved.certificate.upper == induced.value
    assert bounds(ruse.solve(game, "backward-induction")) == [induced.value, induced.value]


def test_backward_induction_refuses_secrets() -> None:
    with pytest.raises(GameError, match="needs perfect information, but first does not know the state"):
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


@settings(max_examples=some(60), deadline=None)
@given(st.integers(1, 7), st.randoms(use_true_random=False))
def test_integer_systems_are_solved_exactly(size: int, random: object) -> None:
    draw = random.randint  # type: ignore[attr-defined]
    most = 10 ** draw(1, 25)  # also longer than machine integers
    rows = [[draw(-most, most) for _ in range(size)] for _ in range(size)]
    right = [draw(-most, most) for _ in range(size)]
    found = solve_exactly(integer_matrix(rows), right)
    if found is None:
        assert determinant(rows) == 0
    else:
        for row, side in zip(rows, right, strict=True):
            assert sum(entry * weight for entry, weight in zip(row, found, strict=True)) == side


def integer_matrix(rows: list[list[int]]) -> IntegerMatrix:
    size = len(rows)
    places = np.indices((size, size)).reshape(2, -1)
    return IntegerMatrix(size, places[0], places[1], np.array([entry for row in rows for entry in row], dtype=object))


def determinant(rows: Sequence[Sequence[int | Fraction]]) -> Fraction:
    """By elimination in fractions."""
    left, product = [[Fraction(entry) for entry in row] for row in rows], Fraction(1)
    while left:
        place = next((number for number, row in enumerate(left) if row[0]), None)
        if place is None:
            return Fraction(0)
        pivot, others = left[place], left[:place] + left[place + 1 :]
        product *= pivot[0] * (-1) ** place
        left = [[b - row[0] / pivot[0] * a for a, b in zip(pivot[1:], row[1:], strict=True)] for row in others]
    return product


def test_a_hilbert_like_system_needs_many_digits() -> None:
    size = 8
    scale = int(np.lcm.reduce(range(1, 2 * size)))
    rows = [[scale // (i + j + 1) for j in range(size)] for i in range(size)]
    # Row sums of the inverse Hilbert matrix are whole (Choi 1983): (-1)^(n+i) (n+i-1)! / ((i-1)!^2 (n-i)!)
    found = solve_exactly(integer_matrix(rows), [scale] * size)
    assert found is not None and found[0] == -8 and found[-1] == 51480


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6), st.sampled_from([1, 12, 1000]))
def test_rounded_odds_are_odds(weights: list[float], denominator: int) -> None:
    odds = rounded(weights, denominator)
    assert sum(odds) == 1 and min(odds) >= 0


def test_shares_of_nothing_are_even() -> None:
    assert shares([Fraction(0), Fraction(-1)]) == [Fraction(1, 2), Fraction(1, 2)]


def test_unknown_solvers_and_wrong_games() -> None:
    with pytest.raises(RuseError, match="expected one of the solvers auto"):
        ruse.solve(ruse.games.kuhn(), "magic")
    with pytest.raises(RuseError, match="lazy-lp solves only resistance, not kuhn"):
        ruse.solve(ruse.games.kuhn(), "lazy-lp")
    with pytest.raises(RuseError, match="expected method to be simplex or ipm, got 'foo'"):
        ruse.solve(ruse.games.kuhn(), method="foo")
    with pytest.raises(RuseError, match="expected side to be 0 or 1, got 5"):
        ruse.solve(ruse.games.kuhn(), side=5)


def test_a_walk_gives_up_where_its_tree_was_underestimated() -> None:
    with pytest.raises(GameError, match="the tree of kuhn has more than 20 nodes, too many for the memory"):
        sequence_form(ruse.games.kuhn(), most=20)
    assert len(sequence_form(ruse.games.kuhn(), most=55).payoffs) == 30  # of 55 nodes, 30 are ends
