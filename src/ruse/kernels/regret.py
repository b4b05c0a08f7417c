"""Counterfactual regret minimisation (Zinkevich et al. 2007) as sweeps over a form laid out in groups and strips.

For one side, against the other's present plan: gains of every sequence, then up the tree the worth v of each
information set under the present odds, the regret r = worth - v of each move, and new odds; then down the tree the new
plan and the weighted sum of plans. No recursion, no hashing: inner loops are plain arithmetic on neighbours
(ruse.forms.cfr_layout says how sequences lie), which the compiler turns into vector instructions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

Array = np.ndarray[Any, np.dtype[Any]]


TILE = 64  # blocks at a time: what they need stays in the nearest cache


@njit(cache=True, nogil=True)
def gains(payoffs: Any, plan: Array, worth: Array) -> None:
    """What each sequence gains against the other side's plan, at its own ends (`cfr_layout.Payoffs.arrays`)."""
    strips, column, value, groups, rows, columns, factors, matrices = payoffs
    in_strips(strips, column, value, plan, worth)
    in_blocks(groups, rows, columns, factors, matrices, plan, worth)


@njit(cache=True, nogil=True)
def in_strips(strips: Array, column: Array, value: Array, plan: Array, worth: Array) -> None:
    for n in range(len(strips)):
        row, m, entries, base = strips[n, 0], strips[n, 1], strips[n, 2], strips[n, 3]
        out = worth[row : row + m]
        out[:] = 0.0
        for _ in range(entries):
            gain, place = value[base : base + m], column[base : base + m]
            for r in range(m):
                out[r] += gain[r] * plan[place[r]]
            base += m


@njit(cache=True, nogil=True)
def in_blocks(
    groups: Array, rows: Array, columns: Array, factors: Array, matrices: Array, plan: Array, worth: Array
) -> None:
    """The same at rows whose entries are those of a matrix that many blocks share."""
    most = groups[:, 2].max() if len(groups) else 0
    weights, total = np.empty((most, TILE)), np.empty(TILE)
    for g in range(len(groups)):
        many, high, wide = groups[g, 0], groups[g, 1], groups[g, 2]
        row, place, factor, entry = groups[g, 3], groups[g, 4], groups[g, 5], groups[g, 6]
        for begin in range(0, many, TILE):
            here = min(TILE, many - begin)
            scale = factors[factor + begin : factor + begin + here]
            for j in range(wide):
                where, weight = columns[place + j * many + begin :], weights[j]
                for b in range(here):
                    weight[b] = plan[where[b]] * scale[b]
            for i in range(high):
                total[:here] = 0.0
                for j in range(wide):
                    paid = matrices[entry + i * wide + j]
                    if paid != 0.0:
                        weight = weights[j]
                        for b in range(here):
                            total[b] += paid * weight[b]
                where = rows[row + i * many + begin :]
                for b in range(here):
                    worth[where[b]] = total[b]


@njit(cache=True, nogil=True, error_model="numpy")
def update(
    groups: Array, parents: Array, worth: Array, regret: Array, odds: Array, step: Array, floor: bool, scratch: Array
) -> None:
    """Up the tree: regrets and new odds, in place. `step` holds the factors of this iteration (`cfr.Variant.steps`)."""
    keep, keep_negative, lean, predict = step[0], step[1], step[2], step[3]
    least = 0.0 if floor else -np.inf
    for g in range(len(groups) - 1, -1, -1):
        offset, m, k, first = groups[g, 0], groups[g, 1], groups[g, 2], groups[g, 3]
        parent = parents[first : first + m]
        value, total = scratch[0, :m], scratch[1, :m]
        value[:] = 0.0
        for a in range(k):
            low, high = offset + a * m, offset + a * m + m
            w, o = worth[low:high], odds[low:high]
            for j in range(m):
                value[j] += o[j] * w[j]
        for j in range(m):
            worth[parent[j]] += value[j]
        if k == 1:
            continue
        total[:] = 0.0
        for a in range(k):
            low, high = offset + a * m, offset + a * m + m
            w, o, old = worth[low:high], odds[low:high], regret[low:high]
            for j in range(m):
                r = w[j] - value[j]
                new = max(old[j] * (keep if old[j] > 0 else keep_negative) + r, least)
                share = max(new * lean + predict * r, 0.0)
                old[j] = new
                o[j] = share
                total[j] += share
        for j in range(m):
            total[j] = 1.0 / total[j] if total[j] > 0 else 0.0
        even = 1.0 / k
        for a in range(k):
            o = odds[offset + a * m : offset + a * m + m]
            for j in range(m):
                o[j] = o[j] * total[j] if total[j] > 0 else even


@njit(cache=True, nogil=True)
def play(groups: Array, parents: Array, odds: Array, plan: Array, total: Array, fade: float, scratch: Array) -> None:
    """Down the tree: the plan of the odds, and total = total * fade + plan."""
    for g in range(len(groups)):
        offset, m, k, first = groups[g, 0], groups[g, 1], groups[g, 2], groups[g, 3]
        parent, reach = parents[first : first + m], scratch[0, :m]
        for j in range(m):
            reach[j] = plan[parent[j]]
        for a in range(k):
            low, high = offset + a * m, offset + a * m + m
            o, p, t = odds[low:high], plan[low:high], total[low:high]
            for j in range(m):
                weight = reach[j] * o[j]
                p[j] = weight
                t[j] = t[j] * fade + weight


@njit(cache=True, nogil=True)
def iterate(
    payoffs: Any,
    trees: Any,
    regrets: Any,
    odds: Any,
    plans: Any,
    totals: Any,
    worths: Any,
    scratch: Array,
    steps: Array,
    floor: bool,
    alternate: bool,
) -> None:
    """Run len(steps) iterations, in place; every argument but the last four is a pair, side 0's first."""
    for t in range(len(steps)):
        step = steps[t]
        gains(payoffs[0], plans[1], worths[0])
        if not alternate:
            gains(payoffs[1], plans[0], worths[1])
        update(trees[0][0], trees[0][1], worths[0], regrets[0], odds[0], step, floor, scratch)
        play(trees[0][0], trees[0][1], odds[0], plans[0], totals[0], step[4], scratch)
        if alternate:
            gains(payoffs[1], plans[0], worths[1])
        update(trees[1][0], trees[1][1], worths[1], regrets[1], odds[1], step, floor, scratch)
        play(trees[1][0], trees[1][1], odds[1], plans[1], totals[1], step[4], scratch)
