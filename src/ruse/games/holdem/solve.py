"""From a spot to certified strategies: DCFR until floats say that the gap is reached, then exact bounds."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import inf, prod
from time import perf_counter
from typing import Any

import numpy as np

from ruse.core import clock, rationals, size_estimate
from ruse.core.arrays import Array
from ruse.core.certificate import Certificate
from ruse.core.game import GameError
from ruse.core.interrupts import Interrupts
from ruse.core.size_estimate import gigabytes
from ruse.core.types import Report, Tables
from ruse.games.holdem import memory
from ruse.games.holdem.layout import SpotLayout
from ruse.games.holdem.rules import Holdem
from ruse.kernels import check_compiled
from ruse.solution import checkpoint
from ruse.solution.history import Log, Point
from ruse.solvers import AUTO
from ruse.solving.options import STOPPED, SolveOptions
from ruse.solving.result import SolveResult
from ruse.solving.routes import NextRoute

ITERATES = COMPRESSES = True  # it uses checkpoints, and stores 16-bit numbers with --compress
SOLVER, WHY = "dcfr", "it is the fastest on spots of hold'em"
USUAL_SHARE = Fraction(1, 1000)  # of the pot: the exploitability, the mean of both sides, at which a run ends
PORTION = 0.2  # seconds of iterations between looks at the clock
SMALL = 30_000  # nodes
FIRST_LOOK, LOOK_EVERY = 10, 10  # iterations: looks come after 10, then each tenth more
SAVE_EVERY, MOST_SAVING = 1.0, 0.05
TRIES = 3  # exact bounds that miss the gap narrowly, before a run ends
SWEEPS = ("runouts:turns", "runouts:rivers", "runouts:river")  # by streets


def refusal(options: SolveOptions) -> str:
    if options.device != "cpu":
        return "expected --device cpu for hold'em"
    return "polishing a spot of hold'em needs its sequence form" if options.polish else ""


def solve(game: Holdem, solver: str, options: SolveOptions, report: Report) -> SolveResult:
    """Solve a spot to the limits of the options; without any, until each side could gain 0.1% of the pot."""
    if solver == AUTO and _is_small(game) and _wants_exact(options):
        raise NextRoute("its sequence form is small, and then exact")
    check_compiled(SWEEPS[len(game.board) - 3])
    report("laying out the spot", None, None)
    layout = SpotLayout(game)
    _check_fits(layout, options, report)
    run = _Run(game, layout, options, report)
    reason = run.iterate()
    return run.result(reason)


def tables_of(game: Holdem, numbers: Sequence[Array]) -> Tables:
    """Both tables, of the weights in a file (ruse.solution.part_weights)."""
    from ruse.games.holdem.table import tables_of

    return tables_of(game, numbers)


def _wants_exact(options: SolveOptions) -> bool:
    """Whether nothing but the time ends the run before the bounds meet."""
    return not options.gap and options.iterations is None and options.checkpoint is None and not options.compress


def _is_small(game: Holdem) -> bool:
    """Whether the game can be written down node by node, and solved by a linear program in a second or two."""
    pairs = len(game.weights[0]) * len(game.weights[1])
    if pairs > SMALL:
        return False
    left, nodes = len(game.deck.cards) - len(game.board) - 4, 0
    for node in game.tree.nodes:
        nodes += prod(left - step for step in range(node.street))
    return pairs * nodes <= SMALL


def _check_fits(layout: SpotLayout, options: SolveOptions, report: Report) -> None:
    """Report how much memory the run takes, and refuse one that does not fit."""
    needed, free = memory.bytes_needed(layout, options.compress), size_estimate.free_bytes()
    report(f"about {gigabytes(needed)} of memory", None, None)
    if needed > free:
        packed = memory.bytes_needed(layout, True)
        advice = "use fewer sizes of bets and raises, or smaller ranges"
        if not options.compress and packed <= free:
            advice = f"--compress takes {gigabytes(packed)}; or {advice}"
        raise GameError(f"the spot needs {gigabytes(needed)} of memory, and {gigabytes(free)} are free: {advice}")


class _Run:
    """A run with its limits, files and looks."""

    def __init__(self, game: Holdem, layout: SpotLayout, options: SolveOptions, report: Report) -> None:
        from ruse.games.holdem.engine import HoldemRun
        from ruse.games.holdem.proof import LEVELS, SpotJudge, weight_kind

        self.game, self.layout, self.options, self.report = game, layout, options, report
        self.kind = weight_kind(layout)
        self.judge = SpotJudge(layout, LEVELS[np.dtype(self.kind)], options.threads or os.cpu_count() or 1)
        report("compiling (cached for next time)", None, None)
        self.run = HoldemRun(layout, options.threads, options.compress)
        limited = options.gap is not None or options.iterations is not None
        usual = float(2 * USUAL_SHARE * game.pot)
        self.gap = options.gap if options.gap is not None else 0.0 if limited or options.time is not None else usual
        self.usual = usual
        self.certificate: Certificate | None = None
        self.points: list[Point] = []
        self.started = perf_counter()
        self.earlier = 0.0
        self._rate, self._measured, self._save_at = 1.0, False, self.started + SAVE_EVERY
        self._saves = checkpoint.Patient()
        self._files = options.files()
        if self._files.checkpoint is not None and self._files.resume:
            self._restore()
        self._log = None if self._files.log is None else Log(self._files.log, self.points)

    @property
    def seconds(self) -> float:
        return self.earlier + perf_counter() - self.started

    # Iterations.

    def iterate(self) -> str:
        """Iterate to a limit. Returns what ended the run, as ruse.solving.iterate calls it."""
        run, options = self.run, self.options
        next_look, tries, estimate = _look_after(run.iterations), 0, inf
        with Interrupts() as interrupts:
            while True:
                if options.iterations is not None and run.iterations >= options.iterations:
                    return "iterations"
                if interrupts.came:
                    return "interrupted"
                if run.iterations and clock.left() <= self._needed():
                    return "time"
                target = next_look if options.iterations is None else min(next_look, options.iterations)
                self._portion(target)
                text = "" if estimate == inf else f", gap about {rationals.above(Fraction(estimate), 3)} chips"
                self.report(f"iteration {run.iterations:,}{text}", None, None)
                if run.iterations == next_look:
                    estimate = self._look()
                    next_look = _look_after(run.iterations)
                    if estimate <= self.gap:
                        self._certify()
                        assert self.certificate is not None
                        tries += 1
                        if self.certificate.gap <= self.gap or (self.gap and tries == TRIES):
                            return "gap"
                    elif estimate == 0:
                        return "ended"
                if perf_counter() >= self._save_at:
                    self._save()

    def _portion(self, target: int) -> None:
        """Iterate for about PORTION seconds, or to a look."""
        if not self._measured:  # the first iteration loads compiled sweeps, so it says nothing of the next ones
            self.run.run(1)
            if self.run.iterations >= target:
                return
        left = min(PORTION, max(0.0, clock.left() / 2))
        count = max(1, min(target - self.run.iterations, int(self._rate * left)))
        begun = perf_counter()
        self.run.run(count)
        spent = max(perf_counter() - begun, 1e-9)
        self._rate = min(count / spent, 4 * max(self._rate, 1.0)) if self._measured else count / spent
        self._measured = True

    def _needed(self) -> float:
        """Seconds for one more iteration, and exact bounds at the end."""
        return 1.5 / self._rate + 2 * memory.proof_seconds(self.layout, self._rate)

    def _look(self) -> float:
        """The gap of the averages, in floats."""
        first, second = self.run.judge()
        half = self.game.pot / 2
        bounds = Certificate(Fraction(half - second), Fraction(half + first))
        point = Point.of(self.run.iterations, self.seconds, bounds)
        self.points.append(point)
        if self._log is not None:
            self._log.add(point)
        return max(0.0, first + second)

    # The end.

    def _certify(self) -> None:
        self.report("computing both best responses in whole numbers", None, None)
        with clock.regardless():
            sources = [[(state.totals[side], state.total_scales[side]) for side in (0, 1)] for state in self.run.states]
            self.certificate = self.judge.certify(sources)

    def result(self, reason: str) -> SolveResult:
        """The strategies, with their bounds."""
        from ruse.games.holdem.proof import equity
        from ruse.games.holdem.table import HoldemTable, uniform

        run, layout = self.run, self.layout
        if self._files.checkpoint is not None:
            self._save()
        self.report("writing the strategies", None, None)
        with clock.regardless():
            for state in run.states:  # no longer needed, and half of the memory
                state.regrets = (np.zeros(0), np.zeros(0))
            sources = [[(state.totals[side], state.total_scales[side]) for side in (0, 1)] for state in run.states]
            if run.iterations:
                weights = self.judge.weights(sources, self.kind)
                tables: Any = tuple(HoldemTable(layout, side, [pair[side] for pair in weights]) for side in (0, 1))
            else:
                tables = uniform(layout, self.kind)
            empty = np.zeros(0, dtype=np.float32)
            self.report("computing both best responses in whole numbers", None, None)
            certificate = self.judge.certify(
                [[(tables[side].by_street[street], empty) for side in (0, 1)] for street in range(len(run.states))]
            )
            share = equity(layout)
        notes = [f"equity {rationals.percent(share)} of oop without betting"]
        if len(layout.group) > 1:
            notes.append(f"suits renamed in {len(layout.group)} ways count as one")
        stopped = "" if reason in ("gap", "iterations", "ended") else reason
        if stopped:
            notes.append(STOPPED[stopped])
        point = Point.of(run.iterations, self.seconds, certificate)
        if not self.points or self.points[-1].iteration < point.iteration:
            self.points.append(point)
        result = SolveResult(
            SOLVER, tables, certificate, run.iterations, WHY, "; ".join(notes), self.points, stopped=stopped
        )
        return replace(result, reductions=("suits",) if len(layout.group) > 1 else ())

    # Checkpoints.

    def _about(self) -> dict[str, Any]:
        return {
            "game": self.game.title,
            "identity": checkpoint.game_identity(self.game, self.options.resume),
            "parameters": dict(self.game.parameters),
            "solver": SOLVER,
            "tree": "runouts",
            "device": self.options.device,
            "numbers": "int16" if self.options.compress else "float32",
        }

    def _save(self) -> None:
        if self._files.checkpoint is None:
            return
        begun = perf_counter()
        points = np.array(self.points, dtype=float).reshape(-1, len(Point._fields))
        self._saves(self._files.checkpoint, self._about(), {**self.run.state(), "points": points})
        ended = perf_counter()
        self._save_at = ended + max(SAVE_EVERY, (ended - begun) / MOST_SAVING)

    def _restore(self) -> None:
        path = self._files.checkpoint
        assert path is not None
        arrays = checkpoint.load(path, self._about())
        if arrays is None:
            return
        try:
            self.run.restore(arrays)
            self.points = [Point(int(row[0]), *map(float, row[1:])) for row in arrays["points"].tolist()]
        except (KeyError, ValueError, TypeError, IndexError) as error:
            raise checkpoint.CheckpointError(f"the checkpoint {path} does not hold the arrays of this run") from error
        self.earlier = self.points[-1].seconds if self.points else 0.0


def _look_after(done: int) -> int:
    """The first iteration after `done` at which the averages are judged."""
    look = FIRST_LOOK
    while look <= done:
        look += max(1, look // LOOK_EVERY)
    return look
