"""Magnetic mirror descent: its fixed points against OpenSpiel's, its steps in the small, its last iterate."""

from __future__ import annotations

from math import log

import numpy as np
import pyspiel
import pytest
from hypothesis import given
from hypothesis import strategies as st
from open_spiel.python.algorithms import mmd_dilated

import ruse
from ruse.forms.integer_form import Compiled
from ruse.forms.sequence_form import sequence_form
from ruse.kernels import mirror
from ruse.solvers import mmd
from ruse.solvers.mmd import Mmd
from ruse.solvers.spec import NotANumber


def with_fixed_magnet(compiled: Compiled, pull: float, step: float, iterations: int) -> Mmd:
    """The method of the paper's §3: one temperature, one step, and entropy (a magnet of zeros) with equal weights."""
    run = Mmd(compiled)
    magnets = tuple(np.zeros_like(array) for array in run._pair("magnet"))
    weights = tuple(np.ones_like(array) for array in run._weights)
    run._state["numbers"][0] = step
    steps = np.tile([pull, 0.0, 1.0, np.inf], (iterations, 1))
    numbers = run._state["change"], run._state["gained"], run._state["numbers"]
    mirror.iterate(run._sides, weights, magnets, run._pair("log_odds"), run._plans, *numbers, steps, 0.0)
    return run


@pytest.mark.parametrize("temperature", [0.1, 0.5])
def test_fixed_points_are_those_of_openspiel(temperature: float) -> None:
    """The quantal response equilibrium of Kuhn poker at a temperature, by OpenSpiel's own program."""
    theirs = mmd_dilated.MMDDilatedEnt(pyspiel.load_game("kuhn_poker"), temperature, 0.5)
    for _ in range(600):
        theirs.update_sequences()
    assert theirs.get_gap() < 1e-9
    run = with_fixed_magnet(Compiled(sequence_form(ruse.games.kuhn())), temperature, 0.5, 2000)
    for side in (0, 1):
        ours, expected = np.sort(run._plans[side]), np.sort(theirs.current_sequences()[side])
        assert ours == pytest.approx(expected, abs=1e-6)


def test_a_step_is_the_best_one() -> None:
    """The closed form against many other odds, at an information set before another one."""
    parent, first = np.array([0, 2], dtype=np.int32), np.array([1, 3, 5], dtype=np.int32)
    weight, worth = np.array([2.0, 0.5]), np.array([0.0, 0.3, -0.2, 0.7, 0.1])
    magnet, before = np.log([1.0, 0.5, 0.5, 0.2, 0.8]), np.log([1.0, 0.3, 0.7, 0.6, 0.4])
    log_odds, step, pull = before.copy(), 0.9, 0.4
    mirror.ascend(parent, first, weight, worth.copy(), magnet, log_odds, step, pull)

    def value(odds: np.ndarray) -> float:
        plan, total = np.array([1.0, 0, 0, 0, 0]), 0.0
        for i in range(2):
            part = slice(first[i], first[i + 1])
            reach = plan[parent[i]]
            plan[part] = reach * odds[part]
            pulls = step * pull * np.log(odds[part] / np.exp(magnet[part])) + np.log(odds[part] / np.exp(before[part]))
            total -= weight[i] * reach * float(odds[part] @ pulls)
        return total + step * float(plan @ worth)

    best = value(np.exp(log_odds))
    for one in np.linspace(0.02, 0.98, 49):
        for two in np.linspace(0.02, 0.98, 49):
            assert value(np.array([1.0, one, 1 - one, two, 1 - two])) <= best + 1e-12


@pytest.mark.parametrize(
    ("game", "iterations", "gap"),
    [
        (ruse.games.kuhn(), 1000, 1e-5),
        (ruse.games.leduc(), 1000, 5e-3),
        (ruse.games.liars_dice(4), 1000, 1e-4),
        (ruse.games.oshi_zumo(4), 1000, 1e-3),
        (ruse.games.make("kubicek"), 1000, 5e-4),
    ],
    ids=lambda value: getattr(value, "title", None),
)
def test_the_last_iterate_converges(game: ruse.Game, iterations: int, gap: float) -> None:
    compiled = Compiled(sequence_form(game))
    run = Mmd(compiled)
    run.run(iterations)
    certificate = compiled.certify(run.weights()).certificate
    assert 0 <= certificate.gap < gap


def test_without_a_bound_on_the_magnet_leduc_cycles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mmd, "LEAST", 1e-300)
    compiled = Compiled(sequence_form(ruse.games.leduc()))
    run = Mmd(compiled)
    run.run(1000)
    assert compiled.certify(run.weights()).certificate.gap > 5e-3
    assert min(array.min() for array in run._pair("magnet")) < 2 * log(1 / 150)


@given(portions=st.lists(st.integers(1, 40), min_size=1, max_size=6))
def test_portions_and_resumes_do_not_matter(portions: list[int]) -> None:
    compiled = Compiled(sequence_form(ruse.games.kuhn()))
    whole, parts = Mmd(compiled), Mmd(compiled)
    whole.run(sum(portions))
    for portion in portions:
        parts.run(portion)
        again = Mmd(compiled)
        again.restore({name: array.copy() for name, array in parts.state().items()})
        parts = again
    assert all((parts.state()[name] == array).all() for name, array in whole.state().items())
    assert all((mine == its).all() for mine, its in zip(whole.weights(), parts.weights(), strict=True))


def test_numbers_that_are_none_are_refused() -> None:
    run = Mmd(Compiled(sequence_form(ruse.games.kuhn())))
    run.run(5)
    broken = run.state()
    broken["magnet1"][3] = np.nan
    with pytest.raises(ValueError, match="finite numbers in magnet1"):
        run.restore(broken)
    run._state["magnet0"][2] = np.nan
    run.run(1)
    with pytest.raises(NotANumber, match="expected finite odds after 6 iterations"):
        run.weights()
