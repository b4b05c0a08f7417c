"""The route by the sequence form: write the form down, solve it, undo reductions; or run on the public tree instead."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from math import inf
from time import perf_counter

from ruse.core import clock
from ruse.core.capabilities import Bulk, ByClass, Symmetric
from ruse.core.game import Game, GameError
from ruse.forms.certificate import certify
from ruse.forms.reductions import reduce, reductions_of
from ruse.forms.reductions.forced import without_forced
from ruse.forms.reductions.refined import RefinedForm, is_large, refined
from ruse.forms.sequence_form import SequenceForm, sequence_form
from ruse.kernels import COLOURS, NotCompiled, check_compiled
from ruse.solvers import AUTO, SolverSpec
from ruse.solving import form_memory
from ruse.solving.by_class import check_walk
from ruse.solving.on_form import moment, solve_form
from ruse.solving.on_public import solve_public, wants_exact
from ruse.solving.options import PRECISIONS, SolveOptions
from ruse.solving.request import SolveRequest
from ruse.solving.result import SolveResult
from ruse.solving.writing import SmallerForm, at_once, grown, in_time, later, writing_takes, written

MANY = 1_000  # sequences: fewer are solved before symmetry among them is found
PUBLIC_TREE = "public tree"  # the other route of such games


class NextRoute(Exception):
    """Another route suits better, as was found out on the way."""


def prefers_public_tree(request: SolveRequest) -> bool:
    """Whether to run on the public tree at once, rather than look for symmetry in the sequence form first."""
    if request.public is None:
        return False
    if not wants_exact(request.spec, request.options):
        return True
    return request.needs is None or not form_memory.soon_seen(request.game, request.needs)


def run_on_public_tree(request: SolveRequest) -> SolveResult:
    assert request.public is not None
    try:
        return solve_public(request.public, request.spec, request.options, request.report)
    except NotCompiled:
        if "sequence form" in request.tried or not _form_instead(request):
            raise
        raise NextRoute from None


def _form_instead(request: SolveRequest) -> bool:
    """Whether a game whose sweeps on a public tree are not compiled in time may be solved on its sequence form."""
    if request.options.checkpoint is not None or request.options.precision != PRECISIONS[0]:
        return False
    return request.needs is not None and form_memory.fits(request.needs, request.options.refine)


def accepts(request: SolveRequest) -> bool:
    """Whether the form fits in memory; said before any reduction, because a reduction may walk the game."""
    if isinstance(request.game, ByClass):
        check_walk(request.game, request.options, request.needs)
        return True
    return request.needs is None or form_memory.fits(request.needs, _refines(request))


def too_large(request: SolveRequest) -> GameError:
    assert request.needs is not None
    return form_memory.too_large(request.game, request.needs, refine=_refines(request))


def _refines(request: SolveRequest) -> bool:
    return request.options.refine or request.samples


def run(request: SolveRequest) -> SolveResult:
    """Write the sequence form down, solve it, and write the strategies down."""
    game, spec, options, report = request.game, request.spec, request.options, request.report
    begun = perf_counter()
    small = _reduced_game(game, spec, options)
    needs = request.needs
    if needs is None or small is not game:
        needs = form_memory.needs(small, spec, request.listed)
    form = sequence_form(small, form_memory.tell(small, needs, report))
    smaller: list[SmallerForm] = [] if request.samples else _smaller_forms(form, options)
    symmetric = any(isinstance(one, RefinedForm) for one in smaller)
    if _has_public_tree_left(request) and not symmetric and not form_memory.solved_as_it_is(needs):
        raise NextRoute
    solvable = smaller[-1].form if smaller else form
    form_memory.check_solver(solvable, small, spec)
    report(f"solving {solvable.trees[0].sequences:,} × {solvable.trees[1].sequences:,} sequences", None, None)
    takes = writing_takes(game, small, form, perf_counter() - begun, options)
    writes = at_once(game, small, takes, options)
    with clock.leaving(takes if writes else 0.0, -inf if spec.iterates else moment(solvable)):
        result = solve_form(small, solvable, spec, options, report)
    note = "; ".join(filter(None, (smaller[-1].note if smaller else "", result.note)))
    result = replace(result, note=note, reductions=(*reductions_of(small), *(one.option for one in smaller)))
    if not (writes and in_time(takes, options)):
        return later(result, game, small, form, smaller, options)
    with clock.regardless():  # the search is over: time was left for what follows
        plans = grown(result, smaller)
        if smaller:
            result = replace(result, certificate=certify(form, plans))
        return written(result, plans, game, small, form, options, report)


def _has_public_tree_left(request: SolveRequest) -> bool:
    return request.public is not None and PUBLIC_TREE not in request.tried


def _smaller_forms(form: SequenceForm, options: SolveOptions) -> list[SmallerForm]:
    """Forms that are solved sooner, each made of the one before."""
    smaller: list[SmallerForm] = []
    if options.forced and (forced := without_forced(form)) is not None:
        smaller.append(forced)
        form = forced.form
    if options.refine and sum(tree.sequences for tree in form.trees) >= MANY:
        resumable = options.checkpoint is not None  # such a run continues only on the same form
        alike = refined(form, threads=options.threads) if resumable else _refined_in_time(form, options)
        smaller += [] if alike is None else [alike]
    return smaller


def _refined_in_time(form: SequenceForm, options: SolveOptions) -> RefinedForm | None:
    """The form of classes, if it is found in half of the time that is left."""
    with suppress(clock.TimeIsUp), clock.leaving(inf):
        if is_large(form):
            check_compiled(*COLOURS)
        return refined(form, threads=options.threads)
    return None


def _reduced_game(game: Game, spec: SolverSpec, options: SolveOptions) -> Game:
    """The game to walk. Iterating solvers take games with rules on arrays as they are: walking those is quicker."""
    iterating = spec.iterates or (spec.name == AUTO and options.gap)
    if isinstance(game, Bulk) and not isinstance(game, ByClass) and (iterating or not isinstance(game, Symmetric)):
        return game
    return reduce(game, teams=options.teams, symmetry=options.symmetry)
