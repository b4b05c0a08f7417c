"""Settings and helpers of all tests."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import settings

from ruse.cli.program import main

settings.register_profile("ruse", deadline=None)  # a busy machine is no failure
settings.load_profile("ruse")

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
