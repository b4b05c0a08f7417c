"""Settings and helpers of all tests."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import settings

from ruse.cli.program import main
from ruse.play import coach
from ruse.text import console

settings.register_profile("ruse", deadline=None)  # a busy machine is no failure
settings.load_profile("ruse")
console.QUIET = 3600.0  # seconds: nor does it tell progress where a test hears every word
coach.QUICK = 60.0  # seconds: nor is the coach at a loss for words

Ruse = Callable[..., tuple[int, str, str]]


@pytest.fixture
def ruse(capsys: pytest.CaptureFixture[str]) -> Ruse:
    """Run a command in this process: (status, stdout, stderr)."""

    def call(*arguments: str) -> tuple[int, str, str]:
        try:
            status = main(list(arguments))
        except SystemExit as stop:  # argparse
            status = int(stop.code or 0)
        out, err = capsys.readouterr()
        return status, out, err

    return call
