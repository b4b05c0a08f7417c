"""Exact best responses that trust no solver: what a written strategy guarantees, from the rules alone."""

from __future__ import annotations

from ruse.verify import plain, resistance
from ruse.verify.plain import Policy, StrategyTable, VerifyError
from ruse.verify.solution import verify

__all__ = ["Policy", "StrategyTable", "VerifyError", "plain", "resistance", "verify"]
