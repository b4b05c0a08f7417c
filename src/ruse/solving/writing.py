"""Write plans on a form as tables: the odds of each move at every position, including those that the plans never reach.

Writing is part of the time limit, so its time is measured first, with some of the positions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING

from ruse.core import clock
from ruse.core.capabilities import ByClass
from ruse.core.certificate import DECLARED, Certificate
from ruse.core.contract import built_in
from ruse.core.game import Game, GameError, describe
from ruse.core.types import Report, Tables
from ruse.forms.reductions import lifted_tables
from ruse.forms.sequence_form import FormArrays
from ruse.solvers import AUTO
from ruse.solvers.plans import Odds, Plans, policy
from ruse.solving.certify import lifted
from ruse.solving.options import SolveOptions
from ruse.solving.result import SolveResult, written_later
from ruse.solving.routes.own_solver import own_solver, run_own_solver

if TYPE_CHECKING:
    from collections.abc import Callable

    from ruse.solvers.sampled import Sampled

SAFETY = 1.5  # writing may take so many times as long as measured: other programs may have started
FEW, MORE = 50, 500  # information sets of a side that are written to measure the time
FEW_SAMPLED = 200  # the same, of a sampling run
BRIEF = 0.02  # seconds: if FEW take less, MORE are measured
SEQUENCE = 8e-6  # seconds for the fractions of a sequence
SPREAD = 1e-6  # seconds for a sequence of a symmetry class
LIFTED = 6.0  # undoing reductions and certifying that takes so many times as long as building the form
BY_CLASS = 0.2  # the factor LIFTED where strategies stay by class
GRACE = 0.5  # seconds that writing may overrun, or a twentieth of the time if that is more
MOST_WRITING = 1 / 3  # share of the time that is left; longer writing waits until somebody reads the strategies
MOST_POSITIONS = 300_000  # of a game solved by class, whose strategies are written down one by one
NOT_WRITTEN = "time ran out before the strategies were written"


def odds_of(form: FormArrays, plans: Plans) -> tuple[Odds, Odds]:
    """The odds at every information set of a form."""
    odds: tuple[Odds, Odds] = ({}, {})
    for side in (0, 1):
        rows = policy(form, side, plans)
        for knowledge, moves, shares in zip(form.knowledge[side], form.moves[side], rows, strict=True):
            clock.tick()
            odds[side][knowledge] = dict(zip(moves, shares, strict=True))
    return odds


def as_tables(game: Game, odds: tuple[Odds, Odds]) -> Tables:
    """Turn odds by knowledge into one table per side, by position and move."""
    first, second = (
        {
            describe(game, knowledge): {game.label(move): share for move, share in shares.items()}
            for knowledge, shares in clock.timed(odds[side].items())
        }
        for side in (0, 1)
    )
    return first, second


@dataclass(frozen=True)
class StrategyWriter:
    """Writes plans on the form of a game, which may be reduced, as strategies of the game itself."""

    game: Game
    reduced: Game  # the game of the form: `game` itself if there are no reductions
    form: FormArrays
    options: SolveOptions

    def seconds(self, built: float) -> float:
        """The seconds to leave for writing, measured if time is limited; the form took `built` seconds."""
        if clock.left() == inf:
            return 0.0
        trees = self.form.trees
        sets, sequences = sum(tree.infosets for tree in trees), sum(tree.sequences for tree in trees)
        if isinstance(self.game, ByClass) and not self.stays_by_class and not writable(self.game):
            return SPREAD * sequences
        each = _seconds_per_set(self.reduced, self.form)
        lifting = 0.0 if self.reduced is self.game else (BY_CLASS if self.stays_by_class else LIFTED) * built
        return SAFETY * (each * sets + SEQUENCE * sequences + lifting)

    def writes_at_once(self, seconds: float) -> bool:
        """Whether to leave time for writing: not if it can wait and would take much of the time that is left."""
        return not self._can_wait or seconds <= MOST_WRITING * clock.left()

    def has_time(self, seconds: float) -> bool:
        """Whether there is still time for writing that was to take so many seconds."""
        return seconds / SAFETY <= clock.left() + max(GRACE, (self.options.time or 0) / 20)

    def write(self, result: SolveResult, plans: Plans, report: Report) -> SolveResult:
        """Write plans as strategies of the game, with their certificate there."""
        game, by_class = self.game, False
        if self.stays_by_class:
            tables = self._unlifted(plans)
        elif isinstance(game, ByClass) and not writable(game):
            by_class = True
            tables = _strategies_by_class(game, result.certificate, report)
        else:
            report("writing the strategies", None, None)
            odds = odds_of(self.form, plans)
            tables = as_tables(game, odds) if self.reduced is game else lifted_tables(game, self.reduced, odds)
        certificate, note = result.certificate, result.note
        if self.reduced is not game:  # reductions were undone: certify the strategies in the game itself
            report("certifying", None, None)
            by_seat = not (by_class or (self.options.teams and self.options.symmetry))
            certificate, note = lifted(game, result, tables, seats=by_seat)
        return replace(result, tables=tables, certificate=certificate, note=note, plans=None, by_class=by_class)

    def write_later(self, result: SolveResult, plans: Callable[[], Plans]) -> SolveResult:
        """Postpone writing until somebody reads the strategies, because there is no time for it now.

        The bounds are those of the solved form, which has the bounds of the form that it was made from. Strategies
        whose reductions have to be undone need another certificate, so they are left out.
        """
        if self._can_wait:
            return replace(result, tables=written_later(lambda: self._unlifted(plans())), plans=None)
        certificate = result.certificate if built_in(self.game) else replace(result.certificate, proof=DECLARED)
        note = "; ".join(filter(None, (result.note, NOT_WRITTEN)))
        return replace(result, certificate=certificate, note=note, plans=None, unwritten=True)

    @cached_property
    def stays_by_class(self) -> bool:
        """Whether strategies stay by class of positions, as they were found."""
        return isinstance(self.game, ByClass) and self.options.teams and self.options.symmetry

    @property
    def _can_wait(self) -> bool:
        """Whether strategies can be written when they are first read, because the form gives their bounds."""
        if self.reduced is self.game:
            return not isinstance(self.game, ByClass)
        return self.stays_by_class and built_in(self.game)

    def _unlifted(self, plans: Plans) -> Tables:
        """The strategies at the positions of the form, which are those of the game or of its classes."""
        tables = as_tables(self.reduced, odds_of(self.form, plans))
        return self.game.complete(tables) if isinstance(self.game, ByClass) and self.stays_by_class else tables


def _seconds_per_set(game: Game, form: FormArrays) -> float:
    """The seconds to write an information set down, without the work that is done once for all."""
    few, few_seconds = _write_first(game, form, FEW)
    if few_seconds > BRIEF:
        return few_seconds / few
    more, more_seconds = _write_first(game, form, MORE)
    return max(0.0, more_seconds - few_seconds) / (more - few) if more > few else few_seconds / max(few, 1)


def _write_first(game: Game, form: FormArrays, many: int) -> tuple[int, float]:
    """Write the first information sets of each side: how many there are, and how many seconds that took."""
    with clock.regardless():
        moves = [move for side in (0, 1) for move in form.moves[side][:many]]
        begun = perf_counter()  # a form on arrays computes moves and knowledge together
        knowledge = [known for side in (0, 1) for known in form.knowledge[side][:many]]
        for known, options in zip(knowledge, moves, strict=True):
            _ = describe(game, known), [game.label(move) for move in options]
        return len(knowledge), perf_counter() - begun


def writable(game: ByClass) -> bool:
    """Whether the strategies of a game that is solved by class can be written down one by one."""
    return own_solver(game, AUTO) is None or game.nodes(symmetry=False) <= MOST_POSITIONS


def _strategies_by_class(game: ByClass, certificate: Certificate, report: Report) -> Tables:
    """Solve a game by class where strategies seat by seat would fill millions of lines.

    Raises GameError unless the strategies by class have the bounds of the solution seat by seat.
    """
    own = own_solver(game, AUTO)
    assert own is not None
    solved = run_own_solver(own, game, AUTO, SolveOptions(), report)
    if solved.certificate != certificate:
        raise GameError(
            f"the bounds with reductions, {solved.certificate}, differ from those without, {certificate}: "
            "please report this table"
        )
    return solved.tables


class WritingTime:
    """Estimates the seconds to leave for writing down the strategies of a sampling run, by writing some of them."""

    def __init__(self, game: Game, run: Sampled) -> None:
        self._game, self._run = game, run
        self._sets, self._seconds = 0, 0.0  # when it was measured, and what one set took

    def __call__(self) -> float:
        if (sets := self._run.information_sets) > 2 * self._sets:
            begun = perf_counter()
            with clock.regardless():
                written = sum(map(len, as_tables(self._game, self._run.odds(FEW_SAMPLED))))
            self._sets, self._seconds = sets, (perf_counter() - begun) / max(1, written)
        return SAFETY * sets * self._seconds
