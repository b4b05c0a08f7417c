"""The route by the sequence form: build it, solve it, undo reductions, and write the strategies down if time allows."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from math import inf
from time import perf_counter

from ruse.core import clock
from ruse.core.capabilities import Bulk, ByClass, Symmetric
from ruse.core.certificate import DECLARED
from ruse.core.contract import built_in
from ruse.core.game import Game, GameError, describe
from ruse.core.types import Report, Tables
from ruse.forms.certificate import certify
from ruse.forms.reductions import lifted_tables, reduce, reductions_of
from ruse.forms.reductions.forced import ForcedForm, without_forced
from ruse.forms.reductions.refined import RefinedForm, is_large, refined
from ruse.forms.sequence_form import SequenceForm, sequence_form
from ruse.kernels import COLOURS, check_compiled
from ruse.solvers import AUTO, SolverSpec
from ruse.solvers.plans import Odds, Plans
from ruse.solving import form_memory
from ruse.solving.by_class import check_walk, strategies_by_class, writable
from ruse.solving.certify import lifted
from ruse.solving.on_form import moment, solve_form
from ruse.solving.options import SolveOptions
from ruse.solving.request import NextRoute, SolveRequest
from ruse.solving.result import SolveResult, written_later
from ruse.solving.tables import SAFETY, as_tables, odds_of

MANY = 1_000  # sequences: smaller forms are solved sooner than their symmetry is found
LIFTED = 6.0  # undoing reductions and certifying that takes so many times as long as building the form
BY_CLASS = 0.2  # the factor LIFTED where strategies stay by class
FEW, MORE = 50, 500  # information sets of a side that are written to measure the time
BRIEF = 0.02  # seconds: if FEW take less, MORE are measured
SEQUENCE = 8e-6  # seconds for the fractions of a sequence
SPREAD = 1e-6  # seconds for a sequence of a symmetry class
GRACE = 0.5  # seconds that writing may overrun, or a twentieth of the time if that is more
MOST_WRITING = 1 / 3  # share of the time that is left; longer writing waits until somebody reads the strategies
NOT_WRITTEN = "time ran out before the strategies were written"
SmallerForm = ForcedForm | RefinedForm


def accepts(request: SolveRequest) -> bool:
    """Whether the form fits in memory, checked before any reduction, because a reduction may walk the game."""
    if isinstance(request.game, ByClass):
        check_walk(request.game, request.options, request.estimate)
        return True
    return request.estimate is None or form_memory.fits(request.estimate, _refines(request))


def too_large(request: SolveRequest) -> GameError:
    """The error for a game that no route can solve."""
    assert request.estimate is not None
    return form_memory.too_large(request.game, request.estimate, refine=_refines(request))


def _refines(request: SolveRequest) -> bool:
    return request.options.refine or request.samples


def run(request: SolveRequest) -> SolveResult:
    """Build the sequence form, solve it, and write the strategies down."""
    game, spec, options, report = request.game, request.spec, request.options, request.report
    begun = perf_counter()
    small = _reduced_game(game, spec, options)
    estimate = request.estimate
    if estimate is None or small is not game:
        estimate = form_memory.estimate_memory(small, spec, request.listed)
    form = sequence_form(small, form_memory.report_memory(small, estimate, report))
    smaller: list[SmallerForm] = [] if request.samples else _smaller_forms(form, options)
    symmetric = any(isinstance(smaller_form, RefinedForm) for smaller_form in smaller)
    if _has_public_tree_left(request) and not symmetric and not form_memory.can_solve_unreduced(estimate):
        raise NextRoute
    solvable = smaller[-1].form if smaller else form
    form_memory.check_solver(solvable, small, spec)
    report(f"solving {solvable.trees[0].sequences:,} × {solvable.trees[1].sequences:,} sequences", None, None)
    takes = _writing_time(game, small, form, perf_counter() - begun, options)
    writes = _writes_at_once(game, small, takes, options)
    with clock.leaving(takes if writes else 0.0, -inf if spec.iterates else moment(solvable)):
        result = solve_form(small, solvable, spec, options, report)
    note = "; ".join(filter(None, (smaller[-1].note if smaller else "", result.note)))
    result = replace(
        result, note=note, reductions=(*reductions_of(small), *(smaller_form.option for smaller_form in smaller))
    )
    if not (writes and _has_time_for(takes, options)):
        return _written_later(result, game, small, form, smaller, options)
    with clock.regardless():  # the search is over: time was left for what follows
        plans = _grown(result, smaller)
        if smaller:
            result = replace(result, certificate=certify(form, plans))
        return _written(result, plans, game, small, form, options, report)


def _has_public_tree_left(request: SolveRequest) -> bool:
    return request.public is not None and "public tree" not in request.tried


def _smaller_forms(form: SequenceForm, options: SolveOptions) -> list[SmallerForm]:
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


def _refined_in_time(form: SequenceForm, options: SolveOptions) -> RefinedForm | None:
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


# Writing the strategies down.


def _writing_time(game: Game, small: Game, form: SequenceForm, built: float, options: SolveOptions) -> float:
    """The seconds to leave for writing the strategies down, measured with some of them if time is limited."""
    if clock.left() == inf:
        return 0.0
    sets, sequences = sum(tree.infosets for tree in form.trees), sum(tree.sequences for tree in form.trees)
    by_class = _stays_by_class(game, options)
    if isinstance(game, ByClass) and not by_class and not writable(game):
        return SPREAD * sequences
    each = _seconds_per_set(small, form)
    lifting = 0.0 if small is game else (BY_CLASS if by_class else LIFTED) * built
    return SAFETY * (each * sets + SEQUENCE * sequences + lifting)


def _seconds_per_set(game: Game, form: SequenceForm) -> float:
    """The seconds to write an information set down, without the work that is done once for all."""
    few, few_seconds = _write_first(game, form, FEW)
    if few_seconds > BRIEF:
        return few_seconds / few
    more, more_seconds = _write_first(game, form, MORE)
    return max(0.0, more_seconds - few_seconds) / (more - few) if more > few else few_seconds / max(few, 1)


def _write_first(game: Game, form: SequenceForm, many: int) -> tuple[int, float]:
    """Write the first information sets of each side: how many there are, and how many seconds that took."""
    with clock.regardless():
        moves = [move for side in (0, 1) for move in form.moves[side][:many]]
        begun = perf_counter()  # a form on arrays computes moves and knowledge together
        knowledge = [known for side in (0, 1) for known in form.knowledge[side][:many]]
        for known, options in zip(knowledge, moves, strict=True):
            _ = describe(game, known), [game.label(move) for move in options]
        return len(knowledge), perf_counter() - begun


def _stays_by_class(game: Game, options: SolveOptions) -> bool:
    """Whether strategies stay by class of positions, as they were found."""
    return isinstance(game, ByClass) and options.teams and options.symmetry


def _written(
    result: SolveResult,
    plans: Plans,
    game: Game,
    small: Game,
    form: SequenceForm,
    options: SolveOptions,
    report: Report,
) -> SolveResult:
    """Write the plans of a solved form as strategies of the game, with their certificate there."""
    by_class = False
    if _stays_by_class(game, options):
        tables = _unlifted_tables(game, small, odds_of(form, plans), options)
    elif isinstance(game, ByClass) and not writable(game):
        by_class = True
        tables = strategies_by_class(game, result.certificate, report)
    else:
        report("writing the strategies", None, None)
        odds = odds_of(form, plans)
        tables = as_tables(game, odds) if small is game else lifted_tables(game, small, odds)
    certificate, note = result.certificate, result.note
    if small is not game:  # reductions were undone: certify the strategies in the game itself
        report("certifying", None, None)
        certificate, note = lifted(game, result, tables, seats=not (by_class or (options.teams and options.symmetry)))
    return replace(result, tables=tables, certificate=certificate, note=note, plans=None, by_class=by_class)


def _writes_at_once(game: Game, small: Game, takes: float, options: SolveOptions) -> bool:
    """Whether to leave time for writing: not if it can wait and would take much of the time that is left."""
    return not _can_wait(game, small, options) or takes <= MOST_WRITING * clock.left()


def _can_wait(game: Game, small: Game, options: SolveOptions) -> bool:
    """Whether strategies can be written when they are first read, because the form gives their bounds."""
    if small is game:
        return not isinstance(game, ByClass)
    return _stays_by_class(game, options) and built_in(game)


def _has_time_for(takes: float, options: SolveOptions) -> bool:
    """Whether there is still time for writing that takes so many seconds."""
    return takes / SAFETY <= clock.left() + max(GRACE, (options.time or 0) / 20)


def _grown(result: SolveResult, smaller: list[SmallerForm]) -> Plans:
    """Turn the plans of the smallest form into plans of the original form."""
    assert result.plans is not None
    plans = result.plans()
    for smaller_form in reversed(smaller):
        plans = smaller_form.grown(plans)
    return plans


def _written_later(
    result: SolveResult, game: Game, small: Game, form: SequenceForm, smaller: list[SmallerForm], options: SolveOptions
) -> SolveResult:
    """Postpone writing until somebody reads the strategies, because there is no time for it now.

    The bounds are those of the solved form, which has the bounds of the form that it was made from. Strategies whose
    reductions have to be undone need another certificate, so they are left out.
    """
    if not _can_wait(game, small, options):
        certificate = result.certificate if built_in(game) else replace(result.certificate, proof=DECLARED)
        note = "; ".join(filter(None, (result.note, NOT_WRITTEN)))
        return replace(result, certificate=certificate, note=note, plans=None, unwritten=True)

    def write() -> Tables:
        return _unlifted_tables(game, small, odds_of(form, _grown(result, smaller)), options)

    return replace(result, tables=written_later(write), plans=None)


def _unlifted_tables(game: Game, small: Game, odds: tuple[Odds, Odds], options: SolveOptions) -> Tables:
    """Write strategies at the positions of the form, which are those of the game or of its classes."""
    tables = as_tables(small, odds)
    return game.complete(tables) if isinstance(game, ByClass) and _stays_by_class(game, options) else tables
