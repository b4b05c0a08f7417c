"""Limits for games that are solved by class when the user turns reductions off and asks for the whole tree."""

from __future__ import annotations

from ruse.core.capabilities import Bulk, ByClass
from ruse.core.certificate import Certificate
from ruse.core.game import GameError
from ruse.core.size_estimate import most_nodes
from ruse.core.types import Report, Tables
from ruse.solvers import AUTO
from ruse.solving.form_memory import MemoryEstimate, fits, too_large
from ruse.solving.options import SolveOptions
from ruse.solving.own_way import own_solver, run_own_solver

MOST_NODES = 1_000_000  # of a tree that is walked state by state
MOST_POSITIONS = 300_000  # of a tree whose strategies are written down seat by seat


def is_walked_unreduced(game: ByClass, options: SolveOptions) -> bool:
    """Whether the whole tree is walked, which is feasible for games with rules on arrays."""
    return isinstance(game, Bulk) and not (options.symmetry or options.teams)


def check_walk(game: ByClass, options: SolveOptions, needed: MemoryEstimate | None) -> None:
    """Refuse trees that would take hours and gigabytes."""
    nodes, most = game.nodes(options.symmetry), MOST_NODES
    if needed is not None:  # walked without reductions
        if fits(needed):
            return
        if needed.form is not None:
            raise too_large(game, needed, "leave the symmetry on, or use a smaller table")
        most = most_nodes(game)
    if nodes > most:
        own = own_solver(game, AUTO)
        solver = "auto" if own is None else own.SOLVER
        advice = f"use the solver {solver}" if options.symmetry else "leave the symmetry on, or use a smaller table"
        raise GameError(f"{game.title} has {nodes:,} nodes, and at most {most:,} fit: {advice}")


def writable(game: ByClass) -> bool:
    """Whether strategies can be written down one by one."""
    return own_solver(game, AUTO) is None or game.nodes(symmetry=False) <= MOST_POSITIONS


def strategies_by_class(game: ByClass, certificate: Certificate, report: Report) -> Tables:
    """Solve a tree again by class where strategies seat by seat would fill millions of lines.

    Raises GameError unless the strategies by class have the bounds of the solution seat by seat.
    """
    own = own_solver(game, AUTO)
    assert own is not None
    solved = run_own_solver(own, game, AUTO, SolveOptions(), report)
    if solved.certificate != certificate:
        raise GameError(
            f"the bounds with reductions, {solved.certificate}, differ from those without, {certificate}: "
            "please report this table"
        )
    return solved.tables
