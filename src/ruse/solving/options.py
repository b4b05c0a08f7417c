"""The options of a solve: the only place that lists them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from math import inf
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from ruse.core import clock
from ruse.solvers.spec import UnknownSolver

T = TypeVar("T")
P = ParamSpec("P")
METHODS = ("simplex", "ipm")
PRECISIONS = ("float64", "float32")
DEVICES = ("cpu", "gpu")
MOST_THREADS = 1024
MOST_ITERATIONS = 10**15
USUAL_GAP, USUAL_SECONDS = 1e-6, 60.0  # the limits of an iterating solver if the user gives none
MOMENT = 0.15  # seconds that a solver gets in any case: importing on a busy machine may have taken all of the time
INTERRUPTED = "it was interrupted before it finished"
LATE = "time ran out before the bounds met"
STOPPED = {
    "time": LATE,
    "interrupted": INTERRUPTED,
    "memory": "the rest of the exact solve does not fit in memory",
    "error": "the solver failed before the bounds met",
}  # notes about runs that were cut short
UNIFORM = "returning the uniform strategy"


@dataclass(frozen=True)
class Limits:
    """The limits of an iterating run, which ends at the first that it reaches."""

    gap: float = 0.0
    seconds: float = inf
    iterations: int | None = None


@dataclass(frozen=True)
class RunFiles:
    """The files of an iterating run: its checkpoint, whether to continue from that, and its log."""

    checkpoint: Path | None = None
    resume: bool = False
    log: Path | None = None


def option(default: Any, text: str, *, recorded: bool = True, flag: bool = True, **flag_settings: Any) -> Any:
    """A field of `SolveOptions`: its default, what it means, and how the command line shows it.

    Fields that are not `recorded` say where or how fast a run takes place and do not change its result.
    """
    metadata = {"text": text, "flag": flag, "flag_settings": flag_settings}
    return field(default=default, compare=recorded, metadata=metadata)


@dataclass(frozen=True)
class SolveOptions:
    """The options of `ruse.solve` and `ruse solve`. Signature, docstring, flags and JSON derive from these fields."""

    gap: float | None = option(None, "stop once the bounds on the value are at most G apart", metavar="G")
    time: float | None = option(None, "stop after S seconds and print what is proved by then", metavar="S")
    iterations: int | None = option(None, "stop after N iterations", metavar="N")
    seed: int = option(0, "random seed of sampling solvers; results are reproducible for a fixed seed", metavar="K")
    checkpoint: str | Path | None = option(
        None, "save an iterating run to a file about once a second", recorded=False, metavar="FILE"
    )
    resume: bool = option(False, "continue from the checkpoint, if there is one", recorded=False)
    log: str | Path | None = option(None, "log the bounds as they converge", recorded=False, metavar="FILE.csv")
    polish: bool = option(False, "turn an approximate solution into an exact one")
    teams: bool = option(True, "merge the members of a team into one player")
    symmetry: bool = option(True, "merge positions that the game declares to differ only by names")
    forced: bool = option(True, "remove forced moves")
    refine: bool = option(True, "merge sequences that their payoffs show to be symmetric")
    method: str = option("simplex", "how HiGHS solves a linear program", choices=METHODS)
    side: int = option(0, "the side that the linear program is written for", choices=(0, 1))
    shortcuts: bool = option(
        True, "accept simple strategies that prove each other optimal instead of solving a linear program", flag=False
    )
    tidy: bool = option(True, "spend time to find simpler strategies", flag=False)
    precision: str = option(
        "float64", "precision of an iterating run on a public tree; float32 takes half the memory", choices=PRECISIONS
    )
    compress: bool = option(False, "store 16-bit numbers instead of floats (hold'em only): half the memory")
    device: str = option("cpu", "run a public tree on the CPU or the GPU (gpu needs ruse[gpu])", choices=DEVICES)
    threads: int | None = option(
        None,
        "number of threads for cfr and its variants, and for finding symmetry (default: all cores)",
        recorded=False,
        metavar="N",
    )

    def check(self) -> None:
        """Raise UnknownSolver for values that make no sense."""
        for name, value, known in (
            ("method", self.method, METHODS),
            ("side", self.side, (0, 1)),
            ("precision", self.precision, PRECISIONS),
            ("device", self.device, DEVICES),
        ):
            if value not in known:
                raise UnknownSolver(f"expected {name} to be {' or '.join(map(str, known))}, got {value!r}")
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
        if self.resume and self.checkpoint is None:
            raise UnknownSolver("--resume needs --checkpoint FILE (checkpoint=… in Python)")

    @property
    def reduced(self) -> bool:
        return self.teams and self.symmetry and self.forced

    @property
    def exactly(self) -> bool:
        """Whether no limit is given, so that the run ends only with equal bounds."""
        return not self.gap and self.time is None and self.iterations is None and self.checkpoint is None

    def files(self) -> RunFiles:
        return RunFiles(_path(self.checkpoint), self.resume, _path(self.log))

    def limits(self) -> Limits:
        gap, seconds = self.gap, self.time
        if gap is None and seconds is None and self.iterations is None:
            gap, seconds = USUAL_GAP, USUAL_SECONDS
        return Limits(gap or 0.0, inf if seconds is None else min(seconds, clock.left()), self.iterations)

    def unusual(self) -> dict[str, Any]:
        """The recorded options that are not the default."""
        values = {option.name: getattr(self, option.name) for option in fields(self) if option.compare}
        return {name: value for name, value in values.items() if value != getattr(SolveOptions, name)}


def _path(path: str | Path | None) -> Path | None:
    return None if path is None else Path(path)


def takes_options(solve: Callable[P, T]) -> Callable[P, T]:
    """Give a function with `**options` the signature and docstring that `SolveOptions` implies."""
    own = inspect.signature(solve, eval_str=False)
    listed = [
        inspect.Parameter(option.name, inspect.Parameter.KEYWORD_ONLY, default=option.default, annotation=option.type)
        for option in fields(SolveOptions)
    ]
    parameters = [
        parameter for parameter in own.parameters.values() if parameter.kind is not inspect.Parameter.VAR_KEYWORD
    ]
    first_keyword = next(
        place for place, parameter in enumerate(parameters) if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    )
    parameters[first_keyword:first_keyword] = listed
    texts = "".join(
        f"    {option.name}\n        {_sentence(option.metadata['text'])}\n" for option in fields(SolveOptions)
    )
    solve.__doc__ = re.sub(r"^    \*\*options\n(?:        .*\n)+", lambda _: texts, solve.__doc__ or "", flags=re.M)
    solve.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
    return solve


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
