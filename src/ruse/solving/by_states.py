"""The route by states: solve games with perfect information without a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruse.core import size_estimate
from ruse.core.capabilities import ByClass, Memoryless
from ruse.core.registry import call_optional
from ruse.solvers import Task, find
from ruse.solving.auto import solver_by_states
from ruse.solving.request import SolveRequest
from ruse.solving.result import SolveResult
from ruse.verify.dispatch import bounds

if TYPE_CHECKING:
    from ruse.solvers.plans import Strategies


def accepts(request: SolveRequest) -> bool:
    """Whether the solver goes by states, or ruse chooses one that does."""
    if request.spec.goes_by == "states":
        return True
    return request.auto and request.options.checkpoint is None and solver_by_states(request.game) is not None


def run(request: SolveRequest) -> SolveResult:
    """Solve state by state, and certify the strategies with the verifier."""
    game, spec, why = request.game, request.spec, ""
    if request.auto:
        chosen = solver_by_states(game)
        assert chosen is not None
        spec, why = find(chosen[0]), chosen[1]
    elif not isinstance(game, Memoryless | ByClass) and not size_estimate.fits(game):
        raise size_estimate.too_large(game, f"for the solver {spec.name}")
    call_optional(Memoryless.check_countable, game, f"for the solver {spec.name}")
    strategies: Strategies = spec.start(Task(spec.name, game, report=request.report))
    request.report("certifying", None, None)
    return SolveResult(spec.name, strategies.tables, bounds(game, strategies.tables), strategies.iterations, why)
