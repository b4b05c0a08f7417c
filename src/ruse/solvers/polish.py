"""Exact solutions out of nearly optimal ones: restrict the game to their support, solve it, lift it to fractions.

Weights that are all but optimal may only have to be rounded. Else the support of a plan that is nearly optimal is
nearly that of an optimal one, and small. The rest is a double oracle that starts there: what the threshold lost the
best responses add; what it kept too much of costs time, not correctness. Its small games are solved exactly
(`DoubleOracle.solved`), so it ends at an optimum, whatever the payoffs.
"""

from __future__ import annotations

from math import inf

from ruse.forms.certificate import certify
from ruse.forms.integer_form import Compiled, Weights
from ruse.solvers.double_oracle import DoubleOracle, Report, finish
from ruse.solvers.plans import DENOMINATORS, CertifiedPlans, rounded_plan

CLOSE = 1e-7  # a gap, in units of the largest payoff, that rounding may close


def polish(
    compiled: Compiled, weights: Weights | None, *, most: float = inf, report: Report = lambda *_: None
) -> CertifiedPlans:
    """An exact solution from the weights of any solver, or from nothing; the best plans after `most` rounds."""
    form = compiled.form
    if weights is not None and compiled.certify(weights).certificate.gap <= CLOSE * compiled.largest:
        for denominator in DENOMINATORS:
            first, second = (
                rounded_plan(tree, own, denominator) for tree, own in zip(form.trees, weights, strict=True)
            )
            if (certificate := certify(form, (first, second))).exact:
                return CertifiedPlans((first, second), certificate, 0)
    return finish(DoubleOracle(compiled, start=weights), most, report)
