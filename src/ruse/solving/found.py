"""The name until 0.6 of `ruse.solving.result`, for solvers of other people's games."""

from __future__ import annotations

import warnings

from ruse.solving.result import SolveResult as Found

__all__ = ["Found"]

warnings.warn("ruse.solving.found.Found is now ruse.solving.result.SolveResult", DeprecationWarning, stacklevel=2)
