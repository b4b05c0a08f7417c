"""The double oracle and polishing, judged by exact certificates and against the LP of the whole game."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ruse
from amounts import some
from golden import games
from ruse.core.clock import TimeIsUp, deadline
from ruse.core.exact import integers
from ruse.core.game import Game
from ruse.forms.certificate import certify, check_plan, gains
from ruse.forms.integer_form import Compiled, Weights
from ruse.forms.reductions import reduce
from ruse.forms.sequence_form import FormArrays, sequence_form
from ruse.games.goofspiel import goofspiel
from ruse.games.liars_dice import liars_dice
from ruse.solvers.cfr import Cfr
from ruse.solvers.double_oracle import DoubleOracle, double_oracle, finish
from ruse.solvers.lp import lp
from ruse.solvers.polish import polish
from ruse.solvers.restricted import restrict
from ruse.solvers.variants import VARIANTS
from toys import random_games

SMALL = [(game, value) for title, game, value, one in games() if title != "tic-tac-toe" and "by_class" not in one]
VALUES = {title: value for title, _, value, _ in games()}
# OpenSpiel's liars_dice(numdice=1) with 5 and 6 faces is worth 0.008 and -0.0271317829... (../shared: issue 3)
LIARS_DICE = {5: (Fraction(1, 125), 0.008), 6: (Fraction(-7, 258), -0.0271317829)}


def cfr_weights(form: FormArrays, iterations: int = 200) -> Weights:
    run = Cfr(Compiled(form), VARIANTS["pcfr+"])
    run.run(iterations)
    return run.weights()


@pytest.mark.cases(7)
@pytest.mark.slow
@pytest.mark.parametrize(("game", "value"), SMALL, ids=[game.title for game, _ in SMALL])
def test_small_games_are_exact(game: Game, value: Fraction) -> None:
    form = sequence_form(reduce(game))
    solved = double_oracle(form)
    assert certify(form, solved.plans) == solved.certificate
    assert solved.certificate.exact and solved.certificate.lower == value


@settings(max_examples=some(100))
@given(random_games())
def test_random_games_are_exact(game: Game) -> None:
    form = sequence_form(game)
    certificate = double_oracle(form).certificate
    assert certificate.exact and certificate == lp(form).certificate


@settings(max_examples=some(60))
@given(random_games(), st.data())
def test_payoffs_of_very_different_sizes(game: Game, data: st.DataObject) -> None:
    """Wherever the LP of the whole game is exact, so is the double oracle."""
    form = sequence_form(game)
    sizes = data.draw(st.lists(st.sampled_from([1, 1000, 10**12, 10**20]), min_size=1, max_size=5))
    scaled = [payoff * sizes[number % len(sizes)] for number, payoff in enumerate(form.payoffs.tolist())]
    form = replace(form, payoffs=integers(scaled))
    whole = lp(form).certificate
    ours = double_oracle(form).certificate
    assert ours.exact or not whole.exact
    assert ours.lower <= whole.upper and whole.lower <= ours.upper


@settings(max_examples=some(60))
@given(random_games(), st.data())
def test_a_restricted_game_pays_what_the_whole_one_does(game: Game, data: st.DataObject) -> None:
    """Default actions and temporary leaves estimate nothing: plans are worth the same in both games."""
    form = sequence_form(game)
    masks, small_plans = [], []
    for tree in form.trees:
        flags = st.lists(st.booleans(), min_size=tree.sequences, max_size=tree.sequences)
        mask = np.array(data.draw(flags))
        mask[0] = True
        for _, first, end in tree.sets():
            mask[data.draw(st.integers(first, end - 1))] = True
        masks.append(mask)
    restricted = restrict(form, (masks[0], masks[1]))
    for tree in restricted.form.trees:
        assert np.all(np.diff(tree.first) >= 2)  # without a choice there is no information set
        plan = [Fraction(1)]
        for parent, first, end in tree.sets():
            parts = data.draw(st.lists(st.integers(0, 3), min_size=end - first, max_size=end - first))
            parts[0] += not any(parts)
            plan += [plan[parent] * Fraction(part, sum(parts)) for part in parts]
        check_plan(tree, plan)
        small_plans.append(plan)
    plans = restricted.plans((small_plans[0], small_plans[1]))
    for tree, plan, mask in zip(form.trees, plans, masks, strict=True):
        check_plan(tree, plan)
        assert not any(weight for weight, may in zip(plan, mask, strict=True) if not may)
    assert payoff(form, plans[0], plans[1]) == payoff(restricted.form, small_plans[0], small_plans[1])


def payoff(form: FormArrays, first: list[Fraction], second: list[Fraction]) -> Fraction:
    found = sum((x * gain for x, gain in zip(first, gains(form, 0, second), strict=True)), Fraction(0))
    return found / form.denominator


@settings(max_examples=some(30))
@given(random_games())
def test_any_solver_inside(game: Game) -> None:
    form = sequence_form(game)
    assert double_oracle(form, inner=cfr_weights).certificate == lp(form).certificate


@pytest.mark.parametrize(("game", "value"), [(ruse.games.kuhn(), VALUES["kuhn"]), (liars_dice(3), Fraction(1, 9))])
def test_exact_best_responses_alone_find_the_way(game: Game, value: Fraction, monkeypatch: pytest.MonkeyPatch) -> None:
    """If floats see no better move at all, each round is done again in whole numbers. 1/9 is what lp gives."""
    monkeypatch.setattr("ruse.solvers.double_oracle.MARGIN", 1e9)
    oracle = DoubleOracle(Compiled(sequence_form(game)))
    certificate = finish(oracle).certificate
    assert oracle.rounds > 3
    assert certificate.lower == certificate.upper == value


def test_cfr_inside_on_leduc() -> None:
    solved = double_oracle(sequence_form(reduce(ruse.games.leduc())), inner=cfr_weights)
    assert solved.certificate.exact and solved.certificate.lower == VALUES["leduc"]


@pytest.mark.parametrize(
    "game", [liars_dice(4), liars_dice(5), goofspiel(4), goofspiel(5)], ids=lambda game: game.title
)
def test_less_than_half_of_the_game_is_needed(game: Game) -> None:
    """Fewer than half the sequences ever come up, default actions included, and far fewer are chosen."""
    form = sequence_form(game)
    oracle = DoubleOracle(Compiled(form))
    assert finish(oracle).certificate.exact
    for tree, sequences, played in zip(form.trees, oracle.restricted.sequences, oracle.restricted.played, strict=True):
        assert sequences < tree.sequences / 4
        assert sequences <= played < tree.sequences / 2
    assert oracle.restricted.entries < len(form.payoffs) / 4


def test_bounds_hold_in_every_round_and_meet_in_the_last() -> None:
    form = sequence_form(ruse.games.leduc())
    compiled = Compiled(form)
    oracle = DoubleOracle(compiled)
    lower, upper = -np.inf, np.inf
    while not oracle.ended:
        before = oracle.restricted.sequences
        oracle.run(1)
        assert lower <= oracle.bounds[0] and oracle.bounds[1] <= upper
        lower, upper = oracle.bounds
        certificate = compiled.certify(oracle.weights()).certificate
        assert (float(certificate.lower), float(certificate.upper)) == pytest.approx((lower, upper), abs=1e-9)
        assert certificate.lower <= VALUES["leduc"] <= certificate.upper
        assert oracle.ended or sum(oracle.restricted.sequences) > sum(before)
    assert upper - lower < 1e-9
    rounds, state = oracle.rounds, {name: array.copy() for name, array in oracle.state().items()}
    oracle.run(10)  # nothing is left to do
    assert (oracle.rounds, oracle.iterations) == (rounds, rounds + 10)
    assert all(np.array_equal(array, state[name]) for name, array in oracle.state().items() if name != "done")


@pytest.mark.parametrize("inner", [None, cfr_weights], ids=["lp", "cfr"])
def test_a_run_goes_on_bit_for_bit_from_its_state(inner: None) -> None:
    compiled = Compiled(sequence_form(liars_dice(4)))
    straight = DoubleOracle(compiled, inner)
    straight.run(12)
    stopped = DoubleOracle(compiled, inner)
    stopped.run(3)
    stopped.run(2)
    kept = {name: array.copy() for name, array in stopped.state().items()}
    stopped.run(1)
    resumed = DoubleOracle(compiled, inner)
    resumed.restore(kept)
    resumed.run(7)
    assert straight.state().keys() == resumed.state().keys()
    for name, array in straight.state().items():
        assert array.tobytes() == resumed.state()[name].tobytes(), name
    assert straight.restricted.sequences == resumed.restricted.sequences


@pytest.mark.parametrize("iterations", [10, 1000])
def test_leduc_is_polished(iterations: int) -> None:
    form = sequence_form(ruse.games.leduc())
    solved = polish(Compiled(form), cfr_weights(form, iterations))
    assert solved is not None and certify(form, solved.plans).exact
    assert solved.certificate.lower == VALUES["leduc"]


@pytest.mark.parametrize("faces", LIARS_DICE)
def test_liars_dice_is_polished(faces: int) -> None:
    value, published = LIARS_DICE[faces]
    form = sequence_form(liars_dice(faces))
    solved = polish(Compiled(form), cfr_weights(form, 300))
    assert solved is not None and certify(form, solved.plans) == solved.certificate
    assert solved.certificate.lower == solved.certificate.upper == value
    assert float(value) == pytest.approx(published, abs=1e-10)


@settings(max_examples=some(60))
@given(random_games(), st.integers(0, 2**32 - 1))
def test_polishing_needs_no_good_start(game: Game, seed: int) -> None:
    """Nonsense weights, some of them negative: the double oracle finds the way from there."""
    form = sequence_form(game)
    random = np.random.default_rng(seed)
    first, second = (random.normal(size=tree.sequences) ** 3 for tree in form.trees)
    solved = polish(Compiled(form), (first, second))
    assert solved.certificate == lp(form).certificate


def test_polishing_within_a_round_too_few_is_not_exact() -> None:
    form = sequence_form(ruse.games.leduc())
    even = [np.ones(tree.sequences) for tree in form.trees]
    heard: list[tuple[int, float, float]] = []
    pure = [np.eye(1, tree.sequences)[0] for tree in form.trees]  # nothing but default actions
    early = polish(Compiled(form), (pure[0], pure[1]), most=2, report=lambda *bounds: heard.append(bounds))
    assert not early.certificate.exact
    assert {number for number, _, _ in heard} == {1, 2}
    assert all(lower <= VALUES["leduc"] <= upper for _, lower, upper in heard)
    assert polish(Compiled(form), (even[0], even[1])).certificate.exact


@pytest.mark.parametrize("error", [TimeIsUp("no more time"), KeyboardInterrupt()])
def test_what_rounds_in_floats_have_found_is_not_lost(error: BaseException) -> None:
    compiled = Compiled(sequence_form(goofspiel(4)))
    seen: list[tuple[float, float]] = []

    def report(rounds: int, *bounds: float) -> None:
        seen.append((bounds[0], bounds[1]))
        if rounds == 3:
            raise error

    found = finish(DoubleOracle(compiled), report=report)
    assert found.stopped == ("time" if isinstance(error, TimeIsUp) else "interrupted") and found.iterations == 3
    assert found.certificate == certify(compiled.form, found.plans) and not found.certificate.exact
    assert [float(found.certificate.lower), float(found.certificate.upper)] == pytest.approx(seen[-1])


def test_what_stops_it_before_the_first_round_is_raised() -> None:
    oracle = DoubleOracle(Compiled(sequence_form(goofspiel(4))))
    with pytest.raises(TimeIsUp), deadline(0.0):
        finish(oracle)
