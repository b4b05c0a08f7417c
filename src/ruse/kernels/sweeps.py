"""Sweeps up and down a treeplex, and products with the payoffs, which every solver is made of.

`parent` and `first` are those of a `Treeplex`; `start`, `column`, `value` hold one side's payoffs row after row, a row
a sequence, as what that side itself gains. Integers stay integers: the same sweeps give exact bounds on int64.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from ruse.core.arrays import Array


@njit(cache=True, nogil=True)
def gains(start: Array, column: Array, value: Array, plan: Array, out: Array) -> None:
    """out[s] = sum over the row of s of value * plan[column]: what each sequence gains at its own ends."""
    for row in range(len(out)):
        total = plan[0] * 0
        for entry in range(start[row], start[row + 1]):
            total += value[entry] * plan[column[entry]]
        out[row] = total


@njit(cache=True, nogil=True)
def best_response(parent: Array, first: Array, values: Array) -> None:
    """Add up the best of each information set, children before parents: worth[0] is then the best response's value."""
    for i in range(len(parent) - 1, -1, -1):
        best = values[first[i]]
        for s in range(first[i] + 1, first[i + 1]):
            best = max(best, values[s])
        values[parent[i]] += best


@njit(cache=True, nogil=True)
def _total_and_largest(weights: Array, begin: int, end: int) -> tuple[float, int]:
    """What the weights of a set come to, without those below zero, and which is the largest."""
    total, largest = 0.0, begin
    for s in range(begin, end):
        total += max(weights[s], 0.0)
        if weights[s] > weights[largest]:
            largest = s
    return total, largest


@njit(cache=True, nogil=True)
def whole_plan(parent: Array, first: Array, weights: Array, plan: Array) -> None:
    """Split the whole number plan[0] down the tree in proportion to weights: a plan in units of 1 / plan[0].

    Each share is rounded down and the largest takes the rest, so the parts of a set add up exactly.
    """
    for i in range(len(parent)):
        whole = plan[parent[i]]
        total, largest = _total_and_largest(weights, first[i], first[i + 1])
        left = whole
        for s in range(first[i], first[i + 1]):
            share = max(weights[s], 0.0) / total if total > 0 else 1.0 / (first[i + 1] - first[i])
            plan[s] = min(np.int64(share * whole), left)
            left -= plan[s]
        plan[largest] += left


@njit(cache=True, nogil=True)
def without_small(parent: Array, first: Array, weights: Array, smallest: float, plan: Array) -> None:
    """The plan in proportion to weights without what comes to less than a limit, but for the largest of a set."""
    plan[0] = 1.0
    for i in range(len(parent)):
        total, largest = _total_and_largest(weights, first[i], first[i + 1])
        limit = smallest * total / plan[parent[i]] if plan[parent[i]] > 0 else np.inf
        left = 0.0
        for s in range(first[i], first[i + 1]):
            plan[s] = max(weights[s], 0.0) if weights[s] >= limit or s == largest else 0.0
            left += plan[s]
        for s in range(first[i], first[i + 1]):
            plan[s] = plan[s] / left * plan[parent[i]] if left > 0 else plan[parent[i]] / (first[i + 1] - first[i])


@njit(cache=True, nogil=True)
def normalised(parent: Array, first: Array, weights: Array, plan: Array) -> None:
    """The plan that splits 1 down the tree in proportion to weights; evenly where they are all zero or less."""
    plan[0] = 1.0
    for i in range(len(parent)):
        total = 0.0
        for s in range(first[i], first[i + 1]):
            total += max(weights[s], 0.0)
        for s in range(first[i], first[i + 1]):
            share = max(weights[s], 0.0) / total if total > 0 else 1.0 / (first[i + 1] - first[i])
            plan[s] = plan[parent[i]] * share


@njit(cache=True, nogil=True)
def depths(parent: Array, first: Array, depth: Array) -> None:
    """How many of its own information sets a side passes on the way to each: depth[i], parents first."""
    behind = np.zeros(first[-1], dtype=depth.dtype)  # of each sequence, the depth of what follows it
    for i in range(len(parent)):
        depth[i] = behind[parent[i]]
        for s in range(first[i], first[i + 1]):
            behind[s] = depth[i] + 1


@njit(cache=True, nogil=True)
def components(start: Array, column: Array, part: Array) -> int:
    """Number the connected parts of rows and columns that entries join; part[rows + c] is that of column c.

    Parts are numbered by their first row, or column where they have no row. Returns how many there are.
    """
    rows = len(start) - 1
    for n in range(len(part)):
        part[n] = n  # a node of the same part that comes no later; the first one leads to itself
    for row in range(rows):
        mine = row
        for entry in range(start[row], start[row + 1]):
            its = rows + column[entry]
            while part[mine] != mine:
                part[mine] = part[part[mine]]
                mine = part[mine]
            while part[its] != its:
                part[its] = part[part[its]]
                its = part[its]
            part[max(mine, its)] = min(mine, its)
    many = 0
    for n in range(len(part)):
        if part[n] == n:
            part[n] = many
            many += 1
        else:
            part[n] = part[part[n]]
    return many
