"""Small tables of The Resistance: seat by seat on a tree of the oracle's own, and with all reductions on and off."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import ruse
from fuzz import growing
from fuzz.case import Case, Contradiction, expect
from fuzz.checks.solutions import Judge
from fuzz.growing import Seats
from ruse.core.game import RuseError

MOST_NODES = 4_000
REDUCTIONS = ("teams", "symmetry", "forced")


def draw(random: Random, payoffs: str | None) -> Case:
    at = growing.seats(random)
    while growing.steps(at) > MOST_NODES:
        at = growing.seats(random)
    return Case(None, random.getrandbits(32), {"seats": at})


def check(case: Case) -> None:
    random = case.random
    at: Seats = case.more["seats"]
    game = ruse.games.resistance(at.players, at.spies, list(at.missions), list(at.sabotages))
    whole = ruse.solve(game, teams=False, symmetry=False, forced=False)
    judge = Judge(growing.resistance(at))
    judge.judge(whole, exact=True)
    switches: list[dict[str, Any]] = [
        dict(zip(("teams", "symmetry", "forced"), on, strict=True)) for on in product((True, False), repeat=3)
    ]
    for asked in [{}, *random.sample(switches, 3)]:
        solver = random.choice(("auto", "lp"))
        try:
            solution = ruse.solve(game, solver, **asked)
        except RuseError as error:
            raise Contradiction(f"a solution by {solver} with {asked}", error, judge.value) from error
        expect(f"the value by {solver} with {asked}", solution.value, judge.value)
        expect(f"the bounds by {solver} with {asked}, verified", solution.verify(), whole.certificate)
    judge.check_printed()
