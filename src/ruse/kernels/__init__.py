"""Every compiled sweep: arrays in, arrays out, filled in place. Only modules in here import numba."""

from __future__ import annotations

import sys
from math import inf

from ruse.core import clock
from ruse.core.registry import imported

COMPILING = {  # seconds to compile a sweep, or any of a module, with those that it calls, once on a machine: measured
    "public:passes": 8.0,
    "public_bounds": 2.5,
    "public": 0.3,
    "regret": 3.5,
    "restriction": 0.4,
    "runouts:river": 5.0,
    "runouts:rivers": 9.0,
    "runouts:turns": 10.0,
    "saddle:halpern": 4.5,
    "saddle:average": 3.5,
    "sweeps": 0.4,
}
COMPILING_OTHERS = 1.0  # seconds, for each sweep that is not listed
IMPORTING = 0.15  # seconds, for numba
STARTING = 0.3  # seconds, for the first sweep that a process uses, compiled or not
GRACE = 0.6  # seconds that these may take beyond the deadline: without them there is no answer worth having
BOUNDS = ("sweeps:gains", "sweeps:best_response", "sweeps:whole_plan")  # what certifies plans on a sequence form
COLOURS = tuple(f"colours:{name}" for name in ("count", "fill", "number", "place", "add_up", "agree"))  # symmetry
PUBLIC_BOUNDS = ("public:subtree_sizes", "public:cut", "public:slots", "public_bounds:best_response")


class NotCompiled(clock.TimeIsUp):
    """There is no time to compile sweeps that were never used on this machine."""


def check_compiled(*sweeps: str) -> None:
    """Raise NotCompiled where one of the sweeps, "module:name", has yet to be compiled and there is no time for that.

    Modules are those in here, or the kernel of a game by its full name.
    """
    if clock.left() == inf:
        return
    if "numba" not in sys.modules:
        _check_time(IMPORTING, "time ran out before the solver was loaded")
    kernels_by_name = {name: _sweep(name) for name in sweeps}
    if not any(getattr(sweep, "signatures", ()) for sweep in kernels_by_name.values()):
        _check_time(STARTING, "time ran out before the solver was loaded")
    needed = sum(_compiling_takes(name) for name, sweep in kernels_by_name.items() if _is_new(sweep))
    about = max(1, round(needed * clock.slowness()))
    _check_time(needed, f"compiling the solver takes about {about} s, once per machine, and the time limit is shorter")


def _check_time(needed: float, message: str) -> None:
    if needed and needed * clock.slowness() > min(clock.left(), clock.due()) + GRACE:
        raise NotCompiled(message)


def _compiling_takes(name: str) -> float:
    return COMPILING.get(name, COMPILING.get(name.partition(":")[0], COMPILING_OTHERS))


def _sweep(name: str) -> object:
    module, _, sweep = name.partition(":")
    kernel: object = imported(f"{module if '.' in module else f'{__name__}.{module}'}:{sweep}")
    return kernel


def _is_new(sweep: object) -> bool:
    """Whether a sweep is in nobody's memory, nor on the disk."""
    kept = getattr(getattr(sweep, "_cache", None), "_cache_file", None)  # numba has no other way to ask
    return hasattr(kept, "_load_index") and not sweep.signatures and not kept._load_index()  # type: ignore[attr-defined, union-attr]
