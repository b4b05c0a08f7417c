"""The convergence of a run: its history, and its log in CSV."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable, Sequence
from errno import ENOSPC
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ruse.core import atomic_files, rationals

if TYPE_CHECKING:
    from ruse.core.certificate import Certificate

MOST_KEPT = 400  # points in a file


class Point(NamedTuple):
    """The bounds at one look at a run, as floats rounded outward. The exact certificate is in the solution."""

    iteration: int
    seconds: float
    lower: float
    upper: float
    gap: float

    @classmethod
    def of(cls, iteration: int, seconds: float, bounds: Certificate) -> Point:
        """Make the point of some bounds."""
        lower, upper = rationals.float_below(bounds.lower), rationals.float_above(bounds.upper)
        return cls(iteration, seconds, lower, upper, rationals.float_above(bounds.gap))


def kept(points: Sequence[Point]) -> list[Point]:
    """Choose the points for a file: at most MOST_KEPT finite ones, with the first and the last."""
    finite = [point for point in points if all(map(isfinite, point))]
    step = max(1, -(-len(finite) // MOST_KEPT))
    return [*finite[:-1:step], *finite[-1:]]


class Log:
    """A CSV file with one line per look, written while the run goes on.

    Each line is written whole or not at all. If writing fails, as on a full disk, the run continues after one warning
    on stderr, and the next successful write adds the missing lines.
    """

    def __init__(self, path: Path, earlier: Sequence[Point]) -> None:
        """Begin with the points of the run that this one continues."""
        self._path = path
        self._points = list(earlier)
        self._whole = self._warned = False  # whether the file has all points; whether a warning was printed
        self._write(self._rewrite)

    def add(self, point: Point) -> None:
        self._points.append(point)
        self._write(self._append if self._whole else self._rewrite)

    def _write(self, how: Callable[[], None]) -> None:
        try:
            how()
            self._whole = True
        except OSError as error:
            self._whole = False
            if not self._warned:
                atomic_files.warn(f"cannot write the log {self._path}: {atomic_files.reason(error)}; the run continues")
            self._warned = True

    def _append(self) -> None:
        with self._path.open("ab", buffering=0) as file:
            end = file.seek(0, os.SEEK_END)
            line = _lines(self._points[-1:])
            if file.write(line) != len(line):
                file.truncate(end)
                raise OSError(ENOSPC, os.strerror(ENOSPC))

    def _rewrite(self) -> None:
        atomic_files.replace(self._path, _lines([Point._fields, *self._points]))


def _lines(rows: Sequence[Sequence[object]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()
