"""The route by a game's own solver, which is its part `solve`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from ruse.core.capabilities import ByClass
from ruse.core.contract import built_in
from ruse.core.entry_points import theirs
from ruse.core.game import Game
from ruse.core.registry import part
from ruse.core.types import Report
from ruse.solvers import AUTO, UnknownSolver
from ruse.solving.certify import by_verifier
from ruse.solving.options import SolveOptions
from ruse.solving.result import SolveResult

if TYPE_CHECKING:
    from ruse.solving.routes import SolveRequest


class OwnSolver(Protocol):
    """A game's own solver: a module or another object with these attributes."""

    SOLVER: str  # its name; if a solver of ruse has that name, --solver NAME runs this one

    def refusal(self, options: SolveOptions) -> str:
        """Say why this solver cannot do what the options ask for; empty if it can."""

    def solve(self, game: Game, solver: str, options: SolveOptions, report: Report) -> SolveResult:
        """Solve the game. `solver` is SOLVER or "auto"; `why` in the result says why ruse chose it."""


def run_own_solver(own: OwnSolver, game: Game, solver: str, options: SolveOptions, report: Report) -> SolveResult:
    """Run a game's own solver, and certify its result with the verifier."""
    if built_in(game):
        return by_verifier(game, own.solve(game, solver, options, report), report)
    with theirs(game.name, f"solve with {own.SOLVER}"):
        result = own.solve(game, solver, options, report)
    return by_verifier(game, result, report)


def own_solver(game: Game, solver: str) -> OwnSolver | None:
    """The solver that a game brings, if `solver` is its name or auto."""
    own: OwnSolver | None = part(game, "solve")
    return own if own is not None and solver in (AUTO, own.SOLVER) else None


def refusal(request: SolveRequest) -> str:
    """Decline if the game's own solver cannot do what is requested. Raises UnknownSolver if no other solver could."""
    own = own_solver(request.game, request.spec.name)
    if own is None:
        brought: OwnSolver | None = part(request.game, "solve")
        return "the game brings no solver of its own" if brought is None else f"it is {brought.SOLVER}"
    if request.options.checkpoint is not None:
        return f"{own.SOLVER} cannot use a checkpoint"
    sentence = own.refusal(request.options)
    if request.spec.goes_by == "game" and sentence:
        raise UnknownSolver(sentence)
    return sentence


def run(request: SolveRequest) -> SolveResult:
    """Run the game's own solver."""
    own = own_solver(request.game, request.spec.name)
    assert own is not None
    result = run_own_solver(own, request.game, request.spec.name, request.options, request.report)
    merged = isinstance(request.game, ByClass) and (result.by_class or request.options.reduced)
    return replace(result, reductions=("teams", "symmetry", "forced")) if merged else result
