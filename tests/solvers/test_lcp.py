"""Complementary pivoting: Lemke's algorithm on the sequence form, Lemke and Howson's on tables. Certificates judge."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csc_matrix

import ruse
from amounts import some
from exact_simplex import solve_table
from golden import games
from ruse.core.game import Game, RuseError
from ruse.core.plain_games.matrix import Matrix
from ruse.forms.certificate import certify, gains
from ruse.forms.normal_form import as_sequence_form
from ruse.forms.reductions import reduce
from ruse.forms.sequence_form import FormArrays, Treeplex, sequence_form
from ruse.games.resistance.table import make_table
from ruse.reproduce.johansson_tree import PRINTED, JohanssonTree, johansson_nodes
from ruse.solvers import lcp as lcp_module
from ruse.solvers.highs import SolverError
from ruse.solvers.lcp import Lemke, lcp, lcp_bytes, lcp_in_digits
from ruse.solvers.lemke_howson import LabelError, lemke_howson, solve_labels
from ruse.solvers.lp import lp
from ruse.solvers.matrix import matrix
from ruse.solvers.pivoting import PIVOTS, Factored, Tableau, lexicographic
from ruse.solvers.plans import CertifiedPlans
from toys import figure_2_2, random_games

HANDFUL = ("rock-paper-scissors", "matrix", "mini-poker", "kubicek", "kuhn")
SMALL = [(game, value) for _, game, value, _ in games() if game.name in HANDFUL]
NAMES = [game.title for game, _ in SMALL]


def bounds(solved: CertifiedPlans) -> list[Fraction]:
    return [solved.certificate.lower, solved.certificate.upper]


@pytest.mark.parametrize("exact", [False, True], ids=["floats", "integers"])
@pytest.mark.parametrize(("game", "value"), SMALL, ids=NAMES)
def test_small_games_in_both_arithmetics(game: Game, value: Fraction, exact: bool) -> None:
    assert bounds(lcp(sequence_form(game), exact=exact)) == [value, value]


def test_five_player_resistance_on_johanssons_own_tree() -> None:
    """He tried Lemke's algorithm of three packages, and "was unsuccessful" (§3.4). Nothing is reduced here."""
    assert johansson_nodes(make_table(5)) == PRINTED[5][0] == 12_162
    solved = lcp(sequence_form(JohanssonTree(make_table(5))))
    assert bounds(solved) == [2 * Fraction(3, 10) - 1] * 2  # his Theorem 2.1: the resistance wins 3/10


def test_leduc_without_its_suits_is_exact() -> None:
    value = next(value for title, _, value, _ in games() if title == "leduc")
    solved = lcp(sequence_form(reduce(ruse.games.leduc())))
    assert solved.iterations > 5 * PIVOTS  # so that the basis was factored anew, more than once
    assert bounds(solved) == [value, value]


@settings(max_examples=some(60), deadline=None)
@given(random_games())
def test_random_games(game: Game) -> None:
    """Both arithmetics take the same path, to the value that the LP finds."""
    form = sequence_form(game)
    value = lp(form).certificate.lower
    floats, integers = lcp(form), lcp(form, exact=True)
    assert bounds(floats) == bounds(integers) == [value, value]
    assert floats.iterations == integers.iterations
    assert floats.plans == integers.plans
    satisfies_the_problem(form, integers)


def satisfies_the_problem(form: FormArrays, solved: CertifiedPlans) -> None:
    """z >= 0, M z + q >= 0 and z' (M z + q) = 0 as Koller, Megiddo and von Stengel print M and q, all split."""
    (x, y), (first, second) = solved.plans, form.trees
    a = np.zeros((first.sequences, second.sequences), dtype=object)
    for row, column, payoff in zip(form.rows.tolist(), form.columns.tolist(), form.payoffs.tolist(), strict=True):
        a[row, column] = Fraction(payoff, form.denominator)
    e, f = dense(first), dense(second)
    p = worth(first, [Fraction(gain, form.denominator) for gain in gains(form, 0, y)])
    r = worth(second, [-Fraction(gain, form.denominator) for gain in gains(form, 1, x)])
    z = np.array([*x, *y, *plus(p), *plus(-p), *plus(r), *plus(-r)])
    blocks = {(0, 1): -a, (0, 2): e.T, (0, 3): -e.T, (1, 0): a.T, (1, 4): f.T, (1, 5): -f.T}
    blocks |= {(2, 0): -e, (3, 0): e, (4, 1): -f, (5, 1): f}
    sizes = (len(x), len(y), len(p), len(p), len(r), len(r))
    m = np.block(
        [[blocks.get((i, j), np.zeros((sizes[i], sizes[j]), dtype=object)) for j in range(6)] for i in range(6)]
    )
    one, two = np.eye(1, len(p), dtype=int)[0], np.eye(1, len(r), dtype=int)[0]
    q = np.concatenate([np.zeros(len(x) + len(y), dtype=int), one, -one, two, -two])
    w = m @ z + q
    assert min(z) >= 0 and min(w) >= 0 and z @ w == 0


def dense(tree: Treeplex) -> Any:
    rows, columns, values = tree.constraints()
    constraints = np.zeros((tree.infosets + 1, tree.sequences), dtype=object)
    for row, column, value in zip(rows, columns, values, strict=True):
        constraints[row, column] += int(value)
    return constraints


def worth(tree: Treeplex, gain: list[Fraction]) -> Any:
    """What the information sets are worth to the side that gains this much, the whole game first."""
    sets = [Fraction(0)] * tree.infosets
    for number, (parent, first, end) in reversed(list(enumerate(tree.sets()))):
        sets[number] = max(gain[first:end])
        gain[parent] += sets[number]
    return np.array([gain[0], *sets], dtype=object)


def plus(numbers: Any) -> list[Fraction]:
    return [max(Fraction(0), number) for number in numbers]


@pytest.mark.parametrize("exact", [False, True], ids=["floats", "integers"])
@pytest.mark.parametrize("game", [ruse.games.kuhn(), figure_2_2()], ids=["kuhn", "figure-2-2"])
def test_the_path_is_of_plans_and_its_cover_falls(game: Game, exact: bool) -> None:
    """z0 never rises because M is skew; that is why no secondary ray is possible."""
    form = sequence_form(game)
    value = lp(form).certificate.lower
    path = Lemke(form, exact=exact)
    covers = []
    for _ in path:
        certificate = certify(form, path.plans())  # which checks the plans
        assert certificate.lower <= value <= certificate.upper
        covers.append(path.cover)
    assert all(after <= before + 1e-9 for before, after in pairwise(covers))
    assert covers[0] > covers[-1] == 0
    assert certify(form, path.plans()).lower == value


@pytest.mark.parametrize("exact", [False, True], ids=["floats", "integers"])
def test_ties_of_the_second_right_side_go_to_the_columns(monkeypatch: pytest.MonkeyPatch, exact: bool) -> None:
    """With all its entries equal the second right side settles little."""
    monkeypatch.setattr(lcp_module, "TIES", 1)
    asked: list[int] = []
    kind = Tableau if exact else Factored
    column = kind.column
    monkeypatch.setattr(kind, "column", lambda self, variable: (asked.append(variable), column(self, variable))[1])
    pivots = 0
    for game, value in SMALL:
        solved = lcp(sequence_form(game), exact=exact)
        assert bounds(solved) == [value, value]
        pivots += solved.iterations
    assert len(asked) > pivots + len(SMALL)  # one a pivot, and one for the cover, would do without such ties


@pytest.mark.parametrize(
    "payoffs", ["0.1234567890123456789 1; 1 0", "1e30 1; 1 0", "1e7 0; 0 1e-7", "1e-30 -1 7; 3 1e20 0", "0", "2 1"]
)
def test_unruly_payoffs(payoffs: str) -> None:
    """Where floats end beside the optimum, whole numbers are pivoted."""
    form = sequence_form(ruse.games.matrix(payoffs))
    assert lcp(form).certificate.exact
    assert lcp(form, exact=True).certificate == lcp(form).certificate == lemke_howson(form).certificate


@pytest.mark.parametrize("game", [ruse.games.kuhn(), ruse.games.liars_dice(faces=2)], ids=["kuhn", "liars-dice-2"])
def test_where_floats_lose_their_way(monkeypatch: pytest.MonkeyPatch, game: Game) -> None:
    """Decimals go on."""
    value = lcp(sequence_form(game), exact=True).certificate
    monkeypatch.setattr(Factored, "leaves", lambda *_: np.zeros(0, dtype=int))
    assert lcp(sequence_form(game)).certificate == value


def test_a_path_without_end_in_floats_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lcp_module, "MOST_PIVOTS", 0)
    assert bounds(lcp(sequence_form(ruse.games.kuhn()))) == [Fraction(-1, 18)] * 2  # in whole numbers at last


def test_what_does_not_fit_is_left_to_floats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lcp_module.size_estimate, "free_bytes", lambda: 1000)
    monkeypatch.setattr(Factored, "leaves", lambda *_: np.zeros(0, dtype=int))
    with pytest.raises(SolverError, match="expected an equilibrium, got a ray after 0 pivots in floats"):
        lcp(sequence_form(ruse.games.kuhn()))


@settings(deadline=None, max_examples=some(30))
@given(st.integers(0, 10**6), st.sampled_from([0, 3, 20]))
def test_few_digits_and_many_end_at_the_same_value(seed: int, spread: int) -> None:
    """Of tables whose payoffs differ by twice `spread` powers of ten."""
    random = Random(seed)
    rows = [
        [Fraction(random.randint(-9, 9)) * Fraction(10) ** random.randint(-spread, spread) for _ in range(4)]
        for _ in range(3)
    ]
    form = sequence_form(Matrix(rows))
    assert lcp_in_digits(form).certificate == lcp(form, exact=True).certificate


def test_a_caller_can_stop() -> None:
    heard: list[int] = []

    def report(pivots: int, cover: float) -> None:
        heard.append(pivots)
        if pivots == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        lcp(sequence_form(ruse.games.kuhn()), report=report)
    assert heard == [1, 2, 3]


def test_memory_grows_with_the_square_of_a_tableau_but_in_line_with_factors() -> None:
    kuhn, leduc = sequence_form(ruse.games.kuhn()), sequence_form(reduce(ruse.games.leduc()))
    assert lcp_bytes(leduc, exact=True) > 500 * lcp_bytes(kuhn, exact=True)  # 25 times the sequences
    assert lcp_bytes(leduc) < 50 * lcp_bytes(kuhn)


TABLES = st.integers(1, 5).flatmap(
    lambda columns: st.lists(
        st.lists(st.fractions(-2, 2, max_denominator=2), min_size=columns, max_size=columns), min_size=1, max_size=5
    )
)


@settings(max_examples=some(80), deadline=None)
@given(TABLES)
def test_every_label_leads_to_an_equilibrium(payoffs: list[list[Fraction]]) -> None:
    """Also of degenerate tables, of which few and small payoffs make many."""
    odds = solve_table(payoffs)
    form = as_sequence_form(payoffs)
    value = certify(form, ([Fraction(1), *odds[0]], [Fraction(1), *odds[1]])).lower
    for label in range(len(payoffs) + len(payoffs[0])):
        assert bounds(lemke_howson(form, label=label)) == [value, value]
    assert bounds(lcp(form)) == bounds(lcp(form, exact=True)) == [value, value]


@pytest.mark.parametrize("label", range(6))
def test_rock_paper_scissors_from_every_label(label: int) -> None:
    """Bossle 2018, §2.3: with paper against rock at half the stake, 2/5, 2/5, 1/5."""
    form = sequence_form(ruse.games.rock_paper_scissors(paper_beats_rock="1/2"))
    solved = lemke_howson(form, label=label)
    assert solved.plans == ([1, Fraction(2, 5), Fraction(2, 5), Fraction(1, 5)],) * 2


def test_two_finger_morra() -> None:
    """By hand: (0, p, 1 - p, 0) for 4/7 <= p <= 3/5, where p is to show one and say two; the game is fair."""
    table = [[0, 2, -3, 0], [-2, 0, 0, 3], [3, 0, 0, -4], [0, -3, 4, 0]]
    for label in range(8):
        first, second, pivots = solve_labels([[Fraction(payoff) for payoff in row] for row in table], label)
        assert pivots >= 2
        for odds in (first, second):
            assert odds[0] == odds[3] == 0 and Fraction(4, 7) <= odds[1] <= Fraction(3, 5)


@pytest.mark.parametrize(("game", "value"), SMALL, ids=NAMES)
def test_small_trees_through_their_normal_form(game: Game, value: Fraction) -> None:
    form = sequence_form(game)
    assert bounds(lemke_howson(form)) == bounds(matrix(form)) == [value, value]


def test_large_tables_and_unknown_labels_are_refused() -> None:
    with pytest.raises(RuseError, match="expected a normal form of at most 10,000 entries, got 101 × 100"):
        lemke_howson(as_sequence_form([[Fraction(1)] * 100] * 101))
    with pytest.raises(LabelError, match="expected a label from 0 to 3, got 4"):
        lemke_howson(as_sequence_form([[Fraction(1)] * 2] * 2), label=4)


@settings(max_examples=some(60), deadline=None)
@given(st.integers(1, 4), st.integers(1, 4), st.data())
def test_tableau_and_factors_agree(rows: int, columns: int, data: st.DataObject) -> None:
    """The same exchanges in whole numbers and in floats, and a check of both against the system itself."""
    numbers = st.integers(-3, 3)
    entries = np.array([[data.draw(numbers) for _ in range(columns)] for _ in range(rows)], dtype=object)
    rights = np.array([[data.draw(numbers)] for _ in range(rows)], dtype=object)
    basis, outside = list(range(rows)), list(range(rows, rows + columns))
    system = np.hstack([np.eye(rows, dtype=int), entries])
    tableau = Tableau(basis, outside, entries, rights)
    factored = Factored(basis, rows, csc_matrix(system.astype(float)), rights.astype(float))
    for _ in range(6):
        variable = data.draw(st.sampled_from([v for v in range(rows + columns) if v not in tableau.basis]))
        choices = [row for row in range(rows) if tableau.column(variable)[row]]
        if choices:
            row = data.draw(st.sampled_from(choices))
            tableau.exchange(row, variable)
            factored.exchange(row, variable)
    values = [tableau.value(row) for row in range(rows)]
    assert tableau.basis == factored.basis
    assert system[:, tableau.basis] @ np.array(values) == pytest.approx(rights[:, 0], abs=0)
    assert [factored.value(row) for row in range(rows)] == pytest.approx([float(value) for value in values])


def test_a_singular_basis_is_said_to_be_one() -> None:
    with pytest.raises(SolverError, match="expected a basis to factor, got a singular one"):
        Factored([0, 1], 2, csc_matrix(np.ones((2, 2))), np.ones((2, 1)))


def test_the_ratio_test() -> None:
    column, first, second = np.array([1.0, 2.0, -1.0, 2.0]), np.array([2.0, 2.0, -9.0, 2.0]), np.array([0.0, 3.0, 0, 1])
    assert lexicographic(column, [first]).tolist() == [1, 3]
    assert lexicographic(column, [first, second]).tolist() == [3]
    assert lexicographic(-abs(column), [first, second]).tolist() == []
