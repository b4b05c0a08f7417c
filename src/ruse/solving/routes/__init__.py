"""The routes from a game to strategies. The first route that accepts a request runs.

    device          a GPU, with --device gpu
    quasi-perfect   the whole sequence form, for the solver of that name
    own solver      the solver that the game brings (its part `solve`)
    states          games with perfect information, state by state
    public tree     large games with public rules, if iterations suffice
    sequence form   games whose tree fits in memory
    sampling        everything else, by random plays

Each is a module with two functions. `refusal` says in a few words why the route declines a request; it returns "" if
the route accepts. `run` returns strategies with bounds. A route that finds out on the way that another one suits better
raises `NextRoute` with the reason. The module of a route is imported only when the route is considered.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from ruse.core.capabilities import Bulk, ByClass, Memoryless, Public
from ruse.core.game import Game, GameError
from ruse.core.registry import imported
from ruse.core.types import Report
from ruse.solvers import AUTO, QUASI_PERFECT, SolverSpec, UnknownSolver, refusal
from ruse.solving.options import PRECISIONS, SolveOptions
from ruse.solving.result import SolveResult

if TYPE_CHECKING:
    from ruse.solving.form_memory import MemoryEstimate


class NextRoute(Exception):
    """The reason for which a route that runs leaves the request to another one."""


@dataclass(eq=False)
class SolveRequest:
    """A game to solve, with a solver and options.

    `tried` names the routes that have run so far, and `declined` says why each route that was asked did not solve it.
    """

    game: Game
    spec: SolverSpec
    options: SolveOptions
    report: Report
    tried: list[str] = field(default_factory=list)
    declined: dict[str, str] = field(default_factory=dict)

    @property
    def auto(self) -> bool:
        """Whether ruse chooses the solver."""
        return self.spec.name == AUTO

    @property
    def samples(self) -> bool:
        return self.spec.goes_by == "samples"

    @cached_property
    def estimate(self) -> MemoryEstimate | None:
        """The memory for the sequence form of the game; None if the game is not walked without reductions."""
        from ruse.solving import form_memory

        reduced = self.options.symmetry or self.options.teams
        if isinstance(self.game, ByClass) and (reduced or not isinstance(self.game, Bulk)):
            return None
        return form_memory.estimate_memory(self.game, self.spec, self.is_listed)

    @property
    def is_listed(self) -> bool:
        """Whether strategies can be written down position by position."""
        from ruse.solving.writing import writable

        return writable(self.game) if isinstance(self.game, ByClass) else True

    @cached_property
    def public_refusal(self) -> str:
        """Why a run on the public tree does not suit the game; "" if it does."""
        from ruse.solving.routes.public_tree import unsuited

        return unsuited(self.game, self.spec, self.options)


class SolveRoute(NamedTuple):
    """A way from a game to strategies."""

    name: str
    refusal: Callable[[SolveRequest], str]  # why the route declines a request, in a few words; "" if it accepts
    run: Callable[[SolveRequest], SolveResult]  # returns strategies with bounds


def _later(function: str) -> Callable[[SolveRequest], Any]:
    """A function of a module of this package, which is imported when it is called."""
    return lambda request: imported(f"{__name__}.{function}")(request)


def _no_device(request: SolveRequest) -> str:
    return "it needs --device gpu" if request.options.device == "cpu" else ""


def _not_quasi_perfect(request: SolveRequest) -> str:
    return "" if request.spec.name == QUASI_PERFECT else f"it runs only for the solver {QUASI_PERFECT}"


def _no_samples(request: SolveRequest) -> str:
    return "" if request.auto or request.samples else f"{request.spec.name} does not sample"


ROUTES = (
    SolveRoute("device", _no_device, _later("device:run")),
    SolveRoute("quasi-perfect", _not_quasi_perfect, _later("quasi_perfect:run")),
    SolveRoute("own solver", _later("own_solver:refusal"), _later("own_solver:run")),
    SolveRoute("states", _later("states:refusal"), _later("states:run")),
    SolveRoute("public tree", _later("public_tree:refusal"), _later("public_tree:run")),
    SolveRoute("sequence form", _later("sequence_form:refusal"), _later("sequence_form:run")),
    SolveRoute("sampling", _no_samples, _later("sampling:run")),
)


def solve_request(request: SolveRequest, routes: Sequence[SolveRoute] = ROUTES) -> SolveResult:
    """Run the first route that accepts, and record its name and why others declined.

    `why` in the result, the reason for the solver, stays only if ruse chose the solver.
    """
    check(request)
    while (route := _next_route(request, routes)) is not None:
        request.tried.append(route.name)
        try:
            result = route.run(request)
        except NextRoute as error:
            request.declined[route.name] = str(error)
            continue
        return replace(result, route=route.name, declined=request.declined, why=result.why if request.auto else "")
    raise _no_route(request)


def _next_route(request: SolveRequest, routes: Sequence[SolveRoute]) -> SolveRoute | None:
    """The first route that has not run yet and accepts."""
    for route in routes:
        if route.name in request.tried:
            continue
        if not (reason := route.refusal(request)):
            request.declined.pop(route.name, None)
            return route
        request.declined[route.name] = reason
    return None


def _no_route(request: SolveRequest) -> GameError:
    """The error for a game that no route can solve. Its notes say why each route declined."""
    from ruse.solving.routes.sequence_form import too_large

    error = too_large(request)
    error.add_note("Each way of solving declined:")
    for name, reason in request.declined.items():
        error.add_note(f"  {name}: {reason}")
    return error


def check(request: SolveRequest) -> None:
    """Refuse what no route can do."""
    game, spec, options = request.game, request.spec, request.options
    if options.device != "cpu":
        return  # that route has messages of its own
    if sentence := refusal(spec, game):
        raise UnknownSolver(sentence)
    runs_on_public_tree = isinstance(game, Public) and (spec.public or spec.name == AUTO) and not options.polish
    if options.precision != PRECISIONS[0] and not runs_on_public_tree:
        raise UnknownSolver(
            f"--precision {options.precision} needs a game with a public tree and a solver that runs on it, such as "
            f"cfr+; {spec.name} on {game.title} does not"
        )
    if isinstance(game, Memoryless) and options.checkpoint is not None:
        raise UnknownSolver(f"the solvers of {game.name} do not iterate and cannot use a checkpoint: leave it out")
