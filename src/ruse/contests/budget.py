"""How much a search may spend, and the matches that it spends it on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from time import perf_counter

import numpy as np

from ruse.contests.arena.contest import Contest, scores
from ruse.contests.matches import play
from ruse.contests.race import FIRST_LOOK, PRECISION, RISK, Race
from ruse.core.arrays import Array
from ruse.core.game import RuseError

GLANCE = 0.2  # seconds of matches between two looks at the clock
SERIES = 1 << 20  # matches of different series never share a number, for up to so many series a seed


class BudgetError(RuseError):
    """A budget that allows nothing, or a search that cannot be run."""


class Spent(Exception):
    """The budget is used up in the middle of an iteration, which is then given up."""


@dataclass(frozen=True)
class Budget:
    """A search ends at whichever comes first."""

    seconds: float = inf
    matches: float = inf
    iterations: float = inf

    def check(self) -> None:
        for name, limit in (("time", self.seconds), ("games", self.matches), ("iterations", self.iterations)):
            if not limit > 0:
                raise BudgetError(f"expected a budget of more than 0 for {name}, got {limit:g}")


class MatchRunner:
    """Where strategies meet: plays series of matches, counts them, and stops when the budget is spent."""

    def __init__(
        self,
        contest: Contest,
        budget: Budget,
        seed: int,
        *,
        risk: float = RISK,
        precision: float = PRECISION,
        threads: int | None = None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        Race(risk=risk, precision=precision)  # refuse what makes no race before anything is played
        self.contest, self.budget, self.seed, self.threads = contest, budget, seed, threads
        self.risk, self.precision, self._stopped = risk, precision, stopped
        self.matches = 0
        self.waiting: Callable[[], object] = lambda: None  # called now and then in long series
        self._portion = FIRST_LOOK  # matches between two looks at the clock
        self.last = 0.5  # the score of the mutant in the last race
        contest.play(contest.baseline, contest.baseline, 0, 0, 2)  # compiles it, which the clock should not see
        self._started = perf_counter()
        self.earlier = 0.0  # seconds, before a resume

    @property
    def seconds(self) -> float:
        return self.earlier + perf_counter() - self._started

    @property
    def spent(self) -> bool:
        over = perf_counter() - self._started >= self.budget.seconds or self.matches >= self.budget.matches
        return over or self._stopped()

    def scores(self, first: Array, second: Array, series: int, begin: int, count: int) -> Array:
        """What `first` scores in matches of a series; raises Spent when that is too much to ask."""
        if self.matches + count > self.budget.matches:
            raise Spent
        seed = (self.seed * SERIES + series) % (1 << 62)
        played: list[Array] = []
        end = begin + count
        while begin < end:
            if self.spent:
                raise Spent
            if played:
                self.waiting()
            begun, part = perf_counter(), min(self._portion, end - begin)
            played.append(play(self.contest, first, second, seed, part, begin=begin, threads=self.threads))
            begin += part
            self.matches += part
            rate = part / max(perf_counter() - begun, 1e-9)
            self._portion = max(1, min(int(rate * GLANCE), 2 * self._portion))  # grows slowly: it may be mistaken
        return scores(np.concatenate(played))

    def beats(self, first: Array, second: Array, series: int) -> bool:
        """Whether `first` wins the race against `second`."""
        race = Race(risk=self.risk, precision=self.precision)
        while not race.over:
            race.add(self.scores(first, second, series, race.count, race.next_batch()))
        self.last = race.mean
        return race.better

    def does_better(self, first: Array, second: Array, rival: Array, series: int) -> bool:
        """Whether `first` scores more against `rival` than `second` does: a race of differences."""
        race = Race(risk=self.risk, precision=self.precision, middle=0.0, width=2.0)
        while not race.over:
            begin, count = race.count, race.next_batch()
            mine = self.scores(first, rival, series, begin, count)
            race.add(mine - self.scores(second, rival, series, begin, count))
        self.last = float(mine.mean())
        return race.better
