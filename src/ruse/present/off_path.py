"""Positions that optimal play never reaches, seen as in a quasi-perfect equilibrium of the same game."""

from __future__ import annotations

from dataclasses import replace

from ruse.core.game import END
from ruse.present.model import NO_ADVICE, QUASI_PERFECT_ADVICE, View, Viewer
from ruse.present.tree import TreeViewer
from ruse.solvers import QUASI_PERFECT
from ruse.solvers.highs import SolverError
from ruse.solvers.spec import has_plain_tree
from ruse.solving.pipeline import solve

MOST_SEQUENCES = 2_100  # of both sides, for quasi-perfect play to be there in a second
REFINED = (
    "Moves, values and beliefs are those of a quasi-perfect equilibrium, in which each side makes mistakes, but very "
    "rarely"
)


def advised(viewer: Viewer, view: View) -> View:
    """A view with advice, where it has none and quasi-perfect play is quick to find; else the view as it is."""
    if view.advice != NO_ADVICE or view.turn == END or (other := refined(viewer)) is None:
        return view
    sensible = other.at(view.position, view.side)
    assumption = REFINED if sensible.reached else f"{REFINED}. {sensible.assumption}"
    return replace(sensible, reached=False, reach=view.reach, assumption=assumption, advice=QUASI_PERFECT_ADVICE)


def refined(viewer: Viewer) -> TreeViewer | None:
    """Views of a quasi-perfect equilibrium of the game of another viewer, made once; None where there are none."""
    if not isinstance(viewer, TreeViewer):
        return None
    if "refined" not in viewer.__dict__:
        viewer.__dict__["refined"] = _refined(viewer)  # as cached
    refined: TreeViewer | None = viewer.__dict__["refined"]
    return refined


def _refined(viewer: TreeViewer) -> TreeViewer | None:
    sequences = sum(sets.first[-1] for sets in viewer.nodes.sets)
    game = viewer.solution.game
    if not viewer.nodes.exact or sequences > MOST_SEQUENCES or not has_plain_tree(game):
        return None
    try:
        return TreeViewer(solve(game, QUASI_PERFECT))
    except SolverError:
        return None
