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
def _mixed(word: np.uint64) -> np.uint64:
    word = word + np.uint64(0x9E3779B97F4A7C15)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@njit(cache=True, nogil=True)
def paid(own: Array, other: Array, words: Array, colours: Array, many: int) -> Array:
    found = np.zeros(many, dtype=np.uint64)
    for entry in range(len(own)):
        found[own[entry]] += words[entry] * colours[other[entry]]
    return found


@njit(cache=True, nogil=True)
def _swept(parent: Array, first: Array, sequences: Array, sets: Array) -> None:
    for s in range(len(sequences)):
        sequences[s] = _mixed(sequences[s])
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


def sweep(parent: Array, first: Array) -> Callable[[Array, Array], None]:
    return partial(_swept, parent, first)


@njit(cache=True, nogil=True)
def _numbered(keys: Array, numbers: Array, most: int) -> int:
    """Number equal keys alike in the order they are met, until there are more than `most`; how many there are."""
    slots = np.full(FIRST_SLOTS, -1, dtype=np.int32)  # numbers, by the first bits of their keys
    met = np.empty(FIRST_SLOTS, dtype=keys.dtype)  # the key of each number
    mask = np.uint64(FIRST_SLOTS - 1)
    many = 0
    for place in range(len(keys)):
        key = keys[place]
        slot = key & mask
        while slots[slot] >= 0 and met[slots[slot]] != key:
            slot = (slot + np.uint64(1)) & mask
        if slots[slot] < 0:
            if many >= most:
                return many + 1
            slots[slot] = many
            met[many] = key
            many += 1
            if 2 * many > len(slots):
                wider = np.full(2 * len(slots), -1, dtype=np.int32)
                mask = np.uint64(len(wider) - 1)
                for number in range(many):
                    slot = met[number] & mask
                    while wider[slot] >= 0:
                        slot = (slot + np.uint64(1)) & mask
                    wider[slot] = number
                slots = wider
                longer = np.empty(len(wider), dtype=keys.dtype)
                longer[:many] = met[:many]
                met = longer
                numbers[place] = many - 1
                continue
        numbers[place] = slots[slot]
    return many


def count(colours: Array, most: int) -> int:
    return int(_numbered(colours, np.empty(len(colours), dtype=np.int32), most))


def numbered(colours: Array) -> tuple[Array, Array]:
    numbers = np.empty(len(colours), dtype=np.int32)
    many = _numbered(colours, numbers, len(colours))
    return numbers, _firsts(numbers, many)


@njit(cache=True, nogil=True)
def _firsts(numbers: Array, many: int) -> Array:
    firsts = np.empty(many, dtype=np.int64)
    for place in range(len(numbers) - 1, -1, -1):
        firsts[numbers[place]] = place
    return firsts


@njit(cache=True, nogil=True)
def _evenly(holders: Array, classes: Array, each: Array, having: Array) -> bool:
    """See `evenly`: `each` and how many holders have each class are filled in."""
    start = np.zeros(holders.max() + 2, dtype=np.int64)
    for place in range(len(holders)):
        start[holders[place] + 1] += 1
    start = np.cumsum(start)
    order, next_place = np.empty(len(holders), dtype=np.int64), start.copy()
    for place in range(len(holders)):
        order[next_place[holders[place]]] = place
        next_place[holders[place]] += 1
    here = np.zeros(len(each), dtype=np.int64)
    for holder in range(len(start) - 1):
        held = order[start[holder] : start[holder + 1]]
        for place in held:
            here[classes[place]] += 1
        for place in held:
            one = classes[place]
            if here[one]:
                if having[one] == 0:
                    each[one] = here[one]
                if each[one] != here[one]:
                    return False
                having[one] += 1
                here[one] = 0
    return True


def evenly(holders: Array, classes: Array, many: Array) -> Array | None:
    each, having = np.zeros(len(many), dtype=np.int64), np.zeros(len(many), dtype=np.int64)
    if len(holders) and not _evenly(holders, classes, each, having):
        return None
    return each if np.array_equal(having, many) else None
