"""Every compiled sweep: arrays in, arrays out, filled in place. Only modules in here import numba."""

from __future__ import annotations

import sys

from ruse.core.clock import tick

COMPILING = 1.5  # seconds, for each sweep that is compiled for the first time on a machine


def check_compiled() -> None:
    """Raise TimeIsUp where sweeps that were imported have yet to be compiled, and there is no time for that."""
    modules = [module for name, module in list(sys.modules.items()) if _is_kernel(name)]
    tick(COMPILING * sum(_is_new(sweep) for module in modules for sweep in vars(module).values()))


def _is_kernel(name: str) -> bool:
    """Whether a module holds sweeps: one of these, or the kernel of a game."""
    return name.startswith(f"{__name__}.") or (name.startswith("ruse.games.") and name.endswith(".kernel"))


def _is_new(sweep: object) -> bool:
    """Whether a sweep is in nobody's memory, nor on the disk."""
    kept = getattr(getattr(sweep, "_cache", None), "_cache_file", None)  # numba has no other way to ask
    return hasattr(kept, "_load_index") and not sweep.signatures and not kept._load_index()  # type: ignore[attr-defined, union-attr]
