"""Writing down the strategies of a solved form: how long that takes, and what becomes of it where the time is up."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from time import perf_counter

from ruse.core import clock
from ruse.core.capabilities import ByClass
from ruse.core.certificate import DECLARED
from ruse.core.contract import built_in
from ruse.core.game import Game, describe
from ruse.core.types import Report, Tables
from ruse.forms.reductions.forced import ForcedForm
from ruse.forms.reductions.refined import RefinedForm
from ruse.forms.sequence_form import SequenceForm
from ruse.solvers.plans import Odds, Plans
from ruse.solving.by_class import filed_instead, writable
from ruse.solving.certify import lifted
from ruse.solving.options import SolveOptions
from ruse.solving.result import SolveResult
from ruse.solving.tables import SAFETY, as_tables, lifted_tables, odds_of, written_later

LIFTED = 6.0  # times as long as building a form does it take to undo reductions, and to certify that
BY_CLASS = 0.2  # the same, where strategies stay by class
FEW, MORE = 50, 500  # information sets of a side, to measure how long it takes to write all of them down
BRIEF = 0.02  # seconds that a few may take for more to be measured
SEQUENCE = 8e-6  # seconds, for the fractions of one
SPREAD = 1e-6  # seconds, for the weight of one that is alike to others, and what it is worth
GRACE = 0.5  # seconds, or half a tenth of the time if that is more, that writing may take too long
MOST_WRITING = 1 / 3  # of the time that is left: what takes longer is written when somebody looks at it
UNTOLD = "time ran out before the strategies were written"
SmallerForm = ForcedForm | RefinedForm


def writing_takes(game: Game, small: Game, form: SequenceForm, built: float, options: SolveOptions) -> float:
    """How many seconds to leave for writing the strategies down: measured at some of them, if there is a hurry."""
    if clock.left() == inf:
        return 0.0
    sets, sequences = sum(tree.infosets for tree in form.trees), sum(tree.sequences for tree in form.trees)
    by_class = _stays_by_class(game, options)
    if isinstance(game, ByClass) and not by_class and not writable(game):
        return SPREAD * sequences
    each = _set_takes(small, form)
    lifting = 0.0 if small is game else (BY_CLASS if by_class else LIFTED) * built
    return SAFETY * (each * sets + SEQUENCE * sequences + lifting)


def _set_takes(game: Game, form: SequenceForm) -> float:
    """How many seconds an information set takes to write down, without what has to be done once for all of them."""
    few, few_take = _first_take(game, form, FEW)
    if few_take > BRIEF:
        return few_take / few
    more, more_take = _first_take(game, form, MORE)
    return max(0.0, more_take - few_take) / (more - few) if more > few else few_take / max(few, 1)


def _first_take(game: Game, form: SequenceForm, many: int) -> tuple[int, float]:
    """How many there are of the first information sets of each side, and how many seconds they take to write down."""
    with clock.regardless():
        moves = [move for side in (0, 1) for move in form.moves[side][:many]]
        begun = perf_counter()  # a form that was built in bulk finds the moves with the knowledge
        knowledge = [known for side in (0, 1) for known in form.knowledge[side][:many]]
        for known, options in zip(knowledge, moves, strict=True):
            _ = describe(game, known), [game.label(move) for move in options]
        return len(knowledge), perf_counter() - begun


def _stays_by_class(game: Game, options: SolveOptions) -> bool:
    """Whether strategies are written for classes of positions, as they were result."""
    return isinstance(game, ByClass) and options.teams and options.symmetry


def written(
    result: SolveResult,
    plans: Plans,
    game: Game,
    small: Game,
    form: SequenceForm,
    options: SolveOptions,
    report: Report,
) -> SolveResult:
    """The strategies of a solved form, as those of the game, with what they are certified for there."""
    filed = False
    if _stays_by_class(game, options):
        tables = _as_found(game, small, odds_of(form, plans), options)
    elif isinstance(game, ByClass) and not writable(game):
        filed = True
        tables = filed_instead(game, result.certificate, report)
    else:
        report("writing the strategies", None, None)
        odds = odds_of(form, plans)
        tables = as_tables(game, odds) if small is game else lifted_tables(game, small, odds)
    certificate, note = result.certificate, result.note
    if small is not game:  # reductions were undone: see what the strategies are worth in the game itself
        report("certifying", None, None)
        certificate, note = lifted(game, result, tables, seats=not (filed or (options.teams and options.symmetry)))
    return replace(result, tables=tables, certificate=certificate, note=note, plans=None, filed=filed)


def at_once(game: Game, small: Game, takes: float, options: SolveOptions) -> bool:
    """Whether to leave time for writing that takes so long: not if it can wait, and would take much of what is left."""
    return not _can_wait(game, small, options) or takes <= MOST_WRITING * clock.left()


def _can_wait(game: Game, small: Game, options: SolveOptions) -> bool:
    """Whether strategies can be written when somebody looks at them: their bounds are known from the form."""
    if small is game:
        return not isinstance(game, ByClass)
    return _stays_by_class(game, options) and built_in(game)


def in_time(takes: float, options: SolveOptions) -> bool:
    """Whether there is time for writing that takes so long."""
    return takes / SAFETY <= clock.left() + max(GRACE, (options.time or 0) / 20)


def grown(result: SolveResult, smaller: list[SmallerForm]) -> Plans:
    """The plans of the form as it was, from those of the smallest one made of it."""
    assert result.plans is not None
    plans = result.plans()
    for one in reversed(smaller):
        plans = one.grown(plans)
    return plans


def later(
    result: SolveResult, game: Game, small: Game, form: SequenceForm, smaller: list[SmallerForm], options: SolveOptions
) -> SolveResult:
    """What was result, where there is no time to write it down: that is done when somebody looks at the strategies.

    The bounds are those of the form that was solved: a smaller form has the bounds of the one that it was made of.
    Strategies whose reductions have to be undone would have to be certified again, and are left out.
    """
    if not _can_wait(game, small, options):
        certificate = result.certificate if built_in(game) else replace(result.certificate, proof=DECLARED)
        note = "; ".join(filter(None, (result.note, UNTOLD)))
        return replace(result, certificate=certificate, note=note, plans=None, unwritten=True)

    def write() -> Tables:
        return _as_found(game, small, odds_of(form, grown(result, smaller)), options)

    return replace(result, tables=written_later(write), plans=None)


def _as_found(game: Game, small: Game, odds: tuple[Odds, Odds], options: SolveOptions) -> Tables:
    """Strategies at the positions of the form: those of the game, or of its classes."""
    tables = as_tables(small, odds)
    return game.complete(tables) if isinstance(game, ByClass) and _stays_by_class(game, options) else tables
