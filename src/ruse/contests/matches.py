"""Series of matches on all cores: the outcomes are those of one core, sooner."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise

import numpy as np

from ruse.contests.arena.contest import Contest
from ruse.core.arrays import Array
from ruse.core.machine import cores

LEAST = 64  # matches that are worth a thread
PIECE, PIECES = 1024, 8  # matches worth a piece of their own, and pieces a thread: a core that is held up takes fewer


@cache
def _threads(count: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(count, thread_name_prefix="matches")


def play(
    contest: Contest, first: Array, second: Array, seed: int, count: int, *, begin: int = 0, threads: int | None = None
) -> Array:
    """Outcomes of matches `begin` to `begin + count` of a series. Compiled matches let other threads run."""
    workers = min(threads or cores(), count // LEAST)
    if workers <= 1:
        return contest.play(first, second, seed, begin, count)
    parts = max(workers, min(workers * PIECES, count // PIECE))
    edges = [begin + count * part // parts for part in range(parts + 1)]
    pieces = _threads(workers).map(
        lambda edge: contest.play(first, second, seed, edge[0], edge[1] - edge[0]),
        pairwise(edges),
    )
    return np.concatenate(list(pieces))
