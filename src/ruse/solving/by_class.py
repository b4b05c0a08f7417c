"""Trees of games that are solved by class, where somebody wants all of them: what is too large, and what instead."""

from __future__ import annotations

from ruse.core.capabilities import Bulk, ByClass
from ruse.core.certificate import Certificate
from ruse.core.game import GameError
from ruse.core.size_estimate import most_nodes
from ruse.core.types import Report, Tables
from ruse.solvers import AUTO
from ruse.solving.form_memory import Needs, fits, too_large
from ruse.solving.options import SolveOptions
from ruse.solving.own_way import own_way, run_own_way

MOST_NODES = 1_000_000  # of a tree, to walk it state by state
MOST_POSITIONS = 300_000  # of a tree, to write strategies down for seat by seat


def walked_as_it_is(game: ByClass, options: SolveOptions) -> bool:
    """Whether the whole tree is walked, which games with rules on arrays can bear."""
    return isinstance(game, Bulk) and not (options.symmetry or options.teams)


def check_walk(game: ByClass, options: SolveOptions, needed: Needs | None) -> None:
    """Refuse to write down trees that would take hours and gigabytes."""
    nodes, most = game.nodes(options.symmetry), MOST_NODES
    if needed is not None:  # walked as it is
        if fits(needed):
            return
        if needed.form is not None:
            raise too_large(game, needed, "leave the symmetry on, or use a smaller table")
        most = most_nodes(game)
    if nodes > most:
        own = own_way(game, AUTO)
        solver = "auto" if own is None else own.SOLVER
        advice = f"use the solver {solver}" if options.symmetry else "leave the symmetry on, or use a smaller table"
        raise GameError(f"{game.title} has {nodes:,} nodes, and at most {most:,} fit: {advice}")


def writable(game: ByClass) -> bool:
    """Whether strategies can be written down one by one."""
    return own_way(game, AUTO) is None or game.nodes(symmetry=False) <= MOST_POSITIONS


def filed_instead(game: ByClass, certificate: Certificate, report: Report) -> Tables:
    """Strategies by class for a tree that was solved seat by seat, where those would fill millions of lines.

    The seat-by-seat solution has the certificate; strategies by class that guarantee the same are as good.
    """
    own = own_way(game, AUTO)
    assert own is not None
    found = run_own_way(own, game, AUTO, SolveOptions(), report)
    if found.certificate != certificate:
        raise GameError(
            f"the bounds with reductions, {found.certificate}, differ from those without, {certificate}: "
            "please report this table"
        )
    return found.tables
