"""Exact best responses that trust no solver: what a written strategy guarantees, from the rules alone."""

from __future__ import annotations

from ruse.core.types import Policy, StrategyTable
from ruse.games.resistance import verify as resistance
from ruse.verify import tree as plain
from ruse.verify.dispatch import verify
from ruse.verify.tree import VerifyError

__all__ = ["Policy", "StrategyTable", "VerifyError", "plain", "resistance", "verify"]
