"""Processes that tests start: Ctrl-C reaches them, none waits for ever, and none outlives the tests."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

PATIENCE = 300.0  # seconds that a process may take on a busy machine
PR_SET_CHILD_SUBREAPER = 36  # of prctl(2)
POOLS = ("resource_tracker", "loky", "multiprocessing")  # in commands of workers that end when their parent does


def hear_ctrl_c() -> None:
    """Raise KeyboardInterrupt on SIGINT, here and in child processes.

    A shell starts background jobs with SIGINT ignored. Python then installs no handler, and children inherit that.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def adopt_orphans() -> None:
    """Become the parent of processes whose own parent dies, so that `end_descendants` finds them; on Linux only."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def descendants(parent: int) -> list[int]:
    """Running processes that a process started, with those that these started; none where there is no /proc."""
    children = [
        int(child)
        for listed in Path(f"/proc/{parent}/task").glob("*/children")
        for child in _read(listed).split()
        if ") Z " not in _read(Path(f"/proc/{child}/stat"))
    ]
    return [process for child in children for process in (child, *descendants(child))]


def kill(processes: Sequence[int]) -> None:
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


def end_descendants() -> list[str]:
    """Kill what tests left running, apart from pools of workers, which end with this process; return the commands."""
    commands = {process: _command(process) for process in descendants(os.getpid())}
    running = {process: command for process, command in commands.items() if command}  # one that is ending has none
    left = [process for process, command in running.items() if not any(pool in command for pool in POOLS)]
    kill(left)
    return [commands[process] for process in left]


@contextmanager
def started(command: Sequence[str], **options: Any) -> Iterator[subprocess.Popen[Any]]:
    """A process that is killed at the end of the block, if it still runs, with all that it started."""
    process = subprocess.Popen(command, **options)
    try:
        with limited(process):
            yield process
    finally:
        end_tree(process)


@contextmanager
def limited(process: subprocess.Popen[Any], seconds: float = PATIENCE) -> Iterator[None]:
    """Kill a process that takes longer than the block may: whoever reads from it then reads to the end of it."""
    timer = threading.Timer(seconds, _kill_tree, (process,))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _kill_tree(process: subprocess.Popen[Any]) -> None:
    kill([process.pid, *descendants(process.pid)])


def end_tree(process: subprocess.Popen[Any]) -> None:
    """Kill a process with all that it started, and close its pipes."""
    if process.poll() is None:
        _kill_tree(process)
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            with suppress(BrokenPipeError):
                pipe.close()


def run(command: Sequence[str], *, timeout: float = PATIENCE, **options: Any) -> subprocess.CompletedProcess[Any]:
    """`subprocess.run` without input unless some is given, with a time limit, that leaves no process behind."""
    check = options.pop("check", False)
    given = options.pop("input", None)
    if options.pop("capture_output", False):
        options |= {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    options.setdefault("stdin", subprocess.DEVNULL if given is None else subprocess.PIPE)
    with started(command, **options) as process:
        out, err = process.communicate(given, timeout=timeout)
    done = subprocess.CompletedProcess(command, process.returncode, out, err)
    if check:
        done.check_returncode()
    return done


def _command(process: int) -> str:
    return _read(Path(f"/proc/{process}/cmdline")).replace("\0", " ").strip()


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:  # the process has ended
        return ""
