"""Ends of a public tree whose payoff is decided by who has the stronger hand, in time proportional to the hands.

A hand is two cards. Two hands never meet if they share a card (a *blocker*), and those that meet are compared by
strength. Hands lie in order of strength, so for each of mine `lower` says how many of the other side's are weaker, and
`upper` how many are not stronger. What a hand meets of the others up to a place is

    W = T - C[first card] - C[second card],

with T their weight so far and C[card] the weight of those with a card; only the same two cards are taken off twice,
which `same` gives back where it does not cancel. A showdown is worth (W at lower) + (W at upper) - (W of all), a fold W
of all, each times what is at stake.

`LANES` ends are taken together, one number each: then every step over hands is a step over vectors. The other side's
weights come hand by hand and leave so; 8 x 8 numbers at a time are turned in registers on the way.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import njit
from numba.core import types

from ruse.core.arrays import Array
from ruse.kernels.vectors import VECTOR_WIDTH, inner, intrinsic, item, load, multiply_add, splat, spread, store

LANES = 2 * VECTOR_WIDTH  # ends that are taken together
CARDS = 53  # and one that nobody has
SHOWS, FOLDS = 1, 2  # what a block has


@intrinsic
def turned(typing: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any, h: Any) -> Any:
    """Eight vectors of eight as a matrix, with rows and columns exchanged."""

    def made(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        rows = list(arguments)
        for step in (1, 2, 4):
            low = [j if not j & step else VECTOR_WIDTH + j - step for j in range(VECTOR_WIDTH)]
            high = [j + step if not j & step else VECTOR_WIDTH + j for j in range(VECTOR_WIDTH)]
            masks = [ir.Constant(ir.VectorType(ir.IntType(32), VECTOR_WIDTH), mask) for mask in (low, high)]
            for i in range(VECTOR_WIDTH):
                if not i & step:
                    first, second = rows[i], rows[i + step]
                    rows[i] = builder.shuffle_vector(first, second, masks[0])
                    rows[i + step] = builder.shuffle_vector(first, second, masks[1])
        return context.make_tuple(builder, signature.return_type, rows)

    rows_of_eight = types.UniTuple(a, VECTOR_WIDTH)  # type: ignore[no-untyped-call]
    return rows_of_eight(a, b, c, d, e, f, g, h), made


@inner
def _gather(reach: Array, slots: Array, block: int, wide: int, buffer: Array) -> None:
    """Put the weights of a block's ends side by side, hand by hand."""
    for half in range(0, LANES, VECTOR_WIDTH):
        at = block * LANES + half
        s0, s1, s2, s3 = item(slots, at), item(slots, at + 1), item(slots, at + 2), item(slots, at + 3)
        s4, s5, s6, s7 = item(slots, at + 4), item(slots, at + 5), item(slots, at + 6), item(slots, at + 7)
        for x in range(0, wide, VECTOR_WIDTH):
            rows = turned(
                load(reach, s0 * wide + x),
                load(reach, s1 * wide + x),
                load(reach, s2 * wide + x),
                load(reach, s3 * wide + x),
                load(reach, s4 * wide + x),
                load(reach, s5 * wide + x),
                load(reach, s6 * wide + x),
                load(reach, s7 * wide + x),
            )
            to = x * LANES + half
            store(buffer, to, rows[0])
            store(buffer, to + LANES, rows[1])
            store(buffer, to + 2 * LANES, rows[2])
            store(buffer, to + 3 * LANES, rows[3])
            store(buffer, to + 4 * LANES, rows[4])
            store(buffer, to + 5 * LANES, rows[5])
            store(buffer, to + 6 * LANES, rows[6])
            store(buffer, to + 7 * LANES, rows[7])


@spread
def _add(row: Any, slots: Array, amounts: Array, at: int, width: int, x: int, values: Array) -> None:
    to = item(slots, at) * width + x
    store(values, to, multiply_add(row, splat(item(amounts, at)), load(values, to)))


@inner
def _give(out: Array, slots: Array, amounts: Array, block: int, width: int, values: Array) -> None:
    """Add what each hand gets at a block's ends to the values of their slots."""
    for half in range(0, LANES, VECTOR_WIDTH):
        at = block * LANES + half
        for x in range(0, width, VECTOR_WIDTH):
            of = x * LANES + half
            rows = turned(
                load(out, of),
                load(out, of + LANES),
                load(out, of + 2 * LANES),
                load(out, of + 3 * LANES),
                load(out, of + 4 * LANES),
                load(out, of + 5 * LANES),
                load(out, of + 6 * LANES),
                load(out, of + 7 * LANES),
            )
            _add(rows[0], slots, amounts, at + 0, width, x, values)
            _add(rows[1], slots, amounts, at + 1, width, x, values)
            _add(rows[2], slots, amounts, at + 2, width, x, values)
            _add(rows[3], slots, amounts, at + 3, width, x, values)
            _add(rows[4], slots, amounts, at + 4, width, x, values)
            _add(rows[5], slots, amounts, at + 5, width, x, values)
            _add(rows[6], slots, amounts, at + 6, width, x, values)
            _add(rows[7], slots, amounts, at + 7, width, x, values)


@inner
def showdowns(blocks: Any, mine: Any, its: Any, reach: Array, values: Array, room: Any, numbers: Array) -> None:
    """All ends of a board for one side: `values` of its slots from the weights `reach` of the other side's slots.

    `mine` and `its` are hands: how many, with padding, first and second cards, lower, upper, same.
    """
    flags, slots, show_slots, show_amounts, fold_slots, fold_amounts = blocks
    count, width, first, second, lower, upper, same = mine
    others, wide, its_first, its_second, _, _, _ = its
    buffer, out, by_card = room
    zero, half = splat(numbers[0]), splat(numbers[3])
    store(buffer, wide * LANES, zero)
    store(buffer, wide * LANES + VECTOR_WIDTH, zero)
    for x in range(count, width):
        store(out, x * LANES, zero)
        store(out, x * LANES + VECTOR_WIDTH, zero)
    for block in range(len(flags)):
        _gather(reach, slots, block, wide, buffer)
        for c in range(0, CARDS * LANES, VECTOR_WIDTH):
            store(by_card, c, zero)
        all_0, all_1 = zero, zero
        for y in range(others):
            w0, w1 = load(buffer, y * LANES), load(buffer, y * LANES + VECTOR_WIDTH)
            all_0, all_1 = all_0 + w0, all_1 + w1
            a, b = item(its_first, y) * LANES, item(its_second, y) * LANES
            store(by_card, a, load(by_card, a) + w0)
            store(by_card, a + VECTOR_WIDTH, load(by_card, a + VECTOR_WIDTH) + w1)
            store(by_card, b, load(by_card, b) + w0)
            store(by_card, b + VECTOR_WIDTH, load(by_card, b + VECTOR_WIDTH) + w1)
        if flags[block] & FOLDS:
            for x in range(count):
                a, b, s = item(first, x) * LANES, item(second, x) * LANES, item(same, x) * LANES
                rest_0 = all_0 - load(by_card, a) - load(by_card, b) + load(buffer, s)
                rest_1 = all_1 - load(by_card, a + VECTOR_WIDTH) - load(by_card, b + VECTOR_WIDTH)
                store(out, x * LANES, rest_0)
                store(out, x * LANES + VECTOR_WIDTH, rest_1 + load(buffer, s + VECTOR_WIDTH))
            _give(out, fold_slots, fold_amounts, block, width, values)
        if flags[block] & SHOWS:
            sum_0, sum_1 = zero - half * all_0, zero - half * all_1
            for c in range(0, CARDS * LANES, VECTOR_WIDTH):
                store(by_card, c, zero - half * load(by_card, c))
            x = y = 0
            while x < count:
                until = item(lower, x)
                for z in range(y, until):
                    w0, w1 = load(buffer, z * LANES), load(buffer, z * LANES + VECTOR_WIDTH)
                    sum_0, sum_1 = sum_0 + w0, sum_1 + w1
                    a, b = item(its_first, z) * LANES, item(its_second, z) * LANES
                    store(by_card, a, load(by_card, a) + w0)
                    store(by_card, a + VECTOR_WIDTH, load(by_card, a + VECTOR_WIDTH) + w1)
                    store(by_card, b, load(by_card, b) + w0)
                    store(by_card, b + VECTOR_WIDTH, load(by_card, b + VECTOR_WIDTH) + w1)
                y = until
                until, end = item(upper, x), x
                while end < count and item(lower, end) == y and item(upper, end) == until:
                    a, b = item(first, end) * LANES, item(second, end) * LANES
                    store(out, end * LANES, sum_0 - load(by_card, a) - load(by_card, b))
                    rest_1 = sum_1 - load(by_card, a + VECTOR_WIDTH) - load(by_card, b + VECTOR_WIDTH)
                    store(out, end * LANES + VECTOR_WIDTH, rest_1)
                    end += 1
                if y < until:
                    for z in range(y, until):
                        w0, w1 = load(buffer, z * LANES), load(buffer, z * LANES + VECTOR_WIDTH)
                        sum_0, sum_1 = sum_0 + w0, sum_1 + w1
                        a, b = item(its_first, z) * LANES, item(its_second, z) * LANES
                        store(by_card, a, load(by_card, a) + w0)
                        store(by_card, a + VECTOR_WIDTH, load(by_card, a + VECTOR_WIDTH) + w1)
                        store(by_card, b, load(by_card, b) + w0)
                        store(by_card, b + VECTOR_WIDTH, load(by_card, b + VECTOR_WIDTH) + w1)
                    y = until
                    for z in range(x, end):
                        a, b = item(first, z) * LANES, item(second, z) * LANES
                        more_0 = sum_0 - load(by_card, a) - load(by_card, b)
                        more_1 = sum_1 - load(by_card, a + VECTOR_WIDTH) - load(by_card, b + VECTOR_WIDTH)
                        store(out, z * LANES, load(out, z * LANES) + more_0)
                        store(out, z * LANES + VECTOR_WIDTH, load(out, z * LANES + VECTOR_WIDTH) + more_1)
                else:
                    for z in range(x, end):
                        again_0, again_1 = load(out, z * LANES), load(out, z * LANES + VECTOR_WIDTH)
                        store(out, z * LANES, again_0 + again_0)
                        store(out, z * LANES + VECTOR_WIDTH, again_1 + again_1)
                x = end
            _give(out, show_slots, show_amounts, block, width, values)


@njit(cache=True, nogil=True)
def whole_showdowns(blocks: Any, mine: Any, its: Any, reach: Array, values: Array, by_card: Array) -> None:
    """Ends of a board in whole numbers, one after the other. Sums may wrap around; results fit."""
    flags, slots, show_slots, show_amounts, fold_slots, fold_amounts = blocks
    count, width, first, second, lower, upper, same = mine
    others, wide, its_first, its_second, _, _, _ = its
    for block in range(len(flags)):
        for lane in range(block * LANES, (block + 1) * LANES):
            fold, show = fold_amounts[lane], show_amounts[lane]
            if fold == 0 and show == 0:
                continue
            at, fold_to, show_to = slots[lane] * wide, fold_slots[lane] * width, show_slots[lane] * width
            by_card[:] = 0
            total = 0
            for y in range(others):
                w = reach[at + y]
                total += w
                by_card[its_first[y]] += w
                by_card[its_second[y]] += w
            for x in range(count):
                met = total - by_card[first[x]] - by_card[second[x]]
                if fold != 0:
                    again = reach[at + same[x]] if same[x] < wide else 0
                    values[fold_to + x] += fold * (met + again)
                if show != 0:
                    values[show_to + x] -= show * met
            if show == 0:
                continue
            by_card[:] = 0
            total = 0
            x = y = 0
            while x < count:
                until, end = lower[x], x
                while y < until:
                    w = reach[at + y]
                    total += w
                    by_card[its_first[y]] += w
                    by_card[its_second[y]] += w
                    y += 1
                until = upper[x]
                while end < count and lower[end] == y and upper[end] == until:
                    values[show_to + end] += show * (total - by_card[first[end]] - by_card[second[end]])
                    end += 1
                while y < until:
                    w = reach[at + y]
                    total += w
                    by_card[its_first[y]] += w
                    by_card[its_second[y]] += w
                    y += 1
                for z in range(x, end):
                    values[show_to + z] += show * (total - by_card[first[z]] - by_card[second[z]])
                x = end
