"""Run commands of one checkout for benchmarks.compare_commits: `CHECKOUT/.venv/bin/python -P command_runner.py`.

Each line of stdin is a JSON object `{"folder", "home", "arguments", "stdin", "limit"}`, and each line of the answer one
with `status` (null after `limit` seconds) and `seconds`; `folder/../stdout` and `stderr` hold what the command printed.
A command runs in a fork, so none sees what another left in memory and none pays for starting Python. This file uses the
standard library only, as it is also run by checkouts that do not have it.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import signal
import sys
import time
import traceback
from pathlib import Path
from typing import Any

PRELOADED = ("numpy", "scipy.sparse", "scipy.optimize", "highspy", "numba", "ruse.cli")
PAUSE = 0.005


def main() -> None:
    for name in PRELOADED:
        __import__(name)
    for line in sys.stdin:
        print(json.dumps(run(json.loads(line))), flush=True)


def run(job: dict[str, Any]) -> dict[str, Any]:
    """Run one command in a fork and wait for it."""
    begun = time.monotonic()
    child = os.fork()
    if child == 0:
        _become(job)
    status = None
    while time.monotonic() - begun < job["limit"]:
        done, code = os.waitpid(child, os.WNOHANG)
        if done:
            status = os.waitstatus_to_exitcode(code)
            break
        time.sleep(PAUSE)
    else:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        os.waitpid(child, 0)
    return {"status": status, "seconds": round(time.monotonic() - begun, 3)}


def _become(job: dict[str, Any]) -> None:
    """Turn this process into the command; it never returns."""
    status = 70  # as of a traceback
    try:
        os.setsid()
        beside = Path(job["folder"]).parent
        (beside / "stdin").write_text(job["stdin"], encoding="utf-8")
        for number, name, flags in ((0, "stdin", os.O_RDONLY), (1, "stdout", os.O_WRONLY), (2, "stderr", os.O_WRONLY)):
            opened = os.open(beside / name, flags | (os.O_CREAT | os.O_TRUNC if number else 0))
            os.dup2(opened, number)
        sys.stdin, sys.stdout, sys.stderr = (
            open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115
            for number, mode in ((0, "r"), (1, "w"), (2, "w"))
        )
        os.environ |= {"HOME": job["home"], "XDG_STATE_HOME": f"{job['home']}/state"}
        os.chdir(job["folder"])
        sys.argv = ["ruse", *job["arguments"]]
        from ruse.cli import main as ruse

        try:
            status = ruse(job["arguments"])
        except SystemExit as error:  # argparse, on wrong usage and after --help
            status = error.code if isinstance(error.code, int) else int(error.code is not None)
        sys.stdout.flush()
        atexit._run_exitfuncs()
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)


if __name__ == "__main__":
    main()
