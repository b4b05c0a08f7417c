"""Runs on a GPU from the command to the file, with the CPU build of the kernels in its place."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import ruse
from ruse.cli.program import main
from ruse.core import clock
from ruse.core.game import GameError, RuseError
from ruse.forms.bidding import along_plays
from ruse.forms.public_bounds import Bounds
from ruse.games.liars_dice import LiarsDice
from ruse.kernels.gpu import machines
from ruse.solution import store, weights
from ruse.solution.checkpoint import CheckpointError
from ruse.solving import iterate
from ruse.verify import VerifyError

GIGABYTE = 1 << 30

needs_compiler = pytest.mark.skipif(
    not (shutil.which("g++") or shutil.which("clang++")), reason="there is no C++ compiler to build the kernels with"
)


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machines, "Gpu", machines.Cpu)
    monkeypatch.setattr(machines, "free_bytes", lambda: (80 * GIGABYTE, 141 * GIGABYTE))


def solved(faces: int = 4, **asked: Any) -> ruse.Solution:
    return ruse.solve(LiarsDice(faces), asked.pop("solver", "cfr+"), device="gpu", **asked)


@pytest.mark.cases(1)
@needs_compiler
@pytest.mark.usefixtures("gpu")
@pytest.mark.parametrize("within", [True, False], ids=["in the file", "beside it"])
def test_a_solution_is_kept_looked_up_and_verified(
    within: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(weights, "MOST_WITHIN", 1 << 20 if within else 0)
    solution = solved(gap=1e-3)
    assert solution.certificate.gap <= 1e-3
    assert solution.options["device"] == "gpu"
    again = store.load(solution.save(tmp_path / "dice.ruse"))
    assert (again.tables, again.certificate) == (solution.tables, solution.certificate)
    assert len(list(tmp_path.iterdir())) == (1 if within else 2)
    assert again.verify() == solution.certificate
    for side in (0, 1):
        ours, theirs = again.tables[side], solution.tables[side]
        positions = list(ours)
        assert len(positions) == len(ours) == 4 << 7
        for position in positions[::37]:
            assert ours[position] == theirs[position]
            assert sum(ours[position].values()) == 1
    written = tuple({position: table[position] for position in table} for table in again.tables)
    assert ruse.verify.verifier.bounds(LiarsDice(4), written) == solution.certificate  # by the plain walk of the rules
    with pytest.raises(KeyError):
        again.tables[0]["liars-dice(faces=4)@2/1-4/1-3"]


@needs_compiler
@pytest.mark.usefixtures("gpu")
def test_strategies_that_were_changed_are_not_verified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "MOST_WITHIN", 0)
    path = solved(iterations=9).save(tmp_path / "dice.ruse")
    beside = next(one for one in tmp_path.iterdir() if one != path)
    content = bytearray(beside.read_bytes())
    content[100] ^= 64
    beside.write_bytes(content)
    with pytest.raises(VerifyError, match="do not match their checksum"):
        store.load(path).verify()
    beside.write_bytes(content[:-8])
    with pytest.raises(store.StoreError, match=r"expected 8,160 bytes in .*, got 8,152"):
        store.load(path)
    beside.unlink()
    with pytest.raises(store.StoreError, match="no such file"):
        store.load(path)


@needs_compiler
@pytest.mark.usefixtures("gpu")
def test_a_run_goes_on_from_its_checkpoint_and_no_other(tmp_path: Path) -> None:
    path = tmp_path / "run"
    whole = solved(iterations=60, solver="dcfr")
    solved(iterations=25, solver="dcfr", checkpoint=path)
    again = solved(iterations=60, solver="dcfr", checkpoint=path, resume=True)
    assert again.certificate == whole.certificate
    assert again.tables[0] == whole.tables[0]
    for asked, sentence in (
        ({"precision": "float32"}, "with precision 'float32', got one with 'float64'"),
        ({"solver": "cfr+"}, "with solver 'cfr\\+', got one with 'dcfr'"),
        ({"faces": 5}, "expected a checkpoint of a run with"),
    ):
        with pytest.raises(CheckpointError, match=sentence):
            solved(**{"solver": "dcfr", "iterations": 70, "checkpoint": path, "resume": True, **asked})
    with pytest.raises(CheckpointError, match="of a run with device 'cpu', got one with 'gpu'"):
        ruse.solve(LiarsDice(12), "dcfr", iterations=70, checkpoint=path, resume=True)  # before anything is built


@pytest.mark.usefixtures("gpu")
@pytest.mark.parametrize(
    ("free", "precision", "advice"),
    [(70, "float64", "--precision float32 takes 43 GB"), (30, "float32", "27 bids would fit, and it has 28")],
)
def test_too_little_memory_is_told_before_the_work(
    free: int, precision: str, advice: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machines, "free_bytes", lambda: (free * GIGABYTE, 141 * GIGABYTE))
    with pytest.raises(machines.DeviceError, match=rf"where {free} GB of 141 GB are free: {advice}"):
        solved(14, precision=precision)


def test_no_cupy_and_no_gpu_are_told_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "cupy", None)
    assert main(["solve", "liars-dice", "--faces", "8", "--device", "gpu"]) == 1
    assert capsys.readouterr().err == "ruse: --device gpu needs CuPy: install ruse[gpu]\n"
    runtime = SimpleNamespace(getDeviceCount=lambda: 0, CUDARuntimeError=RuntimeError)
    monkeypatch.setitem(__import__("sys").modules, "cupy", SimpleNamespace(cuda=SimpleNamespace(runtime=runtime)))
    assert main(["solve", "liars-dice", "--faces", "8", "--device", "gpu"]) == 1
    assert capsys.readouterr().err == "ruse: no GPU found: use --device cpu\n"


@pytest.mark.usefixtures("gpu")
def test_games_and_solvers_that_do_not_run_there_are_refused() -> None:
    with pytest.raises(RuseError, match="--device gpu runs only games with a public tree, and goofspiel"):
        ruse.solve(ruse.games.goofspiel(3), "cfr+", device="gpu")
    with pytest.raises(RuseError, match=r"--device gpu runs only cfr, .* not lp"):
        ruse.solve(LiarsDice(4), "lp", device="gpu")
    with pytest.raises(RuseError, match="does not support --polish"):
        ruse.solve(LiarsDice(4), "cfr", polish=True, device="gpu")
    with pytest.raises(RuseError, match="expected device to be cpu or gpu, got 'tpu'"):
        ruse.solve(LiarsDice(4), device="tpu")


def test_a_gpu_that_fails_in_the_middle_is_told_in_a_sentence() -> None:
    failure = type("CUDARuntimeError", (RuntimeError,), {"__module__": "cupy_backends.cuda.api.runtime"})
    with (
        pytest.raises(machines.DeviceError, match=r"the GPU failed \(lost\): go on"),
        machines.in_a_sentence(": go on"),
    ):
        raise failure("lost\nand more")
    full = type("OutOfMemoryError", (MemoryError,), {"__module__": "cupy.cuda.memory"})
    with pytest.raises(machines.DeviceError, match="the GPU ran out of memory"), machines.in_a_sentence():
        raise full("Out of memory")


def test_numbers_that_contradict_the_rules_are_noticed() -> None:
    along_plays(LiarsDice(3, 2), LiarsDice(3, 2).bidding())
    other = LiarsDice(5)
    other.wild = 4  # instead of the highest
    with pytest.raises(GameError, match=r"the numbers of liars-dice.* are not those of its rules"):
        along_plays(other, LiarsDice(5).bidding())


@needs_compiler
@pytest.mark.usefixtures("gpu")
def test_the_command_tells_it_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["solve", "liars-dice", "--faces", "4", "--device", "gpu", "--iterations", "50", "--json"]
    assert main(asked) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["options"]["device"] == "gpu"
    assert (told["solver"], told["iterations"]) == ("cfr+", 50)


@needs_compiler
@pytest.mark.usefixtures("gpu")
@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_other_public_trees_go_level_by_level(precision: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.delattr(Bounds, "certify")  # what the GPU is asked for, the CPU does not do
        solution = ruse.solve(ruse.games.leduc(), "cfr+", iterations=100, device="gpu", precision=precision)
    assert solution.certificate.lower <= -0.0856064 <= solution.certificate.upper
    again = store.load(solution.save(tmp_path / "leduc.ruse"))
    assert again.verify() == solution.certificate


@needs_compiler
@pytest.mark.usefixtures("gpu")
def test_strategies_are_those_that_were_certified_also_where_the_time_is_up_between_looks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    portions: list[int] = []

    def tick() -> None:
        portions.append(1)
        if len(portions) == 18:  # looks are after 16 and 18
            raise clock.TimeIsUp("late")

    monkeypatch.setattr(iterate, "PORTION", 1e-9)
    monkeypatch.setattr(iterate, "clock", SimpleNamespace(**{**vars(clock), "tick": tick}))
    solution = ruse.solve(ruse.games.leduc(), "cfr+", iterations=100, device="gpu")
    assert solution.iterations == 17
    assert solution.verify() == solution.certificate


@needs_compiler
@pytest.mark.usefixtures("gpu")
def test_a_run_level_by_level_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    def leduc(iterations: int, **kept: Any) -> ruse.Solution:
        return ruse.solve(ruse.games.leduc(), "dcfr", iterations=iterations, device="gpu", **kept)

    leduc(13, checkpoint=tmp_path / "run")
    again, whole = leduc(30, checkpoint=tmp_path / "run", resume=True), leduc(30)
    assert (again.certificate, again.tables) == (whole.certificate, whole.tables)


@pytest.mark.usefixtures("gpu")
def test_a_public_tree_that_does_not_fit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machines, "free_bytes", lambda: (1000, GIGABYTE))
    with pytest.raises(machines.DeviceError, match=r"where 0.00 GB of 1.00 GB are free: --precision float32 takes"):
        ruse.solve(ruse.games.leduc(), "cfr+", iterations=100, device="gpu")
