"""`ruse show FILE.ruse POSITION --why[=MOVE]`: why moves are right or wrong, in words and as data."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ruse.core.capabilities import Open
from ruse.core.clock import TimeIsUp, deadline
from ruse.core.game import GameError, RuseError
from ruse.present.console import Progress, print_json

if TYPE_CHECKING:
    from ruse.insight.costs import Costs
    from ruse.insight.model import Insight, MoveInsight
    from ruse.insight.reasons import Explanation
    from ruse.solution.strategy import Solution

HABITS_SECONDS = 10.0  # for the prices of moves as habits, which are left out otherwise


def show_why(given: argparse.Namespace, solution: Solution) -> int:
    """Explain the move that --why names, or the best move and the wrong one that costs least."""
    from ruse.insight.reasons import Explainer

    made, costs = _costs(given, solution)
    explainer = Explainer(costs)
    moves = [given.why] if given.why else explainer.asked(given.position)
    side = explainer.viewer.at(given.position).side
    habits = _habits(made, given.position, side)
    explained: dict[str, Explanation] = {}
    for move in moves:
        explained[move] = explainer.explain(given.position, move, side, habits)
    if given.json:
        why: dict[str, Any] = {move: explanation.to_json() for move, explanation in explained.items()}
        print_json({"position": given.position, "side": solution.game.sides[side], "why": why})
        return 0
    print("\n\n".join(explanation.text for explanation in explained.values()))
    return 0


def _costs(given: argparse.Namespace, solution: Solution) -> tuple[Insight | None, Costs]:
    """Insight into the solution, if there is any, and the costs of its moves; the stored ones if others take long."""
    from ruse.insight import insight
    from ruse.insight.costs import PATIENCE, costs_of, stored_costs

    if solution.certificate.exact and solution.written and not isinstance(solution.game, Open):
        with suppress(GameError), Progress(sys.stderr, "comparing all optimal strategies"):
            made = insight(solution, file=given.file)
            with suppress(TimeIsUp), deadline(PATIENCE):
                costs = costs_of(made)
                _ = costs.reference
                costs.keep()
                return made, costs
    return None, stored_costs(solution)


def _habits(made: Insight | None, position: str, side: int) -> Sequence[MoveInsight]:
    """What insight knows of the moves here, if it is found in time."""
    if made is not None:
        with suppress(RuseError), deadline(HABITS_SECONDS):
            return made.moves(position, side)
    return ()
