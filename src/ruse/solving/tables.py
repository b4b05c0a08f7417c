"""From plans on a form to strategies that a person reads: odds at every position, also where the plans never come."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from time import perf_counter
from typing import TYPE_CHECKING

from ruse.core.clock import regardless, tick, timed
from ruse.core.game import CHANCE, END, Game, Knowledge, Move, State, describe
from ruse.core.types import Odds as Shares
from ruse.core.types import Policy, Tables
from ruse.forms.reductions import lift
from ruse.forms.sequence_form import SequenceForm
from ruse.solvers.plans import Odds, Plans, policy

if TYPE_CHECKING:
    from ruse.solvers.sampled import Sampled

FEW = 200  # information sets of a side, to measure how long writing them down takes
SAFETY = 1.5  # times as long as measured may writing take: other programs may have come


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
    """Odds by what a side knows in this very game, as a table a side."""
    first, second = (
        {
            describe(game, knowledge): {game.label(move): share for move, share in shares.items()}
            for knowledge, shares in timed(odds[side].items())
        }
        for side in (0, 1)
    )
    return first, second


class WritingTime:
    """How many seconds to leave for writing down what a sampling run has found, measured at some of it."""

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


class _Later(Mapping[str, Shares]):
    """A side's table that is written down when somebody first looks at it."""

    def __init__(self, write: Callable[[], Tables], side: int) -> None:
        self._write, self._side = write, side

    def __getitem__(self, position: str) -> Shares:
        return self._write()[self._side][position]

    def __iter__(self) -> Iterator[str]:
        return iter(self._write()[self._side])

    def __len__(self) -> int:
        return len(self._write()[self._side])

    def __reduce__(self) -> tuple[type[dict[str, Shares]], tuple[dict[str, Shares]]]:
        return dict, (dict(self),)


def written_later(write: Callable[[], Tables]) -> Tables:
    """Tables of a run whose time is up: what writing them takes is taken when they are needed, once."""

    @cache
    def written() -> Tables:
        with regardless():
            return write()

    return _Later(written, 0), _Later(written, 1)


def is_written_later(tables: Tables) -> bool:
    """Whether tables have yet to be written down."""
    return isinstance(tables[0], _Later)


def lifted_tables(game: Game, small: Game, odds: tuple[Odds, Odds]) -> Tables:
    """Tables of the whole game from odds in a smaller one, at every information set, in one walk."""
    lifted = tuple(lift(small, _looked_up(small, odds[side], side), side) for side in (0, 1))
    tables: tuple[dict[str, dict[str, Fraction]], dict[str, dict[str, Fraction]]] = ({}, {})
    seen: tuple[set[Knowledge], set[Knowledge]] = (set(), set())
    stack = [game.start()]
    while stack:
        tick()
        state = stack.pop()
        turn = game.turn(state)
        if turn == END:
            continue
        moves = game.moves(state)
        if turn == CHANCE:
            moves = [move for move, share in zip(moves, game.odds(state), strict=True) if share]
        elif (knowledge := game.knows(state, turn)) not in seen[turn]:
            seen[turn].add(knowledge)
            shares = lifted[turn](state)
            tables[turn][describe(game, knowledge)] = {
                game.label(move): shares.get(move, Fraction(0)) for move in moves
            }
        stack.extend(game.play(state, move) for move in moves)
    return tables


def _looked_up(small: Game, odds: Mapping[Knowledge, Mapping[Move, Fraction]], side: int) -> Policy:
    def looked_up(state: State) -> Mapping[Move, Fraction]:
        found = odds.get(small.knows(state, side))
        if found is None:  # the reduced game never comes here: any move will do
            moves = small.moves(state)
            return dict.fromkeys(moves, Fraction(1, len(moves)))
        return found

    return looked_up
