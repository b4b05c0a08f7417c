"""Ten thousand random games, or as many as FUZZ_GAMES says, without one contradiction."""

from __future__ import annotations

import os
import subprocess
import sys


def test_no_random_game_contradicts_the_oracle() -> None:
    games = os.environ.get("FUZZ_GAMES", "10000")
    command = [
        sys.executable,
        "-m",
        "fuzz",
        "--games",
        games,
        "--seed",
        os.environ.get("FUZZ_SEED", "11"),
        "--keep-going",
    ]
    ran = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    assert ran.returncode == 0, ran.stdout[-20_000:]
