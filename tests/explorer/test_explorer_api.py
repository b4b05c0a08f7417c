"""The explorer by its API: games that survive restarts, and nonsense that is refused."""

from __future__ import annotations

import signal
import sys
from fractions import Fraction
from pathlib import Path
from random import Random

import httpx
import pytest
from scipy.stats import binomtest

import processes
import ruse
from amounts import some
from serving import PATIENCE, begin, play_on, serving

GAMES = some(16, 2)  # more are played in tests/play
SURE = 1e-4


@pytest.mark.soak
@pytest.mark.slow
@pytest.mark.parametrize(("players", "side"), [(5, "spies"), (7, "resistance")])
def test_random_games_by_api_over_a_restart(tmp_path: Path, players: int, side: str) -> None:
    """The computer wins no less than certified, every move is legal, and a restart in the middle loses no session."""
    title = f"resistance-{players}"
    random = Random(players)
    with serving(tmp_path) as server:
        with httpx.Client(base_url=server.address, timeout=2 * PATIENCE) as client:
            games = [begin(client, title, side, seed) for seed in range(GAMES)]
            games = [play_on(client, game, random, most=1) for game in games]
        server.stop(signal.SIGKILL)
        server.start()
        with httpx.Client(base_url=server.address, timeout=2 * PATIENCE) as client:
            for game in games:
                again = client.get(f"/play/{game['id']}.json").json()
                assert {**again, "happened": None} == {**game, "happened": None}
            ended = [play_on(client, game, random) for game in games]
    won = sum(Fraction(game["gain"]) < 0 for game in ended)
    other = "resistance" if side == "spies" else "spies"
    share = float(ruse.solve(ruse.games.resistance(players=players)).win[other])
    assert binomtest(won, GAMES, share, alternative="less").pvalue > SURE


@pytest.mark.soak
@pytest.mark.slow
def test_fuzzing_by_the_description_finds_no_server_error(tmp_path: Path) -> None:
    """Schemathesis reads the OpenAPI description and sends what it allows, and what it does not."""
    with serving(tmp_path, patient=False) as server:
        command = [
            *(sys.executable, "-c", "import sys; from schemathesis.cli import schemathesis; sys.exit(schemathesis())"),
            *("run", f"{server.address}/openapi.json", "--checks", "not_a_server_error", "--seed", "1"),
            *("--phases", "examples,fuzzing", "--max-examples", "1", "--exclude-path-regex", "events"),
            *("--request-timeout", str(PATIENCE)),  # a busy machine is no failure
        ]
        found = processes.run(command, capture_output=True, text=True, check=False, timeout=600, cwd=tmp_path)
        assert found.returncode == 0, found.stdout[-3000:] + found.stderr[-1000:]
        assert "passed" in found.stdout and httpx.get(server.address, timeout=PATIENCE).status_code == 200
