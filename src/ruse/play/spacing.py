"""When a drill asks a decision again that went wrong: Leitner boxes, spaced over days.

A wrong answer puts the position into box 1, and it comes back the next day. A right answer on or after that day moves
it to the next box, which waits longer (INTERVALS); after the last box it is learned and no longer comes back. A wrong
answer, or one after a hint, puts it back into box 1. Days are those of the local calendar.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

INTERVALS = (1, 2, 4, 8, 16)  # days that a position waits in each box


@dataclass(frozen=True)
class Spacing:
    """The box of a position, counted from 1, and the day it comes back, such as 2026-11-16. Box 0 is none."""

    box: int = 0
    due: str = ""

    def is_due(self, day: date) -> bool:
        return self.box > 0 and self.due <= day.isoformat()


NOT_WAITING = Spacing()


def after_answer(before: Spacing, known: bool, day: date) -> Spacing:
    """Move a position to its next box; `known` says whether the answer was right without a hint."""
    if not known:
        return _waiting(1, day)
    if not before.is_due(day):
        return before  # known before it came back, which proves little
    return NOT_WAITING if before.box >= len(INTERVALS) else _waiting(before.box + 1, day)


def _waiting(box: int, day: date) -> Spacing:
    return Spacing(box, (day + timedelta(days=INTERVALS[box - 1])).isoformat())
