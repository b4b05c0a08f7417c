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

from ruse.core.arrays import Array
from ruse.kernels.atomics import CLOSED, FINISHED, LOW, TICKET, atomic_add, atomic_store, wait_until, wait_while
from ruse.kernels.vectors import inner

TILE = 64  # blocks at a time: what they need stays in the nearest cache


@njit(cache=True, nogil=True)
def gains(payoffs: Any, plan: Array, values: Array) -> None:
    """What each sequence gains against the other side's plan, at its own ends (`cfr_layout.Payoffs.arrays`)."""
    for place in range(len(payoffs[0])):
        part_of_gains(payoffs, place, plan, values)


@inner
def part_of_gains(payoffs: Any, place: int, plan: Array, values: Array) -> None:
    """Add up the gains of one part of the rows: some strips, or some blocks of a group."""
    parts, strips, column, value, groups, rows, columns, factors, matrices = payoffs
    group, begin, end = parts[place, 0], parts[place, 1], parts[place, 2]
    if group < 0:
        in_strips(strips[begin:end], column, value, plan, values)
    else:
        in_blocks(groups[group], begin, end, rows, columns, factors, matrices, plan, values)


@inner
def part_of_side(payoffs: Any, side: int, place: int, plans: Any, sequence_values: Any) -> None:
    """Add up the gains of one part of a side: the payoffs of both sides may be of different types."""
    if side == 0:
        part_of_gains(payoffs[0], place, plans[1], sequence_values[0])
    else:
        part_of_gains(payoffs[1], place, plans[0], sequence_values[1])


@inner
def in_strips(strips: Array, column: Array, value: Array, plan: Array, values: Array) -> None:
    for n in range(len(strips)):
        row, m, entries, base = strips[n, 0], strips[n, 1], strips[n, 2], strips[n, 3]
        out = values[row : row + m]
        out[:] = 0.0
        for _ in range(entries):
            gain, place = value[base : base + m], column[base : base + m]
            for r in range(m):
                out[r] += gain[r] * plan[place[r]]
            base += m


@inner
def in_blocks(
    group: Array,
    first: int,
    last: int,
    rows: Array,
    columns: Array,
    factors: Array,
    matrices: Array,
    plan: Array,
    values: Array,
) -> None:
    """Add up gains at rows of blocks first:last, which share the entries of one matrix."""
    many, high, wide = group[0], group[1], group[2]
    row, place, factor, entry = group[3], group[4], group[5], group[6]
    weights, total = np.empty((wide, TILE)), np.empty(TILE)
    for begin in range(first, last, TILE):
        here = min(TILE, last - begin)
        scale = factors[factor + begin : factor + begin + here]
        for j in range(wide):
            indices, weight = columns[place + j * many + begin :], weights[j]
            for b in range(here):
                weight[b] = plan[indices[b]] * scale[b]
        for i in range(high):
            total[:here] = 0.0
            for j in range(wide):
                paid = matrices[entry + i * wide + j]
                if paid != 0.0:
                    weight = weights[j]
                    for b in range(here):
                        total[b] += paid * weight[b]
            indices = rows[row + i * many + begin :]
            for b in range(here):
                values[indices[b]] = total[b]


@njit(cache=True, nogil=True, error_model="numpy")
def update(
    groups: Array, parents: Array, values: Array, regret: Array, odds: Array, step: Array, floor: bool, scratch: Array
) -> None:
    """Up the tree: regrets and new odds, in place. `step` holds the factors of this iteration (`CfrVariant.steps`)."""
    keep, keep_negative, lean, predict = step[0], step[1], step[2], step[3]
    least = 0.0 if floor else -np.inf
    for g in range(len(groups) - 1, -1, -1):
        offset, m, k, first = groups[g, 0], groups[g, 1], groups[g, 2], groups[g, 3]
        parent = parents[first : first + m]
        value, total = scratch[0, :m], scratch[1, :m]
        value[:] = 0.0
        for a in range(k):
            low, high = offset + a * m, offset + a * m + m
            w, o = values[low:high], odds[low:high]
            for j in range(m):
                value[j] += o[j] * w[j]
        for j in range(m):
            values[parent[j]] += value[j]
        if k == 1:
            continue
        total[:] = 0.0
        for a in range(k):
            low, high = offset + a * m, offset + a * m + m
            w, o, old = values[low:high], odds[low:high], regret[low:high]
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
    sequence_values: Any,
    scratch: Array,
    steps: Array,
    floor: bool,
    alternate: bool,
    shared: Array,
    worker: int,
) -> None:
    """Run len(steps) iterations, in place; every argument but the last six is a pair, side 0's first.

    All workers call this with the same `shared`. Worker 0 runs, and others take parts of the gains, round by round:
    shared[TICKET] says which round it is, and how many of its parts are taken.
    """
    both = len(payoffs[0][0]), len(payoffs[1][0])
    done = 0
    while worker > 0:
        ticket = atomic_add(shared, TICKET, 1)
        opened, place = ticket >> 32, ticket & LOW
        if opened == CLOSED:
            return
        side = (opened + 1) % 2
        if opened > 0 and place < both[side]:
            part_of_side(payoffs, side, place, plans, sequence_values)
            atomic_add(shared, FINISHED, 1)
        else:
            wait_while(shared, TICKET, 32, opened)
    for number in range(2 * len(steps)):
        side, t = number % 2, number // 2
        atomic_store(shared, TICKET, (number + 1) << 32)
        place = atomic_add(shared, TICKET, 1) & LOW
        while place < both[side]:
            part_of_side(payoffs, side, place, plans, sequence_values)
            atomic_add(shared, FINISHED, 1)
            place = atomic_add(shared, TICKET, 1) & LOW
        done += both[side]
        wait_until(shared, FINISHED, done)
        for own in range(2):
            if (own == side) if alternate else (side == 1):
                values = sequence_values[own]
                update(trees[own][0], trees[own][1], values, regrets[own], odds[own], steps[t], floor, scratch)
                play(trees[own][0], trees[own][1], odds[own], plans[own], totals[own], steps[t, 4], scratch)
    atomic_store(shared, TICKET, CLOSED << 32)
