"""The loops of colour refinement, compiled: each does a part of the work, and writes where no other part does."""

from __future__ import annotations

import numpy as np
from numba import njit

from ruse.core.arrays import Array

FIRST_SLOTS = 1 << 14  # of a table of colours
SPARE = 8  # slots for a colour: a table that is fuller becomes twice as long


@njit(cache=True, nogil=True)
def count(own: Array, low: int, high: int, start: Array) -> None:
    """How many entries each of the rows low:high has, two places further on."""
    for entry in range(len(own)):
        if low <= own[entry] < high:
            start[own[entry] + 2] += 1


@njit(cache=True, nogil=True)
def fill(
    own: Array, other: Array, values: Array, low: int, high: int, start: Array, others: Array, moved: Array
) -> None:
    """Put the entries of the rows low:high where they belong: start[row + 1] moves on from its row's start to its end.

    There may be no values.
    """
    for entry in range(len(own)):
        row = own[entry]
        if low <= row < high:
            place = start[row + 1]
            start[row + 1] = place + 1
            others[place] = other[entry]
            if len(values):
                moved[place] = values[entry]


@njit(cache=True, nogil=True)
def _mixed(word: np.uint64) -> np.uint64:
    word = word + np.uint64(0x9E3779B97F4A7C15)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@njit(cache=True, nogil=True)
def pay(start: Array, other: Array, words: Array, colours: Array, sequences: Array, begin: int, end: int) -> None:
    """Sequences begin:end get the sum of what they are paid, times the colours of who pays: 1 where there are none."""
    for s in range(begin, end):
        word = np.uint64(0)
        if len(colours):
            for entry in range(start[s], start[s + 1]):
                word += np.uint64(np.int64(words[entry])) * colours[other[entry]]
        else:
            for entry in range(start[s], start[s + 1]):
                word += np.uint64(np.int64(words[entry]))
        sequences[s] = word


@njit(cache=True, nogil=True)
def rise(parent: Array, first: Array, sequences: Array, sets: Array, ranges: Array) -> None:
    """Sets get the sum of their sequences, those that they follow the sum of theirs."""
    for k in range(len(ranges) - 1, -1, -1):
        for i in range(ranges[k, 1] - 1, ranges[k, 0] - 1, -1):
            total = np.uint64(0)
            for s in range(first[i], first[i + 1]):
                total += _mixed(sequences[s])
            sets[i] = total
            sequences[parent[i]] += _mixed(~total)


@njit(cache=True, nogil=True)
def sink(parent: Array, first: Array, sequences: Array, sets: Array, ranges: Array) -> None:
    """Sets are told apart by the sequence that they follow too, and so are their sequences."""
    for k in range(len(ranges)):
        for i in range(ranges[k, 0], ranges[k, 1]):
            colour = _mixed(sets[i] + _mixed(sequences[parent[i]]))
            sets[i] = colour
            for s in range(first[i], first[i + 1]):
                sequences[s] = _mixed(sequences[s] + colour)


@njit(cache=True, nogil=True)
def layers(parent: Array, first: Array, most: int) -> Array:
    """Where layers of sets begin, none of which follows another of its layer, and where the last one ends.

    Where there would be more than `most` layers, all is one.
    """
    begins = np.zeros(most + 1, dtype=np.int64)
    many = 0
    for i in range(len(parent)):
        if parent[i] >= first[begins[many]]:
            many += 1
            if many == most:
                many = 0
                break
            begins[many] = i
    begins[many + 1] = len(parent)
    return begins[: many + 2].copy()


@njit(cache=True, nogil=True)
def differing(first: Array, colours: Array, sets: Array) -> int:
    """How many colours the sequences of those sets have, set by set."""
    total = 0
    for i in sets:
        for s in range(first[i], first[i + 1]):
            new = 1
            for earlier in range(first[i], s):
                if colours[earlier] == colours[s]:
                    new = 0
            total += new
    return total


@njit(cache=True, nogil=True)
def number(
    keys: Array, first: Array, colours: Array, numbers: Array, most: int, begin: int, end: int
) -> tuple[Array, int]:
    """Number the sets begin:end by their keys, in the order they are met: where each is met first, and how many
    colours the sequences of those have. It ends at more than `most`.
    """
    slots = np.full(FIRST_SLOTS, -1, dtype=np.int32)  # numbers, by the first bits of their keys
    known = np.empty(FIRST_SLOTS // SPARE + 1, dtype=keys.dtype)  # the key of each number
    firsts = np.empty(len(known), dtype=np.int64)
    mask = np.uint64(FIRST_SLOTS - 1)
    many, total = 0, 0
    here = np.empty(1, dtype=np.int64)
    for place in range(begin, end):
        key = keys[place]
        slot = key & mask
        while slots[slot] >= 0 and known[slots[slot]] != key:
            slot = (slot + np.uint64(1)) & mask
        if slots[slot] < 0:
            here[0] = place
            total += differing(first, colours, here)
            if total > most:
                break
            slots[slot] = many
            known[many], firsts[many] = key, place
            many += 1
            if SPARE * many > len(slots):
                wider = 2 * len(slots)
                slots, mask = np.full(wider, -1, dtype=np.int32), np.uint64(wider - 1)
                for old in range(many):
                    slot = known[old] & mask
                    while slots[slot] >= 0:
                        slot = (slot + np.uint64(1)) & mask
                    slots[slot] = old
                longer = np.empty(wider // SPARE + 1, dtype=keys.dtype)
                later = np.empty(len(longer), dtype=np.int64)
                longer[:many], later[:many] = known[:many], firsts[:many]
                known, firsts = longer, later
                numbers[place] = many - 1
                continue
        numbers[place] = slots[slot]
    return firsts[:many].copy(), total


@njit(cache=True, nogil=True)
def renumber(numbers: Array, begin: int, end: int, new: Array) -> None:
    """Numbers begin:end, as they are to be."""
    for i in range(begin, end):
        numbers[i] = new[numbers[i]]


@njit(cache=True, nogil=True)
def place(
    first: Array,
    set_classes: Array,
    begins: Array,
    known: Array,
    numbers: Array,
    each: Array,
    offsets: Array,
    colours: Array,
    classes: Array,
    begin: int,
    end: int,
) -> bool:
    """The classes of the sequences of sets begin:end; False unless a set has as many of each as its class is to have.

    The k-th sequence of a set is looked for where that of another set of its class c was found, which is kept at
    offsets[c] + k. A set whose colours are all found there has as many of each as the other, which was counted.
    """
    here, lowest = np.zeros(len(each), dtype=np.int64), np.full(offsets[-1], -1, dtype=np.int32)
    for i in range(begin, end):
        c = set_classes[i]
        kept = offsets[c] - first[i]
        alike = first[i + 1] + kept == offsets[c + 1]
        if not alike:
            return False
        for s in range(first[i], first[i + 1]):
            low = lowest[kept + s]
            if low < 0 or known[low] != colours[s]:
                alike = False
                break
            classes[s] = numbers[low]
        if alike:
            continue
        for s in range(first[i], first[i + 1]):
            low, high = begins[c] - 1, begins[c + 1] - 1
            while high - low > 1:
                middle = (low + high) // 2
                if known[middle] > colours[s]:
                    high = middle
                else:
                    low = middle
            if known[low] != colours[s]:
                return False
            lowest[kept + s], classes[s] = low, numbers[low]
            here[numbers[low]] += 1
        for entry in range(begins[c], begins[c + 1]):
            if here[entry] != each[entry]:
                return False
            here[entry] = 0
    return True


@njit(cache=True, nogil=True)
def follow(
    parent: Array, set_classes: Array, classes: Array, parents: Array, sizes: Array, begin: int, end: int
) -> bool:
    """Whether each of the sets begin:end follows a sequence of the class that its class is to follow.

    Sets of each class are counted.
    """
    for i in range(begin, end):
        c = set_classes[i]
        sizes[c] += 1
        if classes[parent[i]] != parents[c]:
            return False
    return True


@njit(cache=True, nogil=True)
def even(start: Array, classes: Array, each: Array, begin: int, end: int) -> bool:
    """Whether each of the rows begin:end that has any of a class has as many as it is to have."""
    here = np.zeros(len(each), dtype=np.int64)
    for row in range(begin, end):
        for entry in range(start[row], start[row + 1]):
            here[classes[entry]] += 1
        for entry in range(start[row], start[row + 1]):
            group = classes[entry]
            if here[group] and here[group] != each[group]:
                return False
            here[group] = 0
    return True


@njit(cache=True, nogil=True)
def add_up(
    start: Array, other: Array, values: Array, chosen: Array, other_classes: Array, many: int, begins: Array,
    columns: Array, totals: Array,
) -> None:  # fmt: skip
    """What each chosen row adds up to at each of the `many` classes of columns, where that is not 0."""
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


@njit(cache=True, nogil=True)
def agree(
    start: Array, other: Array, values: Array, classes: Array, other_classes: Array, many: int, begins: Array,
    columns: Array, totals: Array, begin: int, end: int,
) -> bool:  # fmt: skip
    """Whether each of the rows begin:end adds up to what the chosen row of its class does."""
    here = np.zeros(many, dtype=np.int64)
    for row in range(begin, end):
        low, high = begins[classes[row]], begins[classes[row] + 1]
        if high - low == 1 and start[row + 1] - start[row] == 1:  # nothing is to be added
            entry = start[row]
            if columns[low] != other_classes[other[entry]] or totals[low] != values[entry]:
                return False
            continue
        for entry in range(start[row], start[row + 1]):
            here[other_classes[other[entry]]] += values[entry]
        for place in range(low, high):
            here[columns[place]] -= totals[place]
        for entry in range(start[row], start[row + 1]):
            if here[other_classes[other[entry]]]:
                return False
        for place in range(low, high):
            if here[columns[place]]:
                return False
    return True
