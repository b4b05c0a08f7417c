"""First-order saddle-point methods: Dohmatob's printed examples, and both solvers judged by exact certificates."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ruse
from amounts import some
from golden import games
from ruse.core.game import Game, RuseError
from ruse.forms.integer_form import Compiled
from ruse.forms.sequence_form import FormArrays, sequence_form
from ruse.solvers.first_order import FirstOrder, norm, saddle
from ruse.solvers.lp import lp
from ruse.solvers.pdhg import Pdhg, Restarts, preconditioned
from toys import Chance, Decision, Leaf, Node, TreeGame, random_games

SMALL = [
    (game, value)
    for _, game, value, stanza in games()
    if stanza["name"] in ("rock-paper-scissors", "matrix", "mini-poker", "kubicek", "kuhn")
]
Run = Callable[[Compiled], Any]
BOTH: list[Run] = [FirstOrder, Pdhg]


def compiled(game: Game) -> Compiled:
    return Compiled(sequence_form(game))


def gap(form: Compiled, run: Any, iterations: int) -> float:
    run.run(iterations)
    return float(form.certify(run.weights()).certificate.gap)


def payoffs(form: FormArrays) -> np.ndarray[Any, Any]:
    table = np.zeros((form.trees[0].sequences, form.trees[1].sequences))
    table[form.rows, form.columns] = form.floats()
    return table


def constraints(form: FormArrays, side: int) -> np.ndarray[Any, Any]:
    tree = form.trees[side]
    rows, columns, values = tree.constraints()
    table = np.zeros((tree.infosets + 1, tree.sequences))
    table[rows, columns] = values
    return table


# Dohmatob's examples. The slides print E and A of the A/K game and E of Kuhn poker; the rest is in the paper's source.


def ace_king(fold: int) -> TreeGame:
    """Each side gets A or K; side 0 bets 4 or folds and loses `fold`, side 1 then bets too or folds and loses it."""

    def deal(mine: str, theirs: str) -> tuple[str, Fraction, Node]:
        stake = 4 * ((mine == "A") - (theirs == "A"))
        answer = Decision(1, theirs, (("b", Leaf(Fraction(stake))), ("f", Leaf(Fraction(fold)))))
        return mine + theirs, Fraction(1, 4), Decision(0, mine, (("B", answer), ("F", Leaf(Fraction(-fold)))))

    return TreeGame(Chance((deal("K", "K"), deal("K", "A"), deal("A", "K"), deal("A", "A"))), "ace-king")


ACE_KING = np.array([[1, 0, 0, 0, 0], [-1, 1, 1, 0, 0], [-1, 0, 0, 1, 1]])


def test_his_ace_king_game_as_on_the_slides() -> None:
    """S₁ is the empty sequence, A bet, A fold, K bet, K fold. The A printed there has only the bets that are called."""
    form = sequence_form(ace_king(fold=0))
    printed = np.zeros((5, 5))
    printed[1, 3], printed[3, 1] = 1, -1
    assert np.array_equal(payoffs(form), printed)
    for side in (0, 1):
        assert np.array_equal(constraints(form, side), ACE_KING)


def test_his_toy_poker_as_in_the_paper() -> None:
    """The same with folds that cost 1: A of the source of arXiv 1507.07901."""
    form = sequence_form(ace_king(fold=1))
    printed = np.zeros((5, 5))
    printed[[2, 4], 0] = -0.5
    printed[1, 3], printed[3, 1] = 1, -1
    printed[[1, 1, 3, 3], [2, 4, 2, 4]] = 0.25
    assert np.array_equal(payoffs(form), printed)


@pytest.mark.parametrize(("fold", "value"), [(0, Fraction(0)), (1, Fraction(-1, 4))])
@pytest.mark.parametrize("run", BOTH)
def test_value_of_the_ace_king_game(run: Run, fold: int, value: Fraction) -> None:
    """By symmetry 0 where folds are free (he prints no value); where they cost, -1/4 by the exact LP."""
    form = compiled(ace_king(fold))
    assert lp(form.form).certificate.lower == value
    certificate = form.certify(solved(form, run, 3000).weights()).certificate
    assert certificate.lower <= value <= certificate.upper
    assert certificate.gap < 1e-9


def solved(form: Compiled, run: Run, iterations: int) -> Any:
    solver = run(form)
    solver.run(iterations)
    return solver


# His sequences of Kuhn poker, cards 1, 2, 3, in his order; his E₁, E₂ as column -> row, and A.
ALICE = ["", *(f"{card}/{move}" for card in "JQK" for move in ("check", "check/bet/fold", "check/bet/call", "bet"))]
BOB = ["", *(f"{card}/{move}" for card in "JQK" for move in ("bet/fold", "bet/call", "check/check", "check/bet"))]
OWNER_1 = [0, 2, 4, 4, 2, 3, 5, 5, 3, 1, 6, 6, 1]
OWNER_2 = [0, 5, 5, 6, 6, 3, 3, 1, 1, 2, 2, 4, 4]
LEADS_1 = {1: 0, 2: 0, 3: 0, 4: 1, 5: 5, 6: 9}  # row -> the column that has -1
LEADS_2 = dict.fromkeys(range(1, 7), 0)
SIXTHS = {
    -2: [(3, 8), (3, 12), (4, 6), (4, 10), (7, 12), (8, 10)],
    -1: [(1, 7), (1, 11), (2, 8), (2, 12), (5, 11), (6, 4), (6, 12), (10, 4), (10, 8)],
    2: [(7, 4), (8, 2), (11, 4), (11, 8), (12, 2), (12, 6)],
    1: [(4, 5), (4, 9), (5, 3), (8, 1), (8, 9), (9, 3), (9, 7), (12, 1), (12, 5)],
}
PLANS = (  # "a Nash 10⁻⁴-equilibrium", to three digits
    [1, 0.759, 0.759, 0, 0.241, 1, 0.425, 0.575, 0, 0.275, 0, 0.275, 0.725],
    [1, 1, 0, 0.667, 0.333, 0.667, 0.333, 1, 0, 0, 1, 0, 1],
)


def his_order(form: FormArrays, side: int, names: list[str]) -> list[int]:
    """Where his sequences are among ours."""
    ours = [""]
    for knowledge, moves in zip(form.knowledge[side], form.moves[side], strict=True):
        ours += ["/".join((knowledge.cards, *knowledge.bets, move)) for move in moves]
    return [ours.index(name) for name in names]


def test_his_kuhn_matrices() -> None:
    form = sequence_form(ruse.games.kuhn())
    orders = his_order(form, 0, ALICE), his_order(form, 1, BOB)
    printed = np.zeros((13, 13))
    for sixths, places in SIXTHS.items():
        printed[tuple(np.transpose(places))] = sixths / 6
    assert np.array_equal(payoffs(form)[np.ix_(*orders)], printed)
    for side, owner, leads in ((0, OWNER_1, LEADS_1), (1, OWNER_2, LEADS_2)):
        table = np.zeros((7, 13))
        table[owner, range(13)] = 1
        table[list(leads), list(leads.values())] = -1
        assert sorted(constraints(form, side)[:, orders[side]].tolist()) == sorted(table.tolist())


def test_his_kuhn_plans_are_as_good_as_their_three_digits() -> None:
    form = compiled(ruse.games.kuhn())
    weights = [np.zeros(13), np.zeros(13)]
    for side, names in ((0, ALICE), (1, BOB)):
        weights[side][his_order(form.form, side, names)] = PLANS[side]
    certificate = form.certify((weights[0], weights[1])).certificate
    assert certificate.lower <= Fraction(-1, 18) <= certificate.upper
    assert certificate.gap < 1e-3


def test_his_algorithm_takes_the_same_steps() -> None:
    """Algorithm 1 line by line. Our v is his before its correction, and his first v is a step from 0."""
    form = compiled(ruse.games.kuhn())
    run = FirstOrder(form)
    problem, step = saddle(form.form), run._step
    k, clip = problem.matrix.toarray(), [np.arange(len(term)) < 13 for term in (problem.rise, problem.fall)]
    u, v = np.zeros(len(problem.rise)), np.zeros(len(problem.fall))
    steps = 40
    for _ in range(steps):
        half = v - step * (k.T @ u + problem.fall)
        half = np.where(clip[1], np.maximum(half, 0), half)
        moved = u + step * (k @ half + problem.rise)
        moved = np.where(clip[0], np.maximum(moved, 0), moved)
        v = half - step * (k.T @ (moved - u))
        u = moved
    run.restore(run.state() | {"v": -step * problem.fall})
    run.run(steps)
    assert run.state()["u"] == pytest.approx(u, abs=1e-12)


def test_his_kuhn_by_his_method() -> None:
    """-1/18: to 1e-3 after 1,500 iterations, to 1e-6 after 4,000. (His 1e-4 after 1,500 is a residual, not a gap.)"""
    form = compiled(ruse.games.kuhn())
    run = FirstOrder(form)
    assert gap(form, run, 1500) < 1e-3
    assert gap(form, run, 2500) < 1e-6
    certificate = form.certify(run.weights()).certificate
    assert certificate.lower <= Fraction(-1, 18) <= certificate.upper


# Conformance.


@pytest.mark.parametrize(("game", "value"), SMALL, ids=[game.title for game, _ in SMALL])
@pytest.mark.parametrize(("run", "iterations"), [(FirstOrder, 20_000), (Pdhg, 1000)])
def test_small_games_to_1e_9(game: Game, value: Fraction, run: Run, iterations: int) -> None:
    form = compiled(game)
    certificate = form.certify(solved(form, run, iterations).weights()).certificate
    assert certificate.lower <= value <= certificate.upper
    assert certificate.gap < 1e-9


def test_leduc_to_1e_6() -> None:
    form = compiled(ruse.games.leduc())
    value = next(value for title, _, value, _ in games() if title == "leduc")
    certificate = form.certify(solved(form, Pdhg, 25_000).weights()).certificate
    assert certificate.lower <= value <= certificate.upper
    assert certificate.gap < 1e-6


@settings(max_examples=some(60))
@given(game=random_games())
def test_random_games(game: Game) -> None:
    """Restarts come to 1e-6, mostly in 2,000 iterations, and Dohmatob's steps to 0.1 in 5,000; some games take more."""
    form = compiled(game)
    value = lp(form.form).certificate.lower
    for run, most in ((FirstOrder, 0.1), (Pdhg, 1e-6)):
        solver = run(form)
        for _ in range(50):
            solver.run(2000)
            certificate = form.certify(solver.weights()).certificate
            assert certificate.lower <= value <= certificate.upper
            if certificate.gap < most:
                break
        assert certificate.gap < most


@settings(max_examples=some(30))
@given(game=random_games(), iterations=st.integers(1, 300))
def test_neither_the_average_nor_the_last_point_guarantees_more_than_the_weights(game: Game, iterations: int) -> None:
    form = compiled(game)
    run = solved(form, FirstOrder, iterations)
    state, (lower, upper) = run.state(), form.bounds(run.weights())
    counts = [side.sequences for side in form.sides]
    for u, v in (("sum_u", "sum_v"), ("u", "v")):
        bounds = form.bounds((state[u][: counts[0]], state[v][: counts[1]]))
        assert lower >= bounds[0]
        assert upper <= bounds[1]


# Resuming.


def same(one: dict[str, Any], two: dict[str, Any]) -> bool:
    return one.keys() == two.keys() and all(np.array_equal(one[name], two[name]) for name in one)


@settings(max_examples=some(25))
@given(portions=st.lists(st.integers(0, 300), min_size=1, max_size=6), run=st.sampled_from(BOTH))
def test_portions_and_resuming_do_not_change_a_bit(portions: list[int], run: Run) -> None:
    form = compiled(ruse.games.kuhn())
    whole = solved(form, run, sum(portions))
    pieces = run(form)
    for portion in portions:
        pieces.run(portion)
        kept, pieces = pieces.state(), run(form)
        pieces.restore(kept)
    assert pieces.iterations == whole.iterations == sum(portions)
    assert same(pieces.state(), whole.state())
    assert all(np.array_equal(*sides) for sides in zip(pieces.weights(), whole.weights(), strict=True))


@pytest.mark.parametrize("run", BOTH)
def test_a_saved_state_is_a_copy(run: Run) -> None:
    solver = solved(compiled(ruse.games.kuhn()), run, 10)
    state = solver.state()
    before = {name: array.copy() for name, array in state.items()}
    solver.run(10)
    assert same(state, before)
    assert not same(state, solver.state())


@pytest.mark.parametrize("run", BOTH)
def test_a_state_of_another_game_is_refused(run: Run) -> None:
    state = solved(compiled(ruse.games.kuhn()), run, 10).state()
    with pytest.raises(RuseError, match=r"expected \d+ numbers in .* of the saved state, got \d+"):
        run(compiled(ruse.games.rock_paper_scissors())).restore(state)


# Odd games.


def leaf(payoff: int) -> Leaf:
    return Leaf(Fraction(payoff))


def guess(first: tuple[int, int], second: tuple[int, int]) -> TreeGame:
    """A 2 × 2 table of payoffs: side 1 does not see side 0's move."""
    rows = [Decision(1, "", (("x", leaf(x)), ("y", leaf(y)))) for x, y in (first, second)]
    return TreeGame(Decision(0, "", (("a", rows[0]), ("b", rows[1]))))


ONE_MOVE = Decision(0, "only", (("go", Decision(1, "only", (("x", leaf(3)), ("y", leaf(2))))),))
ODD = {
    "side 1 never moves": (TreeGame(Decision(0, "", (("a", leaf(1)), ("b", leaf(5))))), 5),
    "side 0 never moves": (TreeGame(Decision(1, "", (("a", leaf(1)), ("b", leaf(5))))), 1),
    "nobody moves": (TreeGame(Chance((("d", Fraction(1, 2), leaf(1)), ("e", Fraction(1, 2), leaf(3))))), 2),
    "a set of one move": (TreeGame(ONE_MOVE), 2),
    "only zeros": (guess((0, 0), (0, 0)), 0),
    "dominated": (guess((1, 2), (-1, -2)), 1),
}


@pytest.mark.parametrize(("game", "value"), ODD.values(), ids=list(ODD))
@pytest.mark.parametrize("run", BOTH)
def test_odd_games(run: Run, game: TreeGame, value: int) -> None:
    form = compiled(game)
    certificate = form.certify(solved(form, run, 2000).weights()).certificate
    assert certificate.lower <= value <= certificate.upper
    assert certificate.gap < 1e-9


@pytest.mark.parametrize("run", BOTH)
def test_no_iterations_give_even_plans(run: Run) -> None:
    form = compiled(ruse.games.rock_paper_scissors())
    assert gap(form, run(form), 0) == pytest.approx(0, abs=1e-12)


def test_a_payoff_of_a_million_beside_one() -> None:
    """Value (10⁶ · 1 - 1) / (10⁶ + 3) by hand; the small payoffs are not lost beside the large one."""
    form = compiled(guess((10**6, -1), (-1, 1)))
    value = Fraction(10**6 - 1, 10**6 + 3)
    certificate = form.certify(solved(form, Pdhg, 5000).weights()).certificate
    assert certificate.lower <= value <= certificate.upper
    assert certificate.gap < 1e-6


@settings(max_examples=some(20))
@given(game=random_games(depth=3), run=st.sampled_from(BOTH))
def test_the_unit_of_payoffs_does_not_matter(game: TreeGame, run: Run) -> None:
    """In floats a power of two is exact, so that every step is the same, bit for bit."""
    form = sequence_form(game)
    large = FormArrays(form.trees, form.rows, form.columns, form.payoffs * 2**20, form.denominator)
    plain, scaled = (solved(Compiled(one), run, 100) for one in (form, large))
    assert same(plain.state(), scaled.state())


# Parts.


@settings(max_examples=some(30))
@given(game=random_games())
def test_norms(game: TreeGame) -> None:
    problem = saddle(sequence_form(game))
    size = float(np.linalg.norm(problem.matrix.toarray(), 2))
    assert size * 0.99 < norm(problem.arrays()) < size * (1 + 1e-9)
    scaled, _ = preconditioned(problem)
    assert np.linalg.norm(scaled.matrix.toarray(), 2) <= 1 + 1e-9


def test_options_are_checked() -> None:
    form = compiled(ruse.games.kuhn())
    for step in (0.0, 1.0, -1.0):
        with pytest.raises(RuseError, match=r"expected a step between 0 and 1, .* got"):
            FirstOrder(form, step=step)
    for sufficient, necessary in ((0.0, 0.5), (0.6, 0.5), (0.5, 1.0)):
        with pytest.raises(RuseError, match=r"expected 0 < sufficient <= necessary < 1, got"):
            Restarts(sufficient, necessary)


def test_restarts_matter() -> None:
    """Without them Halpern's iteration converges like 1 / k; with them Kuhn is at 1e-9 after 400 iterations."""
    form = compiled(ruse.games.kuhn())
    never = Pdhg(form, restarts=Restarts(1e-300, 1e-300, longest=2.0))
    assert gap(form, Pdhg(form), 400) < 1e-9
    assert gap(form, never, 400) > 1e-6
