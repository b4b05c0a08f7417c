"""Unseen games from lists to a certified solution: the whole game where its lists can be searched, else cut games.

Bounds come from the strategies themselves, in whole numbers, so they hold whenever the time is up.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from time import perf_counter
from typing import TYPE_CHECKING

from ruse.core import rationals
from ruse.core.certificate import Certificate
from ruse.core.clock import TimeIsUp
from ruse.core.types import Report, Tables
from ruse.games.phantom.rules import Unseen
from ruse.games.phantom.verify import best_answer, by_best_answers
from ruse.kernels import check_compiled
from ruse.solving.options import INTERRUPTED, SolveOptions
from ruse.solving.result import SolveResult

if TYPE_CHECKING:
    from ruse.games.phantom.oracle import Mixed, UnseenOracle

SOLVER, WHY = "double-oracle", "both sides write lists of moves in secret"
MOST_TRIED = 500_000  # beginnings of lists in one search of the whole game, and
MOST_CUT = 3_000_000  # of a cut one: seconds


class _Stop(Exception):
    """Ends a run: as much was done as was asked for."""


class _Run:
    """The best strategies so far, and when to stop."""

    def __init__(self, game: Unseen, options: SolveOptions, report: Report) -> None:
        from ruse.games.phantom import oracle  # compiled

        check_compiled("ruse.games.phantom.kernel:respond", "ruse.games.phantom.kernel:outcomes")
        self._oracles = oracle
        self.game, self.report, self.limits = game, report, options.limits()
        self.rounds = 0
        self.note = self.stopped = ""
        self.best: list[Mixed | None] = [None, None]
        self.exact: tuple[dict[str, Fraction], dict[str, Fraction], Fraction] | None = None
        self._patient = options.exactly  # the whole game is solved to the end, however long that takes
        self._gap = options.gap or 0.0
        self._started = perf_counter()

    def whole(self) -> bool:
        """Solve the whole game; False if its lists are too many to search."""
        oracle = self._oracles.UnseenOracle(self.game, len(self.game.lists[0]), 0, MOST_TRIED)
        try:
            while self.exact is None:
                self._round(oracle, (0, 1), "", patient=self._patient)
                if oracle.ended:
                    self._prove(oracle)
        except self._oracles.SearchTooLarge:
            return False
        self.note = f"it used {oracle.sizes[0]:,} + {oracle.sizes[1]:,} of {self._classes()} lists (up to symmetry)"
        return True

    def cut(self) -> None:
        """Bounds from games cut after more and more stones, for each side by turns."""
        lists: dict[int, tuple[list[str], list[str]]] = {0: ([], []), 1: ([], [])}
        for limit, side in product(range(2 * len(self.game.lines[0]) - 1, len(self.game.lists[0])), (0, 1)):
            if side in lists:
                self.note = f"{self._classes()} lists up to symmetry are too many: play was cut after {limit} stones"
                oracle = self._oracles.UnseenOracle(self.game, limit, 2 * side - 1, MOST_CUT, lists[side])
                try:
                    while not oracle.ended:
                        self._round(oracle, (side,), f", cut after {limit} stones")
                    lists[side] = oracle.lists()
                except self._oracles.SearchTooLarge:
                    del lists[side]

    def _round(self, oracle: UnseenOracle, sides: tuple[int, ...], suffix: str, patient: bool = False) -> None:
        seconds = perf_counter() - self._started
        late = self.limits.seconds <= seconds and not patient
        done = self.rounds == self.limits.iterations or self.certificate().gap <= self._gap
        if self.rounds and (late or done):
            self.stopped = "" if done else "time"
            raise _Stop
        bounds = self.certificate()
        progress = f"round {self.rounds}: {oracle.sizes[0]} × {oracle.sizes[1]} lists{suffix}"
        self.report(progress, rationals.float_below(bounds.lower), rationals.float_above(bounds.upper))
        self.rounds += 1
        try:
            oracle.run()
        finally:
            for side in sides:
                mixed, best = oracle.best[side], self.best[side]
                if mixed and (best is None or (mixed.bound - best.bound) * (1 - 2 * side) > 0):
                    self.best[side] = mixed

    def _prove(self, oracle: UnseenOracle) -> None:
        """Optimal odds of the table in fractions, if no list of the whole game does better; else add such lists."""
        result = oracle.exactly()
        if result is None:
            raise _Stop
        first, second, value = result
        answers = best_answer(self.game, 1, second, value), best_answer(self.game, 0, first, -value)
        for side, answer in enumerate(answers):
            if answer is not None:
                oracle.add(side, answer[1])
        if answers == (None, None):
            self.exact = result

    def certificate(self) -> Certificate:
        if self.exact is not None:
            return by_best_answers(self.exact[2], self.exact[2])
        first, second = self.best
        lower, upper = Fraction(-1), Fraction(1)  # no match pays less or more
        return by_best_answers(
            lower if first is None else max(lower, first.bound), upper if second is None else min(upper, second.bound)
        )

    def tables(self) -> Tables:
        """The strategies; evenly, where nothing was found, over a list and its images."""
        if self.exact is not None:
            odds = self.exact[:2]
        else:
            images = self.game.images(self.game.lists[0])
            any_list = self._oracles.Mixed(dict.fromkeys(images, 1), Fraction(0))
            odds = (self.best[0] or any_list).odds(), (self.best[1] or any_list).odds()
        return {self.game.position(0): odds[0]}, {self.game.position(1): odds[1]}

    def _classes(self) -> str:
        return f"{-(-self.game.lists.total // len(self.game.renamings)):,}"


def refusal(options: SolveOptions) -> str:
    return ""


def solve(game: Unseen, solver: str, options: SolveOptions, report: Report) -> SolveResult:
    """Strategies with the bounds that they are sure of."""
    run = _Run(game, options, report)
    try:
        if not run.whole():
            run.cut()
    except _Stop:
        pass
    except TimeIsUp:  # in the middle of a round: what the rounds before it have found is the answer
        if run.best == [None, None]:
            raise
        run.stopped = "time"
    except KeyboardInterrupt:
        if not run.rounds:
            raise
        run.note, run.stopped = INTERRUPTED, "interrupted"
    return SolveResult(SOLVER, run.tables(), run.certificate(), run.rounds, WHY, run.note, stopped=run.stopped)
