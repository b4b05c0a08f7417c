"""The sweeps that a solver says it is compiled from: each is there, and a run uses it."""

from __future__ import annotations

import sys

import pytest

import processes
from ruse import kernels
from ruse.core.registry import imported
from ruse.solvers import SOLVERS

USED = """
import sys, ruse
from ruse.kernels import BOUNDS, _sweep
ruse.solve(ruse.games.liars_dice(5), sys.argv[1], iterations=3)
print(*(name for name in (*BOUNDS, *sys.argv[2:]) if not _sweep(name).signatures))
"""


@pytest.mark.cases(3)
@pytest.mark.parametrize("solver", ["pdcfr+", "first-order", "pdhg", "mmd", "double-oracle", "xdo"])
def test_a_run_uses_the_sweeps_that_its_solver_names(solver: str) -> None:
    command = [sys.executable, "-c", USED, solver, *SOLVERS[solver].sweeps]
    done = processes.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_every_sweep_that_is_named_is_compiled_code() -> None:
    named = [name for spec in SOLVERS.values() for name in (*spec.sweeps, *spec.public_sweeps)]
    for name in (*named, *kernels.BOUNDS, *kernels.PUBLIC_BOUNDS, *kernels.COLOURS):
        assert hasattr(kernels._sweep(name), "py_func"), name


@pytest.mark.parametrize("name", kernels.COMPILING)
def test_what_takes_long_to_compile_is_there(name: str) -> None:
    module, _, sweep = name.partition(":")
    assert hasattr(kernels._sweep(name), "py_func") if sweep else imported(f"ruse.kernels.{module}")
