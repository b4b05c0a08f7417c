"""Several searches in parallel, one per seed, on all cores or on a cluster."""

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
    """Return the results of searches with the seeds `seed`, `seed` + 1, …; after Ctrl-C, the finished ones."""
    if not 0 < runs <= MOST_RUNS:
        raise BudgetError(f"expected 1 to {MOST_RUNS:,} runs, got {runs}")
    arena.find(name)
    jobs = [(_search, (name, method, seed + number, limits)) for number in range(runs)]
    results: dict[int, Learned] = {}
    report(f"{runs:,} searches under way", None, None)
    with suppress(KeyboardInterrupt):  # a second one, which does not wait for searches under way
        for number, learned in run(jobs, engine, address, workers):
            results[number] = learned
            report(f"{len(results):,} of {runs:,} searches done", None, None)
    if not results:
        raise KeyboardInterrupt
    return [results[number] for number in sorted(results)]


def best_of(candidates: list[Learned]) -> Learned:
    """Return the strategy with the best score, scored again because the best of many was also lucky."""
    best = max(candidates, key=lambda learned: (learned.baseline.matches > 0, learned.baseline.rate))
    game = best.game
    again = score(game, game.strategy(best.parameters), game.baseline, seed=JUDGE + AGAIN + best.seed)
    return replace(best, baseline=again) if again.matches else best  # interrupted


def _search(name: str, method: str, seed: int, limits: dict[str, Any]) -> Learned:
    """A job: one search on one core."""
    return evolve(name, method, seed=seed, threads=1, stopped=stopped, **limits)
