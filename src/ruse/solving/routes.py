"""The routes from a game to strategies: the first that accepts a request runs.

Each route takes a game of a certain kind and gives strategies with the bounds that it found:

    device          a GPU, where that is asked for
    game            the game's own solver (its part `solve`)
    states          games without secrets, state by state
    public tree     large games with public rules, where iterations are enough
    sequence form   games whose tree fits in memory
    public tree     large games whose sequence form turned out to have no symmetry
    samples         everything else, by random plays

A route that finds out on the way that another suits better raises `NextRoute`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from ruse.core.capabilities import Memoryless
from ruse.solvers import UnknownSolver, refusal
from ruse.solving import by_form, by_states, on_device, on_public, own_way, sampling
from ruse.solving.by_form import NextRoute
from ruse.solving.request import SolveRequest
from ruse.solving.result import SolveResult


class SolveRoute(NamedTuple):
    """A way from a game to strategies."""

    name: str
    accepts: Callable[[SolveRequest], bool]  # whether it can do what is requested; may refuse it with an error
    run: Callable[[SolveRequest], SolveResult]  # strategies, with the bounds that it found


ROUTES = (
    SolveRoute("device", on_device.accepts, on_device.run),
    SolveRoute("game", own_way.accepts, own_way.run),
    SolveRoute("states", by_states.accepts, by_states.run),
    SolveRoute("public tree", by_form.prefers_public_tree, by_form.run_on_public_tree),
    SolveRoute("sequence form", by_form.accepts, by_form.run),
    SolveRoute("public tree", lambda request: request.public is not None, by_form.run_on_public_tree),
    SolveRoute("samples", sampling.accepts, sampling.run),
)


def solve_request(request: SolveRequest, routes: Sequence[SolveRoute] = ROUTES) -> SolveResult:
    """Run the first route that accepts; `why` is said only where the solver was ours to choose."""
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
    raise by_form.too_large(request)


def check(request: SolveRequest) -> None:
    """Refuse what no route can do."""
    game, spec, options = request.game, request.spec, request.options
    if options.device != "cpu":
        return  # which has its own sentences
    if sentence := refusal(spec, game):
        raise UnknownSolver(sentence)
    on_public.check_precision(game, spec, options)
    if isinstance(game, Memoryless) and options.checkpoint is not None:
        raise UnknownSolver(f"the solvers of {game.name} do not iterate and cannot use a checkpoint: leave it out")
