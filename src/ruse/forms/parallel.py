"""Work in parallel threads. No result depends on which thread does which part."""

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
from ruse.kernels.atomics import CLOSED, SHARED, TICKET

Part = TypeVar("Part")


def threads(given: int | None = None) -> int:
    """Return how many threads to use: the number that is given, or one per core."""
    return given or cores()


class ThreadTeam:
    """Threads for work of one kind. Kernels release the interpreter's lock, so threads run in parallel."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._helpers = [_Helper() for _ in range(1, workers)]

    def __call__(self, work: Callable[[int], None], stop: Callable[[], None] = lambda: None) -> None:
        """Run work(worker) on all threads. When the first ends, `stop` ends those that wait for it in compiled code."""
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
        """Run work(part, worker) for all parts, each on the next free thread."""
        taken = count()

        def works(worker: int) -> None:
            while (place := next(taken)) < len(parts):
                work(parts[place], worker)

        self(works)

    def run_shared(self, work: Callable[[Array, int], None]) -> None:
        """Run work(shared, worker) on all threads, with an array that they synchronise by (ruse.kernels.atomics)."""
        shared = np.zeros(SHARED, dtype=np.int64)

        def stop() -> None:
            shared[TICKET] = CLOSED << 32

        self(partial(work, shared), stop)


class _Helper:
    """A thread that waits for work. It wakes in a quarter of the time that threads of a pool take."""

    def __init__(self) -> None:
        self._start, self._done = Lock(), Lock()
        self._box: list[Any] = [None, None]  # the work, and the error that it raised
        for lock in (self._start, self._done):
            lock.acquire()
        Thread(target=_help, args=(self._start, self._done, self._box), daemon=True).start()
        finalize(self, _dismiss, self._start, self._box)

    def begin(self, work: Callable[[], None]) -> None:
        self._box[:] = work, None
        self._start.release()

    def end(self) -> BaseException | None:
        """Wait until the work is done, and return the error that it raised, if any."""
        self._done.acquire()
        trouble, self._box[:] = self._box[1], (None, None)
        return trouble  # type: ignore[no-any-return]


def _help(start: Any, done: Any, box: list[Any]) -> None:
    while True:
        start.acquire()
        if box[0] is None:
            return
        try:
            box[0]()
        except BaseException as error:  # raised again by whoever waits
            box[1] = error
        done.release()


def _dismiss(start: Any, box: list[Any]) -> None:
    box[0] = None
    start.release()
