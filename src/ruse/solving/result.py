"""The result of a route: strategies with their certificate, and facts about the run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from ruse.core.certificate import Certificate
from ruse.core.clock import regardless
from ruse.core.types import Odds, Tables
from ruse.solving.options import STOPPED

if TYPE_CHECKING:
    from ruse.solution.history import Point
    from ruse.solution.mistakes import Mistakes
    from ruse.solvers.plans import Plans
    from ruse.solving.iterate import RunResult

UNWRITTEN: Tables = ({}, {})


@dataclass(frozen=True)
class SolveResult:
    """Strategies with their certificate, the solver, and facts about the run."""

    solver: str
    tables: Tables
    certificate: Certificate
    iterations: int
    why: str = ""  # why ruse chose this solver
    note: str = ""  # anything else worth knowing about the run
    points: Sequence[Point] = ()  # how the bounds converged
    plans: Callable[[], Plans] | None = None  # the strategies on a form, computed late because fractions take a while
    by_class: bool = False  # strategies by class although reductions were off
    unjudged: bool = False  # whether the bounds are only the range of the payoffs
    unwritten: bool = False  # whether there was no time to write strategies down
    reductions: Sequence[str] = ()  # that were used, by the names of their options
    mistakes: Mistakes | None = None  # how rare each is, of a quasi-perfect equilibrium
    stopped: str = ""  # what cut the run short: "time", "interrupted", "memory" or "error"
    route: str = ""  # that led to the strategies (ruse.solving.routes)
    declined: Mapping[str, str] = field(default_factory=dict)  # why each route before it declined

    @property
    def interrupted(self) -> bool:
        return self.stopped == "interrupted"


def result_of_run(solver: str, tables: Tables, ended: RunResult[Any], **more: Any) -> SolveResult:
    """The result of an iterating run."""
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


class _Later(Mapping[str, Odds]):
    """A side's table that is written down when it is first read."""

    def __init__(self, write: Callable[[], Tables], side: int) -> None:
        self._write, self._side = write, side

    def __getitem__(self, position: str) -> Odds:
        return self._write()[self._side][position]

    def __iter__(self) -> Iterator[str]:
        return iter(self._write()[self._side])

    def __len__(self) -> int:
        return len(self._write()[self._side])

    def __reduce__(self) -> tuple[type[dict[str, Odds]], tuple[dict[str, Odds]]]:
        return dict, (dict(self),)


def written_later(write: Callable[[], Tables]) -> Tables:
    """Tables of a run whose time is up: they are written down once, when they are first read."""

    @cache
    def written() -> Tables:
        with regardless():
            return write()

    return _Later(written, 0), _Later(written, 1)


def is_written_later(tables: Tables) -> bool:
    """Whether tables have yet to be written down."""
    return isinstance(tables[0], _Later)
