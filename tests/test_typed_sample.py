"""mypy accepts what a user with a game of their own writes, and finds what is no game."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

import processes

SAMPLE = Path(__file__).parent / "sample_typed_game.py"
ROOT = SAMPLE.parent.parent


@pytest.mark.slow
def test_a_game_with_the_seven_methods_type_checks(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--follow-imports=silent"]
    command += ["--ignore-missing-imports", f"--cache-dir={tmp_path}", str(SAMPLE)]
    paths = {**os.environ, "MYPYPATH": str(ROOT / "src")}
    done = processes.run(command, cwd=tmp_path, env=paths, capture_output=True, text=True, check=False)
    errors = [line for line in done.stdout.splitlines() if ": error:" in line]
    assert len(errors) == 1 and 'has incompatible type "str"; expected "Rules"' in errors[0], done.stdout + done.stderr
    last = len(SAMPLE.read_text(encoding="utf-8").splitlines())
    assert f"{SAMPLE.name}:{last}:" in errors[0]
