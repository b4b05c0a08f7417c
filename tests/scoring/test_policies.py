"""Policies in every shape give the same score, exactly where they are exact; bad ones are refused in one sentence."""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ruse
from ruse.core.game import Game
from ruse.core.rationals import BoundedFloat
from ruse.core.registry import imported
from ruse.formats import frames
from ruse.forms.matrix_form import SequenceForm
from ruse.scoring.odds import BITS, normalised, read_row
from ruse.solution.strategy import Solution
from ruse.verify.verifier import bounds
from toys import random_games

KUHN = ruse.games.kuhn()
FORM = ruse.sequence_form(KUHN)
THIRDS = {"kuhn@J": {"check": Fraction(2, 3), "bet": Fraction(1, 3)}}
PASSIVE = {  # a policy of both sides: never bet, never call
    position: {move: int(number == 0) for number, move in enumerate(moves)}
    for side in (0, 1)
    for position, moves in zip(FORM.information_sets(side), FORM.moves(side), strict=True)
}


def drawn(form: SequenceForm, seed: int) -> dict[str, dict[str, Fraction]]:
    """A policy of both sides in fractions."""
    return {**drawn_side(form, 0, seed), **drawn_side(form, 1, seed)}


def drawn_side(form: SequenceForm, side: int, seed: int) -> dict[str, dict[str, Fraction]]:
    random, policy = Random(f"{seed} {side}"), {}
    for position, moves in zip(form.information_sets(side), form.moves(side), strict=True):
        parts = [random.randrange(4) for _ in moves]
        parts[0] += not any(parts)
        policy[position] = {move: Fraction(part, sum(parts)) for move, part in zip(moves, parts, strict=True)}
    return policy


def in_floats(policy: dict[str, dict[str, Fraction]]) -> dict[str, dict[str, float]]:
    return {position: {move: float(share) for move, share in odds.items()} for position, odds in policy.items()}


def by_side(policy: Any) -> tuple[Any, Any]:
    first, second = ({name: policy[name] for name in FORM.information_sets(side)} for side in (0, 1))
    return first, second


def as_rows(policy: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {"position": position, "move": move, "odds": share}
        for position, odds in policy.items()
        for move, share in odds.items()
    ]


MIXED = drawn(FORM, 3)
EXACTLY = ruse.exploitability(KUHN, MIXED)


def exact_plans() -> list[list[Fraction]]:
    plans = []
    for side in (0, 1):
        plan = [Fraction(1)] + [Fraction(0)] * (FORM.trees[side].sequences - 1)
        sets = zip(FORM.trees[side].sets(), FORM.information_sets(side), strict=True)
        for (parent, first, end), position in sets:
            plan[first:end] = [plan[parent] * share for share in MIXED[position].values()]
        plans.append(plan)
    return plans


SHAPES: dict[str, Callable[[], Any]] = {
    "dict": lambda: MIXED,
    "pair of dicts": lambda: by_side(MIXED),
    "by name of the side": lambda: dict(zip(("first", "Player 2"), by_side(MIXED), strict=True)),
    "function of the position": lambda: MIXED.__getitem__,
    "function of position and moves": lambda: lambda position, moves: [MIXED[position][move] for move in moves],
    "function of the knowledge": lambda: lambda knowledge: MIXED[KUHN.title + KUHN.format_position(knowledge)],
    "texts": lambda: {place: {move: str(share) for move, share in odds.items()} for place, odds in MIXED.items()},
    "plans": exact_plans,
    "pandas": lambda: imported("pandas").DataFrame([{**row, "odds": str(row["odds"])} for row in as_rows(MIXED)]),
    "polars": lambda: imported("polars").DataFrame([{**row, "odds": str(row["odds"])} for row in as_rows(MIXED)]),
    "arrow": lambda: imported("pyarrow").Table.from_pylist(
        [{**row, "odds": str(row["odds"])} for row in as_rows(MIXED)]
    ),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_every_exact_shape_gives_the_same_fraction(shape: str) -> None:
    found = ruse.exploitability(KUHN, SHAPES[shape]())
    assert isinstance(found, Fraction) and found == EXACTLY


FLOATS: dict[str, Callable[[], Any]] = {
    "dict": lambda: in_floats(MIXED),
    "function": lambda: in_floats(MIXED).__getitem__,
    "float32": lambda: {place: np.array(list(odds.values()), np.float32) for place, odds in in_floats(MIXED).items()},
    "plans": lambda: tuple(FORM.to_plan(side, part) for side, part in enumerate(by_side(in_floats(MIXED)))),
    "odds": lambda: tuple(FORM.to_behaviour(side, part) for side, part in enumerate(by_side(in_floats(MIXED)))),
    "sums of plans": lambda: tuple(7 * FORM.to_plan(side, part) for side, part in enumerate(by_side(in_floats(MIXED)))),
    "pandas": lambda: imported("pandas").DataFrame(as_rows(in_floats(MIXED))),
}


@pytest.mark.filterwarnings("ignore:the odds of:ruse.PolicyWarning")
@pytest.mark.parametrize("shape", FLOATS)
def test_every_shape_of_floats_carries_its_rounding(shape: str) -> None:
    found = ruse.exploitability(KUHN, FLOATS[shape]())
    assert isinstance(found, BoundedFloat) and found.lower <= EXACTLY <= found.upper
    assert abs(found - float(EXACTLY)) <= found.error < (1e-5 if shape == "float32" else 1e-13)


def test_what_is_exact_of_a_solution() -> None:
    solution = ruse.solve(KUHN)
    assert ruse.exploitability(KUHN, solution) == 0 == ruse.exploitability(KUHN, solution, nashconv=True)
    assert ruse.value(KUHN, solution) == solution.value == Fraction(-1, 18)
    assert ruse.value(KUHN, (solution.strategy(0), solution.strategy("Player 2"))) == Fraction(-1, 18)
    rough = ruse.solve(KUHN, "cfr+", iterations=20)
    assert ruse.exploitability(KUHN, rough, nashconv=True) == rough.certificate.gap
    assert ruse.exploitability(FORM, rough) == rough.certificate.gap / 2


def test_one_side_is_scored_against_the_value() -> None:
    rough = ruse.solve(KUHN, "cfr+", iterations=20)
    value, bounds_ = Fraction(-1, 18), rough.certificate
    assert ruse.exploitability(KUHN, rough.strategy(0)) == value - bounds_.lower
    assert ruse.exploitability(KUHN, rough.strategy(1)) == bounds_.upper - value
    assert ruse.exploitability(KUHN, rough, side="Player 2") == bounds_.upper - value
    plan = FORM.to_plan(0, rough.strategy(0))
    assert ruse.exploitability(KUHN, plan, side=0) == pytest.approx(float(value - bounds_.lower), abs=1e-12)


def test_bounds_where_the_value_is_not_found_in_time() -> None:
    game = ruse.games.leduc()
    (first, _) = uniform(game)
    found = ruse.exploitability(game, first, time=0.01)
    exact = ruse.solve(game).value - bounds(game, uniform(game)).lower  # type: ignore[operator]
    assert isinstance(found, BoundedFloat) and found.lower <= exact <= found.upper


def uniform(game: Game) -> tuple[Any, Any]:
    form = ruse.sequence_form(game)
    first, second = (
        {
            position: dict.fromkeys(moves, Fraction(1, len(moves)))
            for position, moves in zip(form.information_sets(side), form.moves(side), strict=True)
        }
        for side in (0, 1)
    )
    return first, second


@given(random_games(), st.integers(0, 1000))
def test_random_games_agree_with_the_verifier(game: Game, seed: int) -> None:
    """Which walks the rules and knows no form."""
    form = ruse.sequence_form(game)
    first, second = (drawn_side(form, side, seed) for side in (0, 1))
    proved = bounds(game, (first, second))
    assert ruse.exploitability(form, (first, second), nashconv=True) == proved.gap
    for side in (0, 1):
        answer = ruse.best_response(form, (first, second), side)
        pair = (answer, second) if side == 0 else (first, answer)
        assert ruse.value(form, pair) == (proved.upper, proved.lower)[side]


def test_a_best_response_beats_a_policy() -> None:
    answer = ruse.best_response(KUHN, PASSIVE, "first")
    assert answer.side == 0 and answer["kuhn@J"] == {"check": 0, "bet": 1}  # nobody calls
    assert ruse.value(KUHN, (answer, PASSIVE)) == 1
    assert ruse.best_response(KUHN, by_side(PASSIVE)[1], 0).table == answer.table
    assert {sum(odds.values()) for odds in answer.values()} == {1}


@pytest.mark.parametrize("name", ["csv", "parquet"])
def test_tables_in_files(name: str, tmp_path: Path) -> None:
    solution = ruse.solve(KUHN, "cfr+", iterations=20)
    path = tmp_path / f"kuhn.{name}"
    (frames.write_csv if name == "csv" else frames.write_parquet)(solution, path)
    assert ruse.exploitability(KUHN, path) == ruse.exploitability(KUHN, str(path)) == solution.certificate.gap / 2


def test_a_table_by_hand(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("move,position,probability\ncheck,kuhn@J,0.75\nbet,kuhn@J,0.25\n", encoding="utf-8")
    with pytest.warns(ruse.PolicyWarning, match="5 of 6 information sets of Player 1's policy have no odds"):
        found = ruse.exploitability(KUHN, path)
    assert isinstance(found, BoundedFloat)


def test_missing_information_sets_are_counted_or_refused() -> None:
    with pytest.warns(ruse.PolicyWarning, match="5 of 6 information sets .* such as kuhn@K; ruse plays the uniform"):
        found = ruse.exploitability(KUHN, THIRDS)
    half = dict.fromkeys(("check", "bet", "fold", "call"), Fraction(1, 2))
    first = {
        position: {move: half[move] for move in moves}
        for position, moves in zip(FORM.information_sets(0), FORM.moves(0), strict=True)
    }
    assert found == ruse.exploitability(KUHN, {**first, **THIRDS})
    with pytest.raises(ruse.PolicyError, match="5 of 6 information sets of Player 1's policy have no odds"):
        ruse.exploitability(KUHN, THIRDS, strict=True)


def test_floats_off_from_1_are_normalised_and_told() -> None:
    policy = {**in_floats(MIXED), "kuhn@J": {"check": 0.6666668, "bet": 0.3333334}}
    with pytest.warns(ruse.PolicyWarning, match="do not all sum to 1; ruse divides them by their sum"):
        found = ruse.exploitability(KUHN, policy)
    exact = ruse.exploitability(KUHN, {**MIXED, **THIRDS})
    assert isinstance(found, BoundedFloat) and found.lower <= exact <= found.upper and found.error < 1e-5


REFUSED: list[tuple[Any, dict[str, Any], str]] = [
    ({"kuhn@X": {"check": 1}}, {}, "for another game: no position of kuhn is called 'kuhn@X'"),
    ({**PASSIVE, "kuhn@X": {"check": 1}}, {}, "1 of 13 positions of this policy are not positions of kuhn"),
    ({"kuhn@J": {"jump": 1}}, {}, "'jump' is not a move at kuhn@J; its moves are check, bet"),
    ({"kuhn@J": {"check": 0.5, "bet": 0.6}}, {}, "the odds at kuhn@J sum to 1.1, not to 1"),
    ({"kuhn@J": {"check": Fraction(1, 2)}}, {}, "the odds at kuhn@J sum to 1/2, not to 1"),
    ({"kuhn@J": {"check": float("nan"), "bet": 1}}, {}, "the odds of check at kuhn@J are nan"),
    ({"kuhn@J": {"check": float("inf"), "bet": 1}}, {}, "the odds of check at kuhn@J are inf"),
    ({"kuhn@J": {"check": -1, "bet": 2}}, {}, "the odds of check at kuhn@J are negative (-1)"),
    ({"kuhn@J": {"check": "half", "bet": 0.5}}, {}, "'half' is not a probability of check at kuhn@J"),
    ({"kuhn@J": {"check": object()}}, {}, "expected a number as the odds of check at kuhn@J, got object"),
    ({"kuhn@J": [1]}, {}, "expected odds of 2 moves at kuhn@J, got 1"),
    ({"kuhn@J": 1.0}, {}, "expected odds by move at kuhn@J, got float"),
    ({}, {}, "this policy of kuhn is empty"),
    ((None, None), {}, "this policy of kuhn is empty"),
    (np.ones(4), {"side": 0}, "expected 13 numbers, one per sequence of Player 1, got 4"),
    (np.ones((13, 2)), {"side": 0}, "expected 13 numbers, one per sequence of Player 1, got 13 × 2"),
    (np.ones(13), {}, "one array is a policy of one side: say which with side="),
    (np.full(13, np.nan), {"side": "second"}, "the weight of '∅' is nan"),
    ([0.5] * 13, {"side": "third"}, "'third' is not a side of kuhn; use 0, 1, Player 1 or Player 2"),
    (np.array([1.0, 0.5, 0.3] + [0.5] * 10), {"side": 0}, "the numbers of kuhn@K sum to 0.8, neither to 1 nor to 1"),
    (3, {}, "expected a Solution, a Strategy, a mapping, a function"),
    (lambda position: 1 / 0, {}, "the policy failed to give odds at kuhn@K: ZeroDivisionError: division by zero"),
    ("kuhn.txt", {}, "a table of a policy ends in .csv or .parquet, not 'kuhn.txt'"),
    ("missing.csv", {}, "cannot read the table missing.csv: no such file or directory"),
    (THIRDS, {"nashconv": True}, "NashConv needs policies of both sides"),
]


@pytest.mark.filterwarnings("ignore::ruse.PolicyWarning")
@pytest.mark.parametrize(("policy", "how", "reason"), REFUSED, ids=[reason[:40] for _, _, reason in REFUSED])
def test_refusals_in_one_sentence(policy: Any, how: dict[str, Any], reason: str) -> None:
    with pytest.raises(ruse.RuseError) as caught:
        ruse.exploitability(KUHN, policy, **how)
    assert reason in str(caught.value) and "\n" not in str(caught.value)


class OnGpu:
    """What ruse sees of a tensor on a GPU."""

    device = "cuda:0"

    def detach(self) -> OnGpu:
        return self

    def __len__(self) -> int:
        return 13


def test_tensors_on_a_gpu_are_refused() -> None:
    with pytest.raises(ruse.PolicyError, match=r"this tensor is on the device cuda:0; call \.cpu\(\) first"):
        ruse.exploitability(KUHN, OnGpu(), side=0)


def test_policies_of_another_game() -> None:
    with pytest.raises(ruse.PolicyError, match="this strategy is for rock-paper-scissors, not for kuhn"):
        ruse.exploitability(KUHN, ruse.solve(ruse.games.rock_paper_scissors()))
    with pytest.raises(ruse.PolicyError, match="this is a strategy of Player 1; leave the side out"):
        ruse.exploitability(KUHN, ruse.solve(KUHN).strategy(0), side=1)
    with pytest.raises(ruse.PolicyError, match="the expected payoff needs a policy of Player 2, too"):
        ruse.value(KUHN, ruse.solve(KUHN).strategy(0))
    with pytest.raises(ruse.PolicyError, match="a best response of Player 1 needs a policy of Player 2"):
        ruse.best_response(KUHN, ruse.solve(KUHN).strategy(0), 0)


@pytest.mark.parametrize("text", ["x,y\n1,2\n", "position,move,odds\nkuhn@J,check\n", "", "\xff"])
def test_bad_files(text: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(ruse.PolicyError) as caught:
        ruse.exploitability(KUHN, path)
    assert "\n" not in str(caught.value)
    parquet = tmp_path / "bad.parquet"
    parquet.write_bytes(b"PAR1nothing")
    with pytest.raises(ruse.PolicyError, match="is not a Parquet file"):
        ruse.exploitability(KUHN, parquet)


@pytest.mark.parametrize("game", [ruse.games.nim(), ruse.games.resistance(players=5), ruse.games.pig(goal=8)], ids=str)
def test_games_without_a_tree_are_scored_by_their_verifier(game: Game) -> None:
    solution = ruse.solve(game)
    assert isinstance(solution, Solution)
    assert float(ruse.exploitability(game, solution)) == pytest.approx(0, abs=1e-8)
    assert float(ruse.exploitability(game, solution.strategy(0))) == pytest.approx(0, abs=1e-8)
    pair = solution.strategy(0), solution.strategy(1)
    assert float(ruse.exploitability(game, pair)) == pytest.approx(0, abs=1e-8)
    with pytest.raises(ruse.GameError, match="no game tree to find a best response in"):
        ruse.best_response(game, pair, 0)


def test_functions_in_games_without_a_tree() -> None:
    game = ruse.games.nim()
    found = ruse.exploitability(game, lambda position, moves: moves[0], side=0)
    assert found == abs(ruse.score_function(game, 0, lambda position, moves: moves[0]).payoff - ruse.solve(game).value)  # type: ignore[operator]


def test_positions_that_stand_for_others() -> None:
    """Leduc files suits together: a strategy of the solver is read at each of them."""
    game = ruse.games.leduc()
    solution = ruse.solve(game)
    assert ruse.exploitability(game, solution) == 0
    assert ruse.exploitability(game, dict(zip((0, 1), solution.tables, strict=True))) == 0


@given(st.lists(st.floats(1e-9, 1.0), min_size=1, max_size=9))
def test_normalised_odds_sum_to_1_and_are_near(weights: list[float]) -> None:
    shares = normalised(weights)
    assert sum(shares) == 1 and min(shares) >= 0 and (1 << BITS) % max(share.denominator for share in shares) == 0
    total = sum(map(Fraction, weights))
    worst = max(abs(share - Fraction(weight) / total) for share, weight in zip(shares, weights, strict=True))
    assert worst < Fraction(1, 10**14)


def test_a_row_tells_how_far_it_moved() -> None:
    row = read_row([0.2, 0.8], "x", ["a", "b"])
    assert sum(row.shares) == 1 and 0 < row.moved < Fraction(1, 10**15)
    assert read_row([Fraction(1, 5), "4/5"], "x", ["a", "b"]).moved == 0


def test_a_bounded_float_is_a_float() -> None:
    found = BoundedFloat(Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**12))
    assert isinstance(found, float) and found == pytest.approx(1 / 3) and f"{found:.3f}" == "0.333"
    assert repr(found) == "0.33333333333383336 ± 5e-13" and str(found) == "0.33333333333383336"
    again = pickle.loads(pickle.dumps(found))
    assert (again, again.lower, again.upper) == (found, found.lower, found.upper)
    with pytest.raises(ValueError, match="at most the upper bound"):
        BoundedFloat(Fraction(1), Fraction(0))


def test_no_warning_without_a_reason() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ruse.exploitability(KUHN, in_floats(MIXED))
