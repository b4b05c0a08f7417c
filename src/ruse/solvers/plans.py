"""What solvers hand on: plans in fractions with their certificate, and how they come from floats and exact weights."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

from ruse.core.arrays import Array
from ruse.core.certificate import Certificate
from ruse.core.clock import TimeIsUp
from ruse.core.exact import rounded, shares
from ruse.core.former_modules import former_classes
from ruse.core.game import Knowledge, Move
from ruse.core.types import Tables
from ruse.forms.certificate import Plan, best_response, certify
from ruse.forms.sequence_form import FormArrays, Treeplex

Odds = dict[Knowledge, dict[Move, Fraction]]  # at each information set
Plans = tuple[list[Fraction], list[Fraction]]
NEVER = Fraction(0)  # one object for all
DENOMINATORS = (60, 10_000, 10_000_000)  # of odds near floats, the simplest first


@dataclass(frozen=True)
class CertifiedPlans:
    """What a solver hands on: exact plans and what they are certified for."""

    plans: Plans
    certificate: Certificate
    iterations: int
    stopped: str = ""  # "time", "interrupted", "memory" or "error", where more was to be done
    note: str = ""  # what else is worth knowing


@dataclass(frozen=True)
class StateStrategies:
    """What a solver that goes by states hands on: odds at each position, which nobody has certified yet."""

    tables: Tables
    iterations: int


def why_stopped(error: BaseException) -> str:
    """The word for what stopped a solver on its way: "time", "interrupted", "memory" or "error"."""
    kinds = {TimeIsUp: "time", KeyboardInterrupt: "interrupted", MemoryError: "memory"}
    return next((word for kind, word in kinds.items() if isinstance(error, kind)), "error")


def better(best: CertifiedPlans | None, form: FormArrays, plans: Plans) -> CertifiedPlans:
    """The tighter of two answers, side by side: each side keeps the plan that promises it more."""
    certificate = certify(form, plans)
    if best is None:
        return CertifiedPlans(plans, certificate, 0)
    tightest, (low, high) = best.certificate.tightened(certificate)
    return CertifiedPlans(((best.plans, plans)[low][0], (best.plans, plans)[high][1]), tightest, best.iterations)


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


def uniform_plan(tree: Treeplex) -> list[Fraction]:
    """The plan that plays all moves of an information set alike."""
    parts = [1] * tree.sequences  # of which each sequence is one
    for parent, first, end in tree.sets():
        parts[first:end] = [parts[parent] * (end - first)] * (end - first)
    known = {many: Fraction(1, many) for many in {*parts}}  # few numbers come up again and again
    return [known[many] for many in parts]


def policy(form: FormArrays, side: int, plans: tuple[Plan, Plan]) -> list[list[Fraction]]:
    """The odds at each of a side's information sets, also where its own plan never comes.

    There the odds are a best response to the other side's plan, spread evenly over equally good moves.
    """
    _, values = best_response(form, side, plans[1 - side])
    best = max if side == 0 else min
    odds, plan = [], plans[side]
    for parent, first, end in form.trees[side].sets():
        if weight := plan[parent]:
            odds.append([part / weight if part else NEVER for part in plan[first:end]])
        else:
            here = values[first:end]
            target = best(here)
            share = _even(here.count(target))
            odds.append([share if value == target else NEVER for value in here])
    return odds


@cache
def _even(moves: int) -> Fraction:
    return Fraction(1, moves)


if not TYPE_CHECKING:
    __getattr__ = former_classes(__name__, {"Solved": "CertifiedPlans", "Strategies": "StateStrategies"})
