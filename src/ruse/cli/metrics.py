"""`ruse metrics`: how a game plays under its optimal strategies."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ruse import start
from ruse.cli.commands import game_of, load_solution
from ruse.core import clock
from ruse.core.interrupts import answering
from ruse.present.console import Progress, print_json

if TYPE_CHECKING:
    from ruse.solution.strategy import Solution
    from ruse.studio.contributions import Contribution


def metrics(given: argparse.Namespace) -> int:
    from ruse.metrics.metric import asked_here

    with asked_here():
        return _metrics(given)


def _metrics(given: argparse.Namespace) -> int:
    from ruse.metrics.metric import load_metrics
    from ruse.metrics.results import check_name, measure

    for file in given.metric or ():
        load_metrics(file)
    names = None if given.only is None else [check_name(name.strip()) for name in given.only.split(",")]
    time = given.time if given.time and given.time > 0 else None
    with clock.deadline(time, start.first_moment), answering(time), Progress(sys.stderr, "solving") as progress:
        solution, file = _solution(given)
        measured = measure(solution, names, file=file, simplest=given.simplest, report=progress.report)
        without = _without(given, solution, progress) if given.without else []
    if given.json:
        more = {"contributions": [listed.to_json() for listed in without]} if given.without else {}
        print_json({**measured.to_json(), **more})
    else:
        print(measured.text())
        if without:
            from ruse.studio.contributions import format_contributions

            game = solution.game
            print(f"\n{format_contributions(without, game.sides[0], len(game.wins) == 2)}")
    if not measured.complete:
        print("ruse: stopped before all metrics were measured; give it more time", file=sys.stderr)
    return 1 if measured.failed else 0


def _without(given: argparse.Namespace, solution: Solution, progress: Progress) -> list[Contribution]:
    """What each role or card contributes, which takes one more solution each."""
    from ruse.studio.contributions import contributions

    name = solution.game.name if given.game.endswith(".ruse") else given.game
    parameters = solution.game.parameters if given.game.endswith(".ruse") else given.parameters
    with clock.regardless():
        return contributions(name, parameters, time_each=given.time, report=progress.report)


def _solution(given: argparse.Namespace) -> tuple[Solution, Path | None]:
    """A saved solution with its file, or a new solution without one."""
    if given.game.endswith(".ruse"):
        return load_solution(given.game, given), Path(given.game)
    from ruse.solving.pipeline import solve

    game = game_of(given)
    with clock.leaving(clock.left()):  # half of the time is for the metrics
        return solve(game), None
