"""The route by a GPU: games of rising bids by sweeps made for them, all other public trees level by level.

Strategies stay on the device until they are read: they may be gigabytes (ruse.forms.bidding).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ruse.core.capabilities import Public
from ruse.core.contract import asked_by_contract
from ruse.core.game import Game, GameError
from ruse.core.size_estimate import gigabytes
from ruse.core.types import Report
from ruse.forms.bidding import CHUNK, BiddingTable, BidShape, bidding_of, shape_of
from ruse.kernels.gpu import machines
from ruse.solution.checkpoint import game_identity
from ruse.solvers import SOLVERS, SolverSpec, UnknownSolver, find
from ruse.solving.auto import ON_DEVICE
from ruse.solving.iterate import loop_on_device
from ruse.solving.options import SolveOptions
from ruse.solving.result import SolveResult, result_of_run
from ruse.solving.routes.public_tree import solve_public

if TYPE_CHECKING:
    from ruse.core.bidding import Bidding
    from ruse.solving.request import SolveRequest


def run(request: SolveRequest) -> SolveResult:
    """Run an iterating solver on a GPU to the limits in the options."""
    game, spec, options, report = request.game, request.spec, request.options, request.report
    usual, why = ON_DEVICE
    chosen = find(usual) if request.auto else spec
    if not chosen.public or options.polish:
        known = ", ".join(solver.name for solver in SOLVERS.values() if solver.public)
        raise UnknownSolver(
            "--device gpu does not support --polish: leave it out"
            if options.polish
            else f"--device gpu runs only {known}, not {chosen.name}"
        )
    bidding = bidding_of(game)
    if bidding is None and not isinstance(game, Public):
        raise GameError(f"--device gpu runs only games with a public tree, and {game.title} has none: use --device cpu")
    machines.free_bytes()  # raises an error if there is no GPU
    after = "" if options.checkpoint is None else f": continue from {options.checkpoint} with --resume"
    with machines.in_a_sentence(after):
        if bidding is not None:
            try:
                shape = shape_of(bidding)
            except GameError:  # such as too many hands for these sweeps
                if not isinstance(game, Public):
                    raise
            else:
                return _solve_bids(game, bidding, shape, chosen, why, options, report)
        assert isinstance(game, Public)
        return replace(solve_public(game, chosen, options, report), why=why)


def _solve_bids(
    game: Game,
    bidding: Bidding,
    shape: BidShape,
    spec: SolverSpec,
    why: str,
    options: SolveOptions,
    report: Report,
) -> SolveResult:
    from ruse.forms.bidding_check import along_plays
    from ruse.solvers.bidding import BiddingRun
    from ruse.solvers.variants import PLANNED, VARIANTS

    _check_room(game, shape, spec, options, report)
    if asked_by_contract(game):  # its numbers are a user's code
        along_plays(game, bidding)
    planned = options.iterations or PLANNED
    run = BiddingRun(bidding, VARIANTS[spec.name], planned, options.precision, machines.Gpu)
    ended = loop_on_device(run, options, _about(game, shape, spec, options), report)
    tables = BiddingTable(game, bidding, 0, run), BiddingTable(game, bidding, 1, run)
    return result_of_run(spec.name, tables, ended, why=why)


def _check_room(game: Game, shape: BidShape, spec: SolverSpec, options: SolveOptions, report: Report) -> None:
    """Report how much memory the run takes, and refuse one that does not fit."""

    def needed(kind: str, bids: int = shape.bids) -> int:
        return BidShape(shape.hands, bids).bytes(kind, spec.predicts)

    nodes, room = f"{1 << shape.bids:,} public nodes", machines.room(machines.free_bytes()[0])
    fewer = [bids for bids in range(CHUNK, shape.bids) if needed(options.precision, bids) <= room]
    advice = f"{fewer[-1]} bids would fit, and it has {shape.bids}" if fewer else "use a larger GPU"
    if needed("float32") <= room:
        advice = f"--precision float32 takes {gigabytes(needed('float32'))}"
    machines.check_room(needed(options.precision), f"the {nodes} of {game.title} in {options.precision}", advice)
    report(f"{nodes}, about {gigabytes(needed(options.precision))} of the GPU's memory", None, None)


def _about(game: Game, shape: BidShape, spec: SolverSpec, options: SolveOptions) -> dict[str, Any]:
    """Identify the run in its checkpoint, if there is to be one."""
    if options.checkpoint is None:
        return {}
    return {
        "game": game.title,
        "identity": game_identity(game, options.resume),
        "parameters": dict(game.parameters),
        "solver": spec.name,
        "planned": options.iterations if spec.scheduled else None,
        "tree": "bids",
        "device": options.device,
        "precision": options.precision,
        "rows": [shape.bid_rows, shape.hands],
    }
