"""Runs that stop, are kept, are killed and go on: always with the plans of one that was left alone."""

from __future__ import annotations

import csv
import io
import os
import signal
from errno import ENOSPC
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ruse
from amounts import some
from ruse.core import atomic_files
from ruse.core.game import RuseError
from ruse.forms.certificate import certify
from ruse.forms.integer_form import Compiled
from ruse.forms.sequence_form import sequence_form
from ruse.present.figures import draw_gaps
from ruse.solution import checkpoint
from ruse.solution.checkpoint import CheckpointError
from ruse.solution.history import Point
from ruse.solvers import SOLVERS
from ruse.solvers.cfr import Cfr
from ruse.solvers.mccfr import Mccfr
from ruse.solvers.sampled import Sampled, Unjudged
from ruse.solvers.variants import VARIANTS
from ruse.solving.iterate import RunResult, loop, next_look
from ruse.solving.options import Limits, RunFiles

FORM = sequence_form(ruse.games.kuhn())
ABOUT = {"game": "kuhn", "solver": "cfr+"}
NOWHERE = RunFiles()


class Killed(Exception):
    """What a test throws where a real run would be killed."""


def run_kuhn(limits: Limits, kept: RunFiles = NOWHERE, about: Any = ABOUT, kill_at: int | None = None) -> RunResult:
    compiled = Compiled(FORM)
    run = Cfr(compiled, VARIANTS["cfr+"])

    def report(text: str, lower: float | None, upper: float | None) -> None:
        if kill_at is not None and run.iterations >= kill_at:
            raise Killed

    return loop(run, compiled, limits, kept, about, report)


def test_looks_are_fixed_and_grow() -> None:
    looks = [0]
    while looks[-1] < 10_000:
        looks.append(next_look(looks[-1]))
    assert looks[:16] == list(range(16))
    assert all(next_look(done) == next(look for look in looks if look > done) for done in range(5000))
    assert len(looks) < 80


def test_a_run_stops_at_its_gap_iterations_or_time() -> None:
    ended = run_kuhn(Limits(gap=1e-3))
    assert ended.reason == "gap" and ended.certified.certificate.gap <= 1e-3 < ended.points[-2].gap
    assert ended.points[-1].iteration == ended.iterations == next_look(ended.iterations - 1)
    ended = run_kuhn(Limits(iterations=1000))
    assert (ended.reason, ended.iterations) == ("iterations", 1000)
    ended = run_kuhn(Limits(seconds=0.05))
    assert ended.reason == "time" and ended.iterations > 0


@pytest.mark.parametrize("kill_at", [1, 17, 90, 250])
def test_a_killed_run_goes_on_to_the_same_plans(tmp_path: Path, kill_at: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ruse.solving.iterate.SAVE_EVERY", 0.0)
    monkeypatch.setattr("ruse.solving.iterate.MOST_SAVING", 1e9)
    alone = run_kuhn(Limits(iterations=300), RunFiles(log=tmp_path / "alone.csv"))
    kept = RunFiles(tmp_path / "run.checkpoint", resume=True, log=tmp_path / "run.csv")
    with pytest.raises(Killed):
        run_kuhn(Limits(iterations=300), kept, kill_at=kill_at)
    again = run_kuhn(Limits(iterations=300), kept)
    for side in (0, 1):
        assert np.array_equal(alone.certified.plans[side], again.certified.plans[side])
    assert [point.iteration for point in again.points] == [point.iteration for point in alone.points]
    assert [point.gap for point in again.points] == [point.gap for point in alone.points]
    logs = [list(csv.DictReader((tmp_path / name).read_text().splitlines())) for name in ("alone.csv", "run.csv")]
    assert [row["iteration"] for row in logs[0]] == [row["iteration"] for row in logs[1]]
    assert [row["gap"] for row in logs[0]] == [row["gap"] for row in logs[1]]
    assert run_kuhn(Limits(iterations=300), kept).iterations == 300  # a finished run stays finished
    longer = run_kuhn(Limits(iterations=400), kept)
    assert np.array_equal(longer.certified.plans[0], run_kuhn(Limits(iterations=400)).certified.plans[0])


def test_resuming_by_gap_ends_at_the_same_iteration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ruse.solving.iterate.SAVE_EVERY", 0.0)
    kept = RunFiles(tmp_path / "c", resume=True)
    with pytest.raises(Killed):
        run_kuhn(Limits(gap=1e-4), kept, kill_at=333)
    assert run_kuhn(Limits(gap=1e-4), kept).iterations == run_kuhn(Limits(gap=1e-4)).iterations


def test_ctrl_c_keeps_what_was_done(tmp_path: Path) -> None:
    compiled = Compiled(FORM)
    run = Cfr(compiled, VARIANTS["cfr+"])

    def report(text: str, lower: float | None, upper: float | None) -> None:
        if run.iterations >= 100:
            os.kill(os.getpid(), signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # as in a terminal
    try:
        ended = loop(run, compiled, Limits(), RunFiles(tmp_path / "c"), ABOUT, report)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
    assert ended.reason == "interrupted" and ended.iterations == run.iterations >= 100
    done = run_kuhn(Limits(iterations=ended.iterations), RunFiles(tmp_path / "c", resume=True))
    assert np.array_equal(done.certified.plans[0], ended.certified.plans[0])


def test_checkpoints_of_other_runs_and_damaged_ones_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "c"
    kept = RunFiles(file, resume=True)
    run_kuhn(Limits(iterations=10), kept)
    with pytest.raises(
        CheckpointError, match="expected a checkpoint of a run with solver 'dcfr', got one with 'cfr\\+'"
    ):
        run_kuhn(Limits(iterations=10), kept, about={**ABOUT, "solver": "dcfr"})
    whole = file.read_bytes()
    for content, words in (
        (whole[:-1], "damaged"),
        (whole[:70] + b"x" + whole[71:], "damaged"),
        (b"", "begins with"),
        (b"PK\3\4 something else\n", "begins with"),
    ):
        file.write_bytes(content)
        with pytest.raises(CheckpointError, match=words):
            run_kuhn(Limits(iterations=10), kept)
    checkpoint.save(file, ABOUT, {"points": np.zeros((0, 5)), "solver.done": np.array([1, 2])})
    with pytest.raises(CheckpointError, match="arrays of this run"):
        run_kuhn(Limits(iterations=10), kept)
    file.write_bytes(whole.replace(b"checkpoint/1", b"checkpoint/2", 1))
    with pytest.raises(CheckpointError, match="from another version"):
        run_kuhn(Limits(iterations=10), kept)
    with pytest.raises(CheckpointError, match="a folder"):
        run_kuhn(Limits(iterations=10), RunFiles(tmp_path, resume=True))
    with pytest.raises(CheckpointError, match="no such file or directory"):
        ruse.solve(ruse.games.kuhn(), "cfr+", checkpoint=tmp_path / "no" / "folder")


def test_a_full_disk_ends_no_run_and_the_last_good_checkpoint_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file, log = tmp_path / "run", tmp_path / "log.csv"
    run_kuhn(Limits(iterations=10), RunFiles(file))
    kept, replace = file.read_bytes(), atomic_files.replace_in_parts

    def full(path: Path, parts: Any) -> None:
        raise OSError(ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr(atomic_files, "replace_in_parts", full)
    monkeypatch.setattr("ruse.solving.iterate.SAVE_EVERY", 0.0)
    ended = run_kuhn(Limits(iterations=40), RunFiles(file, resume=True, log=log))
    assert ended.iterations == 40 and ended.reason == "iterations" and file.read_bytes() == kept
    warned = capsys.readouterr().err
    assert warned.count("no space left on device") == 2 == warned.count("\n")  # the checkpoint and the log, once each
    monkeypatch.setattr(atomic_files, "replace_in_parts", replace)
    again = run_kuhn(Limits(iterations=40), RunFiles(file, resume=True, log=log))
    assert again.certified.certificate == ended.certified.certificate
    assert len(log.read_text().splitlines()) == 1 + len(ended.points)


@pytest.mark.parametrize(
    "forged", [np.full(2, np.inf), np.full(2, -5), np.full(2, 1j), np.array([1e308, 1]), np.zeros(3)]
)
@pytest.mark.parametrize("name", ["solver.done", "points", "solver.regret0"])
def test_forged_checkpoints_are_refused(tmp_path: Path, name: str, forged: Any) -> None:
    """Whoever can reckon a checksum can write any numbers."""
    file = tmp_path / "c"
    kept = RunFiles(file, resume=True)
    run_kuhn(Limits(iterations=10), kept)
    arrays = checkpoint.load(file, ABOUT)
    assert arrays is not None
    checkpoint.save(file, ABOUT, {**arrays, name: forged})
    with pytest.raises(CheckpointError, match="arrays of this run"):
        run_kuhn(Limits(iterations=20), kept)


def test_archives_that_hide_more_than_they_hold_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "c"
    for about, compress in ((b"[" * 100_000, False), (b"{}", True)):
        packed = io.BytesIO()
        (np.savez_compressed if compress else np.savez)(packed, about=np.frombuffer(about, dtype=np.uint8))
        archive = packed.getvalue()
        file.write_bytes(b"%b sha256:%b\n%b" % (checkpoint.FIRST_WORD, checkpoint.checksum(archive), archive))
        with pytest.raises(CheckpointError, match="cannot be read"):
            run_kuhn(Limits(iterations=10), RunFiles(file, resume=True))


@settings(max_examples=some(100))
@given(place=st.integers(0), value=st.integers(0, 255))
def test_no_flipped_byte_is_read(tmp_path_factory: pytest.TempPathFactory, place: int, value: int) -> None:
    file = tmp_path_factory.mktemp("c") / "c"
    checkpoint.save(file, ABOUT, {"numbers": np.arange(5.0)})
    content = bytearray(file.read_bytes())
    place %= len(content)
    if content[place] == value:
        assert checkpoint.load(file, ABOUT) is not None
        return
    content[place] = value
    file.write_bytes(content)
    with pytest.raises(CheckpointError):
        checkpoint.load(file, ABOUT)


@pytest.mark.cases(2)
@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_pictures(tmp_path: Path, suffix: str) -> None:
    picture = tmp_path / f"gap.{suffix}"
    draw_gaps([Point(1, 0.1, -1.0, 1.0, 2.0), Point(10, 0.2, -0.1, 0.1, 0.2)], "kuhn by cfr+", picture)
    assert picture.read_bytes()[:4] in (b"\x89PNG", b"<?xm", b"%PDF")
    draw_gaps([], "solved in one step", picture)
    with pytest.raises(RuseError, match=r"expected a picture that ends in \.png"):
        draw_gaps([], "nothing", tmp_path / "gap.bmp")


def test_a_full_table_ends_a_run_in_a_state_that_can_be_kept() -> None:
    run = Sampled(Mccfr(ruse.games.goofspiel(6), sampling="outcome", seed=1, most=2000), None)
    ended = loop(run, Unjudged(ruse.games.goofspiel(6)), Limits(iterations=10_000), NOWHERE, ABOUT, lambda *_: None)
    assert ended.reason == "ended" and 0 < ended.iterations < 10_000
    again = Sampled(Mccfr(ruse.games.goofspiel(6), sampling="outcome", seed=1, most=2000), None)
    again.restore(run.state())
    assert again.odds() == run.odds() and again.iterations == ended.iterations
    assert ended.certified.certificate.gap == 2  # a win or a loss: all that is known


@pytest.mark.parametrize("solver", [name for name, spec in SOLVERS.items() if spec.iterates])
def test_every_iterating_solver_resumes_bit_for_bit(tmp_path: Path, solver: str) -> None:
    kept = {"checkpoint": tmp_path / "c", "resume": True}
    alone = ruse.solve(ruse.games.kuhn(), solver, iterations=40, seed=3)
    ruse.solve(ruse.games.kuhn(), solver, iterations=40 if solver == "hs-dcfr" else 17, seed=3, **kept)
    again = ruse.solve(ruse.games.kuhn(), solver, iterations=40, seed=3, **kept)
    assert again.tables == alone.tables and again.certificate == alone.certificate


def test_a_schedule_is_not_resumed_with_another_length(tmp_path: Path) -> None:
    kept = {"checkpoint": tmp_path / "c", "resume": True}
    ruse.solve(ruse.games.kuhn(), "hs-dcfr", iterations=20, **kept)
    with pytest.raises(CheckpointError, match="with planned 40, got one with 20"):
        ruse.solve(ruse.games.kuhn(), "hs-dcfr", iterations=40, **kept)


def test_numbers_that_are_none_certify_nothing_false(tmp_path: Path) -> None:
    """A forged checkpoint with a true checksum: infinite weights are no weights, and are refused besides."""
    compiled = Compiled(FORM)
    run = Cfr(compiled, VARIANTS["cfr+"])
    run.run(5)
    state = {name: np.full_like(array, np.inf) if "total" in name else array for name, array in run.state().items()}
    with pytest.raises(ValueError, match="finite"):
        Cfr(compiled, VARIANTS["cfr+"]).restore(state)
    for bad in (np.inf, np.nan, -np.inf):
        weights = (np.full(13, bad), np.full(13, bad))
        certified = compiled.certify(weights)
        assert certified.certificate == certify(FORM, certified.fractions())


@pytest.mark.parametrize("option", ["checkpoint", "log"])
def test_pipes_and_devices_are_left_alone(tmp_path: Path, option: str) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises((OSError, RuseError), match="a device or pipe"):
        ruse.solve(ruse.games.kuhn(), "cfr+", iterations=3, **{option: pipe})
    assert pipe.is_fifo()
