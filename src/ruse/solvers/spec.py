"""What is known of a solver before it runs, and what it is given then.

A solver is called with a `Task`. One that goes by the form gives exact plans (`CertifiedPlans`), or a run that comes
nearer step by step (`Iterating`), which `ruse.solving` stops, keeps and certifies. One that goes by states gives
`StateStrategies`. Nothing here is slow to import, for `ruse --help` lists the solvers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from ruse.core.capabilities import ByClass, Memoryless
from ruse.core.game import Game, RuseError
from ruse.core.registry import imported, part
from ruse.core.types import Report

if TYPE_CHECKING:
    from ruse.forms.integer_form import Compiled
    from ruse.forms.public_layout import Layout
    from ruse.forms.sequence_form import FormArrays

GoesBy = Literal[
    "form",  # the sequence form
    "samples",  # plays that are drawn by the rules; where a form fits, it judges them
    "states",  # of a game without secrets, which needs no form
    "game",  # nothing: games that take it bring it themselves, as their part `solve`
    "choice",  # whatever is the quickest
]
NO_TREE = "{solver} needs a game tree, and {game} has none: use {others} or auto"


class UnknownSolver(RuseError):
    """No solver has that name, or it cannot do what is asked."""


class InvalidWeights(RuseError):
    """A solver of another package returned weights that are no odds: it is broken, and the run is no answer."""


@dataclass(frozen=True)
class Task:
    """What a solver is given: a game, its form, and what is asked."""

    solver: str
    game: Game  # reduced, where reductions are on: the form is of this one
    walked: FormArrays | None = None  # its form, for solvers that go by one
    gap: float | None = None  # bounds so close are enough
    iterations: int | None = None  # after which a run will be stopped
    seed: int = 0
    exactly: bool = False  # nothing less than equal bounds will do, and nothing is kept on the way
    side: int = 0  # from whose point of view an LP is written
    method: str = "simplex"  # or "ipm"
    report: Report = lambda *_: None  # hears what is being done
    laid: Layout | None = None  # its public tree, for solvers that go by one
    precision: str = "float64"  # of numbers on a public tree
    threads: int | None = None  # all there are, unless given
    built: dict[str, Compiled] = field(default_factory=dict)  # the form for compiled code, once somebody needed it

    @property
    def form(self) -> FormArrays:
        assert self.walked is not None
        return self.walked

    @property
    def layout(self) -> Layout:
        assert self.laid is not None
        return self.laid

    @property
    def compiled(self) -> Compiled:
        """The form for compiled code, for all tasks that share what is built."""
        from ruse.forms.integer_form import Compiled
        from ruse.kernels import BOUNDS, check_compiled

        if "form" not in self.built:
            self.report("compiling (cached for next time)", None, None)
            check_compiled(*BOUNDS)
            self.built["form"] = Compiled(self.form)
        return self.built["form"]


def has_tree(game: Game) -> bool:
    return not isinstance(game, Memoryless)


def has_plain_tree(game: Game) -> bool:
    """Whether strategies are written down position by position."""
    return not isinstance(game, Memoryless | ByClass)


def has_states(game: Game) -> bool:
    return isinstance(game, Memoryless)


def never_returns(game: Game) -> bool:
    return not (isinstance(game, Memoryless) and game.returns())


def brings(solver: str) -> Callable[[Game], bool]:
    """Games whose own way of being solved has that name."""

    def accepts(game: Game) -> bool:
        own = part(game, "solve")
        return own is not None and solver == own.SOLVER

    return accepts


def any_game(game: Game) -> bool:
    return True


@dataclass(frozen=True)
class SolverSpec:
    """A line of the list of solvers."""

    name: str
    summary: str
    run: str | Callable[[Task], Any] = ""  # what solves a task, or "module:attribute", imported when it is needed
    goes_by: GoesBy = "form"
    accepts: Callable[[Game], bool] = has_tree
    refusal: str = NO_TREE  # what other games hear; nothing where the solver itself can say more
    public: str | Callable[[Task], Any] = ""  # what runs a task on a public tree, where it can: an `Iterating` on rows
    iterates: bool = False  # gives a run that can be kept in a checkpoint
    anytime: bool = False  # has bounds before its end
    exact: bool = False  # ends with equal bounds, unless it is stopped
    predicts: bool = False  # keeps the regrets that it expects next
    scheduled: bool = False  # what it does depends on how many iterations are planned
    sweeps: tuple[str, ...] = ()  # that it is compiled from (ruse.kernels.check_compiled)
    public_sweeps: tuple[str, ...] = ()  # the same, on a public tree

    def start(self, task: Task) -> Any:
        """What the solver makes of a task: `CertifiedPlans`, `Iterating` or `StateStrategies`."""
        given = self.run if task.laid is None else self.public
        run = imported(given) if isinstance(given, str) else given
        return run(task)
