"""How threads meet in compiled code: numbers that are read and changed by all of them, each time at once."""

from __future__ import annotations

import sys
from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba.core import cgutils, types

from ruse.kernels.lanes import address, inner, intrinsic

ORDER = "seq_cst"
PATIENCE = 20_000  # looks, before a thread that waits lets others have its core; some 10 microseconds
MOMENT = 20  # microseconds
TICKET, FINISHED, MEETING = 0, 8, 16  # places of what threads share, apart; and how many there are
LOW, CLOSED = (1 << 32) - 1, (1 << 31) - 1  # of a ticket: which part; the round after the last


@intrinsic
def add_at_once(typing: Any, array: Any, index: Any, more: Any) -> Any:
    """array[index] += more; what it was before."""

    def made(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = context.cast(builder, arguments[1], index, types.int64)
        added = context.cast(builder, arguments[2], more, array.dtype)
        return builder.atomic_rmw("add", address(context, builder, array, arguments[0], place), added, ORDER)

    return array.dtype(array, index, more), made


@intrinsic
def read_at_once(typing: Any, array: Any, index: Any) -> Any:
    """array[index] as it is now."""

    def made(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = context.cast(builder, arguments[1], index, types.int64)
        return builder.load_atomic(
            address(context, builder, array, arguments[0], place), ORDER, array.dtype.bitwidth // 8
        )

    return array.dtype(array, index), made


@intrinsic
def write_at_once(typing: Any, array: Any, index: Any, value: Any) -> Any:
    """array[index] = value, after everything that this thread wrote before."""

    def made(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = context.cast(builder, arguments[1], index, types.int64)
        new = context.cast(builder, arguments[2], value, array.dtype)
        there = address(context, builder, array, arguments[0], place)
        builder.store_atomic(new, there, ORDER, array.dtype.bitwidth // 8)
        return context.get_dummy_value()

    return types.void(array, index, value), made


@intrinsic
def rest(typing: Any) -> Any:
    """Sleep for a moment: who merely lets others go first has to wait longer for its next turn than who slept."""

    def made(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        name, long = ("Sleep", 0) if sys.platform == "win32" else ("usleep", MOMENT)
        number = ir.IntType(32)
        sleep = cgutils.get_or_insert_function(builder.module, ir.FunctionType(number, [number]), name)  # type: ignore[no-untyped-call]
        builder.call(sleep, [ir.Constant(number, long)])
        return context.get_dummy_value()

    return types.void(), made


@inner
def wait_while(numbers: Any, place: int, shift: int, value: int) -> None:
    """Wait as long as numbers[place] >> shift is a value."""
    looks = 0
    while read_at_once(numbers, place) >> shift == value:
        looks += 1
        if looks > PATIENCE:
            rest()


@inner
def wait_until(numbers: Any, place: int, value: int) -> None:
    """Wait until numbers[place] is a value."""
    looks = 0
    while read_at_once(numbers, place) != value:
        looks += 1
        if looks > PATIENCE:
            rest()
