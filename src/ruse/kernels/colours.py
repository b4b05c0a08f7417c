"""The loops of colour refinement, compiled: for forms so large that numba is loaded sooner than numpy is done.

The same functions stand in `ruse.forms.reductions.colours`, which says what each does.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numba import njit

Array = np.ndarray[Any, np.dtype[Any]]
FIRST_SLOTS = 1 << 12  # of a table of colours; it doubles when it is half full


@njit(cache=True, nogil=True)
def by_row(own: Array, other: Array, values: Array, many: int) -> tuple[Array, Array, Array]:
    start = np.zeros(many + 2, dtype=np.int32)  # one place further than in the end: a row's moves on as it is filled
    for entry in range(len(own)):
        start[own[entry] + 2] += 1
    for row in range(2, many + 1):
        start[row + 1] += start[row]
    others, moved = np.empty(len(own), dtype=np.int32), np.empty_like(values)
    for entry in range(len(own)):
        place = start[own[entry] + 1]
        start[own[entry] + 1] += 1
        others[place], moved[place] = other[entry], values[entry]
    return start[:-1], others, moved


@njit(cache=True, nogil=True)
def _mixed(word: np.uint64) -> np.uint64:
    word = word + np.uint64(0x9E3779B97F4A7C15)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@njit(cache=True, nogil=True)
def _swept(
    parent: Array, first: Array, start: Array, other: Array, words: Array, colours: Array, sequences: Array, sets: Array
) -> None:
    for s in range(len(sequences)):
        word = np.uint64(0)
        for entry in range(start[s], start[s + 1]):
            word += words[entry] * colours[other[entry]]
        sequences[s] = word
    for i in range(len(parent) - 1, -1, -1):
        total = np.uint64(0)
        for s in range(first[i], first[i + 1]):
            total += _mixed(sequences[s])
        sets[i] = total
        sequences[parent[i]] += _mixed(~total)
    sequences[0] = _mixed(sequences[0])
    for i in range(len(parent)):
        colour = _mixed(sets[i] + _mixed(sequences[parent[i]]))
        sets[i] = colour
        for s in range(first[i], first[i + 1]):
            sequences[s] = _mixed(sequences[s] + colour)


def sweep(
    parent: Array, first: Array, start: Array, other: Array, words: Array
) -> Callable[[Array, Array, Array], None]:
    return partial(_swept, parent, first, start, other, words)


@njit(cache=True, nogil=True)
def _numbered(keys: Array, first: Array, colours: Array, numbers: Array, most: int) -> tuple[Array, int]:
    """See `numbered`: numbers are filled in."""
    slots = np.full(FIRST_SLOTS, -1, dtype=np.int32)  # numbers, by the first bits of their keys
    known = np.empty(FIRST_SLOTS, dtype=keys.dtype)  # the key of each number
    firsts = np.empty(FIRST_SLOTS, dtype=np.int64)
    mask = np.uint64(FIRST_SLOTS - 1)
    many, found = 0, 1
    for place in range(len(keys)):
        key = keys[place]
        slot = key & mask
        while slots[slot] >= 0 and known[slots[slot]] != key:
            slot = (slot + np.uint64(1)) & mask
        if slots[slot] < 0:
            for s in range(first[place], first[place + 1]):
                new = 1
                for earlier in range(first[place], s):
                    if colours[earlier] == colours[s]:
                        new = 0
                found += new
            if found > most:
                break
            slots[slot] = many
            known[many], firsts[many] = key, place
            many += 1
            if 2 * many > len(slots):
                wider = 2 * len(slots)
                slots, mask = np.full(wider, -1, dtype=np.int32), np.uint64(wider - 1)
                for number in range(many):
                    slot = known[number] & mask
                    while slots[slot] >= 0:
                        slot = (slot + np.uint64(1)) & mask
                    slots[slot] = number
                longer, later = np.empty(wider, dtype=keys.dtype), np.empty(wider, dtype=np.int64)
                longer[:many], later[:many] = known[:many], firsts[:many]
                known, firsts = longer, later
                numbers[place] = many - 1
                continue
        numbers[place] = slots[slot]
    return firsts[:many].copy(), found


def numbered(sets: Array, first: Array, sequences: Array, most: int) -> tuple[Array, Array, int]:
    numbers = np.empty(len(sets), dtype=np.int32)
    firsts, found = _numbered(sets, first, sequences, numbers, most)
    return numbers, firsts, found


@njit(cache=True, nogil=True)
def _inside(
    parent: Array,
    first: Array,
    set_classes: Array,
    begins: Array,
    known: Array,
    numbers: Array,
    each: Array,
    colours: Array,
    classes: Array,
    parents: Array,
) -> bool:
    """See `inside`: classes are filled in, and those that classes of sets follow."""
    here = np.zeros(len(each), dtype=np.int64)
    classes[0] = 0
    for i in range(len(set_classes)):
        begin, end = begins[set_classes[i]], begins[set_classes[i] + 1]
        follows = classes[parent[i]]  # which comes first
        if parents[set_classes[i]] < 0:
            parents[set_classes[i]] = follows
        if parents[set_classes[i]] != follows or follows >= begin:
            return False
        for s in range(first[i], first[i + 1]):
            low, high = begin - 1, end - 1
            while high - low > 1:
                middle = (low + high) // 2
                if known[middle] > colours[s]:
                    high = middle
                else:
                    low = middle
            if known[low] != colours[s]:
                return False
            classes[s] = numbers[low]
            here[numbers[low]] += 1
        for one in range(begin, end):
            if here[one] != each[one]:
                return False
            here[one] = 0
    return True


def inside(
    parent: Array,
    first: Array,
    set_classes: Array,
    begins: Array,
    known: Array,
    numbers: Array,
    each: Array,
    colours: Array,
) -> tuple[Array, Array] | None:
    classes, parents = np.empty(len(colours), dtype=np.int32), np.full(len(begins) - 1, -1, dtype=np.int32)
    found = _inside(parent, first, set_classes, begins, known, numbers, each, colours, classes, parents)
    return (classes, parents) if found else None


@njit(cache=True, nogil=True)
def _evenly(holders: Array, order: Array, classes: Array, each: Array, having: Array) -> bool:
    """See `evenly`: `each` and how many holders have each class are filled in, holder by holder in that order."""
    here = np.zeros(len(each), dtype=np.int64)
    begin = 0
    while begin < len(order):
        end = begin
        while end < len(order) and holders[order[end]] == holders[order[begin]]:
            here[classes[order[end]]] += 1
            end += 1
        for place in range(begin, end):
            one = classes[order[place]]
            if here[one]:
                if having[one] == 0:
                    each[one] = here[one]
                if each[one] != here[one]:
                    return False
                having[one] += 1
                here[one] = 0
        begin = end
    return True


def evenly(holders: Array, classes: Array, many: Array) -> Array | None:
    each, having = np.zeros(len(many), dtype=np.int64), np.zeros(len(many), dtype=np.int64)
    everyone = np.arange(len(holders), dtype=np.int32)
    if len(holders):
        _, _, order = by_row(holders, everyone, everyone, int(holders.max()) + 1)
        if not _evenly(holders, order, classes, each, having):
            return None
    return each if np.array_equal(having, many) else None


@njit(cache=True, nogil=True)
def _sums(
    start: Array,
    other: Array,
    values: Array,
    classes: Array,
    chosen: Array,
    other_classes: Array,
    begins: Array,
    columns: Array,
    totals: Array,
    many: int,
) -> bool:
    """See `sums`: columns and totals of each class are filled in."""
    here = np.zeros(many, dtype=np.int64)
    for c in range(len(chosen)):
        row, place = chosen[c], begins[c]
        for entry in range(start[row], start[row + 1]):
            here[other_classes[other[entry]]] += values[entry]
        for entry in range(start[row], start[row + 1]):
            column = other_classes[other[entry]]
            if here[column]:
                columns[place], totals[place] = column, here[column]
                here[column] = 0
                place += 1
        begins[c + 1] = place
    for row in range(len(classes)):
        for entry in range(start[row], start[row + 1]):
            here[other_classes[other[entry]]] += values[entry]
        for place in range(begins[classes[row]], begins[classes[row] + 1]):
            here[columns[place]] -= totals[place]
        for entry in range(start[row], start[row + 1]):
            if here[other_classes[other[entry]]]:
                return False
        for place in range(begins[classes[row]], begins[classes[row] + 1]):
            if here[columns[place]]:
                return False
    return True


def sums(
    start: Array, other: Array, values: Array, classes: Array, chosen: Array, other_classes: Array, many: int
) -> tuple[Array, Array, Array] | None:
    most = int(np.diff(start)[chosen].sum())
    begins, columns = np.zeros(len(chosen) + 1, dtype=np.int64), np.empty(most, dtype=np.int32)
    totals = np.empty(most, dtype=np.int64)
    if not _sums(start, other, values, classes, chosen, other_classes, begins, columns, totals, many):
        return None
    rows = np.repeat(np.arange(len(chosen), dtype=np.int32), np.diff(begins))
    order = np.lexsort((columns[: len(rows)], rows))
    return rows, columns[order], totals[order]
