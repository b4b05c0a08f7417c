"""Many solves at once, in one process: none fails, and all answer as one alone does."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from random import Random

import ruse
from fuzz import growing
from fuzz.case import Case, Contradiction, expect
from fuzz.oracle import Flat, Node
from fuzz.rules import Rules

GAMES, CALLS, THREADS = 6, 48, 6


def draw(random: Random, payoffs: str | None) -> Case:
    trees = [growing.tree(random, random.choice((10, 30, 60)), growing.PAYOFFS["whole"]) for _ in range(GAMES)]
    return Case(None, random.getrandbits(32), {"trees": trees})


def check(case: Case) -> None:
    trees: list[Node] = case.more["trees"]
    values = [Flat(tree).value() for tree in trees]
    solvers = case.random.choices(("auto", "lp", "lcp", "double-oracle"), k=CALLS)

    def solve(number: int) -> Fraction | float:
        return ruse.solve(Rules(trees[number % GAMES]), solvers[number]).value

    with ThreadPoolExecutor(THREADS) as pool:
        calls = [pool.submit(solve, number) for number in range(CALLS)]
    failed = [call.exception() for call in calls if call.exception() is not None]
    if failed:
        raise Contradiction(
            "solves from several threads", f"{len(failed)} of {CALLS} failed, such as {failed[0]!r}", "all answered"
        )
    expect("solves from several threads", [call.result() for call in calls], [values[n % GAMES] for n in range(CALLS)])
