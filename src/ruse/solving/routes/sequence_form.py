"""The route by the sequence form: build it, solve it, undo reductions, and write the strategies down if time allows."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from math import inf
from time import perf_counter

from ruse.core import clock
from ruse.core.capabilities import Bulk, ByClass, Symmetric
from ruse.core.game import Game, GameError
from ruse.core.size_estimate import most_nodes
from ruse.forms.certificate import certify
from ruse.forms.reductions import reduce, reductions_of
from ruse.forms.reductions.forced import ForcedForm, without_forced
from ruse.forms.reductions.refined import RefinedForm, is_large, refined
from ruse.forms.sequence_form import FormArrays, sequence_form
from ruse.kernels import COLOURS, check_compiled
from ruse.solvers import AUTO, SolverSpec
from ruse.solvers.plans import Plans
from ruse.solving import form_memory
from ruse.solving.form_memory import MemoryEstimate
from ruse.solving.options import SolveOptions
from ruse.solving.request import NextRoute, SolveRequest
from ruse.solving.result import SolveResult
from ruse.solving.routes.own_solver import own_solver
from ruse.solving.solve_form import moment, solve_form
from ruse.solving.writing import StrategyWriter

MANY = 1_000  # sequences: smaller forms are solved sooner than their symmetry is found
MOST_NODES = 1_000_000  # of the tree of a game that is solved by class, walked state by state
SmallerForm = ForcedForm | RefinedForm


def refusal(request: SolveRequest) -> str:
    """Decline a form that does not fit in memory, before any reduction, because a reduction may walk the game."""
    if isinstance(request.game, ByClass):
        _check_walk(request.game, request.options, request.estimate)
        return ""
    estimate = request.estimate
    fits = estimate is None or form_memory.fits(estimate, _refines(request))
    return "" if fits else f"it does not fit in memory: {estimate}"


def too_large(request: SolveRequest) -> GameError:
    """The error for a form that does not fit in memory."""
    assert request.estimate is not None
    return form_memory.too_large(request.game, request.estimate, refine=_refines(request))


def _refines(request: SolveRequest) -> bool:
    return request.options.refine or request.samples


def _check_walk(game: ByClass, options: SolveOptions, estimate: MemoryEstimate | None) -> None:
    """Refuse trees that would take hours and gigabytes: those of games that are solved by class, without reductions."""
    nodes, most = game.nodes(options.symmetry), MOST_NODES
    if estimate is not None:  # walked without reductions
        if form_memory.fits(estimate):
            return
        if estimate.form is not None:
            raise form_memory.too_large(game, estimate, "leave the symmetry on, or use a smaller table")
        most = most_nodes(game)
    if nodes > most:
        own = own_solver(game, AUTO)
        solver = "auto" if own is None else own.SOLVER
        advice = f"use the solver {solver}" if options.symmetry else "leave the symmetry on, or use a smaller table"
        raise GameError(f"{game.title} has {nodes:,} nodes, and at most {most:,} fit: {advice}")


def run(request: SolveRequest) -> SolveResult:
    """Build the sequence form, solve it, and write the strategies down."""
    game, spec, options, report = request.game, request.spec, request.options, request.report
    begun = perf_counter()
    small = _reduced_game(game, spec, options)
    estimate = request.estimate
    if estimate is None or small is not game:
        estimate = form_memory.estimate_memory(small, spec, request.is_listed)
    form = sequence_form(small, form_memory.report_memory(small, estimate, report))
    smaller: list[SmallerForm] = [] if request.samples else _smaller_forms(form, options)
    _prefer_public_tree(request, smaller, estimate)
    solvable = smaller[-1].form if smaller else form
    form_memory.check_solver(solvable, small, spec)
    report(f"solving {solvable.trees[0].sequences:,} × {solvable.trees[1].sequences:,} sequences", None, None)
    writer = StrategyWriter(game, small, form, options)
    takes = writer.seconds(perf_counter() - begun)
    writes = writer.writes_at_once(takes)
    with clock.leaving(takes if writes else 0.0, -inf if spec.iterates else moment(solvable)):
        result = solve_form(small, solvable, spec, options, report)
    note = "; ".join(filter(None, (smaller[-1].note if smaller else "", result.note)))
    result = replace(
        result, note=note, reductions=(*reductions_of(small), *(smaller_form.option for smaller_form in smaller))
    )
    if not (writes and writer.has_time(takes)):
        return writer.write_later(result, lambda: _grown(result, smaller))
    with clock.regardless():  # the search is over: time was left for what follows
        plans = _grown(result, smaller)
        if smaller:
            result = replace(result, certificate=certify(form, plans))
        return writer.write(result, plans, report)


def _prefer_public_tree(request: SolveRequest, smaller: list[SmallerForm], estimate: MemoryEstimate) -> None:
    """Raise NextRoute if the public tree suits the game, and the form is large and turned out to have no symmetry."""
    if request.public_refusal or "public tree" in request.tried:
        return
    symmetric = any(isinstance(smaller_form, RefinedForm) for smaller_form in smaller)
    if not symmetric and not form_memory.can_solve_unreduced(estimate):
        raise NextRoute("its payoffs show no symmetry, and it is too large to solve without")


def _smaller_forms(form: FormArrays, options: SolveOptions) -> list[SmallerForm]:
    """Smaller forms with the same value, each made from the one before."""
    smaller: list[SmallerForm] = []
    if options.forced and (forced := without_forced(form)) is not None:
        smaller.append(forced)
        form = forced.form
    if options.refine and sum(tree.sequences for tree in form.trees) >= MANY:
        resumable = options.checkpoint is not None  # a checkpoint continues only on the same form
        alike = refined(form, threads=options.threads) if resumable else _refined_in_time(form, options)
        smaller += [] if alike is None else [alike]
    return smaller


def _refined_in_time(form: FormArrays, options: SolveOptions) -> RefinedForm | None:
    """The form of symmetry classes, if it is found in half of the time that is left."""
    with suppress(clock.TimeIsUp), clock.leaving(inf):
        if is_large(form):
            check_compiled(*COLOURS)
        return refined(form, threads=options.threads)
    return None


def _reduced_game(game: Game, spec: SolverSpec, options: SolveOptions) -> Game:
    """The game to walk: reduced, except for iterating solvers of games with rules on arrays, whose walk is quicker."""
    iterating = spec.iterates or (spec.name == AUTO and options.gap)
    if isinstance(game, Bulk) and not isinstance(game, ByClass) and (iterating or not isinstance(game, Symmetric)):
        return game
    return reduce(game, teams=options.teams, symmetry=options.symmetry)


def _grown(result: SolveResult, smaller: list[SmallerForm]) -> Plans:
    """Turn the plans of the smallest form into plans of the original form."""
    assert result.plans is not None
    plans = result.plans()
    for smaller_form in reversed(smaller):
        plans = smaller_form.grown(plans)
    return plans
