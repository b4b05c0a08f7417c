"""Reasons for moves, in words: `explain(costs, position, move)` (docs/explanation/reasons.md)."""

from ruse.insight.reasons.explain import Explainer, explain
from ruse.insight.reasons.model import Explanation, Reason

__all__ = ["Explainer", "Explanation", "Reason", "explain"]
