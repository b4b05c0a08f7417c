"""The lazy LP stopped early: by the clock, by a gap that is enough, by hand. What it has is certified all the same."""

from __future__ import annotations

import sys
from fractions import Fraction
from threading import Thread
from typing import Any

import pytest

import processes
import ruse
from ruse.core.clock import TimeIsUp
from ruse.forms.sequence_form import sequence_form
from ruse.games.resistance.program import ResistanceProgram
from ruse.solvers import highs as highs_module
from ruse.solvers.highs import Highs
from ruse.solvers.lp import sequence_lp
from ruse.solving.options import INTERRUPTED

HARD = ruse.games.resistance(9, 4, (2, 5, 3, 3, 5), (1, 2, 1, 1, 2))  # no simple strategies, twenty rounds of cuts
VALUE = 2 * Fraction(3383, 9576) - 1  # tests/games/test_resistance.py


def check_bounded(solution: ruse.Solution) -> None:
    bounds = solution.certificate
    assert bounds.lower <= VALUE <= bounds.upper and not bounds.exact
    assert solution.verify() == bounds


def test_a_clock_that_runs_out_between_cuts_leaves_certified_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    stop_at(monkeypatch, 14, TimeIsUp("the time is up"))
    solution = ruse.solve(HARD)
    check_bounded(solution)
    assert solution.iterations > 0 and solution.note == "time ran out before the bounds met"


def test_a_clock_that_runs_out_before_the_first_cut_leaves_what_the_game_can_pay() -> None:
    solution = ruse.solve(HARD, time=1e-9)
    assert (solution.certificate.lower, solution.certificate.upper) == (-1, 1)
    assert not solution.judged and not solution.written and "time ran out" in solution.note


def test_a_gap_that_is_enough_ends_the_cuts() -> None:
    solution = ruse.solve(HARD, gap=0.05)
    check_bounded(solution)
    assert solution.certificate.gap < Fraction(6, 100) and not solution.note  # odds are rounded


def stop_at(patched: pytest.MonkeyPatch, looks: int, stop: BaseException) -> None:
    """Something raised in a search for cuts, of which the first nine look for a point to start from."""
    left, search = looks, ResistanceProgram.separate

    def interrupted(program: ResistanceProgram, *points: Any) -> Any:
        nonlocal left
        left -= 1
        if left == 0:
            raise stop
        return search(program, *points)

    patched.setattr(ResistanceProgram, "separate", interrupted)


def test_an_interrupted_run_keeps_what_its_cuts_prove(monkeypatch: pytest.MonkeyPatch) -> None:
    stop_at(monkeypatch, 14, KeyboardInterrupt())
    solution = ruse.solve(HARD)
    check_bounded(solution)
    assert solution.note == INTERRUPTED


def test_before_the_first_optimum_there_is_nothing_to_keep(monkeypatch: pytest.MonkeyPatch) -> None:
    stop_at(monkeypatch, 6, KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        ruse.solve(HARD)


def test_progress_is_told_in_payoffs() -> None:
    told: list[tuple[float, float]] = []

    def report(text: str, lower: float | None, upper: float | None) -> None:
        if lower is not None and upper is not None:
            told.append((lower, upper))

    ruse.solve(HARD, report=report)
    assert all(lower <= float(VALUE) + 1e-7 and float(VALUE) - 1e-7 <= upper for lower, upper in told)
    assert told[-1][1] - told[-1][0] < 0.02 < told[0][1] - told[0][0]


def test_highs_ends_when_somebody_interrupts(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[Thread] = []

    class Interrupted(Thread):
        def join(self, timeout: float | None = None) -> None:
            started.append(self)
            if timeout is not None:
                raise KeyboardInterrupt
            super().join()

        def is_alive(self) -> bool:  # also if HiGHS was done before anybody looked
            return not started or super().is_alive()

    highs = Highs(sequence_lp(sequence_form(ruse.games.liars_dice(faces=4))))
    with monkeypatch.context() as patched:
        patched.setattr(highs_module, "Thread", Interrupted)
        with pytest.raises(KeyboardInterrupt):
            highs.run()
    assert started and not started[0].is_alive()
    assert len(highs.run().columns)  # and it can go on


UNDER_WAY = """
import ruse, threading
from contextlib import suppress
from ruse.forms.sequence_form import sequence_form
from ruse.solvers.highs import Highs, SolverError
from ruse.solvers.lp import sequence_lp

highs = Highs(sequence_lp(sequence_form(ruse.games.liars_dice(faces=3))))
begun = threading.Event()

def hold(event):  # so that HiGHS is under way whenever Python ends
    begun.set()
    highs._stopping.wait()

def run():
    with suppress(SolverError):
        highs.run()

highs._highs.cbSimplexInterrupt.subscribe(hold)
threading.Thread(target=run, daemon=True).start()
begun.wait()
"""


@pytest.mark.slow
def test_python_ends_well_while_highs_is_under_way_in_a_thread() -> None:
    done = processes.run([sys.executable, "-c", UNDER_WAY], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
