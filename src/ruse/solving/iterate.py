"""Run an iterating solver until its certified gap is small enough, its time is up or its iterations are done.

    stop  when  upper - lower <= gap  at a look,  or  iterations = limit,  or  seconds >= limit,  or on Ctrl-C,

and where the clock of the run (`ruse.core.clock`) leaves no more time than one more look and what comes after it need.

A look certifies the current plans. The answer is the best plan of each side over all looks, whatever ends the run, so
its bounds never widen.

Until the first look the caller can fall back on the uniform strategy. The first look begins while there is time for it,
and raises TimeIsUp if it cannot end in time.

Looks come at fixed iterations (1, 2, 3, ..., then an eighth more each time), never by the clock. So a run that is
killed and resumed looks at the same iterations as an uninterrupted one, and ends with the same plans.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

import numpy as np

from ruse.core import clock, rationals
from ruse.core.arrays import Array
from ruse.core.certificate import Certificate
from ruse.core.former_modules import former_classes
from ruse.core.game import RuseError
from ruse.core.interrupts import Interrupts
from ruse.core.types import Report
from ruse.solution import checkpoint
from ruse.solution.history import Log, Point
from ruse.solvers.iterating import Iterating
from ruse.solvers.plans import why_stopped
from ruse.solvers.spec import InvalidWeights
from ruse.solving.options import MOST_ITERATIONS, Limits, RunFiles, SolveOptions

if TYPE_CHECKING:
    from ruse.forms.integer_form import Weights
    from ruse.solvers.device_run import DeviceRun

PORTION = 0.1  # seconds of iterations between checks of the clock
SAVE_EVERY = 1.0  # seconds between checkpoints, or more if saving is slow
MOST_SAVING = 0.05  # share of the time that saving may take
MARGIN = 2.0  # times as long as the last look may the next one take: other programs may have started
BRIEF = 0.02  # seconds that a first look may take after the time is up
BEST = ("best0", "best1")  # names in a checkpoint of the weights of each side's best plan


class Judged(Protocol):
    """Plans with their certificate."""

    @property
    def certificate(self) -> Certificate: ...

    def tightened(self, other: Any) -> Any:
        """The better plan of each side, from this look and a later one."""


C = TypeVar("C", bound=Judged)
C_co = TypeVar("C_co", bound=Judged, covariant=True)


class Judge(Protocol[C_co]):
    """Certifies the plans of a run."""

    def certify(self, weights: Weights) -> C_co:
        """Certify plans near some weights, with exact bounds."""


@dataclass(frozen=True)
class RunResult(Generic[C]):
    """The result of an iterating run."""

    certified: C  # the best plan of each side
    iterations: int
    reason: str  # "gap", "iterations" or "ended"; or what cut it short: "time", "interrupted", "memory" or "error"
    points: list[Point]
    error: str = ""  # the message of the error that ended it

    @property
    def stopped(self) -> str:
        """What cut the run short; empty if it ended by itself or reached a limit of the user."""
        return "" if self.reason in ("gap", "iterations", "ended") else self.reason


def next_look(done: int) -> int:
    """The first iteration after `done` at which the bounds are certified."""
    look = 1
    while look <= done:
        look += max(1, look // 8)
    return look


def loop(
    run: Iterating,
    judge: Judge[C],
    limits: Limits,
    files: RunFiles,
    about: Mapping[str, Any],
    report: Report,
    after: Callable[[], float] = lambda: 0.0,
    look_takes: float = 0.0,
) -> RunResult[C]:
    """Iterate to a limit. `about` describes the run in its checkpoint.

    If something ends the run early (Ctrl-C, the clock, an error of the solver, the memory), the best plans so far are
    the answer. Before the first look the error is raised, and so is InvalidWeights at any time.

    `after()` returns how many seconds the caller needs for the current result. `look_takes` estimates the seconds of a
    look; the caller has as many left if time runs out before the first look.
    """
    progress = _Progress(run, judge, limits, files, about, report, after, look_takes)
    error = ""
    try:
        with progress.interrupts:
            while (reason := progress.reason()) is None:
                with clock.leaving(look_takes if progress.best is None else 0.0):
                    progress.portion()
                    if run.iterations == next_look(run.iterations - 1):
                        progress.look()
                    progress.report_progress()
                progress.save_if_due()  # after the look, so that a resumed run does not repeat it
        progress.save()
        if progress.best is None or progress.has_time_for_last_look():
            progress.look()  # after saving: a longer run does not look here
    except InvalidWeights:
        raise
    except (KeyboardInterrupt, MemoryError, ArithmeticError, RuseError) as fault:
        reason = why_stopped(fault)
        if reason == "time" and run.iterations and progress.best is None and look_takes <= BRIEF:
            with clock.regardless():
                progress.look()
        if progress.best is None:
            raise
        error = str(fault) if reason == "error" else ""
    assert progress.best is not None
    return RunResult(progress.best, progress.points[-1].iteration, reason, progress.points, error)


@dataclass(frozen=True)
class LastLook:
    """The bounds of the latest sums of a run on a device."""

    certificate: Certificate

    def tightened(self, other: LastLook) -> LastLook:
        """Return the newer look, because the device no longer has the sums of the older one."""
        return other


class _DeviceJudge:
    def __init__(self, run: DeviceRun) -> None:
        self._run = run

    def certify(self, weights: object = None) -> LastLook:
        return LastLook(self._run.certificate())


def loop_on_device(
    run: DeviceRun, options: SolveOptions, about: Mapping[str, Any], report: Report
) -> RunResult[LastLook]:
    """Iterate to a limit on a device that certifies its sums itself, and return the bounds of the last sums.

    The sums stay on the device, and the last ones are the strategies.
    """
    judge = _DeviceJudge(run)
    try:
        ended = loop(run, judge, options.limits(), options.files(), about, report)
    except clock.TimeIsUp:  # before the first iteration
        with clock.regardless():
            return RunResult(judge.certify(), run.iterations, "time", [])
    if ended.iterations != run.iterations:  # the time was up before another look
        with clock.regardless():
            ended = replace(ended, certified=judge.certify(), iterations=run.iterations)
    return ended


class _Progress(Generic[C]):
    """A run in progress: its clock, its points, its log and its checkpoint."""

    def __init__(
        self,
        run: Iterating,
        judge: Judge[C],
        limits: Limits,
        files: RunFiles,
        about: Mapping[str, Any],
        report: Report,
        after: Callable[[], float],
        look_takes: float,
    ) -> None:
        self.run, self.limits, self.files, self.about, self.report = run, limits, files, about, report
        self.interrupts = Interrupts()
        self.points: list[Point] = []
        self.best: C | None = None  # the best plan of each side over all looks
        self._best_weights: Weights | None = None  # of these plans, if there is a checkpoint
        self._judge, self._after = judge, after
        self._look_takes, self._step_takes = look_takes, 0.0  # seconds
        self._started = time.perf_counter()
        self._earlier = 0.0  # seconds, before a resume
        if files.resume and files.checkpoint is not None:
            self._restore(files.checkpoint)
        self._log = None if files.log is None else Log(files.log, self.points)
        self._saves = checkpoint.Patient()
        self._rate = self._reported_rate = 1.0  # iterations a second: that a portion counts on, and that were measured
        self._save_at = time.perf_counter() + SAVE_EVERY

    def seconds(self) -> float:
        """Seconds since the start or the resume."""
        return time.perf_counter() - self._started

    def reason(self) -> str | None:
        """The reason to stop now, if there is one."""
        done, last = self.run.iterations, self.points[-1] if self.points else None
        if last is not None and last.iteration == done and last.gap <= self.limits.gap:
            return "gap"
        if self.limits.iterations is not None and done >= self.limits.iterations:
            return "iterations"
        if self.run.ended:
            return "ended"
        if self.interrupts.came:
            return "interrupted"
        late = self.seconds() >= self.limits.seconds or clock.left() <= self._needed()
        return "time" if late and done else None

    def _needed(self) -> float:
        """Seconds for one more iteration, a look, and the caller's work after it."""
        return 0.0 if clock.left() == inf else self._step_takes + MARGIN * self._look_takes + self._after()

    def portion(self) -> None:
        """Iterate to the next look, or for about PORTION seconds, so that clock, screen and file stay current."""
        done = self.run.iterations
        target = next_look(done)
        if self.limits.iterations is not None:
            target = min(target, self.limits.iterations)
        portion = max(1, min(target - done, int(self._rate * min(PORTION, max(0.0, clock.left() / 2)))))
        clock.tick()
        begun = time.perf_counter()
        self.run.run(portion)
        spent = max(time.perf_counter() - begun, 1e-9)
        self._step_takes = spent / portion if done else 0.0  # the first one may have had to be compiled
        self._rate = min(portion / spent, 2 * max(self._rate, portion / PORTION))  # grows slowly: it may be mistaken
        self._reported_rate = portion / spent

    def report_progress(self) -> None:
        """Report the iteration, with the bounds where they are of this very iteration."""
        done, last = self.run.iterations, self.points[-1] if self.points else None
        gap = "" if last is None else f", gap {rationals.above(last.gap, 3)}"
        if last is None or last.iteration != done:
            earlier = "" if last is None else f"{gap} at iteration {last.iteration:,}"
            self.report(f"iteration {done:,}, {_rate(self._reported_rate)} a second{earlier}", None, None)
        else:
            self.report(f"iteration {done:,}, {_rate(self._reported_rate)} a second{gap}", last.lower, last.upper)

    def look(self) -> None:
        """Certify the current plans, and keep the better plan of each side."""
        begun = time.perf_counter()
        self._take(self.run.weights())
        spent = time.perf_counter() - begun
        if self.points:
            self._look_takes = max(spent, self._look_takes / 2)
        else:  # the first one may have had to be compiled
            self._look_takes = min(spent, self._look_takes)
        assert self.best is not None
        point = Point.of(self.run.iterations, self._earlier + self.seconds(), self.best.certificate)
        if self.points and self.points[-1].iteration == point.iteration:  # a resumed run, at its end already
            return
        self.points.append(point)
        if self._log is not None:
            self._log.add(point)

    def has_time_for_last_look(self) -> bool:
        """Whether there were iterations since the last look, and there is time for another look."""
        return self.points[-1].iteration < self.run.iterations and clock.left() > self._look_takes

    def _take(self, weights: Weights) -> None:
        seen, before = self._judge.certify(weights), self.best
        self.best = seen if before is None else before.tightened(seen)
        if self.files.checkpoint is None:
            return
        if before is None or self._best_weights is None:
            self._best_weights = weights[0].copy(), weights[1].copy()
            return
        first, second = self._best_weights
        _, (low, high) = before.certificate.tightened(seen.certificate)
        self._best_weights = weights[0].copy() if low else first, weights[1].copy() if high else second

    def save_if_due(self) -> None:
        if time.perf_counter() >= self._save_at:
            self.save()

    def save(self) -> None:
        """Write the checkpoint. The next one comes later if writing is slow."""
        if self.files.checkpoint is None:
            return
        begun = time.perf_counter()
        state = {f"solver.{name}": array for name, array in self.run.state().items()}
        points = np.array(self.points, dtype=float).reshape(-1, len(Point._fields))
        best = {} if self._best_weights is None else dict(zip(BEST, self._best_weights, strict=True))
        self._saves(self.files.checkpoint, self.about, {**state, **best, "points": points})
        ended = time.perf_counter()
        self._save_at = ended + max(SAVE_EVERY, (ended - begun) / MOST_SAVING)

    def _restore(self, path: Path) -> None:
        """Continue from the checkpoint, or start anew if there is none yet."""
        arrays = checkpoint.load(path, self.about)
        if arrays is None:
            return
        try:
            fresh = self.run.state()
            rows = arrays.pop("points").astype(float, casting="safe").tolist()
            best = [arrays.pop(name) for name in BEST if name in arrays]  # none in one of an older version
            state = {name.removeprefix("solver."): _as_before(array, fresh, name) for name, array in arrays.items()}
            self.run.restore(state)
            if not 0 <= self.run.iterations <= MOST_ITERATIONS:
                raise ValueError(f"expected iterations, got {self.run.iterations}")
            self.points = [Point(int(iteration), *numbers) for iteration, *numbers in rows]
            if best:
                self._take(_like(best, self.run.weights()))  # certified again, because a file proves nothing
        except clock.TimeIsUp:
            raise
        except (KeyError, ValueError, TypeError, IndexError, OverflowError) as error:
            raise checkpoint.CheckpointError(f"the checkpoint {path} does not hold the arrays of this run") from error
        self._earlier = self.points[-1].seconds if self.points else 0.0


def _as_before(array: Array, fresh: Mapping[str, Array], name: str) -> Array:
    """Check that an array of a saved state has the type that the run expects."""
    kind = fresh[name.removeprefix("solver.")].dtype
    if array.dtype != kind or (kind.kind == "f" and np.isnan(array).any()):
        raise ValueError(f"expected numbers of type {kind} in {name}, got {array.dtype}")
    return array


def _like(best: list[Array], weights: Weights) -> Weights:
    """Check that the weights of a checkpoint have the types and shapes of the run's weights."""
    first, second = best
    for saved, own in zip((first, second), weights, strict=True):
        if saved.dtype != own.dtype or saved.shape != own.shape or not np.isfinite(saved).all():
            raise ValueError(f"expected {own.shape} finite numbers of type {own.dtype}, got {saved.shape}")
    return first, second


def _rate(number: float) -> str:
    return f"{number:,.0f}" if number >= 100 else rationals.near(number, 3)


if not TYPE_CHECKING:
    __getattr__ = former_classes(__name__, {"Ended": "RunResult"})
