"""Tests hear Ctrl-C even where a shell has it ignored, and leave no process behind; so does everything they start."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import processes

TESTS = Path(__file__).parent
ENDLESS = "import time; print('under way', flush=True); time.sleep(3600)"
PARENT = f"import subprocess, sys; print(subprocess.run([sys.executable, '-c', {ENDLESS!r}]))"
CHILD_OF_TESTS = """
import processes, subprocess, sys
processes.hear_ctrl_c()
subprocess.run([sys.executable, "-c", "import signal; print(signal.getsignal(signal.SIGINT).__name__)"])
"""


def running(process: int) -> bool:
    stat = Path(f"/proc/{process}/stat")
    return stat.exists() and ") Z " not in stat.read_text()


def test_ctrl_c_is_heard_although_the_shell_ignores_it() -> None:
    """As after `make test &` in a script."""
    ignored = processes.run(
        [sys.executable, "-c", CHILD_OF_TESTS],
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
        env={**os.environ, "PYTHONPATH": str(TESTS)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ignored.stdout == "default_int_handler\n"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lists the children of a process")
def test_whatever_happens_a_process_ends_with_its_children() -> None:
    with (
        pytest.raises(ZeroDivisionError),
        processes.started([sys.executable, "-c", PARENT], stdout=subprocess.PIPE) as process,
    ):
        assert process.stdout is not None and process.stdout.readline() == b"under way\n"
        (child,) = processes.descendants(process.pid)
        raise ZeroDivisionError
    assert process.returncode == -signal.SIGKILL
    while running(child):  # killed, and not yet gone
        time.sleep(0.01)


def test_a_process_that_takes_too_long_is_killed() -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        processes.run([sys.executable, "-c", ENDLESS], timeout=0.1)
    with processes.started([sys.executable, "-c", ENDLESS], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stdout.readline() == b"under way\n"
        with processes.limited(process, 0.1):
            assert process.stdout.read() == b""


def test_every_test_starts_its_processes_so() -> None:
    """`tests/serving.py` ends its servers by itself."""
    alone = {"processes.py", "serving.py"}
    plain = re.compile(r"subprocess\.(run|Popen|call|check_call|check_output)\(|os\.(system|popen)\(")
    for path in sorted(TESTS.rglob("*.py")):
        if path.name not in alone and path != Path(__file__):
            assert not plain.search(path.read_text(encoding="utf-8")), f"use processes.run in {path}"
