"""What every way from a game to a solution ends in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ruse.core.certificate import Certificate
from ruse.core.types import Tables
from ruse.solving.options import STOPPED

if TYPE_CHECKING:
    from ruse.solution.history import Point
    from ruse.solvers.plans import Plans
    from ruse.solving.iterate import Ended

UNWRITTEN: Tables = ({}, {})


@dataclass(frozen=True)
class SolveResult:
    """Strategies with what they are certified for, by which solver, and how it came there."""

    solver: str
    tables: Tables
    certificate: Certificate
    iterations: int
    why: str = ""  # the solver was chosen, where that was left open
    note: str = ""  # what else is worth knowing
    points: Sequence[Point] = ()  # how the bounds came together
    plans: Callable[[], Plans] | None = None  # the strategies on a form; fractions take a while to make
    filed: bool = False  # strategies by class, though reductions were off
    unjudged: bool = False  # bounds that say no more than the payoffs
    unwritten: bool = False  # no strategies, as there was no time to write them down
    reductions: Sequence[str] = ()  # that were used, by the names of their options
    stopped: str = ""  # what cut the run short: "time", "interrupted", "memory" or "error"

    @property
    def interrupted(self) -> bool:
        return self.stopped == "interrupted"


def result_of_run(solver: str, tables: Tables, ended: Ended[Any], **more: Any) -> SolveResult:
    """What an iterating run ended with."""
    note = STOPPED.get(ended.stopped, "")
    if ended.error:
        note = f"{solver} failed after iteration {ended.iterations:,}: {ended.error}"
    return SolveResult(
        solver,
        tables,
        ended.certified.certificate,
        ended.iterations,
        note=note,
        points=ended.points,
        stopped=ended.stopped,
        **more,
    )
