"""Ctrl-C, noted rather than raised: work ends where it can keep what was done."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from types import FrameType, TracebackType
from typing import Any


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
