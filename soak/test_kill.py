"""kill -9 in the middle of a ten-second run, ten times at random moments: nothing is lost, nothing is unreadable."""

from __future__ import annotations

import csv
import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ruse.solution import checkpoint
from ruse.solution.store import load

SECONDS = 10.0
TIMES = 10


def command(folder: Path, iterations: int) -> list[str]:
    options = f"--solver cfr+ --iterations {iterations} --resume --json --seed 5".split()
    files = ["--checkpoint", folder / "run.checkpoint", "--out", folder / "run.ruse", "--log", folder / "run.csv"]
    return [sys.executable, "-m", "ruse", "solve", "leduc", *options, *map(str, files)]


def answer(folder: Path, iterations: int) -> dict[str, Any]:
    done = subprocess.run(command(folder, iterations), capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return {name: found[name] for name in ("value", "certificate", "iterations", "solver")}


def test_a_killed_run_ends_as_one_that_was_left_alone(tmp_path: Path) -> None:
    trial = tmp_path / "trial"
    trial.mkdir()
    begun = time.perf_counter()
    answer(trial, 1)
    starting = time.perf_counter() - begun
    begun = time.perf_counter()
    answer(trial, 50_000)
    rate = 50_000 / max(time.perf_counter() - begun - starting, 0.1)
    iterations = int(rate * SECONDS)

    alone = tmp_path / "alone"
    alone.mkdir()
    expected = answer(alone, iterations)
    tables = load(alone / "run.ruse").tables
    chance = random.Random(2026)
    for number in range(TIMES):
        folder = tmp_path / str(number)
        folder.mkdir()
        run = subprocess.Popen(command(folder, iterations), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(starting + chance.uniform(0, SECONDS))
        run.send_signal(signal.SIGKILL)
        run.wait()
        left = {path.name for path in folder.iterdir()}
        if "run.checkpoint" in left:
            head, _, archive = (folder / "run.checkpoint").read_bytes().partition(b"\n")
            assert head == checkpoint.FIRST_WORD + b" sha256:" + checkpoint.checksum(archive)
        if "run.ruse" in left:
            load(folder / "run.ruse")
        if "run.csv" in left:
            rows = list(csv.reader((folder / "run.csv").read_text().splitlines()))
            assert rows[0] == ["iteration", "seconds", "lower", "upper", "gap"]
        assert answer(folder, iterations) == expected
        assert load(folder / "run.ruse").tables == tables
        logs = [np.genfromtxt(place / "run.csv", delimiter=",", names=True) for place in (alone, folder)]
        for column in ("iteration", "lower", "upper", "gap"):
            assert np.array_equal(logs[0][column], logs[1][column])


def test_every_leftover_of_a_killed_save_is_ignored(tmp_path: Path) -> None:
    """What a kill in the middle of a save can leave is a temporary file beside the whole one."""
    (tmp_path / ".ruse-0123.tmp").write_bytes(b"half a checkpoint")
    first, again = (answer(tmp_path, iterations) for iterations in (1000, 1000))
    assert first == again
    with pytest.raises(checkpoint.CheckpointError):
        checkpoint.load(tmp_path / ".ruse-0123.tmp", {})
