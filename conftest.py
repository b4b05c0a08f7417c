"""Settings of all tests, also in soak/, wheels/ and gambit/: Ctrl-C is heard, and no process is left behind."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import processes

processes.hear_ctrl_c()


@pytest.fixture(scope="session", autouse=True)
def _processes() -> Iterator[None]:
    """Kill what tests left running, and fail if there is any; set up first, this fixture is torn down last."""
    processes.adopt_orphans()
    yield
    left = processes.end_descendants()
    assert not left, f"tests left processes running: {left}"
