"""Runs on a device that are certified where they are: their sums stay there, and are the strategies at the end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ruse.core import clock
from ruse.core.certificate import Certificate
from ruse.core.types import Report
from ruse.solution.history import Point
from ruse.solvers.device_run import DeviceRun
from ruse.solving.iterate import loop
from ruse.solving.options import INTERRUPTED, Asked, Kept


@dataclass(frozen=True)
class _Seen:
    certificate: Certificate


class _Judge:
    def __init__(self, run: DeviceRun) -> None:
        self._run = run

    def certify(self, weights: object) -> _Seen:
        return _Seen(self._run.certificate())


def to_its_limits(
    run: DeviceRun, asked: Asked, kept: Kept, about: Mapping[str, Any], report: Report
) -> tuple[Certificate, str, list[Point]]:
    """Iterate to the limits that are asked for: the bounds of the sums that the run ends with, a note, and points."""
    try:
        ended = loop(run, _Judge(run), asked.limits(), kept, about, report)
    except clock.TimeIsUp:
        with clock.regardless():
            return run.certificate(), "the time was up before the bounds were looked at once", []
    certificate = ended.certified.certificate
    if ended.iterations != run.iterations:  # the time was up before another look
        with clock.regardless():
            certificate = run.certificate()
    return certificate, INTERRUPTED * (ended.reason == "interrupted"), ended.points
