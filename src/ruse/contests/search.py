"""Search for a strategy by one of the methods: within a budget, resumable, and scored at the end."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, sqrt
from pathlib import Path
from time import perf_counter

import numpy as np

from ruse.contests import arena
from ruse.contests.arena.contest import CUT, Contest, scores
from ruse.contests.budget import Budget, BudgetError, MatchRunner, Spent
from ruse.contests.learned import Learned, LearningStep, WinningRate
from ruse.contests.matches import play
from ruse.contests.methods import Method, method
from ruse.contests.race import PRECISION, RISK
from ruse.core import clock
from ruse.core.arrays import Array
from ruse.core.types import Report
from ruse.solution import checkpoint as checkpoints

USUAL_SECONDS = 10.0  # where no budget is given
SAVE_EVERY = 1.0  # seconds
PORTION = 2_000  # matches of a score between two chances to stop it
SCORING = 0.1  # of the time
MOMENT = 1e-3  # seconds of a search that has no more
MOST_SHOWN = 1_000  # steps of the history that are kept
JUDGE = 1 << 61  # the seed of scoring matches differs from that of any search


def evolve(
    name: str,
    method_name: str = "approximate",
    *,
    time: float | None = None,
    games: int | None = None,
    iterations: int | None = None,
    seed: int = 0,
    risk: float = RISK,
    precision: float = PRECISION,
    threads: int | None = None,
    checkpoint: str | Path | None = None,
    resume: bool = False,
    report: Report = lambda *_: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Learned:
    """Learn a strategy for a contest with a method, within a budget of seconds, matches or iterations.

    The seconds are those of the whole call: a tenth of them is for the final score against the baseline. Ctrl-C, or
    `stopped` returning true, ends it early with the best strategy so far. With games or iterations as budget, the same
    seed gives the same strategy.
    """
    contest = arena.find(name)
    if time is None and games is None and iterations is None:
        time = USUAL_SECONDS
    Budget(*(inf if limit is None else limit for limit in (time, games, iterations))).check()
    if not 0 <= seed < 1 << 40:
        raise BudgetError(f"expected a seed from 0 to 2^40 - 1, got {seed}")
    if resume and checkpoint is None:
        raise BudgetError("expected a checkpoint to resume from, got none")
    if checkpoint is not None:
        checkpoints.check_new(Path(checkpoint), resume)
    contest.play(contest.baseline, contest.baseline, 0, 0, 2)  # compiles it, once on a machine: that is not counted
    with clock.deadline(time):
        left = inf if time is None else max(MOMENT, clock.left() - SCORING * time)
        budget = Budget(left, *(inf if limit is None else limit for limit in (games, iterations)))
        runner = MatchRunner(contest, budget, seed, risk=risk, precision=precision, threads=threads, stopped=stopped)
        search = method(method_name, contest, seed)
        search_file = None if checkpoint is None else _SearchFile(Path(checkpoint), contest, method_name, runner)
        if search_file is not None and resume:
            search_file.restore(search, runner)
        steps = _run(search, runner, search_file, report)
        report("scoring against the baseline", None, None)
        best = search.best
        return Learned(
            contest.name,
            tuple(best.tolist()),
            method_name,
            seed,
            search.iterations,
            runner.matches,
            runner.seconds,
            score(contest, best, contest.baseline, seed=JUDGE + seed, threads=threads),
            tuple(steps[-MOST_SHOWN:]),
        )


def _run(search: Method, runner: MatchRunner, search_file: _SearchFile | None, report: Report) -> list[LearningStep]:
    steps: list[LearningStep] = []

    def report_progress() -> None:
        so_far = f", {search.format_progress(runner)}" if search.iterations else ""
        report(f"iteration {search.iterations + 1:,}, {runner.matches:,} matches{so_far}", None, None)

    runner.waiting = report_progress
    try:
        report_progress()
        while search.iterations < runner.budget.iterations and not runner.spent:
            accepted = search.step(runner)
            steps.append(
                LearningStep(search.iterations, runner.matches, round(runner.seconds, 3), search.step_size, accepted)
            )
            report_progress()
            if search_file is not None:
                search_file.save_if_due(search, runner)
    except (Spent, KeyboardInterrupt):
        pass  # the best so far is the answer
    if search_file is not None:
        search_file.save(search, runner)
    return steps


def score(
    contest: Contest, first: Array, second: Array, *, seed: int, count: int | None = None, threads: int | None = None
) -> WinningRate:
    """Measure the winning rate of a strategy against another; with fewer matches if time is up."""
    whole, played = count or contest.series, [np.zeros(0, dtype=np.int8)]
    try:
        for begin in range(0, whole, PORTION):
            if begin and clock.left() <= 0:
                break
            part = min(PORTION, whole - begin)
            played.append(play(contest, first, second, seed, part, begin=begin, threads=threads))
    except KeyboardInterrupt:  # a score of fewer matches is still one
        pass
    return score_of(np.concatenate(played))


def score_of(outcomes: Array) -> WinningRate:
    """Return the winning rate of outcomes; the error is two standard errors plus one match."""
    points, count = scores(outcomes), len(outcomes)
    if not count:
        return WinningRate(0.5, 0.5, 0, 0.0)
    error = min(2 * float(points.std()) / sqrt(count) + 1 / count, 1.0)
    return WinningRate(float(points.mean()), error, count, float(np.mean(outcomes == CUT)))


class _SearchFile:
    """The checkpoint of a search."""

    def __init__(self, path: Path, contest: Contest, method_name: str, runner: MatchRunner) -> None:
        self._path = path
        self._saves = checkpoints.Patient()
        self._about = {
            "contest": contest.name,
            "method": method_name,
            "seed": runner.seed,
            "risk": runner.risk,
            "precision": runner.precision,
        }
        self._save_at = perf_counter() + SAVE_EVERY

    def save_if_due(self, search: Method, runner: MatchRunner) -> None:
        if perf_counter() >= self._save_at:
            self.save(search, runner)

    def save(self, search: Method, runner: MatchRunner) -> None:
        spent = np.array([runner.matches, runner.seconds], dtype=float)
        self._saves(self._path, self._about, {**search.state(), "spent": spent})
        self._save_at = perf_counter() + SAVE_EVERY

    def restore(self, search: Method, runner: MatchRunner) -> None:
        """Continue from the file, or from the beginning if there is none."""
        arrays = checkpoints.load(self._path, self._about)
        if arrays is None:
            return
        try:
            for array in arrays.values():
                if array.dtype.kind not in "if" or not np.isfinite(array).all():
                    raise ValueError("expected finite numbers")
            matches, runner.earlier = (float(number) for number in arrays.pop("spent"))
            if not 0 <= matches < 1e15 or not 0 <= runner.earlier < 1e9:
                raise ValueError("expected matches and seconds")
            runner.matches = int(matches)
            search.restore(arrays)
        except (KeyError, ValueError, TypeError, IndexError) as error:
            raise checkpoints.CheckpointError(
                f"the checkpoint {self._path} does not hold the arrays of this search"
            ) from error
