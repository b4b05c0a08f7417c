"""Runs of `ruse` that start at once: a process that has imported everything forks itself for each.

    python soak/forks.py

reads lines of JSON on stdin, {"words": [...], "folder": ..., "stdout": PATH, "stderr": PATH}, answers each with the
number of the process, and, asked {"wait": PID}, with its exit status (-9 where it was killed).
"""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
from importlib import import_module

MODULES = (
    "cli.program",
    "contests.search",
    "formats.frames",
    "solution.store",
    "solvers.cfr",
    "solving.iterate",
    "solving.pipeline",
    "solving.routes.sampling",
    "present.card",
)


def main() -> None:
    loaded = {name: import_module(f"ruse.{name}") for name in MODULES}
    for name in ("solving.iterate", "contests.search"):
        loaded[name].SAVE_EVERY = 0.01  # seconds: so that faults find somebody saving
    loaded["solving.iterate"].MOST_SAVING = 1.0
    from ruse.start import main as begin

    gc.freeze()
    for line in sys.stdin:
        asked = json.loads(line)
        if "wait" in asked:
            _, status = os.waitpid(asked["wait"], 0)
            print(os.waitstatus_to_exitcode(status), flush=True)
            continue
        places = [os.open(asked[name], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600) for name in ("stdout", "stderr")]
        pid = os.fork()
        if not pid:
            os.dup2(places[0], 1)
            os.dup2(places[1], 2)
        for place in places:
            os.close(place)
        if pid:
            print(pid, flush=True)
            continue
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.chdir(asked["folder"])
        signal.signal(signal.SIGINT, signal.default_int_handler)
        sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")
        sys.argv = ["ruse", *asked["words"]]
        try:
            status = begin()
        except SystemExit as leave:
            status = leave.code if isinstance(leave.code, int) else 1
        except BaseException:  # what a user would see as a traceback
            import traceback

            traceback.print_exc()
            status = 99
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        except OSError:
            pass
        os._exit(status)


if __name__ == "__main__":
    main()
