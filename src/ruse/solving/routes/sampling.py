"""The route by samples: games that are too large to walk."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from random import Random

from ruse.core import clock
from ruse.core.capabilities import Public
from ruse.core.contract import asked_by_contract
from ruse.core.walk import FEW_PLAYS, look_for_endless
from ruse.solvers import find
from ruse.solving.auto import SAMPLING
from ruse.solving.result import SolveResult, result_of_run
from ruse.solving.routes import SolveRequest
from ruse.solving.routes.public_tree import memory_note
from ruse.solving.solve_form import about_run, task_for
from ruse.solving.writing import WritingTime, as_tables


def run(request: SolveRequest) -> SolveResult:
    """Learn strategies at the positions that samples reach; elsewhere they are uniform."""
    from ruse.solvers.sampled import TooWide

    if not request.auto:
        return _sample(request, request.spec.name)
    (usual, why), (narrower, why_narrower) = SAMPLING
    note = memory_note(request.game, request.options) if isinstance(request.game, Public) else ""
    try:
        result = replace(_sample(request, usual), why=why)
    except TooWide:
        result = replace(_sample(request, narrower), why=why_narrower)
    return replace(result, why="; ".join(filter(None, (result.why, note))))


def _sample(request: SolveRequest, solver: str) -> SolveResult:
    """Sample with one solver. The bounds are only the range of the payoffs."""
    from ruse.solvers.sampled import Sampled, Unjudged
    from ruse.solving.iterate import loop

    game, options, report = request.game, request.options, request.report
    if asked_by_contract(game):
        with suppress(clock.TimeIsUp):
            look_for_endless(game, Random(options.seed), FEW_PLAYS)
    spec, task = find(solver), task_for(game, None, solver, options, report)
    run: Sampled = spec.start(task)
    about = about_run(spec, task, options)
    judge = Unjudged(game)
    ended = loop(run, judge, options.limits(), options.files(), about, report, after=WritingTime(game, run))
    with clock.regardless():
        tables = as_tables(game, run.odds())
    return result_of_run(solver, tables, ended, unjudged=True)
