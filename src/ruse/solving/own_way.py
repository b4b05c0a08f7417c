"""Games that bring their own way of being solved, as their part `solve`."""

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
    from ruse.solving.request import SolveRequest


class OwnWay(Protocol):
    """A module, or anything else that has these."""

    SOLVER: str  # the name of this way; where a solver of ruse has it, asking for that leads here

    def refusal(self, options: SolveOptions) -> str:
        """Why what is asked for cannot be had this way, in a sentence; nothing where it can."""

    def solve(self, game: Game, solver: str, options: SolveOptions, report: Report) -> SolveResult:
        """Go it. `solver` is its name, or auto; `why` of what was found says why it was chosen."""


def run_own_way(own: OwnWay, game: Game, solver: str, options: SolveOptions, report: Report) -> SolveResult:
    """What a game's own way finds; that of somebody else's game is anybody's code, and is not believed."""
    if built_in(game):
        return by_verifier(game, own.solve(game, solver, options, report), report)
    with theirs(game.name, f"solve with {own.SOLVER}"):
        found = own.solve(game, solver, options, report)
    return by_verifier(game, found, report)


def own_way(game: Game, solver: str) -> OwnWay | None:
    """The way that a game brings, if a solver leads to it."""
    own: OwnWay | None = part(game, "solve")
    return own if own is not None and solver in (AUTO, own.SOLVER) else None


def accepts(request: SolveRequest) -> bool:
    """Refuses a solver that nothing but the game has, if the game cannot do what the options say."""
    own = own_way(request.game, request.spec.name) if request.options.checkpoint is None else None
    sentence = own.refusal(request.options) if own is not None else ""
    if request.spec.goes_by == "game" and sentence:
        raise UnknownSolver(sentence)
    return own is not None and not sentence


def run(request: SolveRequest) -> SolveResult:
    own = own_way(request.game, request.spec.name)
    assert own is not None
    result = run_own_way(own, request.game, request.spec.name, request.options, request.report)
    by_class = isinstance(request.game, ByClass) and (result.filed or request.options.reduced)
    return replace(result, reductions=("teams", "symmetry", "forced")) if by_class else result
