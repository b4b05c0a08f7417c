"""Several searches at once, one a seed: independent jobs, on all cores or on a cluster."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

from ruse.contests import arena
from ruse.contests.budget import BudgetError
from ruse.contests.engine import run, stopped
from ruse.contests.learned import Learned
from ruse.contests.search import JUDGE, evolve, score
from ruse.core.types import Report

MOST_RUNS = 10_000
AGAIN = 1 << 60  # added to the seed of scoring matches: whoever was best in some is judged in others


def evolve_many(
    name: str,
    method: str,
    runs: int,
    *,
    seed: int = 0,
    engine: str = "local",
    address: str | None = None,
    workers: int | None = None,
    report: Report = lambda *_: None,
    **limits: Any,
) -> list[Learned]:
    """What searches with the seeds `seed`, `seed` + 1, … find, in that order. After Ctrl-C, by then."""
    if not 0 < runs <= MOST_RUNS:
        raise BudgetError(f"expected 1 to {MOST_RUNS:,} runs, got {runs}")
    arena.find(name)
    jobs = [(_search, (name, method, seed + number, limits)) for number in range(runs)]
    found: dict[int, Learned] = {}
    report(f"{runs:,} searches under way", None, None)
    with suppress(KeyboardInterrupt):  # a second one, which does not wait for searches under way
        for number, learned in run(jobs, engine, address, workers):
            found[number] = learned
            report(f"{len(found):,} of {runs:,} searches done", None, None)
    if not found:
        raise KeyboardInterrupt
    return [found[number] for number in sorted(found)]


def best_of(found: list[Learned]) -> Learned:
    """The one that scores best against the baseline, scored again: the best of many was also lucky."""
    best = max(found, key=lambda one: (one.baseline.matches > 0, one.baseline.rate))
    game = best.game
    again = score(game, game.strategy(best.parameters), game.baseline, seed=JUDGE + AGAIN + best.seed)
    return replace(best, baseline=again) if again.matches else best  # it was interrupted


def _search(name: str, method: str, seed: int, limits: dict[str, Any]) -> Learned:
    """A job: one search on one core."""
    return evolve(name, method, seed=seed, threads=1, stopped=stopped, **limits)
