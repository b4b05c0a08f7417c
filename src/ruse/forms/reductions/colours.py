"""The loops of colour refinement, in numpy: for forms so small that they are done before numba is loaded."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ruse.core.arrays import Array
from ruse.forms.sparse import added
from ruse.forms.vectorised import numbered as _numbered

WORD = (1 << 64) - 1


def by_row(own: Array, other: Array, values: Array, many: int) -> tuple[Array, Array, Array]:
    """The entries of so many rows, row after row: where each row starts, columns, values."""
    order = np.argsort(own, kind="stable")
    start = np.concatenate([[0], np.cumsum(np.bincount(own, minlength=many))]).astype(np.int32)
    return start, other[order], values[order]


def sweep(
    parent: Array, first: Array, start: Array, other: Array, values: Array
) -> Callable[[Array, Array, Array], None]:
    """What gives sequences and sets new colours, in place, by the other side's: up the tree, then down.

    A sequence gets the sum of values[e] * colours[other[e]] over its entries e, mod 2^64, and what follows it. Where
    there are no colours yet, all have colour 1.
    """
    counts, words = np.diff(first), in_words(values).astype(np.uint64)
    levels = _levels(parent, first, counts)

    def swept(colours: Array, sequences: Array, sets: Array) -> None:
        paid = np.concatenate(
            [np.zeros(1, dtype=np.uint64), np.cumsum(words * colours[other] if len(colours) else words)]
        )
        sequences[:] = paid[start[1:]] - paid[start[:-1]]
        for here, own, starts in reversed(levels):
            sets[here] = np.add.reduceat(mixed(sequences[own]), starts)
            np.add.at(sequences, parent[here], mixed(~sets[here]))
        sequences[0] = mixed(sequences[:1])[0]
        for here, own, _ in levels:
            sets[here] = mixed(sets[here] + mixed(sequences[parent[here]]))
            sequences[own] = mixed(sequences[own] + np.repeat(sets[here], counts[here]))

    return swept


def in_words(values: Array) -> Array:
    """Values mod 2^64, in some type of numbers."""
    return values if values.dtype != object else np.array([value & WORD for value in values.tolist()], dtype=np.uint64)


def numbered(sets: Array, first: Array, sequences: Array, most: int) -> tuple[Array, Array, int]:
    """Number sets of one colour alike, in the order they are met: the numbers, where each is met first, and how many
    colours sequences have, given that those of one set of each colour have all. It may end at more than `most`.
    """
    _, numbers = np.unique(sets, return_inverse=True)
    numbers, firsts = _numbered(numbers) if len(sets) else (numbers, np.zeros(0, dtype=np.int64))
    met = np.zeros(len(sets), dtype=np.bool_)
    met[firsts] = True
    return numbers, firsts, 1 + len(np.unique(sequences[1:][np.repeat(met, np.diff(first))]))


def inside(
    parent: Array, first: Array, set_classes: Array, chosen_sets: Array, begins: Array, known: Array, numbers: Array,
    each: Array, colours: Array,
) -> tuple[Array, Array, Array] | None:  # fmt: skip
    """The class of each sequence, that which each class of sets follows, and how many sets it has; None unless all of
    them follow one that comes before, and every set has as many of each as its class of sets is to have.

    Class c of sets is to have each[k] sequences of the classes k = begins[c]:begins[c + 1]. Their colours, in order,
    are known[begins[c] - 1 : begins[c + 1] - 1], those of classes numbers[...]. Sequence 0 is class 0, alone.
    """
    order = np.argsort(known)
    place = np.minimum(np.searchsorted(known, colours[1:], sorter=order), len(known) - 1)
    if np.any(known[order[place]] != colours[1:]):
        return None
    classes = np.concatenate([[0], numbers[order[place]]])
    owner = np.repeat(np.arange(len(set_classes)), np.diff(first))
    if np.any(np.repeat(np.arange(len(begins) - 1), np.diff(begins))[classes[1:] - 1] != set_classes[owner]):
        return None
    sizes = np.bincount(set_classes)
    many = np.repeat(sizes, np.diff(begins)) * each[1:]
    if not np.array_equal(np.bincount(classes)[1:], many) or not evenly(owner, classes[1:], each):
        return None
    parents = classes[parent[chosen_sets]].astype(np.int32)
    if np.any(parents[set_classes] != classes[parent]) or np.any(parents >= begins[:-1]):
        return None
    return classes.astype(np.int32), parents, sizes


def evenly(holders: Array, classes: Array, each: Array) -> bool:
    """Whether every holder that has any of a class has as many as it is to have."""
    groups, counts = np.unique(holders.astype(np.int64) * len(each) + classes, return_counts=True)
    return np.array_equal(each[groups % len(each)], counts)


def sums(
    start: Array, other: Array, values: Array, classes: Array, chosen: Array, other_classes: Array, many: int
) -> tuple[Array, Array, Array] | None:
    """What rows of each class add up to at each of the `many` classes of columns, where that is not 0.

    By class of rows, then of columns; None unless all rows of a class have the same as the chosen one.
    """
    rows = np.repeat(np.arange(len(classes)), np.diff(start))
    wide = values if values.dtype == object else values.astype(np.int64)  # bytes do not hold their sums
    start, columns, totals = added(rows, other_classes[other], wide, (len(classes), many))
    lengths = np.diff(start)
    like = chosen[classes]  # the row of its class that each one must be like
    if np.any(lengths[like] != lengths):
        return None
    place = np.arange(len(columns)) + np.repeat(start[like] - start[:-1], lengths)
    if np.any(columns[place] != columns) or np.any(totals[place] != totals):
        return None
    kept = np.repeat(like == np.arange(len(like)), lengths)
    return classes[np.repeat(np.arange(len(like)), lengths)[kept]], columns[kept], totals[kept]


def _levels(parent: Array, first: Array, counts: Array) -> list[tuple[Array, Array, Array]]:
    """Of each depth: its sets, their sequences, and where each set's begin among those."""
    owner = np.concatenate([[-1], np.repeat(np.arange(len(parent)), counts)])
    above = owner[parent]  # the set that each one follows
    levels = []
    here = np.flatnonzero(above < 0)
    depth = np.full(len(parent), -1)
    depth[here] = 0
    while len(here):
        starts = np.cumsum(counts[here]) - counts[here]
        own = np.arange(int(counts[here].sum())) + np.repeat(first[here] - starts, counts[here])
        levels.append((here, own, starts))
        waiting = np.flatnonzero(depth < 0)
        here = waiting[depth[above[waiting]] == len(levels) - 1]
        depth[here] = len(levels)
    return levels


def mixed(words: Array) -> Array:
    """Each word scrambled, so that sums of such words hardly ever collide (Steele, Lea and Flood 2014)."""
    with np.errstate(over="ignore"):
        words = words + np.uint64(0x9E3779B97F4A7C15)
        words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    hashes: Array = words ^ (words >> np.uint64(31))
    return hashes
