"""Solve a memoryless game: by backward induction, or by value iteration where play can come back to a state."""

from __future__ import annotations

from fractions import Fraction

from ruse.core.capabilities import Filed, Memoryless
from ruse.core.game import Game, describe
from ruse.core.types import Tables
from ruse.games.four_in_a_row.rules import FourInARow
from ruse.solvers.backward_induction import backward_induction
from ruse.solving.options import Kept, Report, UnknownSolver

INDUCTION, ITERATION = "backward-induction", "value-iteration"


def solve_by_state(game: Memoryless, solver: str, kept: Kept, report: Report) -> tuple[str, Tables, int, str]:
    """The solver, both strategies, how many boards or sweeps it took, and why this solver where that was left open."""
    if solver not in ("auto", INDUCTION, ITERATION):
        known = [ITERATION] if game.returns() else [INDUCTION, ITERATION]
        known = ["alpha-beta", *known] if isinstance(game, FourInARow) else known
        raise UnknownSolver(
            f"expected {', '.join(known)} or auto for {game.name}, which has states but no tree, got {solver}"
        )
    if kept.checkpoint is not None:
        raise UnknownSolver(f"expected no checkpoint for {game.name}, whose solvers do not need one")
    if isinstance(game, FourInARow):
        game.check_countable(f"for the solver {solver}")
    if solver == ITERATION or (game.returns() and solver == "auto"):
        why = "play can come back to a state" * (solver == "auto")
        return ITERATION, *_iterate(game, report), why
    report("solving from the end", None, None)
    return INDUCTION, *induce(game), "the game has no secrets" * (solver == "auto")


def induce(game: Game) -> tuple[Tables, int]:
    """Both strategies by backward induction, also of other games without secrets, and the number of boards."""
    induced = backward_induction(game)
    tables: tuple[dict[str, dict[str, Fraction]], dict[str, dict[str, Fraction]]] = ({}, {})
    for side, best in enumerate(induced.best):
        for state, move in best:
            position = describe(game, game.knows(state, side))
            if isinstance(game, Filed):
                position, _ = game.file(position, side)
            tables[side][position] = {game.label(option): Fraction(option == move) for option in game.moves(state)}
    return tables, induced.boards


def _iterate(game: Memoryless, report: Report) -> tuple[Tables, int]:
    """Both strategies by value iteration, and the number of sweeps."""
    from ruse.forms.state_graph import graph_of
    from ruse.kernels import check_compiled
    from ruse.solvers.value_iteration import value_iteration  # compiled

    check_compiled()
    report("writing down the states", None, None)
    graph = graph_of(game)
    report(f"iterating over {len(graph.arrays.turn):,} states", None, None)
    choice, sweeps = value_iteration(graph.arrays)
    return (graph.write(0, choice), graph.write(1, choice)), sweeps
