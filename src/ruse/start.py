"""The program from its first moment to its last: Ctrl-C never shows a traceback.

While the rest is imported, and once the answer is out, Ctrl-C ends the program at once; in between, `listening`, it
is a KeyboardInterrupt, with which a command ends as it sees fit. Nothing is imported here that takes time: `_signal`
is what `signal` is made of, without its enumerations.
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]
import os
import sys
from time import perf_counter, process_time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType, TracebackType

FOLDERS = ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME")
STOPPED = 1  # the exit status
first_moment: tuple[float, float] | None = None  # of the program, by both clocks; none where Python called something


def main() -> int:
    global first_moment
    first_moment = perf_counter(), process_time()
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else somebody wants it ignored
        signal.signal(signal.SIGINT, _leave)
        sys.unraisablehook = _heard
    from ruse.cli.program import main

    status = main()
    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, lambda *_: os._exit(status))  # all is said: nobody waits for tidying up
    return status


def run() -> None:
    """The program: what `main` does, and then the end, without freeing memory piece by piece, which takes seconds."""
    status = main()
    import atexit
    import threading

    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError, AttributeError):  # nobody is there to hear it
        status = status or STOPPED
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    os._exit(status)


def forget_unusable_folders() -> None:
    """Unset variables that name no folder, so that numba, matplotlib and child processes look where ruse does."""
    for name in FOLDERS:
        if name in os.environ and not os.path.isabs(os.environ[name]):  # noqa: PTH117 (pathlib takes time)
            del os.environ[name]


class listening:
    """Where Ctrl-C is raised, if the program was begun by `main`; else, as in a notebook, nothing is changed."""

    def __enter__(self) -> None:
        self._ours = signal.getsignal(signal.SIGINT) is _leave
        if self._ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._ours:
            signal.signal(signal.SIGINT, _leave)


def _leave(number: int = 0, frame: FrameType | None = None) -> None:
    try:
        os.write(2, b"ruse: stopped before the end\n")
    finally:  # also where nobody is there to hear it
        os._exit(STOPPED)


def _heard(trouble: sys.UnraisableHookArgs) -> None:
    """Ctrl-C where it cannot be raised, as in a callback, must not be lost, nor told as a traceback."""
    if trouble.exc_type is KeyboardInterrupt:
        _leave()
    sys.__unraisablehook__(trouble)
