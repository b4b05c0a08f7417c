"""The time that a run may take: work that may be long looks at the clock now and then, and stops where it is up.

    with deadline(2.0):
        for node in nodes:
            tick()  # raises TimeIsUp 2 seconds after the call of deadline

A deadline holds for its thread, or its task, and for all that is called within it; one within another never
lasts longer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from time import perf_counter, process_time
from typing import TypeVar

from ruse.core.game import RuseError

T = TypeVar("T")
LONGEST = 1e9  # seconds, about 30 years: timers of the system overflow far beyond
MOST_SLOWNESS = 20.0
Moment = tuple[float, float]  # by time.perf_counter, and by time.process_time
_end: ContextVar[float] = ContextVar("_end", default=inf)  # by time.perf_counter
_due: ContextVar[float] = ContextVar("_due", default=inf)  # the end as it was asked for
_begun: ContextVar[Moment | None] = ContextVar("_begun", default=None)


class TimeIsUp(RuseError):
    """The time that was given is over, and nothing is proved yet."""


@contextmanager
def deadline(seconds: float | None, since: Moment | None = None) -> Iterator[None]:
    """So many seconds from now on, or since an earlier moment; or as long as there is anyway."""
    since = since or moment()
    token = _end.set(_end.get() if seconds is None else min(_end.get(), since[0] + min(seconds, LONGEST)))
    due = _due.set(min(_due.get(), _end.get()))
    begun = _begun.set(_begun.get() or (None if seconds is None else since))
    try:
        yield
    finally:
        _end.reset(token)
        _due.reset(due)
        _begun.reset(begun)


def moment() -> Moment:
    return perf_counter(), process_time()


@contextmanager
def leaving(seconds: float, least: float = -inf) -> Iterator[None]:
    """A deadline that leaves so many seconds of what is left, but half of it at most.

    There are at least `least` seconds until then, even where the time is up before.
    """
    there_is = left()
    token = _end.set(perf_counter() + max(least, there_is - min(seconds, there_is / 2)) if there_is < inf else inf)
    try:
        yield
    finally:
        _end.reset(token)


@contextmanager
def regardless() -> Iterator[None]:
    """No deadline: the search is over, and what it found is certified and written down in the time left for that."""
    token = _end.set(inf)
    try:
        yield
    finally:
        _end.reset(token)


def timed(things: Iterable[T]) -> Iterator[T]:
    """Yield things, with a look at the clock before each."""
    for thing in things:
        tick()
        yield thing


def left() -> float:
    """Seconds until the deadline: inf where there is none, below 0 where it is past."""
    end = _end.get()
    return end if end == inf else end - perf_counter()


def due() -> float:
    """Seconds until the deadline that was asked for, whatever `leaving` and `regardless` have made of it since."""
    end = _due.get()
    return end if end == inf else end - perf_counter()


def slowness() -> float:
    """How many times as long as on an idle machine work takes now: 1, or more where other programs are at work.

    Measured since the deadline was set: by this clock, over what the processor did for this process.
    """
    if (begun := _begun.get()) is None:
        return 1.0
    passed, worked = perf_counter() - begun[0], process_time() - begun[1]
    return min(max(1.0, passed / worked), MOST_SLOWNESS) if worked > 0 else 1.0


def tick(needed: float = 0.0) -> None:
    """Raise TimeIsUp if the time is up, or will be in so many seconds, which are needed for what follows.

    It takes about a tenth of a microsecond: cheap enough for every node of a walk.
    """
    if (end := _end.get()) != inf and perf_counter() + needed > end:
        raise TimeIsUp("time ran out before there was an answer: allow more time")
