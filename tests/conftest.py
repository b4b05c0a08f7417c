"""Settings and helpers of all tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from hypothesis import HealthCheck, settings

from ruse.cli.program import main
from ruse.play import coach
from ruse.text import console

# A busy machine is no failure, tells no progress where a test hears every word, and leaves the coach time to think.
settings.register_profile("ruse", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("ruse")
console.QUIET = 3600.0  # seconds
coach.QUICK = 60.0  # seconds

Ruse = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="session", autouse=True)
def _state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What is kept between runs lies in a folder of this worker's own, where no test names another."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield


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
