"""Level-by-level sweeps of `tree.h`, as the CPU build runs them: against the compiled kernels on the same trees."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from public_games import RandomPublic
from ruse.core.capabilities import Public
from ruse.forms.bidding_bounds import FlowError
from ruse.forms.public_bounds import Bounds
from ruse.forms.public_layout import Layout, laid_out
from ruse.forms.public_table import in_layout
from ruse.forms.public_tree import PublicTree, public_tree
from ruse.games import kuhn, leduc, liars_dice
from ruse.games.poker import poker
from ruse.kernels.gpu.machines import Array, Cpu
from ruse.solvers.device_run import MOST_STEPS
from ruse.solvers.public_cfr import PublicCfr
from ruse.solvers.public_device import PublicDeviceRun, device_bytes
from ruse.solvers.spec import NotANumber
from ruse.solvers.variants import VARIANTS

pytestmark = pytest.mark.skipif(
    not (shutil.which("g++") or shutil.which("clang++")), reason="there is no C++ compiler to build the kernels with"
)


def both(game: Public, variant: str) -> tuple[PublicDeviceRun, PublicCfr]:
    tree = public_tree(game)
    return PublicDeviceRun(tree, VARIANTS[variant], machine=Cpu), PublicCfr(laid_out(tree), VARIANTS[variant])


def laid(run: PublicDeviceRun, layout: Layout) -> tuple[Array, Array]:
    """A run's sums as the compiled kernels take them."""
    first, second = (in_layout(layout, side, sums) for side, sums in enumerate(run.sums()))
    return first, second


def at_random(tree: PublicTree, kind: str, seed: int) -> PublicDeviceRun:
    """A run whose sums are anything: of very different sizes, some of them 0, also of what a hand cannot do."""
    run, random = PublicDeviceRun(tree, VARIANTS["cfr+"], kind=kind, machine=Cpu), np.random.default_rng(seed)
    state = run.state()
    for side in (0, 1):
        many = len(state[f"total{side}"])
        sizes = random.choice([0.0, 1e-30, 1.0, 1.0, 1e30], many)
        state[f"total{side}"] = (random.random(many) * sizes).astype(kind)
    run.restore(state)
    return run


@pytest.mark.cases(12)
@pytest.mark.parametrize("seed", range(24))
def test_random_trees_give_the_iterates_of_the_compiled_kernels(seed: int) -> None:
    for variant in ("cfr", "cfr+", "dcfr", "sapcfr+", "pdcfr+"):
        device, compiled = both(RandomPublic(seed), variant)
        for portion in (1, 1, 6):
            device.run(portion)
            compiled.run(portion)
            for found, expected in zip(laid(device, compiled.layout), compiled.weights(), strict=True):
                assert found == pytest.approx(expected, rel=1e-9, abs=1e-9 * (1 + expected.max(initial=0.0)))


@pytest.mark.cases(16)
@pytest.mark.parametrize("kind", ["float64", "float32"])
@pytest.mark.parametrize(
    "game",
    [*map(RandomPublic, range(16)), kuhn(), leduc(), liars_dice(3), poker(4, 2, hand=2)],
    ids=lambda game: game.title,
)
def test_bounds_are_those_of_the_compiled_kernels_to_the_last_unit(game: Public, kind: str) -> None:
    layout = laid_out(public_tree(game))
    judge = Bounds(layout, 1)
    for seed in range(3):
        run = at_random(layout.tree, kind, seed)
        for _ in range(2):
            assert run.certificate() == judge.certify(laid(run, layout)).certificate
            run.run(2)


@pytest.mark.parametrize("kind", ["float64", "float32"])
def test_bounds_are_exact_where_payoffs_are_longer_than_floats(kind: str) -> None:
    tree = public_tree(kuhn())
    matrices = tree.matrices * ((1 << 25) + 1) + 1
    tree = replace(tree, matrices=matrices, largest=int(3 * np.abs(matrices).max() * np.abs(tree.scale).max()))
    run, layout = at_random(tree, kind, 1), laid_out(tree)
    assert run.certificate() == Bounds(layout).certify(laid(run, layout)).certificate


def test_looks_at_the_bounds_change_no_iterate() -> None:
    for kind in ("float64", "float32"):
        one, two = (PublicDeviceRun(public_tree(leduc()), VARIANTS["pdcfr+"], kind=kind, machine=Cpu) for _ in range(2))
        for portion in (1, 4, 6):
            one.run(portion)
            two.run(portion)
            one.settle()
            two.certificate()
        assert all(np.array_equal(array, two.state()[name]) for name, array in one.state().items())


@pytest.mark.parametrize("make", [kuhn, leduc])
def test_sums_stand_for_strategies_near_the_value(make: Any) -> None:
    game = make()
    run = PublicDeviceRun(public_tree(game), VARIANTS["cfr+"], machine=Cpu)
    run.run(200)
    certificate = run.certificate()
    value = {"kuhn": -1 / 18, "leduc": -0.0856064}[game.name]
    assert certificate.lower <= value <= certificate.upper
    assert certificate.gap < 0.05


@pytest.mark.parametrize("place", [0, 1, 7, -1])
def test_flows_that_do_not_add_up_are_noticed(place: int, monkeypatch: pytest.MonkeyPatch) -> None:
    device, _ = both(leduc(), "cfr+")
    device.run(3)
    launch = device.machine.launch

    def one_unit_more(kernel: str, groups: int, arguments: Sequence[Any]) -> None:
        if kernel == "whole_flows":
            arguments[2][place] += 1
        launch(kernel, groups, arguments)

    monkeypatch.setattr(device.machine, "launch", one_unit_more)
    with pytest.raises(FlowError, match="the flows of side 1's plan do not add up: the device computes incorrectly"):
        device.certificate()


@pytest.mark.parametrize(
    ("game", "kind", "variant"), [(leduc(), "float32", "pdcfr+"), (poker(4, 2, hand=2), "float64", "cfr+")]
)
def test_memory_is_told_as_it_is_taken(game: Public, kind: str, variant: str) -> None:
    taken: list[int] = []

    class Counting(Cpu):
        def zeros(self, length: int, kind: str) -> Array:
            taken.append(length * np.dtype(kind).itemsize)
            return super().zeros(length, kind)

        def array(self, values: Array) -> Array:
            taken.append(values.nbytes)
            return super().array(values)

    tree = public_tree(game)
    PublicDeviceRun(tree, VARIANTS[variant], kind=kind, machine=Counting).certificate()
    steps = MOST_STEPS * 80
    assert sum(taken) - steps == pytest.approx(device_bytes(tree, kind, VARIANTS[variant].predicts), rel=0.1)


def test_a_run_that_is_taken_up_goes_on_as_if_nothing_had_happened() -> None:
    (whole, _), (first, _), (second, _) = (both(leduc(), "pdcfr+") for _ in range(3))
    whole.run(30)
    first.run(11)
    first.certificate()
    second.restore(first.state())
    second.run(19)
    assert all(np.array_equal(array, second.state()[name]) for name, array in whole.state().items())


def test_numbers_that_are_none_are_noticed() -> None:
    device, _ = both(kuhn(), "cfr+")
    device.run(3)
    device.machine.fill(device._state["regret1"], np.array([np.inf]))
    with pytest.raises(NotANumber, match=r"after 3 iterations in float64, got some that are not$"):
        device.sums()
