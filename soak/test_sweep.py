"""Sweeps on a real Dask scheduler with worker processes, one of which is killed; and every row of a map verified."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from ruse import games, solve
from ruse.studio import sweep as module
from ruse.studio.saved_variants import SavedVariants
from ruse.studio.solving import row_of
from ruse.studio.sweep import Sweep, sweep

pytest.importorskip("distributed")

LONG = {"players": "7", "missions": "3,4,4,3..5,5", "sabotages": "1..2,1..2,1..2,2,1"}
MAPS = {
    5: {"missions": ",".join(["2..3"] * 5), "sabotages": ",".join(["1..2"] * 5)},
    6: {"players": "6", "missions": ",".join(["2..4"] * 5), "sabotages": ",".join(["1..2"] * 5)},
}


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))


def rows(found: Sweep) -> list[Any]:
    return [(row.parameters, row.certificate, row.lines, row.solver) for row in found]


@pytest.mark.filterwarnings("ignore")
def test_a_scheduler_and_three_workers_one_killed_give_what_one_process_does(monkeypatch: pytest.MonkeyPatch) -> None:
    here = sweep("resistance", LONG, workers=1)
    monkeypatch.setattr(module, "MOST_BATCH", 3)
    scheduler = subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_scheduler", "--port", "0", "--no-dashboard"],
        stderr=subprocess.PIPE,
        text=True,
    )
    started: list[subprocess.Popen[str]] = [scheduler]
    try:
        assert scheduler.stderr is not None
        address = ""
        for line in scheduler.stderr:
            if found := re.search(r"tcp://[\w.:\[\]]+", line):
                address = found[0]
                break
        threading.Thread(target=scheduler.stderr.read, daemon=True).start()
        for _ in range(3):
            words = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny"]
            started.append(
                subprocess.Popen(
                    [*words, "--no-dashboard"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True
                )
            )
        time.sleep(8)
        killed: list[int] = []

        def report(text: str, lower: float | None, upper: float | None) -> None:
            if re.match(r"\d+ of", text) and not killed:
                os.kill(started[1].pid, signal.SIGKILL)
                killed.append(started[1].pid)

        there = sweep("resistance", LONG, engine="dask", address=address, fresh=True, report=report)
    finally:
        for process in reversed(started):
            process.kill()
            process.wait()
    assert killed and there.complete and rows(there) == rows(here)


@pytest.mark.filterwarnings("ignore")
def test_a_local_worker_that_is_killed_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    here = sweep("resistance", LONG, workers=1)
    monkeypatch.setattr(module, "MOST_BATCH", 2)
    killed: list[int] = []

    def report(text: str, lower: float | None, upper: float | None) -> None:
        if re.match(r"\d+ of", text) and not killed:
            children = subprocess.run(
                ["pgrep", "-P", str(os.getpid()), "-f", "loky.*popen"], capture_output=True, text=True
            )
            victim = int(children.stdout.split()[0])
            os.kill(victim, signal.SIGKILL)
            killed.append(victim)

    there = sweep("resistance", LONG, workers=2, fresh=True, report=report)
    assert killed and there.complete and rows(there) == rows(here)


def test_a_sweep_that_is_killed_goes_on_with_what_it_had(tmp_path: Path) -> None:
    words = [word for name, text in LONG.items() for word in (f"--{name}", text)]
    command = [sys.executable, "-m", "ruse", "sweep", "resistance", *words, "--out", str(tmp_path / "rows.csv")]
    for patience in (2, 4, 6):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(patience)
        process.kill()
        process.wait()
    known = len(SavedVariants("resistance").rows)
    done = sweep("resistance", LONG)
    assert done.complete and done.known == known
    assert rows(done) == rows(sweep("resistance", LONG, workers=1, fresh=True))


@pytest.mark.parametrize("players", MAPS)
def test_every_row_of_a_map_is_what_a_verified_solution_says(players: int) -> None:
    """Each distinct table is solved by itself, its certificate recomputed from the rules; so are a hundred others."""
    found = sweep("resistance", MAPS[players])
    assert found.complete and all(row.exact for row in found)
    firsts = {one.key: number for number, one in reversed(list(enumerate(found.variants)))}
    for number in {*firsts.values(), *random.Random(players).sample(range(len(found)), 100)}:
        assert solve(found.variants.items[number].game).verify() == found.rows[number].certificate


def test_a_random_hundred_tables_of_seven_players_are_what_verified_solutions_say() -> None:
    dice = random.Random(7)
    for _ in range(100):
        game = games.resistance(7, 3, dice.choices(range(2, 6), k=5), dice.choices((1, 2), k=5))
        standing = games.resistance(**game.canonical())
        assert solve(game).verify() == row_of(standing).certificate
