"""Work on the pieces of a public tree by all threads: who does which does not matter to any result."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from itertools import count, pairwise

import numpy as np

from ruse.forms.public_layout import Layout

ROWS = 4096  # of a stretch of pieces that a thread takes at once
WORTH_SHARING = 1 << 16  # numbers of a tree, fewer of which are swept before a second thread has woken
TOP = (0, 1)  # the first of the pieces


def threads(asked: int | None = None) -> int:
    """How many threads to use: as many as are asked for, or as there are cores to run on."""
    return asked or len(os.sched_getaffinity(0))


class InPieces:
    """Threads that are kept for one layout. Kernels let go of the interpreter, so threads run side by side."""

    def __init__(self, layout: Layout, asked: int | None = None) -> None:
        numbers = sum(side.rows * side.width for side in layout.sides)
        self.stretches = _stretches(layout)
        self.workers = min(threads(asked), len(self.stretches)) if numbers >= WORTH_SHARING and self.stretches else 1
        self._pool = ThreadPoolExecutor(self.workers - 1) if self.workers > 1 else None

    def __call__(self, work: Callable[[tuple[int, int], int], None]) -> None:
        """Have work(stretch, worker) done for all stretches of pieces but the top."""
        taken = count()

        def works(worker: int) -> None:
            while (place := next(taken)) < len(self.stretches):
                work(self.stretches[place], worker)

        helping = [self._pool.submit(works, worker) for worker in range(1, self.workers)] if self._pool else []
        works(0)
        for done in wait(helping).done:
            done.result()


def _stretches(layout: Layout) -> list[tuple[int, int]]:
    """Runs of pieces of about ROWS rows."""
    if layout.pieces == 1:
        return []
    rows = sum(side.start[1:-1] - side.start[1] for side in layout.sides)
    begins = [1, *(np.flatnonzero(np.diff(rows // ROWS)) + 2).tolist(), layout.pieces]
    return list(pairwise(begins))
