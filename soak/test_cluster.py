"""A Dask cluster of real processes, one of which is killed in the middle: the results are those of this machine."""

from __future__ import annotations

import os
import signal
import threading
import time
from dataclasses import replace

import pytest

from ruse.contests import arena
from ruse.contests.runs import evolve_many
from ruse.contests.tournament import hold

distributed = pytest.importorskip("distributed")


@pytest.mark.filterwarnings("ignore")
def test_a_worker_killed_during_searches_changes_nothing() -> None:
    here = evolve_many("pig", "approximate", 6, seed=1, iterations=60)
    with distributed.LocalCluster(n_workers=3, threads_per_worker=1, dashboard_address=None) as cluster:
        victim = next(iter(cluster.workers.values())).pid

        def kill() -> None:
            time.sleep(4)
            os.kill(victim, signal.SIGKILL)

        killer = threading.Thread(target=kill)
        killer.start()
        address = cluster.scheduler_address
        there = evolve_many("pig", "approximate", 6, seed=1, iterations=60, engine="dask", address=address)
        killer.join()
    assert [replace(one, seconds=0.0) for one in there] == [replace(one, seconds=0.0) for one in here]


@pytest.mark.filterwarnings("ignore")
def test_a_worker_killed_during_a_tournament_changes_nothing() -> None:
    contest = arena.find("pig")
    strategies = {f"hold {number}": contest.strategy([number / 10 - 0.5]) for number in range(10)}
    here = hold("pig", strategies, 400_000, seed=2)
    with distributed.LocalCluster(n_workers=3, threads_per_worker=1, dashboard_address=None) as cluster:
        victim = next(iter(cluster.workers.values())).pid
        killed = []

        def report(text: str, lower: float | None, upper: float | None) -> None:
            if text.startswith("100 of") and not killed:
                os.kill(victim, signal.SIGKILL)
                killed.append(victim)

        address = cluster.scheduler_address
        there = hold("pig", strategies, 400_000, seed=2, engine="dask", address=address, report=report)
    assert killed and there == here
