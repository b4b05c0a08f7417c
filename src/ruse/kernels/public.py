"""Counterfactual regret minimisation on a public tree: sweeps with hands innermost, VECTOR_WIDTH of them at once.

The tree is cut into pieces (ruse.forms.public_layout). In a piece each side has its rows, one for every move at a node
of its own, and a *slot* for each of them after slot 0, for what led to the piece. A pass updates one side, `me`,
against the present odds of the other: down its nodes go the weights of the other side's hands, and with them the sum of
its plans; ends turn those into what my hands get; up my nodes go those values, and my regrets with them. Odds are not
stored: they are the positive parts of the regrets in proportion, or of the regrets that are expected next. Pieces share
nothing but the top, which is piece 0, so it does not matter to any sum who sweeps which, or when.
"""

from __future__ import annotations

from typing import Any

from numba import njit

from ruse.core.arrays import Array
from ruse.kernels.atomics import CLOSED, FINISHED, LOW, TICKET, atomic_add, atomic_store, wait_until, wait_while
from ruse.kernels.public_moves import climb, fall
from ruse.kernels.vectors import VECTOR_WIDTH, added_up, inner, item, load, multiply_add, splat, store

DOWN, PIECES, UP = range(3)  # parts of a pass: down the top, through all other pieces, up the top
FEW = 8  # times VECTOR_WIDTH hands, whose sums are better kept in registers


@inner
def sweep(
    sides: Any,
    ends: Any,
    payoffs: Any,
    begin: int,
    end: int,
    me: int,
    mine: Any,
    other: Any,
    step: Array,
    fade: Any,
    going: Any,
    top: Any,
    scratch: Any,
) -> None:
    """A pass of side `me` through pieces begin:end.

    `mine` holds my regrets and what they are expected to be next, `other` that of the other side which its odds come
    from, and the sum of its plans. `going` says whether to go down, whether to add to that sum by the way, whether to
    look at ends, whether to go up, and what a variant does there: whether regrets have a floor, and whether to predict.
    `top` has the weights and values of the top's slots, and what each piece was worth; `scratch` is for other pieces.
    """
    span, runs, _, start, leaf, width, _, _, _ = sides[me]
    its_span, its_runs, _, its_start, its_leaf, wide, _, _, _ = sides[1 - me]
    end_span, end_runs, slots = ends
    slot, its_slot = slots[me], slots[1 - me]
    matrix, scale, values, hands, shares, numbers, factors = payoffs[me]
    factor_span, counts, patterns = factors
    regret, hope = mine
    odds_from = hope if going[5] else regret
    source, total = other
    falls, average, valued, climbs, floor, predicts = going
    zero = splat(numbers[0])
    for p in range(begin, end):
        reach, hand_values = scratch[0], scratch[1]
        if p == 0:
            reach, hand_values = top[0], top[1]
        elif falls:
            for b in range(0, wide, VECTOR_WIDTH):
                store(reach, b, load(top[0], its_leaf[p] * wide + b))
        for n in range(its_span[p], its_span[p + 1] if falls else its_span[p]):
            run = its_runs[n, 0], its_runs[n, 1], its_runs[n, 2], its_runs[n, 3]
            to = (run[3] - its_start[p] + 1) * wide
            fall(run, to, sides[1 - me], (reach, source, total, shares), numbers, fade, average)
        if falls and valued:
            for b in range(0, (start[p + 1] - start[p] + 1) * width, VECTOR_WIDTH):
                store(hand_values, b, zero)
            for n in range(end_span[p], end_span[p + 1]):
                low, high, paid = end_runs[n, 0], end_runs[n, 1], end_runs[n, 2]
                place = matrix[paid] * wide * width
                times = splat(scale[paid])
                if width == VECTOR_WIDTH and wide == VECTOR_WIDTH:  # the matrix fits in registers
                    of_0, of_1 = load(values, place), load(values, place + VECTOR_WIDTH)
                    of_2, of_3 = load(values, place + 2 * VECTOR_WIDTH), load(values, place + 3 * VECTOR_WIDTH)
                    of_4, of_5 = load(values, place + 4 * VECTOR_WIDTH), load(values, place + 5 * VECTOR_WIDTH)
                    of_6, of_7 = load(values, place + 6 * VECTOR_WIDTH), load(values, place + 7 * VECTOR_WIDTH)
                    for v in range(low, high):
                        at, to = item(its_slot, v) * VECTOR_WIDTH, item(slot, v) * VECTOR_WIDTH
                        gain = splat(item(reach, at)) * of_0
                        more = splat(item(reach, at + 1)) * of_1
                        gain = multiply_add(splat(item(reach, at + 2)), of_2, gain)
                        more = multiply_add(splat(item(reach, at + 3)), of_3, more)
                        gain = multiply_add(splat(item(reach, at + 4)), of_4, gain)
                        more = multiply_add(splat(item(reach, at + 5)), of_5, more)
                        gain = multiply_add(splat(item(reach, at + 6)), of_6, gain)
                        more = multiply_add(splat(item(reach, at + 7)), of_7, more)
                        store(hand_values, to, multiply_add(gain + more, times, load(hand_values, to)))
                    continue
                begin_factor, end_factor = factor_span[matrix[paid]], factor_span[matrix[paid] + 1]
                for v in range(low, high):
                    weights, to = item(its_slot, v) * wide, item(slot, v) * width
                    if begin_factor < end_factor:
                        for f in range(begin_factor, end_factor):
                            counted = zero
                            for b in range(0, wide, VECTOR_WIDTH):
                                counted = multiply_add(load(reach, weights + b), load(counts, f * wide + b), counted)
                            much = splat(added_up(counted)) * times
                            for b in range(0, width, VECTOR_WIDTH):
                                gain = multiply_add(much, load(patterns, f * width + b), load(hand_values, to + b))
                                store(hand_values, to + b, gain)
                        continue
                    if width > FEW * VECTOR_WIDTH:  # a matrix that no cache holds is read line by line
                        for h in range(hands):
                            much = splat(item(reach, weights + h)) * times
                            for b in range(0, width, VECTOR_WIDTH):
                                gain = multiply_add(
                                    much, load(values, place + h * width + b), load(hand_values, to + b)
                                )
                                store(hand_values, to + b, gain)
                        continue
                    for b in range(0, width, VECTOR_WIDTH):
                        gain = zero
                        for h in range(hands):
                            gain = multiply_add(
                                splat(item(reach, weights + h)), load(values, place + h * width + b), gain
                            )
                        store(hand_values, to + b, multiply_add(gain, times, load(hand_values, to + b)))
        if not climbs:
            continue
        if p == 0:
            for q in range(1, len(leaf)):
                for b in range(0, width, VECTOR_WIDTH):
                    to = leaf[q] * width + b
                    store(hand_values, to, load(hand_values, to) + load(top[2], q * width + b))
        for n in range(span[p + 1] - 1, span[p] - 1, -1):
            run = runs[n, 0], runs[n, 1], runs[n, 2], runs[n, 3]
            to = (run[3] - start[p] + 1) * width
            climb(run, to, sides[me], (hand_values, odds_from, regret, hope, shares), numbers, step, floor, predicts)
        if p > 0:
            for b in range(0, width, VECTOR_WIDTH):
                store(top[2], p * width + b, load(hand_values, b))


@njit(cache=True, nogil=True)
def passes(
    fixed: Any, moving: Any, going: Any, room: Any, first: int, last: int, begins: Array, shared: Array, worker: int
) -> None:
    """Passes first:last, in place, by all workers that call this with the same `shared`.

    Worker 0 does the top and waits for the others. Stretches of other pieces (between `begins`) go to who comes first;
    if nobody else comes, it does them all. shared[TICKET] says which pass is open, and how many of its stretches are
    taken; shared[FINISHED] how many are done, of all passes. The sum of side 1's plans lacks its last one, which the
    next pass adds.
    """
    sides, ends, payoffs = fixed
    regrets, hopes, totals, steps, before = moving
    pending, floor, predicts, learns = going
    tops, scratches = room
    stretches = len(begins) - 1
    n, part = first, DOWN if worker == 0 else PIECES
    while n < last:
        low, high = 0, 1
        if part == PIECES:
            ticket = atomic_add(shared, TICKET, 1)
            opened, place = ticket >> 32, ticket & LOW
            if opened == CLOSED:
                return
            if opened == 0 or place >= stretches:
                if worker > 0:
                    wait_while(shared, TICKET, 32, opened)
                else:
                    wait_until(shared, FINISHED, (n - first + 1) * stretches)
                    part = UP
                continue
            n, low, high = first + opened - 1, begins[place], begins[place + 1]
        t, me = n // 2, n % 2
        fade = steps[t, 4] if me == 1 else steps[t - 1, 4] if t > 0 else before
        how = part != UP, me == 1 or t > 0 or pending, learns, learns and part != DOWN, floor, predicts
        mine = regrets[me], hopes[me]
        other = (hopes[1 - me] if predicts else regrets[1 - me]), totals[1 - me]
        sweep(sides, ends, payoffs, low, high, me, mine, other, steps[t], fade, how, tops[me], scratches[me])
        if part == DOWN:
            atomic_store(shared, TICKET, (n - first + 1) << 32)
            part = PIECES
        elif part == PIECES:
            atomic_add(shared, FINISHED, 1)
        else:
            n, part = n + 1, DOWN
    atomic_store(shared, TICKET, CLOSED << 32)


# Cutting a tree.


@njit(cache=True, nogil=True)
def subtree_sizes(first: Array, size: Array) -> None:
    """How many nodes there are below each, itself included; children come after parents."""
    for n in range(len(size) - 1, -1, -1):
        size[n] = 1
        for c in range(first[n], first[n + 1]):
            size[n] += size[c]


@njit(cache=True, nogil=True)
def cut(first: Array, size: Array, most: int, piece: Array) -> int:
    """Which piece each node is in; how many there are. A piece begins where a tree of more than `most` nodes has a part
    of at most as many.
    """
    pieces = 1
    piece[0] = 0
    for n in range(len(piece)):
        for c in range(first[n], first[n + 1]):
            piece[c] = piece[n]
            if size[0] > most and piece[n] == 0 and 1 < size[c] <= most:
                piece[c] = pieces
                pieces += 1
    return pieces


@njit(cache=True, nogil=True)
def slots(
    first: Array, turn: Array, piece: Array, row: Array, start: Array, side: int, slot: Array, leaf: Array
) -> None:
    """Which slot of a side's leads to each node, in its piece; and for each piece, which one of the top's does."""
    slot[0] = 0
    for n in range(len(turn)):
        for c in range(first[n], first[n + 1]):
            slot[c] = slot[n]
            if turn[n] == side and row[c] >= 0:
                slot[c] = row[c] - start[piece[n]] + 1
            if piece[c] != piece[n]:
                leaf[piece[c]] = slot[c]
                slot[c] = 0
