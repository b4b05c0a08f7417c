"""Exact best responses that trust no solver: what a written strategy guarantees, from the rules alone."""

from __future__ import annotations

from ruse.core.types import Policy, StrategyTable
from ruse.verify import tree as plain
from ruse.verify.tree import VerifyError
from ruse.verify.verifier import Verifier, verify

__all__ = ["Policy", "StrategyTable", "Verifier", "VerifyError", "plain", "verify"]
