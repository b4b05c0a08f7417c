"""What is asked of a solver, and where an iterating run is kept."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from math import inf
from pathlib import Path
from typing import Any

from ruse.core import clock
from ruse.solvers.spec import UnknownSolver

METHODS = ("simplex", "ipm")
PRECISIONS = ("float64", "float32")
DEVICES = ("cpu", "gpu")
MOST_THREADS = 1024
MOST_ITERATIONS = 10**15
USUAL_GAP, USUAL_SECONDS = 1e-6, 60.0  # where an iterating solver is given no limit at all
INTERRUPTED = "it was interrupted before it had done all that it was asked to do"
LATE = "the time was up before the bounds met"
STOPPED = {
    "time": LATE,
    "interrupted": INTERRUPTED,
    "memory": "what is left to solve exactly does not fit in memory",
    "error": "the solver failed before the bounds met",
}  # why a run was cut short
UNIFORM = "returning the uniform strategy"


@dataclass(frozen=True)
class Limits:
    """When an iterating run ends: at whichever comes first."""

    gap: float = 0.0
    seconds: float = inf
    iterations: int | None = None


@dataclass(frozen=True)
class Kept:
    """The files of an iterating run: its checkpoint, whether to go on from that, and its log."""

    checkpoint: Path | None = None
    resume: bool = False
    log: Path | None = None


@dataclass(frozen=True)
class Asked:
    """What is asked of a solver; `solve` says what each means."""

    gap: float | None = None
    time: float | None = None
    iterations: int | None = None
    seed: int = 0
    polish: bool = False
    teams: bool = True
    symmetry: bool = True
    forced: bool = True
    refine: bool = True
    method: str = "simplex"
    side: int = 0
    shortcuts: bool = True
    tidy: bool = True
    precision: str = "float64"
    device: str = "cpu"
    threads: int | None = field(default=None, compare=False)  # whatever it is, the result is the same

    def check(self) -> None:
        for what, value, known in (
            ("method", self.method, METHODS),
            ("side", self.side, (0, 1)),
            ("precision", self.precision, PRECISIONS),
            ("device", self.device, DEVICES),
        ):
            if value not in known:
                raise UnknownSolver(f"expected a {what} out of {', '.join(map(str, known))}, got {value!r}")
        if self.gap is not None and not 0 <= self.gap < inf:
            raise UnknownSolver(f"expected a gap of at least 0, got {self.gap:g}")
        if self.time is not None and not 0 < self.time < inf:
            raise UnknownSolver(f"expected a time of more than 0 seconds, got {self.time:g}")
        if self.iterations is not None and not 0 < self.iterations <= MOST_ITERATIONS:
            raise UnknownSolver(f"expected 1 to {MOST_ITERATIONS:,} iterations, got {self.iterations}")
        if self.threads is not None and not 1 <= self.threads <= MOST_THREADS:
            raise UnknownSolver(f"expected 1 to {MOST_THREADS:,} threads, got {self.threads}")
        if not 0 <= self.seed < 1 << 63:
            raise UnknownSolver(f"expected a seed from 0 to 2^63 - 1, got {self.seed}")

    @property
    def reduced(self) -> bool:
        return self.teams and self.symmetry and self.forced

    @property
    def exactly(self) -> bool:
        """Whether nothing less than equal bounds was asked for."""
        return not self.gap and self.time is None and self.iterations is None

    def limits(self) -> Limits:
        gap, seconds = self.gap, self.time
        if gap is None and seconds is None and self.iterations is None:
            gap, seconds = USUAL_GAP, USUAL_SECONDS
        return Limits(gap or 0.0, inf if seconds is None else min(seconds, clock.left()), self.iterations)

    def unusual(self) -> dict[str, Any]:
        """What is not the default, for the record."""
        found = {one.name: getattr(self, one.name) for one in fields(self) if one.compare}
        return {name: value for name, value in found.items() if value != getattr(Asked, name)}
