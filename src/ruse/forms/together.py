"""Work by all threads: who does which part of it does not matter to any result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import count
from threading import Lock, Thread
from typing import Any, TypeVar
from weakref import finalize

import numpy as np

from ruse.core.arrays import Array
from ruse.core.machine import cores
from ruse.kernels.meeting import CLOSED, MEETING, TICKET

Part = TypeVar("Part")


def threads(asked: int | None = None) -> int:
    """How many threads to use: as many as are asked for, or as there are cores to run on."""
    return asked or cores()


class Together:
    """Threads that are kept for work of one kind. Kernels let go of the interpreter, so threads run side by side."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._helpers = [_Helper() for _ in range(1, workers)]

    def __call__(self, work: Callable[[int], None], stop: Callable[[], None] = lambda: None) -> None:
        """Have work(worker) done by all workers at once. Others that wait for the first are told to stop at its end."""
        for worker, helper in enumerate(self._helpers, 1):
            helper.begin(partial(work, worker))
        try:
            work(0)
        finally:
            stop()
            troubles = [helper.end() for helper in self._helpers]
        for trouble in filter(None, troubles):
            raise trouble

    def each(self, parts: Sequence[Part], work: Callable[[Part, int], None]) -> None:
        """Have work(part, worker) done for all parts, each by whoever is free."""
        taken = count()

        def works(worker: int) -> None:
            while (place := next(taken)) < len(parts):
                work(parts[place], worker)

        self(works)

    def meet(self, work: Callable[[Array, int], None]) -> None:
        """Have work(meeting, worker) done by all at once, who meet in compiled code (ruse.kernels.meeting)."""
        meeting = np.zeros(MEETING, dtype=np.int64)

        def stop() -> None:
            meeting[TICKET] = CLOSED << 32

        self(partial(work, meeting), stop)


class _Helper:
    """A thread that does one piece of work after another: it wakes in a quarter of the time that a pool's take."""

    def __init__(self) -> None:
        self._go, self._done = Lock(), Lock()
        self._box: list[Any] = [None, None]  # what to do, and what went wrong
        for lock in (self._go, self._done):
            lock.acquire()
        Thread(target=_help, args=(self._go, self._done, self._box), daemon=True).start()
        finalize(self, _dismiss, self._go, self._box)

    def begin(self, work: Callable[[], None]) -> None:
        self._box[:] = work, None
        self._go.release()

    def end(self) -> BaseException | None:
        """Wait until it is done: what the work has raised, if anything."""
        self._done.acquire()
        trouble, self._box[:] = self._box[1], (None, None)
        return trouble  # type: ignore[no-any-return]


def _help(go: Any, done: Any, box: list[Any]) -> None:
    while True:
        go.acquire()
        if box[0] is None:
            return
        try:
            box[0]()
        except BaseException as error:  # whoever waits is told
            box[1] = error
        done.release()


def _dismiss(go: Any, box: list[Any]) -> None:
    box[0] = None
    go.release()
