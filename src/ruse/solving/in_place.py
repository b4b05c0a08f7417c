"""Runs on a device that are certified where they are: their sums stay there, and are the strategies at the end."""

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
class Seen:
    certificate: Certificate

    def tightened(self, other: Seen) -> Seen:
        """The newer of both: the sums of an earlier look are gone."""
        return other


class _Judge:
    def __init__(self, run: DeviceRun) -> None:
        self._run = run

    def certify(self, weights: object) -> Seen:
        return Seen(self._run.certificate())


def to_its_limits(run: DeviceRun, options: SolveOptions, about: Mapping[str, Any], report: Report) -> Ended[Seen]:
    """Iterate to the limits that are asked for, with the bounds of the sums that the run ends with."""
    try:
        ended = loop(run, _Judge(run), options.limits(), options.files(), about, report)
    except clock.TimeIsUp:  # before the first iteration
        with clock.regardless():
            return Ended(Seen(run.certificate()), run.iterations, "time", [])
    if ended.iterations != run.iterations:  # the time was up before another look
        with clock.regardless():
            ended = replace(ended, certified=Seen(run.certificate()), iterations=run.iterations)
    return ended
