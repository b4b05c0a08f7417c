"""Games whose hands are hidden and whose moves are seen, checked as trees are."""

from __future__ import annotations

from random import Random

from fuzz import growing
from fuzz.case import Case
from fuzz.checks.trees import check

__all__ = ["check", "draw"]


def draw(random: Random, payoffs: str | None) -> Case:
    _, pay = growing.payoffs(random, payoffs)
    return Case(growing.public(random, pay, random.randint(1, 4)), random.getrandbits(32))
