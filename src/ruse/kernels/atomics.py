"""Atomic operations on an array that all threads share, to synchronise them in compiled code."""

from __future__ import annotations

import sys
from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba.core import cgutils, types

from ruse.kernels.vectors import address, inner, intrinsic

ORDER = "seq_cst"
PATIENCE = 20_000  # looks, about 10 microseconds, before a waiting thread sleeps
MOMENT = 20  # microseconds
TICKET, FINISHED, SHARED = 0, 8, 16  # places of what threads share, apart; and how many there are
LOW, CLOSED = (1 << 32) - 1, (1 << 31) - 1  # of a ticket: which part; the round after the last


@intrinsic
def atomic_add(typing: Any, array: Any, index: Any, more: Any) -> Any:
    """Add to array[index], and return what it was before."""

    def made(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = context.cast(builder, arguments[1], index, types.int64)
        added = context.cast(builder, arguments[2], more, array.dtype)
        return builder.atomic_rmw("add", address(context, builder, array, arguments[0], place), added, ORDER)

    return array.dtype(array, index, more), made


@intrinsic
def atomic_load(typing: Any, array: Any, index: Any) -> Any:
    """Return array[index] as it is now."""

    def made(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = context.cast(builder, arguments[1], index, types.int64)
        return builder.load_atomic(
            address(context, builder, array, arguments[0], place), ORDER, array.dtype.bitwidth // 8
        )

    return array.dtype(array, index), made


@intrinsic
def atomic_store(typing: Any, array: Any, index: Any, value: Any) -> Any:
    """Set array[index], after everything that this thread wrote before."""

    def made(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = context.cast(builder, arguments[1], index, types.int64)
        new = context.cast(builder, arguments[2], value, array.dtype)
        there = address(context, builder, array, arguments[0], place)
        builder.store_atomic(new, there, ORDER, array.dtype.bitwidth // 8)
        return context.get_dummy_value()

    return types.void(array, index, value), made


@intrinsic
def rest(typing: Any) -> Any:
    """Sleep for a moment: a thread that only yields waits longer for its next turn than one that slept."""

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
    while atomic_load(numbers, place) >> shift == value:
        looks += 1
        if looks > PATIENCE:
            rest()


@inner
def wait_until(numbers: Any, place: int, value: int) -> None:
    """Wait until numbers[place] is a value."""
    looks = 0
    while atomic_load(numbers, place) != value:
        looks += 1
        if looks > PATIENCE:
            rest()
