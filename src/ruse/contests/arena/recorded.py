"""The record of a match: record[0] numbers follow, a move each; an array without entries records nothing."""

from __future__ import annotations

from numba import njit

from ruse.contests.arena.contest import CUT
from ruse.core.arrays import Array


@njit(cache=True, nogil=True)
def start_record(record: Array) -> None:
    if len(record):
        record[0] = 0


@njit(cache=True, nogil=True)
def note(record: Array, move: int) -> None:
    """Write a move down; a record that is full takes no more."""
    if len(record) and record[0] < len(record) - 1:
        record[0] += 1
        record[record[0]] = move


@njit(cache=True, nogil=True)
def turned(outcome: int) -> int:
    """An outcome as the other side sees it."""
    return outcome if outcome == CUT else -outcome
