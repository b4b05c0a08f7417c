"""Checkpoints: a later run goes on from one, or leaves it alone; it never silently puts less in its place."""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random

import ruse
from fuzz import growing
from fuzz.case import Case, Contradiction, expect
from fuzz.checks.solutions import ITERATING
from fuzz.rules import Rules
from ruse.core.game import RuseError


def draw(random: Random, payoffs: str | None) -> Case:
    _, pay = growing.payoffs(random, payoffs or "whole")
    trees = [growing.tree(random, 20, pay) for _ in range(2)]
    return Case(None, random.getrandbits(32), {"trees": trees})


def check(case: Case) -> None:
    random = case.random
    first, second = (Rules(tree, title) for tree, title in zip(case.more["trees"], ("one", "two"), strict=True))
    solver = random.choice([one for one in ITERATING if one != "hs-dcfr"])  # whose schedule is for one length
    done = random.randint(20, 60)
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder, "run.checkpoint")
        ruse.solve(first, solver, iterations=done, gap=0, checkpoint=kept)
        before = kept.read_bytes() if kept.exists() else None
        if before is None:
            return  # there was nothing to keep: the run was exact before its first look
        other, asked = random.choice(((first, done // 2), (second, done)))
        try:
            ruse.solve(other, solver, iterations=asked, gap=0, checkpoint=kept)
        except RuseError:
            expect("a checkpoint that a run refused to replace", kept.read_bytes() == before, True)
        if not any(path.read_bytes() == before for path in Path(folder).iterdir()):
            what = "of another game" if other is second else f"of {done} iterations by one of {asked}"
            raise Contradiction("a checkpoint without --resume", f"replaced one {what}", "refused, or kept beside")
        kept.write_bytes(before)
        again = ruse.solve(first, solver, iterations=done + 5, gap=0, checkpoint=kept, resume=True)
        if again.iterations < done and not again.certificate.exact:
            raise Contradiction("a resumed run", f"{again.iterations} iterations", f"at least {done}")
