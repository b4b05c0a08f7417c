"""The sequence-form LP of Koller, Megiddo and von Stengel (1994), as in Bossle 2018, §5.2.

Fix side 0's plan x. Side 1's best response is a small LP; its dual turns the minimum into a maximum:

    maximise  q[0]   over plans x and values q,   subject to   E x = e,  x >= 0,
              and for each sequence s of side 1:   (F' q)[s] <= (A' x)[s],

where q[i] is what side 1 pays at most from its information set i on. The duals of the last rows are side
1's optimal plan, so both strategies come from one solve. From side 1's point of view the same program is
written for the game with its sides exchanged; on asymmetric games one of them can be far quicker.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ruse.certificate import Certificate, Plan, best_response, certify
from ruse.exact import rounded, shares
from ruse.sequence_form import SequenceForm, Treeplex
from ruse.solvers.highs import INFINITY, Highs, Program, Rows

Array = np.ndarray[Any, np.dtype[Any]]
DENOMINATORS = (60, 10_000, 10_000_000)
TINY = 100  # sequences of both sides: where floats lose small payoffs beside large ones, Lemke pivots in whole numbers


@dataclass(frozen=True)
class Solved:
    """What a solver hands on: exact plans and what they are certified for."""

    plans: tuple[list[Fraction], list[Fraction]]
    certificate: Certificate
    iterations: int


def sequence_lp(form: SequenceForm, side: int = 0) -> Program:
    """The program above, written to minimise, from the point of view of `side`."""
    mine, theirs = form.trees[side], form.trees[1 - side]
    own, other = (form.rows, form.columns) if side == 0 else (form.columns, form.rows)
    sign = 1 if side == 0 else -1
    e_rows, e_columns, e_values = mine.constraints()
    f_rows, f_columns, f_values = theirs.constraints()  # used as F': a row a sequence
    plans, values = mine.sequences, theirs.infosets + 1
    rows = np.concatenate([e_rows, mine.infosets + 1 + other, mine.infosets + 1 + f_columns])
    columns = np.concatenate([e_columns, own, plans + f_rows])
    most = max(abs(payoff) for payoff in form.payoffs.tolist()) if len(form.payoffs) else 1
    entries = np.concatenate([e_values, sign * form.payoffs, -f_values])
    # HiGHS gets payoffs of at most 1; the values q are then smaller by as much, and the basis is the same.
    scaled = (sign * form.payoffs / most).astype(float)
    floats = np.concatenate([e_values, scaled, -f_values]).astype(float)
    order = np.lexsort((columns, rows))
    count = mine.infosets + 1 + theirs.sequences
    start = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=count))])
    lower = np.zeros(count)
    lower[0] = 1
    upper = np.full(count, INFINITY)
    upper[: mine.infosets + 1] = lower[: mine.infosets + 1]
    cost = np.zeros(plans + values, dtype=np.int64)
    cost[plans] = -1
    return Program(
        cost,
        np.concatenate([np.zeros(plans), np.full(values, -INFINITY)]),
        np.full(plans + values, INFINITY),
        Rows(start.astype(np.int32), columns[order].astype(np.int32), entries[order], lower, upper, floats[order]),
    )


def lp(
    form: SequenceForm, *, side: int = 0, method: str = "simplex", gap: float = 0.0, seconds: float = INFINITY
) -> Solved:
    """Solve, then lift to fractions: by rounding, or else by solving the optimal basis exactly.

    With a `gap`, plans as close as that are enough; after `seconds` HiGHS gives up.
    """
    highs = Highs(sequence_lp(form, side), method, seconds)
    optimum = highs.run()
    mine = form.trees[side]
    cut = mine.infosets + 1

    def plans_of(columns: Any, duals: Any) -> tuple[Any, Any]:
        pair = (columns[: mine.sequences], duals[cut:])
        return pair if side == 0 else (pair[1], pair[0])

    best: Solved | None = None
    floats = plans_of(optimum.columns, optimum.duals)
    if gap:
        from ruse.compiled import Compiled  # compiled code, which is not needed otherwise

        certified = Compiled(form).certify(floats)
        if certified.certificate.gap <= gap:
            return Solved(certified.fractions(), certified.certificate, highs.iterations)
    first, second = form.trees
    for denominator in DENOMINATORS:
        near = rounded_plan(first, floats[0], denominator), rounded_plan(second, floats[1], denominator)
        best = _better(best, form, near)
        if best.certificate.exact:
            break
    else:
        exact = highs.run_exactly()
        if exact is not None:
            fractions = plans_of(exact.columns, exact.duals)
            best = _better(best, form, (exact_plan(first, fractions[0]), exact_plan(second, fractions[1])))
    assert best is not None
    if not best.certificate.exact and first.sequences + second.sequences <= TINY:
        from ruse.solvers.lcp import lcp  # which itself builds on this module

        best = _better(best, form, lcp(form, exact=True).plans)
    return Solved(best.plans, best.certificate, highs.iterations)


def _better(best: Solved | None, form: SequenceForm, plans: tuple[list[Fraction], list[Fraction]]) -> Solved:
    """The tighter of two answers, side by side: each side keeps the plan that promises it more."""
    certificate = certify(form, plans)
    if best is None:
        return Solved(plans, certificate, 0)
    low = certificate.lower > best.certificate.lower
    high = certificate.upper < best.certificate.upper
    return Solved(
        (plans[0] if low else best.plans[0], plans[1] if high else best.plans[1]),
        Certificate(max(certificate.lower, best.certificate.lower), min(certificate.upper, best.certificate.upper)),
        0,
    )


def rounded_plan(tree: Treeplex, weights: Array, denominator: int) -> list[Fraction]:
    """A plan in fractions near some weights: the odds at each information set are rounded."""
    plan = [Fraction(1)] + [Fraction(0)] * (tree.sequences - 1)
    for parent, first, end in tree.sets():
        if plan[parent]:
            for sequence, odds in enumerate(rounded(_odds(weights[first:end]), denominator), first):
                plan[sequence] = plan[parent] * odds
    return plan


def _odds(weights: Array) -> list[float]:
    clipped = [max(0.0, float(weight)) for weight in weights]
    total = sum(clipped)
    return [weight / total for weight in clipped] if total > 0 else [1 / len(clipped)] * len(clipped)


def exact_plan(tree: Treeplex, weights: list[Fraction]) -> list[Fraction]:
    """A plan from exact weights: what a basis leaves negative or short is mended, which a certificate shows."""
    plan = [Fraction(1)] + [Fraction(0)] * (tree.sequences - 1)
    for parent, first, end in tree.sets():
        if plan[parent]:
            for sequence, odds in enumerate(shares(weights[first:end]), first):
                plan[sequence] = plan[parent] * odds
    return plan


def policy(form: SequenceForm, side: int, plans: tuple[Plan, Plan]) -> list[list[Fraction]]:
    """The odds at each of a side's information sets, also where its own plan never comes.

    There the odds are a best response to the other side's plan, spread evenly over equally good moves.
    """
    _, worth = best_response(form, side, plans[1 - side])
    best = max if side == 0 else min
    odds = []
    for parent, first, end in form.trees[side].sets():
        plan = plans[side]
        if plan[parent]:
            odds.append([plan[sequence] / plan[parent] for sequence in range(first, end)])
        else:
            target = best(worth[first:end])
            good = [worth[sequence] == target for sequence in range(first, end)]
            odds.append([Fraction(int(is_good), sum(good)) for is_good in good])
    return odds
