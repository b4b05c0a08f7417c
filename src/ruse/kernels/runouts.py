"""Passes over a public tree that is the same for every runout of cards: hands innermost, boards one after the other.

A *street* is a tree of moves that is played once on each of its boards; its roots are what the street before leads to.
Each side has a slot for every root, then one for every move of its own (a row). On a board, rows hold the hands that it
leaves, in an order of the board's own. A pass updates one side, `me`: down a board go the weights of the other side's
hands, and with them the sum of its plans; ends and later boards turn those into what my hands get; up my rows go those
values, and my regrets with them (ruse.kernels.public_moves). Boards share nothing but what leads to them, and what they
are worth is added up in their order, so any number of threads gives the same bits.

State is float32, or 16-bit whole numbers with one scale a row, which are read into float32 for each run of nodes.
"""

from __future__ import annotations

from typing import Any

from numba import njit
from numba.core import types
from numba.extending import overload

from ruse.core.arrays import Array
from ruse.kernels.atomics import atomic_add
from ruse.kernels.public_moves import climb, fall
from ruse.kernels.showdowns import showdowns
from ruse.kernels.vectors import VECTOR_WIDTH, above, inner, item, load, store

LEARN, JUDGE = 0, 1  # what a pass does: change regrets, or find the best response to the average
REGRET_TOP, TOTAL_TOP = 32767.0, 65535.0  # the largest numbers of 16 bits


def floats(numbers: Array, scratch: Array) -> Array:
    """Where a run of rows is as floats: in the array itself if it holds floats, else in some scratch."""
    raise NotImplementedError  # compiled code only


def read_rows(numbers: Array, scales: Array, row: int, rows: int, wide: int, scratch: Array) -> int:
    """Read rows of 16-bit numbers into scratch. Returns the row at which they begin in `floats`."""
    raise NotImplementedError


def write_rows(numbers: Array, scales: Array, row: int, rows: int, wide: int, scratch: Array) -> None:
    """Write rows of scratch as 16-bit numbers, the largest of each as large as it can be."""
    raise NotImplementedError


@overload(floats, strict=False)
def _floats(numbers: Any, scratch: Any) -> Any:
    if isinstance(numbers.dtype, types.Float):
        return lambda numbers, scratch: numbers
    return lambda numbers, scratch: scratch


@overload(read_rows, strict=False)
def _read_rows(numbers: Any, scales: Any, row: Any, rows: Any, wide: Any, scratch: Any) -> Any:
    if isinstance(numbers.dtype, types.Float):
        return lambda numbers, scales, row, rows, wide, scratch: row

    def read(numbers: Any, scales: Any, row: Any, rows: Any, wide: Any, scratch: Any) -> Any:
        for r in range(rows):
            scale = scales[row + r]
            base, to = (row + r) * wide, r * wide
            for h in range(wide):
                scratch[to + h] = numbers[base + h] * scale
        return 0 * row

    return read


@overload(write_rows, strict=False)
def _write_rows(numbers: Any, scales: Any, row: Any, rows: Any, wide: Any, scratch: Any) -> Any:
    if isinstance(numbers.dtype, types.Float):
        return lambda numbers, scales, row, rows, wide, scratch: None
    top = REGRET_TOP if numbers.dtype.signed else TOTAL_TOP

    def write(numbers: Any, scales: Any, row: Any, rows: Any, wide: Any, scratch: Any) -> Any:
        for r in range(rows):
            base, of = (row + r) * wide, r * wide
            most = abs(scratch[of])
            for h in range(1, wide):
                most = max(most, abs(scratch[of + h]))
            scales[row + r] = most / top
            times = scratch.dtype.type(top) / most if most > 0 else most
            for h in range(wide):
                x = scratch[of + h] * times
                numbers[base + h] = int(x + 0.5) if x >= 0 else -int(0.5 - x)

    return write


@inner
def _down(street: Any, board: int, me: int, state: Any, step: Any, reach: Array, room: Any, numbers: Any) -> None:
    """The weights of the other side's hands, from the roots of a street to its rows."""
    you = 1 - me
    roots, runs, parents, rows, widths, places, _, _ = street
    regrets, totals, regret_scales, total_scales = state
    mode, fade = step[0], step[2]
    wide = widths[you][board]
    begin, end = rows[you] * places[you][board], rows[you] * (places[you][board] + wide)
    regret, total = regrets[you][begin:end], totals[you][begin:end]
    first, last = board * rows[you], (board + 1) * rows[you]
    regret_scale, total_scale = regret_scales[you][first:last], total_scales[you][first:last]
    old, plans = floats(regret, room[3]), floats(total, room[4])
    side = (0, 0, parents[you], 0, 0, wide, room[6], room[5], False)
    reach[(roots + rows[you]) * wide : (roots + rows[you] + 1) * wide] = 0  # a slot for ends that are not there
    for n in range(len(runs[you])):
        low, high, many, row = runs[you][n, 0], runs[you][n, 1], runs[you][n, 2], runs[you][n, 3]
        to, count = (roots + row) * wide, (high - low) * many
        at = read_rows(total, total_scale, row, count, wide, room[4])
        if mode == LEARN:
            read_rows(regret, regret_scale, row, count, wide, room[3])
            fall((low, high, many, at), to, side, (reach, old, plans, room[5]), numbers, fade, True)
            write_rows(total, total_scale, row, count, wide, room[4])
        else:
            fall((low, high, many, at), to, side, (reach, plans, plans, room[5]), numbers, fade, False)


@inner
def _best(run: Any, to: int, parent: Array, width: int, values: Array) -> None:
    """The best of each node's moves, for every hand."""
    low, high, many = run
    for v in range(low, high):
        for b in range(0, width, VECTOR_WIDTH):
            best = load(values, to + b)
            for a in range(1, many):
                value = load(values, to + a * width + b)
                best = above(value, best, value, best)
            there = item(parent, v) * width + b
            store(values, there, load(values, there) + best)
        to += many * width


@inner
def _up(street: Any, board: int, me: int, state: Any, step: Any, values: Array, room: Any, numbers: Any) -> None:
    """The values of my hands, from the rows of a street to its roots."""
    roots, runs, parents, rows, widths, places, locks, _ = street
    regrets, _, regret_scales, _ = state
    mode, discount = step[0], step[1]
    width = widths[me][board]
    begin, end = rows[me] * places[me][board], rows[me] * (places[me][board] + width)
    regret, scale = regrets[me][begin:end], regret_scales[me][board * rows[me] : (board + 1) * rows[me]]
    old = floats(regret, room[3])
    side = (0, 0, parents[me], 0, 0, width, room[6], room[5], False)
    first_lock, lock_rows, _, lock_odds = locks[me]
    for n in range(len(runs[me]) - 1, -1, -1):
        low, high, many, row = runs[me][n, 0], runs[me][n, 1], runs[me][n, 2], runs[me][n, 3]
        to = (roots + row) * width
        if mode == JUDGE:
            for lock in range(first_lock[board], first_lock[board + 1]):
                at = lock_rows[lock, 0]
                if row <= at < row + (high - low) * many:
                    for h in range(width):
                        if lock_odds[lock_rows[lock, 1] + h] >= 0:
                            fixed = numbers[0]
                            for a in range(many):
                                fixed += (
                                    lock_odds[lock_rows[lock, 1] + a * width + h] * values[(roots + at + a) * width + h]
                                )
                            for a in range(many):
                                values[(roots + at + a) * width + h] = fixed
            _best((low, high, many), to, parents[me], width, values)
        else:
            count = (high - low) * many
            at = read_rows(regret, scale, row, count, width, room[3])
            climb((low, high, many, at), to, side, (values, old, old, old, room[5]), numbers, discount, False, False)
            _hold(locks[me], board, row, count, many, width, at, old)
            write_rows(regret, scale, row, count, width, room[3])


@inner
def _hold(locks: Any, board: int, row: int, rows: int, many: int, width: int, at: int, numbers: Array) -> None:
    """Set the regrets of locked hands in a run of rows to the odds that are fixed there, as large as the others."""
    first_lock, lock_rows, _, lock_odds = locks
    for lock in range(first_lock[board], first_lock[board + 1]):
        node, odds = lock_rows[lock, 0], lock_rows[lock, 1]
        if row <= node < row + rows:
            begin = (at + node - row) * width
            most = abs(numbers[begin])
            for n in range(1, many * width):
                most = max(most, abs(numbers[begin + n]))
            for a in range(many):
                for h in range(width):
                    if lock_odds[odds + h] >= 0:
                        share = lock_odds[odds + a * width + h]
                        numbers[begin + a * width + h] = share * most if most > 0 else share


@njit(cache=True, nogil=True)
def begin(street: Any, board: int, me: int, state: Any, room: Any) -> None:
    """Regrets of nothing, but at locked nodes."""
    _, runs, _, rows, widths, places, locks, _ = street
    regrets, _, regret_scales, _ = state
    width = widths[me][board]
    first = rows[me] * places[me][board]
    regret, scale = (
        regrets[me][first : first + rows[me] * width],
        regret_scales[me][board * rows[me] : (board + 1) * rows[me]],
    )
    old = floats(regret, room[3])
    for n in range(len(runs[me])):
        many, row = runs[me][n, 2], runs[me][n, 3]
        count = (runs[me][n, 1] - runs[me][n, 0]) * many
        at = read_rows(regret, scale, row, count, width, room[3])
        _hold(locks[me], board, row, count, many, width, at, old)
        write_rows(regret, scale, row, count, width, room[3])


@inner
def _hands(hands: Any, street: Any, board: int, side: int) -> Any:
    """A side's hands on a board as `showdowns` takes them."""
    begin = street[5][side][board]
    end = begin + street[4][side][board]
    counts, first, second, lower, upper, same = hands[side]
    return (
        counts[board],
        street[4][side][board],
        first[begin:end],
        second[begin:end],
        lower[begin:end],
        upper[begin:end],
        same[begin:end],
    )


@inner
def _enter(deals: Array, you: int, above_width: int, width: int, count: int, up: Array, times: Any,
           before: Array, reach: Array) -> None:  # fmt: skip
    """The weights at the roots of a board, from those where its card is dealt."""
    for r in range(len(deals)):
        of, to = deals[r, you] * above_width, r * width
        for h in range(count):
            reach[to + h] = before[of + up[h]] * times
        for h in range(count, width):
            reach[to + h] = 0


@inner
def _leave(deals: Array, me: int, above_width: int, width: int, count: int, up: Array, copies: int,
           board_values: Array, values: Array) -> None:  # fmt: skip
    """Add what a board is worth at its roots, and the boards that it stands for, to where its card is dealt."""
    for r in range(len(deals)):
        to, of = deals[r, me] * above_width, r * width
        for copy in range(copies):
            for h in range(count):
                values[to + up[copy * width + h]] += board_values[of + h]


@inner
def _river(street: Any, hands: Any, board: int, me: int, state: Any, step: Any, room: Any, numbers: Any) -> None:
    """A board of the last street. `room` has the weights at its roots, and gets what they are worth."""
    reach, values = room[0], room[1]
    roots, _, _, rows, widths, _, _, ends = street
    _down(street, board, me, state, step, reach, room, numbers)
    values[: (roots + rows[me] + 1) * widths[me][board]] = 0
    mine, its = _hands(hands, street, board, me), _hands(hands, street, board, 1 - me)
    showdowns(ends[me], mine, its, reach, values, room[2], numbers)
    _up(street, board, me, state, step, values, room, numbers)


@njit(cache=True, nogil=True)
def river(street: Any, hands: Any, board: int, me: int, state: Any, step: Any, room: Any, numbers: Any) -> None:
    """A spot that begins on the last street."""
    _river(street, hands, board, me, state, step, room, numbers)


@inner
def _even_out(values: Array, slots: int, width: int, count: int, like: Array) -> None:
    """Give hands that differ only by suits that nothing tells apart the same values, to the last bit."""
    for s in range(slots):
        for h in range(count):
            values[s * width + h] = values[s * width + like[h]]


@inner
def _fall_inner(street: Any, board: int, me: int, state: Any, step: Any, room: Any, numbers: Any) -> None:
    _down(street, board, me, state, step, room[0], room, numbers)


@inner
def _climb_inner(
    street: Any, hands: Any, links: Any, board: int, me: int, state: Any, step: Any, room: Any, numbers: Any
) -> None:
    """Add the folds of a street to what its later boards are worth, and go up."""
    roots, _, _, rows, widths, places, _, ends = street
    mine, its = _hands(hands, street, board, me), _hands(hands, street, board, 1 - me)
    showdowns(ends[me], mine, its, room[0], room[1], room[2], numbers)
    begin, width = places[me][board], widths[me][board]
    if links[6][board]:
        _even_out(room[1], roots + rows[me], width, mine[0], links[5][me][begin : begin + width])
    _up(street, board, me, state, step, room[1], room, numbers)


@njit(cache=True, nogil=True)
def fall_inner(street: Any, board: int, me: int, state: Any, step: Any, room: Any, numbers: Any) -> None:
    """Down a street that cards follow."""
    _fall_inner(street, board, me, state, step, room, numbers)


@njit(cache=True, nogil=True)
def climb_inner(
    street: Any, hands: Any, links: Any, board: int, me: int, state: Any, step: Any, room: Any, numbers: Any
) -> None:
    """Up a street that cards follow."""
    _climb_inner(street, hands, links, board, me, state, step, room, numbers)


@inner
def _child(
    streets: Any,
    hands: Any,
    links: Any,
    board: int,
    me: int,
    state: Any,
    step: Any,
    room: Any,
    above: Any,
    numbers: Any,
) -> None:
    """The river of a board, from the weights of the street before, whose board is `above[0]`."""
    before, after = streets
    deals, times, up_place, ups, _, _, _ = links
    you = 1 - me
    wide = after[4][you][board]
    count = hands[you][0][board]
    up = ups[you][up_place[you][board] : up_place[you][board] + wide]
    _enter(deals, you, before[4][you][above[0]], wide, count, up, times, above[1], room[0])
    _river(after, hands, board, me, state, step, room, numbers)


@njit(cache=True, nogil=True)
def rivers(
    streets: Any, hands: Any, links: Any, me: int, state: Any, step: Any, room: Any, reach: Array, board_values: Array,
    shared: Array, numbers: Any,
) -> None:  # fmt: skip
    """All boards of a spot that begins on the street before the last: each goes to the thread that comes first."""
    after = streets[1]
    boards = len(after[4][0])
    roots = after[0]
    while True:
        board = atomic_add(shared, 0, 1)
        if board >= boards:
            return
        _child(streets, hands, links, board, me, state, step, room, (0, reach), numbers)
        width, begin = after[4][me][board], roots * after[5][me][board]
        board_values[begin : begin + roots * width] = room[1][: roots * width]


@njit(cache=True, nogil=True)
def gather_worth(before: Any, after: Any, hands: Any, links: Any, me: int, board: int, board_values: Array,
                 values: Array) -> None:  # fmt: skip
    """Add up what all boards are worth, in their order."""
    deals, _, up_place, ups, copies, _, _ = links
    roots = after[0]
    for child in range(len(after[4][me])):
        width, begin = after[4][me][child], roots * after[5][me][child]
        at = up_place[me][child]
        up = ups[me][at : at + copies[child] * width]
        of = board_values[begin : begin + roots * width]
        _leave(deals, me, before[4][me][board], width, hands[me][0][child], up, copies[child], of, values)


@njit(cache=True, nogil=True)
def turns(
    streets: Any, hands: Any, links: Any, children: Array, order: Array, me: int, states: Any, step: Any, rooms: Any,
    reach: Array, board_values: Array, shared: Array, numbers: Any,
) -> None:  # fmt: skip
    """All boards of the middle street of a spot that begins on a flop, each with its rivers, by all threads."""
    flop, turn, last = streets
    roots, boards = turn[0], len(turn[4][0])
    you = 1 - me
    while True:
        ticket = atomic_add(shared, 0, 1)
        if ticket >= boards:
            return
        board = order[ticket]
        wide, width = turn[4][you][board], turn[4][me][board]
        deals, times, up_place, ups, _, _, _ = links[0]
        up = ups[you][up_place[you][board] : up_place[you][board] + wide]
        room, below = rooms
        _enter(deals, you, flop[4][you][0], wide, hands[0][you][0][board], up, times, reach, room[0])
        _fall_inner(turn, board, me, states[0], step, room, numbers)
        room[1][: (roots + turn[3][me] + 1) * width] = 0
        _, _, river_place, river_ups, river_copies, _, _ = links[1]
        for child in range(children[board], children[board + 1]):
            _child((turn, last), hands[1], links[1], child, me, states[1], step, below, (board, room[0]), numbers)
            at, thin = river_place[me][child], last[4][me][child]
            to_up = river_ups[me][at : at + river_copies[child] * thin]
            _leave(links[1][0], me, width, thin, hands[1][me][0][child], to_up, river_copies[child], below[1], room[1])
        _climb_inner(turn, hands[0], links[1], board, me, states[0], step, room, numbers)
        begin = roots * turn[5][me][board]
        board_values[begin : begin + roots * width] = room[1][: roots * width]
