"""A pass at nodes of a side that have equally many moves: VECTOR_WIDTH hands at once, all their moves together.

Odds are the positive parts of regrets in proportion, or even where none is positive. With R the sum of those parts, a
move whose part is r takes weight / R * r of what comes in, and a node is worth (sum of r * worth) / R: one division a
node, and the rest multiplies and adds. Most nodes of a large tree have few moves, so loops over two, three and four of
them are unrolled, which takes two thirds of the time. Sums have one order in all.
"""

from __future__ import annotations

from typing import Any

from ruse.core.arrays import Array
from ruse.kernels.vectors import VECTOR_WIDTH, above, item, load, multiply_add, positive, splat, spread, store

ANY = 0  # moves: as many as a run says


def _falling(moves: int) -> Any:
    @spread
    def falls(run: Any, to: int, side: Any, rows: Any, numbers: Any, fade: Any, average: bool) -> None:
        low, high, many, row = run
        _, _, parent, _, _, wide, mask, lines, masked = side
        reach, source, total, shares = rows
        zero, unit, tiny = splat(numbers[0]), splat(numbers[1]), splat(numbers[2])
        k = moves if moves else many
        hidden = masked and not moves
        even, fading = splat(item(shares, k)), splat(fade)
        for v in range(low, high):
            for b in range(0, wide, VECTOR_WIDTH):
                base, there = row * wide + b, to + b
                positive_sum, possible = zero, zero
                for a in range(k):
                    positive_sum = positive_sum + positive(load(source, base + a * wide))
                    if hidden:
                        possible = possible + load(lines, item(mask, row + a) * wide + b)
                if hidden:
                    even = above(possible, zero, unit / possible, zero)
                weight = load(reach, item(parent, v) * wide + b)
                share = weight * above(positive_sum, tiny, unit / positive_sum, zero)
                rest = weight * above(positive_sum, tiny, zero, even)
                for a in range(k):
                    j = base + a * wide
                    otherwise = rest
                    if hidden:
                        otherwise = rest * load(lines, item(mask, row + a) * wide + b)
                    after = multiply_add(positive(load(source, j)), share, otherwise)
                    store(reach, there + a * wide, after)
                    if average:
                        store(total, j, multiply_add(load(total, j), fading, after))
            row += k
            to += k * wide

    return falls


def _climbing(moves: int) -> Any:
    @spread
    def climbs(run: Any, to: int, side: Any, rows: Any, numbers: Any, step: Array, floor: bool, predicts: bool) -> None:
        low, high, many, row = run
        _, _, parent, _, _, width, mask, lines, masked = side
        hand_values, source, regret, hope, shares = rows
        zero, unit, tiny = splat(numbers[0]), splat(numbers[1]), splat(numbers[2])
        keep, keep_negative, lean, predict = splat(step[0]), splat(step[1]), splat(step[2]), splat(step[3])
        k = moves if moves else many
        hidden = masked and not moves
        even = splat(item(shares, k))
        for v in range(low, high):
            for b in range(0, width, VECTOR_WIDTH):
                base, here = row * width + b, to + b
                positive_sum, gain, evenly, possible = zero, zero, zero, zero
                for a in range(k):
                    part, value = positive(load(source, base + a * width)), load(hand_values, here + a * width)
                    positive_sum = positive_sum + part
                    gain = multiply_add(part, value, gain)
                    if hidden:
                        line = load(lines, item(mask, row + a) * width + b)
                        evenly = multiply_add(line, value, evenly)
                        possible = possible + line
                    else:
                        evenly = evenly + value
                if hidden:
                    even = above(possible, zero, unit / possible, zero)
                gain = above(positive_sum, tiny, gain / positive_sum, evenly * even)
                there = item(parent, v) * width + b
                store(hand_values, there, load(hand_values, there) + gain)
                for a in range(k):
                    j = base + a * width
                    better = load(hand_values, here + a * width) - gain
                    if hidden:
                        better = better * load(lines, item(mask, row + a) * width + b)
                    old = load(regret, j)
                    if floor:  # then no regret is negative
                        new = positive(multiply_add(old, keep, better))
                    else:
                        new = multiply_add(old, above(old, zero, keep, keep_negative), better)
                    store(regret, j, new)
                    if predicts:
                        store(hope, j, multiply_add(new, lean, predict * better))
            row += k
            to += k * width

    return climbs


_falls_2, _falls_3, _falls_4, _falls_any = (_falling(moves) for moves in (2, 3, 4, ANY))
_climbs_2, _climbs_3, _climbs_4, _climbs_any = (_climbing(moves) for moves in (2, 3, 4, ANY))


@spread
def fall(run: Any, to: int, side: Any, rows: Any, numbers: Any, fade: Any, average: bool) -> None:
    """Down a run of a side's nodes go the weights of its hands, and with them the sum of its plans.

    `run` is a line of `Side.runs`, `to` where the weights after its first move are put, and `rows` the weights, the
    regrets that odds come from, the sum, and 1 / k for each number k of moves.
    """
    k = run[2] if not side[8] else ANY
    if k == 2:
        _falls_2(run, to, side, rows, numbers, fade, average)
    elif k == 3:
        _falls_3(run, to, side, rows, numbers, fade, average)
    elif k == 4:
        _falls_4(run, to, side, rows, numbers, fade, average)
    else:
        _falls_any(run, to, side, rows, numbers, fade, average)


@spread
def climb(run: Any, to: int, side: Any, rows: Any, numbers: Any, step: Array, floor: bool, predicts: bool) -> None:
    """Up a run of a side's nodes go the values of its hands, and with them its regrets.

    `rows` are the values, the regrets that odds come from, regrets, those that are expected next, and 1 / k as above.
    """
    k = run[2] if not side[8] else ANY
    if k == 2:
        _climbs_2(run, to, side, rows, numbers, step, floor, predicts)
    elif k == 3:
        _climbs_3(run, to, side, rows, numbers, step, floor, predicts)
    elif k == 4:
        _climbs_4(run, to, side, rows, numbers, step, floor, predicts)
    else:
        _climbs_any(run, to, side, rows, numbers, step, floor, predicts)
