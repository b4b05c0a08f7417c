"""The routes from a game to strategies: the first that accepts a request runs.

Each route takes games of a certain kind and returns strategies with bounds:

    device          runs on a GPU
    mistakes        the solver `quasi-perfect`, on the whole sequence form
    game            the game's own solver (its part `solve`)
    states          games with perfect information, state by state
    public tree     large games with public rules, if iterations suffice
    sequence form   games whose tree fits in memory
    public tree     large games whose sequence form turned out to have no symmetry
    samples         everything else, by random plays

A route that finds out on the way that another one suits better raises `NextRoute`. The module of a route is imported
only when its turn comes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from ruse.core.capabilities import Memoryless, Public
from ruse.core.registry import imported
from ruse.solvers import AUTO, QUASI_PERFECT, UnknownSolver, refusal
from ruse.solving.options import PRECISIONS
from ruse.solving.request import NextRoute, SolveRequest
from ruse.solving.result import SolveResult


class SolveRoute(NamedTuple):
    """A way from a game to strategies."""

    name: str
    accepts: Callable[[SolveRequest], bool]  # whether the route can do what is requested; may refuse with an error
    run: Callable[[SolveRequest], SolveResult]  # returns strategies with bounds


def _later(module: str, function: str) -> Callable[[SolveRequest], Any]:
    """A function of a module of this room, which is imported when it is called."""
    return lambda request: imported(f"ruse.solving.{module}:{function}")(request)


ROUTES = (
    SolveRoute("device", lambda request: request.options.device != "cpu", _later("on_device", "run")),
    SolveRoute("mistakes", lambda request: request.spec.name == QUASI_PERFECT, _later("by_mistakes", "run")),
    SolveRoute("game", _later("own_way", "accepts"), _later("own_way", "run")),
    SolveRoute("states", _later("by_states", "accepts"), _later("by_states", "run")),
    SolveRoute("public tree", _later("on_public", "prefers"), _later("on_public", "run")),
    SolveRoute("sequence form", _later("by_form", "accepts"), _later("by_form", "run")),
    SolveRoute("public tree", lambda request: request.public is not None, _later("on_public", "run")),
    SolveRoute("samples", lambda request: request.auto or request.samples, _later("sampling", "run")),
)


def solve_request(request: SolveRequest, routes: Sequence[SolveRoute] = ROUTES) -> SolveResult:
    """Run the first route that accepts. The result says why only if ruse chose the solver."""
    check(request)
    for route in routes:
        if route.name in request.tried or not route.accepts(request):
            continue
        request.tried.append(route.name)
        try:
            result = route.run(request)
        except NextRoute:
            continue
        return result if request.auto else replace(result, why="")
    from ruse.solving.by_form import too_large

    raise too_large(request)


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
