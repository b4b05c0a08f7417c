"""The pieces of a public tree, for all threads."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from ruse.core.arrays import Array
from ruse.forms.public_layout import Layout
from ruse.forms.together import Together, threads

ROWS = 6144  # of a stretch of pieces that a thread takes at once
WORTH_SHARING = 1 << 16  # numbers of a tree, fewer of which are swept before a second thread has woken
TOP = (0, 1)  # the first of the pieces


class InPieces:
    """Threads for the pieces of one layout."""

    def __init__(self, layout: Layout, asked: int | None = None) -> None:
        numbers = sum(side.rows * side.width for side in layout.sides)
        self.stretches = list(pairwise(begins(layout, layout.rows // ROWS + 1).tolist()))
        many = min(threads(asked), len(self.stretches)) if numbers >= WORTH_SHARING and self.stretches else 1
        self.together = Together(many)

    @property
    def workers(self) -> int:
        return self.together.workers

    def __call__(self, work: Callable[[tuple[int, int], int], None]) -> None:
        """Have work(stretch, worker) done for all stretches of pieces but the top."""
        self.together.each(self.stretches, work)


def begins(layout: Layout, stretches: int) -> Array:
    """Where at most so many stretches of about equally many rows begin, and the last one ends; the top is in none."""
    rows = sum(side.start[1:-1] - side.start[1] for side in layout.sides)
    every = max(-(-layout.rows // stretches), 1)
    inner = np.flatnonzero(np.diff(rows // every)) + 2
    return np.concatenate([[1], inner, [layout.pieces]] if layout.pieces > 1 else [[1]]).astype(np.int64)
