"""The loops of colour refinement, in numpy: for forms so small that they are done before numba is loaded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ruse.forms.vectorised import numbered as _numbered

Array = np.ndarray[Any, np.dtype[Any]]


def paid(own: Array, other: Array, words: Array, colours: Array, many: int) -> Array:
    """What each of so many sequences is paid: the sum of words[e] * colours[other[e]] over its entries e, mod 2^64."""
    found = np.zeros(many, dtype=np.uint64)
    np.add.at(found, own, words * colours[other])
    return found


def sweep(parent: Array, first: Array) -> Callable[[Array, Array], None]:
    """What gives sequences and sets new colours, in place, by what the sequences are paid: up the tree, then down."""
    counts = np.diff(first)
    levels = _levels(parent, first, counts)

    def swept(sequences: Array, sets: Array) -> None:
        sequences[:] = _mixed(sequences)
        for here, own, starts in reversed(levels):
            sets[here] = np.add.reduceat(_mixed(sequences[own]), starts)
            np.add.at(sequences, parent[here], _mixed(~sets[here]))
        sequences[0] = _mixed(sequences[:1])[0]
        for here, own, _ in levels:
            sets[here] = _mixed(sets[here] + _mixed(sequences[parent[here]]))
            sequences[own] = _mixed(sequences[own] + np.repeat(sets[here], counts[here]))

    return swept


def count(colours: Array, most: int) -> int:
    """How many colours there are; more than `most` is any number above it."""
    return len(np.unique(colours))


def numbered(colours: Array) -> tuple[Array, Array]:
    """Number equal colours alike, in the order they are met: the numbers, and where each is met first."""
    _, numbers = np.unique(colours, return_inverse=True)
    return _numbered(numbers)


def evenly(holders: Array, classes: Array, many: Array) -> Array | None:
    """How many of each class every holder that has any holds; None unless it is as many, in as `many` holders."""
    each = np.zeros(len(many), dtype=np.int64)
    found, counts = np.unique(holders.astype(np.int64) * len(many) + classes, return_counts=True)
    of = found % max(len(many), 1)
    each[of] = counts
    even = np.array_equal(each[of], counts) and np.array_equal(np.bincount(of, minlength=len(many)), many)
    return each if even else None


def _levels(parent: Array, first: Array, counts: Array) -> list[tuple[Array, Array, Array]]:
    """Of each depth: its sets, their sequences, and where each set's begin among those."""
    owner = np.concatenate([[-1], np.repeat(np.arange(len(parent)), counts)])
    above = owner[parent]  # the set that each one follows
    found = []
    here = np.flatnonzero(above < 0)
    depth = np.full(len(parent), -1)
    depth[here] = 0
    while len(here):
        starts = np.cumsum(counts[here]) - counts[here]
        own = np.arange(int(counts[here].sum())) + np.repeat(first[here] - starts, counts[here])
        found.append((here, own, starts))
        waiting = np.flatnonzero(depth < 0)
        here = waiting[depth[above[waiting]] == len(found) - 1]
        depth[here] = len(found)
    return found


def _mixed(words: Array) -> Array:
    """Each word scrambled, so that sums of such words hardly ever collide (Steele, Lea and Flood 2014)."""
    with np.errstate(over="ignore"):
        words = words + np.uint64(0x9E3779B97F4A7C15)
        words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    found: Array = words ^ (words >> np.uint64(31))
    return found
