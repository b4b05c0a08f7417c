"""A public tree in chunks, which threads take one by one."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from ruse.core.arrays import Array
from ruse.forms.parallel import ThreadTeam, threads
from ruse.forms.public_layout import Layout

ROWS = 6144  # of a stretch of pieces that a thread takes at once
WORTH_SHARING = 1 << 16  # numbers of a tree, fewer of which are swept before a second thread has woken
TOP = (0, 1)  # the first of the pieces


class ChunkTeam:
    """Threads for the chunks of one layout."""

    def __init__(self, layout: Layout, given: int | None = None) -> None:
        numbers = sum(side.rows * side.width for side in layout.sides)
        self.stretches = list(pairwise(begins(layout, layout.rows // ROWS + 1).tolist()))
        workers = min(threads(given), len(self.stretches)) if numbers >= WORTH_SHARING and self.stretches else 1
        self.team = ThreadTeam(workers)

    @property
    def workers(self) -> int:
        return self.team.workers

    def __call__(self, work: Callable[[tuple[int, int], int], None]) -> None:
        """Run work(stretch, worker) for all stretches of pieces but the top."""
        self.team.each(self.stretches, work)


def begins(layout: Layout, stretches: int) -> Array:
    """Return where at most so many stretches of about equally many rows begin, and where the last one ends."""
    rows = sum(side.start[1:-1] - side.start[1] for side in layout.sides)
    every = max(-(-layout.rows // stretches), 1)
    inner = np.flatnonzero(np.diff(rows // every)) + 2
    return np.concatenate([[1], inner, [layout.pieces]] if layout.pieces > 1 else [[1]]).astype(np.int64)
