"""Ctrl-C, noted rather than raised: work ends where it can keep what was done. And rules that never answer."""

from __future__ import annotations

import ctypes
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import copy_context
from multiprocessing import resource_tracker
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, TypeVar

from ruse.core import clock, contract
from ruse.core.game import GameError

Returned = TypeVar("Returned")
PATIENCE = 1.0  # seconds that one answer of somebody's rules may take once the time is up
RINGS = 5  # in that time: of all that a process misses while it is held up, it hears only one


class Interrupts:
    """Ctrl-C noted, to be acted on at the next good place; a second one stops at once."""

    def __init__(self, then: Callable[[], object] = lambda: None) -> None:
        """`then` is called when it comes."""
        self.came = False
        self._then = then
        self._before: Any = None

    def __enter__(self) -> Interrupts:
        here = threading.current_thread() is threading.main_thread()
        if here and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.came:
            raise KeyboardInterrupt
        self.came = True
        self._then()


@contextmanager
def shielded() -> Iterator[None]:
    """Processes that are started here never see Ctrl-C, which a terminal sends to all; it waits for the others."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # which unblocks Ctrl-C, whenever it is started
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def answering(seconds: float | None) -> Iterator[None]:
    """Within it, rules that are at one and the same answer when so many seconds are over, and then some, are stopped.

    All other work looks at the clock itself (`ruse.core.clock`); a loop in somebody's own rules does not.
    """
    if seconds is None or threading.current_thread() is not threading.main_thread() or not hasattr(signal, "SIGALRM"):
        yield
        return
    last, heard = None, 0

    def ring(number: int, frame: FrameType | None) -> None:
        nonlocal last, heard
        asked = _asked(frame)
        heard = heard + 1 if asked is not None and asked is last else 0
        if frame is not None and heard >= RINGS:
            location = f"{Path(frame.f_code.co_filename).name}, line {frame.f_lineno}"
            raise GameError(
                f"the rules did not answer in time ({location}): allow more time, or look for an endless loop there"
            )
        last = asked

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, min(seconds, clock.LONGEST), PATIENCE / RINGS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _asked(frame: FrameType | None) -> FrameType | None:
    """Where the contract is waiting for an answer of a rule, if it is."""
    while frame is not None and frame.f_code.co_filename != contract.__file__:
        frame = frame.f_back
    return frame


def in_time(call: Callable[[], Returned], seconds: float) -> Returned:
    """Return what somebody's code returns; raise TimeoutError if that takes longer, and stop the code.

    Unlike `answering`, it works in any thread, such as those that answer requests.
    """
    answer: Future[Returned] = Future()
    context = copy_context()

    def run() -> None:
        try:
            answer.set_result(context.run(call))
        except _Stopped:
            pass
        except BaseException as error:  # which the caller raises
            answer.set_exception(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        return answer.result(seconds)
    except TimeoutError:
        if answer.done():  # it raised one of its own
            raise
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(_Stopped))
        raise


class _Stopped(BaseException):
    """Raised in a thread whose answer nobody waits for any more."""
