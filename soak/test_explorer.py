"""The explorer under load, and a thousand games by its API against each built-in table of The Resistance."""

from __future__ import annotations

import sys
import threading
import time
from fractions import Fraction
from pathlib import Path
from random import Random

import httpx
import pytest
from scipy.stats import binomtest

import ruse

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from serving import JSON, begin, play_on, serving

READERS = 200
SECONDS = 60
GROWTH = 64 << 20  # bytes; caches fill up
GAMES = 1000
SURE = 1e-6
PAGES = ["/", "/p/resistance-5", "/p/resistance-7/ab+", "/p/kuhn@K", "/p/leduc@Ks.json", "/words/resistance-5"]


def test_two_hundred_readers_for_a_minute(tmp_path: Path) -> None:
    """No error, no growth in memory; a solve that runs meanwhile still finishes, and its progress still streams."""
    with serving(tmp_path, patient=False) as server:
        for page in PAGES:  # once, so that everything is solved and cached
            httpx.get(server.address + page, timeout=60, follow_redirects=True)
        time.sleep(3)
        before = server.memory()
        wrong: list[str] = []
        read = [0] * READERS
        until = time.monotonic() + SECONDS

        def reader(number: int) -> None:
            with httpx.Client(base_url=server.address, timeout=120) as client:
                random = Random(number)
                while time.monotonic() < until:
                    answer = client.get(random.choice(PAGES))
                    if answer.status_code != 200:
                        wrong.append(f"{answer.status_code} {answer.url}")
                    read[number] += 1

        threads = [threading.Thread(target=reader, args=(number,)) for number in range(READERS)]
        for thread in threads:
            thread.start()
        sent = {"game": "liars-dice", "parameters": {"faces": 4}, "solver": "cfr+", "time": "20"}
        started = httpx.post(f"{server.address}/solve", json=sent, headers=JSON, timeout=120).json()
        events = 0
        with httpx.stream("GET", f"{server.address}/jobs/{started['id']}/events", timeout=120) as stream:
            for line in stream.iter_lines():
                events += line.startswith("data:")
        ended = httpx.get(f"{server.address}/jobs/{started['id']}.json", timeout=120).json()
        for thread in threads:
            thread.join()
        assert not wrong and min(read) > 0
        assert ended["state"] == "done" and events >= 5
        assert server.memory() - before < GROWTH


@pytest.mark.parametrize("players", range(5, 11))
@pytest.mark.parametrize("side", ["resistance", "spies"])
def test_a_thousand_games_by_api(tmp_path: Path, players: int, side: str) -> None:
    random, won = Random(players), 0
    with serving(tmp_path, patient=False) as server:
        for half in range(2):
            with httpx.Client(base_url=server.address, timeout=60) as client:
                for seed in range(GAMES // 2):
                    game = begin(client, f"resistance-{players}", side, seed + half * GAMES)
                    if half == 0 and seed == 0:
                        first = play_on(client, game, random, most=1)
                        continue
                    won += Fraction(play_on(client, game, random)["gain"]) < 0
                if half == 1:
                    won += Fraction(play_on(client, first, random)["gain"]) < 0
            server.stop()
            server.start()
    other = "resistance" if side == "spies" else "spies"
    share = float(ruse.solve(ruse.games.resistance(players=players)).win[other])
    assert binomtest(won, GAMES, share, alternative="less").pvalue > SURE
