"""Settings and helpers of all tests."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from amounts import ALL, leave_to_soak, some
from ruse.cli.program import main
from ruse.play import coach
from ruse.present import console

# A busy machine is no failure, tells no progress where a test hears every word, and leaves the coach time to think.
# Examples are the same each time, so that what fails can be seen again; those of `make soak` are new ones, and more.
settings.register_profile(
    "ruse",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=not ALL,
    max_examples=some(100),
)
settings.load_profile("ruse")
console.QUIET = 3600.0  # seconds
coach.QUICK = 60.0  # seconds

BROWSER = "tests/browser/"
Ruse = Callable[..., tuple[int, str, str]]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    left = set(leave_to_soak(items))
    if left:
        config.hook.pytest_deselected(items=list(left))
        items[:] = [item for item in items if item not in left]


def pytest_collection() -> None:
    """Import thousands of tests without garbage collection, which would take a quarter of that time."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Let the garbage collector pass over what thousands of tests hold, and look less often: a seventh of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)
    gc.enable()


@pytest.hookimpl(optionalhook=True)  # of pytest-xdist
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give a worker whole files, which share what they solve, and one of them all that needs a browser and a server."""
    from xdist.scheduler import LoadFileScheduling

    class ByFile(LoadFileScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            file = str(super()._split_scope(nodeid))
            return BROWSER if file.startswith(BROWSER) else file

    return ByFile(config, log)


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
