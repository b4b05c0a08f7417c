"""Exact solutions out of nearly optimal ones: restrict the game to their support, solve it, lift it to fractions.

Weights that are all but optimal may only have to be rounded. Else the support of a plan that is nearly optimal is
nearly that of an optimal one, and small. The rest is a double oracle that starts there: what the threshold lost the
best responses add; what it kept too much of costs time, not correctness.
"""

from __future__ import annotations

from ruse.certificate import certify
from ruse.compiled import Compiled, Weights
from ruse.solvers.double_oracle import DoubleOracle, Report, finish
from ruse.solvers.lcp import lcp
from ruse.solvers.lp import DENOMINATORS, TINY, Solved, rounded_plan

CLOSE = 1e-7  # a gap, in units of the largest payoff, that rounding may close


def polish(compiled: Compiled, weights: Weights, *, most: int = 200, report: Report = lambda *_: None) -> Solved | None:
    """An exact solution from the weights of any solver; None if it takes more rounds or cannot be lifted."""
    form = compiled.form
    if compiled.certify(weights).certificate.gap <= CLOSE * compiled.largest:
        for denominator in DENOMINATORS:
            first, second = (
                rounded_plan(tree, own, denominator) for tree, own in zip(form.trees, weights, strict=True)
            )
            if (certificate := certify(form, (first, second))).exact:
                return Solved((first, second), certificate, 0)
    solved = finish(DoubleOracle(compiled, start=weights), most, report)
    if not solved.certificate.exact and sum(tree.sequences for tree in form.trees) <= TINY:
        solved = lcp(form, exact=True)
    return solved if solved.certificate.exact else None
