"""The route by states: solve games with perfect information without a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruse.core import size_estimate
from ruse.core.capabilities import ByClass, Memoryless, Open, Representatives
from ruse.core.certificate import DECLARED
from ruse.core.game import GameError
from ruse.core.registry import call_optional
from ruse.solvers import Task, find
from ruse.solving.auto import solver_by_states
from ruse.solving.request import NextRoute, SolveRequest
from ruse.solving.result import SolveResult
from ruse.verify.dispatch import bounds
from ruse.verify.tree import VerifyError

if TYPE_CHECKING:
    from ruse.solvers.plans import StateStrategies

BOARDS = "states of one board count as one: nothing but the game's declaration says that they go on alike"


def refusal(request: SolveRequest) -> str:
    """Decline unless the solver goes by states, or ruse chooses one that does."""
    if request.spec.goes_by == "states":
        return ""
    if not request.auto:
        return f"{request.spec.name} does not go by states"
    if request.options.checkpoint is not None:
        return "its solvers do not iterate and cannot use a checkpoint"
    return "" if solver_by_states(request.game) else "the game does not declare perfect information"


def run(request: SolveRequest) -> SolveResult:
    """Solve state by state, and certify the strategies with the verifier."""
    game, spec, why = request.game, request.spec, ""
    if request.auto:
        chosen = solver_by_states(game)
        assert chosen is not None
        spec, why = find(chosen[0]), chosen[1]
    merged = isinstance(game, Open) and isinstance(game, Representatives) and not isinstance(game, Memoryless | ByClass)
    if not isinstance(game, Memoryless | ByClass) and not size_estimate.fits(game):
        if not merged:
            raise size_estimate.too_large(game, f"for the solver {spec.name}")
        try:
            call_optional(Open.check_countable, game, f"for the solver {spec.name}")
        except GameError as error:
            raise (NextRoute(str(error)) if request.auto else error) from error
    elif isinstance(game, Memoryless):
        call_optional(Open.check_countable, game, f"for the solver {spec.name}")
    try:
        strategies: StateStrategies = spec.start(Task(spec.name, game, report=request.report))
        request.report("certifying", None, None)
        certificate = bounds(game, strategies.tables)
    except (GameError, VerifyError) as error:
        raise (NextRoute(str(error)) if merged and request.auto else error) from error
    if merged and request.auto and not certificate.exact:  # whatever the game declares
        raise NextRoute("states of one board do not go on alike")
    note = BOARDS if merged and certificate.proof == DECLARED else ""
    return SolveResult(spec.name, strategies.tables, certificate, strategies.iterations, why, note)
