"""Games played by text."""

from __future__ import annotations

import argparse
import io
from pathlib import Path
from typing import Any

import pytest

from ruse.play import terminal


@pytest.fixture
def by_text(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Any:
    """Play by text: (status, stdout, stderr)."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))

    def call(text: str, game: str | None = None, **options: Any) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO(text))
        usual = {
            "side": None,
            "seed": None,
            "coach": False,
            "source": None,
            "resume": None,
            "drill": False,
            "forget": False,
            "at": None,
            "seat": None,
            "bots": None,
            "json": False,
        }
        asked = argparse.Namespace(game=game, **({"parameters": {}, "own": None} | usual | options))
        status = terminal.play(asked)
        return status, *capsys.readouterr()

    return call
