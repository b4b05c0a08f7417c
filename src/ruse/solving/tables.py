"""Turn plans on a form into tables: the odds at every position, also where the plans never come."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from ruse.core.clock import regardless, tick, timed
from ruse.core.game import Game, describe
from ruse.core.types import Tables
from ruse.forms.sequence_form import SequenceForm
from ruse.solvers.plans import Odds, Plans, policy

if TYPE_CHECKING:
    from ruse.solvers.sampled import Sampled

FEW = 200  # information sets of a side that are written to measure the time
SAFETY = 1.5  # writing may take so many times as long as measured: other programs may have started


def odds_of(form: SequenceForm, plans: Plans) -> tuple[Odds, Odds]:
    """The odds at every information set of a form."""
    odds: tuple[Odds, Odds] = ({}, {})
    for side in (0, 1):
        rows = policy(form, side, plans)
        for knowledge, moves, shares in zip(form.knowledge[side], form.moves[side], rows, strict=True):
            tick()
            odds[side][knowledge] = dict(zip(moves, shares, strict=True))
    return odds


def as_tables(game: Game, odds: tuple[Odds, Odds]) -> Tables:
    """Turn odds by knowledge into one table per side, by position and move."""
    first, second = (
        {
            describe(game, knowledge): {game.label(move): share for move, share in shares.items()}
            for knowledge, shares in timed(odds[side].items())
        }
        for side in (0, 1)
    )
    return first, second


class WritingTime:
    """Estimates the seconds to leave for writing down the strategies of a sampling run, by writing some of them."""

    def __init__(self, game: Game, run: Sampled) -> None:
        self._game, self._run = game, run
        self._sets, self._seconds = 0, 0.0  # when it was measured, and what one set took

    def __call__(self) -> float:
        if (sets := self._run.information_sets) > 2 * self._sets:
            begun = perf_counter()
            with regardless():
                written = sum(map(len, as_tables(self._game, self._run.odds(FEW))))
            self._sets, self._seconds = sets, (perf_counter() - begun) / max(1, written)
        return SAFETY * sets * self._seconds
