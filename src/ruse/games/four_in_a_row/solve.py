"""4-in-a-row from alpha-beta to a certified solution.

A value of alpha-beta has to be believed; strategies that guarantee it do not. So once the value v is known, each side's
moves that keep it are written down at every position that they can lead to, and bounds come from those (ruse.verify).
Where they would be too many, the answer is what alpha-beta says and no bound is claimed beyond the payoffs.
"""

from __future__ import annotations

from fractions import Fraction
from time import perf_counter
from typing import Protocol

import numpy as np

from ruse.core.certificate import Certificate
from ruse.core.clock import TimeIsUp
from ruse.core.game import END, describe
from ruse.core.types import Report, StrategyTable
from ruse.games.four_in_a_row import kernel as four
from ruse.games.four_in_a_row.rules import FourInARow, Stones
from ruse.kernels import check_compiled
from ruse.solving.options import SolveOptions
from ruse.solving.result import UNWRITTEN, SolveResult
from ruse.verify.verifier import bounds

MOST_BITS = 24  # of the places in the table of positions: 150 MB


class Board(Protocol):
    """How large the board is, and how long a line."""

    rows: int
    columns: int
    line: int


class AlphaBeta:
    """Searches that remember. Stones are bits, as in `ruse.games.four_in_a_row.kernel`."""

    def __init__(self, board: Board) -> None:
        self._sizes = board.rows, board.columns, board.line
        bits = min(MOST_BITS, max(12, board.rows * board.columns))
        self._keys = np.full(1 << bits, -1, np.int64)  # int64[places]
        self._seen = np.zeros(1 << bits, np.int8)  # int8[places]
        self._nodes = np.array([0, 0, bits], np.int64)
        middle = board.columns - 1
        self.order = sorted(range(board.columns), key=lambda column: (abs(2 * column - middle), column))
        self._order = np.array(self.order, np.int64)  # int64[columns]
        self.tried = 0

    def at_least(self, target: int, mine: int, theirs: int, budget: int) -> bool | None:
        """Whether the side to move, whose stones are `mine`, can get 0 or 1; None after so many positions.

        Asked again, it goes on from what it remembers.
        """
        self._nodes[:2] = 0, budget
        result = four.search(
            np.int64(mine),
            np.int64(theirs),
            target - 1,
            target,
            *self._sizes,
            self._order,
            self._keys,
            self._seen,
            self._nodes,
        )
        self.tried += int(self._nodes[0])
        return None if result == four.UNKNOWN else bool(result >= target)


# BoardValues of boards of 4-in-a-row, by alpha-beta.

MOST_TRIED = 2_000_000  # positions, for one value: a second


class BoardValues:
    """BoardValues if both sides play best, by a search that remembers what it has seen."""

    most = f"{MOST_TRIED:,} positions"

    def __init__(self, game: FourInARow) -> None:
        self.game, self._search = game, AlphaBeta(game)

    def best(self, state: Stones) -> Fraction | None:
        turn = self.game.turn(state)
        if turn == END:
            return self.game.payoff(state)
        mine, theirs = state if turn == 0 else (state.second, state.first)
        sign = 1 - 2 * turn
        for target in (1, 0):
            result = self._search.at_least(target, mine, theirs, MOST_TRIED)
            if result is None:
                return None
            if result:
                return Fraction(sign * target)
        return Fraction(-sign)


SOLVER, WHY = "alpha-beta", "it is made for this game"
BUDGET = 300_000  # positions of a search between two looks at the clock: a tenth of a second or two
MOST_WRITTEN = 400_000  # positions of a strategy
SAYS = {1: "Player 1 wins", 0: "it is a draw", -1: "Player 2 wins"}


class _TooMuch(Exception):
    """The time is up, or a strategy has too many positions."""


class _Solver:
    def __init__(self, game: FourInARow, options: SolveOptions, report: Report) -> None:

        check_compiled("ruse.games.four_in_a_row.kernel:search")
        self.game, self.report = game, report
        self.searcher = AlphaBeta(game)
        self._end = perf_counter() + options.limits().seconds

    def at_least(self, target: int, state: Stones) -> bool:
        """Whether the side to move at a position that is not the end gets 0 or 1."""
        mine, theirs = state if self.game.turn(state) == 0 else (state.second, state.first)
        while (result := self.searcher.at_least(target, mine, theirs, BUDGET)) is None:
            self.report(f"alpha-beta: {self.searcher.tried:,} positions", None, None)
            self._look_at_the_clock()
        return result

    def _look_at_the_clock(self) -> None:
        if perf_counter() > self._end:
            raise _TooMuch

    def value(self) -> int:
        """What the first side gets from the start."""
        start = self.game.start()
        return 1 if self.at_least(1, start) else 0 if self.at_least(0, start) else -1

    def keeps(self, state: Stones, side: int, value: int) -> bool:
        """Whether `side`, who has just moved, gets at least `value`, counted as its own gain."""
        if self.game.turn(state) == END:
            return int(self.game.payoff(state)) * (1 - 2 * side) >= value
        return value == -1 or not self.at_least(1 - value, state)

    def move(self, state: Stones, side: int, value: int) -> int:
        """A column by which `side` keeps a value that it has, counted as its own gain."""
        ordered = (column for column in self.searcher.order if column in self.game.moves(state))
        return next(column for column in ordered if self.keeps(self.game.play(state, column), side, value))

    def written(self, side: int, value: int) -> StrategyTable:
        """A move that keeps the value at every position that such moves lead to."""
        game, own = self.game, value * (1 - 2 * side)
        table: dict[str, dict[str, Fraction]] = {}
        stack, seen = [game.start()], {game.start()}
        while stack:
            state = stack.pop()
            moves = game.moves(state)
            if game.turn(state) == side:
                move = self.move(state, side, own)
                table[describe(game, state)] = {game.label(move): Fraction(1)}
                moves = [move]
                if len(table) > MOST_WRITTEN:
                    raise _TooMuch
                self._look_at_the_clock()
                if len(table) % 1000 == 0:
                    self.report(f"writing the strategy of {game.sides[side]}: {len(table):,} positions", None, None)
            for move in moves:
                after = game.play(state, move)
                if after not in seen and game.turn(after) != END:
                    seen.add(after)
                    stack.append(after)
        return table


def refusal(options: SolveOptions) -> str:
    return ""


def solve(game: FourInARow, solver: str, options: SolveOptions, report: Report) -> SolveResult:
    """Solve, and prove by strategies what was found where they can be written down."""
    search = _Solver(game, options, report)
    says = "alpha-beta ran out of time before it found a best move"
    try:
        value = search.value()
        says = f"alpha-beta finds that {SAYS[value]}, but ran out of time or memory before strategies proved it"
        says += f"; {game.label(search.move(game.start(), 0, value))} is a best first move"
        tables = search.written(0, value), search.written(1, value)
        report("certifying", None, None)
        return SolveResult(SOLVER, tables, bounds(game, tables), search.searcher.tried, WHY)
    except (_TooMuch, TimeIsUp):  # no more than the payoffs can be claimed
        claimed = Certificate(Fraction(-1), Fraction(1))
        return SolveResult(SOLVER, UNWRITTEN, claimed, search.searcher.tried, WHY, says, unjudged=True, stopped="time")


def values(game: FourInARow) -> BoardValues:
    """BoardValues of boards if both sides play best."""
    return BoardValues(game)
