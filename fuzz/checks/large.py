"""Trees of about 400 nodes: exact by default, whatever the payoffs."""

from __future__ import annotations

from random import Random

import ruse
from fuzz import growing
from fuzz.case import Case
from fuzz.checks.solutions import Judge
from fuzz.oracle import size
from fuzz.rules import Rules

NODES = 400


def draw(random: Random, payoffs: str | None) -> Case:
    _, pay = growing.payoffs(random, payoffs or random.choice(tuple(growing.PAYOFFS)))
    tree = growing.tree(random, NODES, pay)
    while not NODES / 2 <= size(tree) <= NODES * 2:
        tree = growing.tree(random, NODES, pay)
    return Case(tree, random.getrandbits(32))


def check(case: Case) -> None:
    assert case.tree is not None
    judge = Judge(case.tree)
    judge.judge(ruse.solve(Rules(case.tree)), exact=True)
    judge.check_printed()
