"""The commands for contests: learn a strategy, show it, compare several."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from ruse.cli.commands import all_writable, saved_before_printing
from ruse.present.console import print_json

if TYPE_CHECKING:
    from ruse.contests.learned import Learned


def evolve(given: argparse.Namespace) -> int:
    from ruse.contests.budget import BudgetError
    from ruse.contests.runs import best_of, evolve_many
    from ruse.contests.search import evolve as evolve_one
    from ruse.present.console import Progress

    out, checkpoint = all_writable(given, ("out", "checkpoint"))
    if given.workers is not None and given.workers < 1:
        raise BudgetError(f"expected at least one worker, got {given.workers}")
    if given.resume and checkpoint is None:
        raise BudgetError("--resume needs --checkpoint FILE")
    limits = {name: getattr(given, name) for name in ("time", "games", "iterations", "risk", "precision")}
    many = given.runs != 1 or given.engine != "local" or given.address is not None
    if many and checkpoint is not None:
        raise BudgetError("a checkpoint works only with one search on this machine, not with several or a cluster")
    with Progress(sys.stderr, "compiling (cached for next time)") as progress:
        if many:
            placement = {name: getattr(given, name) for name in ("engine", "address", "workers")}
            searches = evolve_many(
                given.contest, given.method, given.runs, seed=given.seed, report=progress.report, **placement, **limits
            )
            learned = best_of(searches) if len(searches) > 1 else searches[0]
            if len(searches) < given.runs:
                message = f"the best of {len(searches):,} searches follows; {given.runs:,} were planned"
                print(f"ruse: stopped before the end; {message}", file=sys.stderr)
        else:
            learned = evolve_one(
                given.contest,
                given.method,
                seed=given.seed,
                threads=given.workers,
                checkpoint=checkpoint,
                resume=given.resume,
                report=progress.report,
                **limits,
            )
    with saved_before_printing([] if out is None else [partial(learned.save, out)]):
        if given.json:
            print_json(learned.to_json())
        else:
            print(_format_learned(learned))
    if not given.json:
        print(f"Saved to {out}." if out else "Save it with --out FILE.ruse; compare it with ruse tournament.")
    return 0


def _format_learned(learned: Learned) -> str:
    return "\n".join(
        [
            f"{learned.contest}: {learned.baseline.format()} against the baseline",
            learned.words(),
            f"Found by {learned.method} with seed {learned.seed} in {learned.iterations:,} iterations, "
            f"{learned.matches:,} matches and {learned.seconds:.1f} s.",
        ]
    )


def show_learned(given: argparse.Namespace) -> int:
    """Show a learned strategy, and what a perfect opponent wins against it where ruse can compute that."""
    from ruse.contests.learned import load
    from ruse.contests.learned_in_game import exploited
    from ruse.core.game import PositionError
    from ruse.present.console import Progress

    learned = load(given.file)
    if given.position:
        raise PositionError(f"{given.file} is a learned strategy; it has no positions to look up")
    with Progress(sys.stderr, "computing a best response"):
        perfect = exploited(learned.game, learned.parameters)
    if given.json:
        print_json({**learned.to_json(), "exploited": None if perfect is None else perfect.to_json()})
        return 0
    print(_format_learned(learned))
    if perfect is not None:
        print(perfect.format())
    if given.all:
        print("Parameters: " + ", ".join(f"{number:.6g}" for number in learned.parameters))
    return 0


def tournament(given: argparse.Namespace) -> int:
    from ruse.contests import arena
    from ruse.contests.tournament import contestants, hold
    from ruse.present.console import Progress
    from ruse.present.figures import check_picture

    plot, csv, parquet = all_writable(given, ("plot", "csv", "parquet"))
    tables = {"csv": csv, "parquet": parquet}
    if plot is not None:
        check_picture(plot)
    strategies = contestants(arena.find(given.contest), given.strategies)
    with Progress(sys.stderr, "playing") as progress:
        table = hold(
            given.contest,
            strategies,
            given.games,
            seed=given.seed,
            engine=given.engine,
            address=given.address,
            workers=given.workers,
            report=progress.report,
        )
    saves: list[Callable[[], object]] = [
        partial(table.write, path, form) for form, path in tables.items() if path is not None
    ]
    if plot is not None:
        saves.append(partial(table.plot, plot))
    with saved_before_printing(saves):
        if given.json:
            print_json(table.to_json())
        else:
            print(table.format())
    if not table.complete:
        print("ruse: stopped early; the table counts the matches played so far", file=sys.stderr)
    return 0
