"""Level-by-level sweeps of `tree.h`, as the CPU build runs them: against the compiled kernels on the same trees."""

from __future__ import annotations

import shutil
from typing import Any

import numpy as np
import pytest

from public_games import RandomPublic
from ruse.core.capabilities import Public
from ruse.forms.public_layout import laid_out
from ruse.forms.public_table import in_layout
from ruse.forms.public_tree import public_tree
from ruse.games import kuhn, leduc
from ruse.kernels.gpu.machines import Cpu
from ruse.solvers.iterating import NotANumber
from ruse.solvers.public_cfr import PublicCfr
from ruse.solvers.public_device import PublicDeviceRun
from ruse.solvers.variants import VARIANTS

pytestmark = pytest.mark.skipif(
    not (shutil.which("g++") or shutil.which("clang++")), reason="there is no C++ compiler to build the kernels with"
)


def both(game: Public, variant: str) -> tuple[PublicDeviceRun, PublicCfr]:
    layout = laid_out(public_tree(game))
    device = PublicDeviceRun(
        layout.tree, VARIANTS[variant], machine=Cpu, rows=lambda weights, side: in_layout(layout, side, weights)
    )
    return device, PublicCfr(layout, VARIANTS[variant])


@pytest.mark.parametrize("seed", range(24))
def test_random_trees_give_the_iterates_of_the_compiled_kernels(seed: int) -> None:
    for variant in ("cfr", "cfr+", "dcfr", "pdcfr+"):
        device, compiled = both(RandomPublic(seed), variant)
        for portion in (1, 1, 6):
            device.run(portion)
            compiled.run(portion)
            for found, expected in zip(device.weights(), compiled.weights(), strict=True):
                assert found == pytest.approx(expected, rel=1e-9, abs=1e-9 * (1 + expected.max(initial=0.0)))


@pytest.mark.parametrize("make", [kuhn, leduc])
def test_sums_stand_for_strategies_near_the_value(make: Any) -> None:
    from ruse.forms.public_bounds import Bounds

    game = make()
    layout = laid_out(public_tree(game))
    run = PublicDeviceRun(
        layout.tree, VARIANTS["cfr+"], machine=Cpu, rows=lambda weights, side: in_layout(layout, side, weights)
    )
    run.run(200)
    certificate = Bounds(layout).certify(run.weights()).certificate
    value = {"kuhn": -1 / 18, "leduc": -0.0856064}[game.name]
    assert certificate.lower <= value <= certificate.upper
    assert certificate.gap < 0.05


def test_a_run_that_is_taken_up_goes_on_as_if_nothing_had_happened() -> None:
    (whole, _), (first, _), (second, _) = (both(leduc(), "pdcfr+") for _ in range(3))
    whole.run(30)
    first.run(11)
    first.weights()
    second.restore(first.state())
    second.run(19)
    assert all(np.array_equal(array, second.state()[name]) for name, array in whole.state().items())


def test_numbers_that_are_none_are_noticed() -> None:
    device, _ = both(kuhn(), "cfr+")
    device.run(3)
    device.machine.fill(device._state["regret1"], np.array([np.inf]))
    with pytest.raises(NotANumber, match=r"after 3 iterations in float64, got some that are not$"):
        device.weights()
