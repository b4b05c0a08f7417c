"""External sampling with baselines: no bias, less variance, and runs that go on bit for bit."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ruse
from ruse.core.arrays import Array
from ruse.core.game import Game, RuseError
from ruse.forms.integer_form import Compiled
from ruse.forms.sequence_form import sequence_form
from ruse.solvers.mccfr import Mccfr
from ruse.solvers.mccfr_baseline import BaselineMccfr


def regrets_at_fixed_odds(run: Mccfr, side: int, times: int) -> Array:
    """What one traversal adds to each regret, if no odds change: float64[times, moves of all sets]."""
    run.run(100)
    rows = []
    odds = np.linspace(0.2, 0.8, len(run._listed)).tolist()  # every set of Kuhn poker has two moves
    for _ in range(times):
        for known, share in zip(run._listed, odds, strict=True):
            known.regrets, known.odds = [0.0, 0.0], [share, 1.0 - share]
        run._learn(side, 1.0)
        rows.append([regret for known in run._listed for regret in known.regrets])
    return np.array(rows)


def by_position(run: Mccfr, side: int, numbers: Array) -> dict[object, Array]:
    slot, found = 0, {}
    places = {id(known): knowledge for knowledge, known in run._sets[side].items()}
    for known in run._listed:
        if id(known) in places:
            found[places[id(known)]] = numbers[slot : slot + len(known.moves)]
        slot += len(known.moves)
    return found


def odds_by_position(run: Mccfr, side: int) -> dict[object, list[float]]:
    return {knowledge: list(known.odds) for knowledge, known in run._sets[side].items()}


@pytest.mark.parametrize("side", [0, 1])
def test_estimates_have_no_bias_and_vary_less(side: int) -> None:
    """Against plain external sampling at the same odds; both meet the sets of Kuhn poker in one order."""
    game, times = ruse.games.kuhn(), 12_000
    plain, better = Mccfr(game, sampling="external", seed=5), BaselineMccfr(game, seed=5)
    samples = [regrets_at_fixed_odds(run, side, times) for run in (plain, better)]
    assert [*plain._sets[0]] == [*better._sets[0]] and [*plain._sets[1]] == [*better._sets[1]]
    means, errors = ([f(one, axis=0) for one in samples] for f in (np.mean, lambda a, axis: np.std(a, axis=axis)))
    for known, mean in by_position(better, side, means[1]).items():
        error = np.hypot(*(by_position(run, side, e)[known] for run, e in zip((plain, better), errors, strict=True)))
        assert mean == pytest.approx(by_position(plain, side, means[0])[known], abs=4.5 * error.max() / times**0.5)
    variances = [np.sum(error**2) for error in errors]
    assert variances[1] < (0.75, 0.95)[side] * variances[0]


@pytest.mark.parametrize(
    ("game", "iterations", "gap"),
    [(ruse.games.kuhn(), 3000, 0.1), (ruse.games.leduc(), 1500, 2.2), (ruse.games.kubicek(), 3000, 0.1)],
    ids=lambda value: getattr(value, "title", None),
)
def test_the_gap_closes(game: Game, iterations: int, gap: float) -> None:
    run, compiled = BaselineMccfr(game, seed=1), Compiled(sequence_form(game))
    run.run(iterations)
    assert compiled.certify(run.weights(compiled.form)).certificate.gap < gap


def same(one: Mccfr, other: Mccfr) -> bool:
    saved, found = one.state(), other.state()
    return all(np.array_equal(saved[name], found[name]) for name in saved.keys() | found.keys())


@given(portions=st.lists(st.integers(0, 40), max_size=5), kept=st.sampled_from([0, 50, 300, 5000, 500_000]))
@settings(max_examples=10, deadline=None)
def test_portions_and_saves_change_nothing(portions: list[int], kept: int) -> None:
    """Baselines are kept with states, and a restored run keeps the same states."""
    game = ruse.games.leduc()
    whole, parts = (BaselineMccfr(game, seed=3, kept=kept) for _ in range(2))
    whole.run(sum(portions))
    for portion in portions:
        parts.run(portion)
        saved = parts.state()
        parts = BaselineMccfr(game, seed=4, kept=kept)
        parts.restore(saved)
    assert portions == [] or same(whole, parts)
    whole.run(10)
    parts.run(10)
    assert portions == [] or same(whole, parts)


@pytest.mark.parametrize(
    "change", [lambda array: array[:-1], lambda array: array * np.nan, lambda array: np.append(array, 0.0)]
)
def test_broken_baselines_are_refused(change: Callable[[Array], Array]) -> None:
    run = BaselineMccfr(ruse.games.kuhn(), seed=1)
    run.run(20)
    saved = run.state()
    with pytest.raises(RuseError, match="this saved run does not fit kuhn: expected a finite baseline for each move"):
        run.restore({**saved, "baselines": change(saved["baselines"])})
    with pytest.raises(RuseError, match="does not fit kuhn"):
        run.restore(Mccfr(ruse.games.kuhn(), sampling="external", seed=1).state())
