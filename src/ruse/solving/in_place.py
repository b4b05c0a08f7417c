"""Runs on a device that certifies them itself: their sums stay there, and the last ones are the strategies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ruse.core import clock
from ruse.core.certificate import Certificate
from ruse.core.types import Report
from ruse.solvers.device_run import DeviceRun
from ruse.solving.iterate import Ended, loop
from ruse.solving.options import SolveOptions


@dataclass(frozen=True)
class LastLook:
    """The bounds of the latest sums."""

    certificate: Certificate

    def tightened(self, other: LastLook) -> LastLook:
        """Return the newer look, because the device no longer has the sums of the older one."""
        return other


class _Judge:
    def __init__(self, run: DeviceRun) -> None:
        self._run = run

    def certify(self, weights: object) -> LastLook:
        return LastLook(self._run.certificate())


def to_its_limits(run: DeviceRun, options: SolveOptions, about: Mapping[str, Any], report: Report) -> Ended[LastLook]:
    """Iterate to the limits, and return the bounds of the last sums."""
    try:
        ended = loop(run, _Judge(run), options.limits(), options.files(), about, report)
    except clock.TimeIsUp:  # before the first iteration
        with clock.regardless():
            return Ended(LastLook(run.certificate()), run.iterations, "time", [])
    if ended.iterations != run.iterations:  # the time was up before another look
        with clock.regardless():
            ended = replace(ended, certified=LastLook(run.certificate()), iterations=run.iterations)
    return ended
