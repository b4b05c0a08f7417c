"""The solvers that `auto` chooses on each route, and their order, by the size of the form and the exactness asked for.

Measured by `python -m benchmarks.peers` (docs/benchmarks.md): on small forms nothing beats the simplex method. On
large forms, first-order steps sometimes converge within a few hundred iterations, in a tenth of the time of an LP.
Otherwise the support of a few hundred iterations of PDCFR+ is nearly that of an optimal strategy, and the game
restricted to it has a small LP. The LP of the whole game is the last resort. If time is limited, each of these gets
only a part of it: the rest is for more iterations of PDCFR+, which tighten the bounds of a game of any size.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, NamedTuple

from ruse.core.capabilities import Memoryless, Open, Representatives
from ruse.core.game import Game

if TYPE_CHECKING:
    from ruse.forms.sequence_form import FormArrays

SMALL = 6_000  # sequences of both sides
FIRST_STEPS = 200  # of pdhg
FOR_SUPPORT = 300  # iterations of pdcfr+
SECONDS = 1.0  # with less time, only one solver is tried on a large form
LARGEST_LP = 300_000  # sequences: more take an hour
A_LITTLE, HALF, MOST = 0.15, 0.5, 0.75  # of the time that is left
ON_PUBLIC_TREE = "pdcfr+", "of the solvers that run on a public tree, it is usually the fastest"
ON_DEVICE = "cfr+", "of the solvers that run on a GPU, it came closest in equal time"
SAMPLING = (
    ("mccfr", "the tree does not fit in memory"),
    ("mccfr-outcome", "the tree does not fit in memory, and one traversal visits too many nodes"),
)  # where no form fits: the first that takes the game, and why


class Attempt(NamedTuple):
    """A run of one solver, within a share of the time that is left."""

    solver: str
    iterations: int | None = None  # after which the next attempt follows
    polish: bool = False  # whether to look for an exact solution near the result
    share: float = 1.0


class SolverChoice(NamedTuple):
    """The solvers to try in turn, and the reason."""

    attempts: tuple[Attempt, ...]
    why: str


def solver_by_states(game: Game) -> tuple[str, str] | None:
    """Choose the solver of a game with perfect information, with the reason; None for other games."""
    if isinstance(game, Memoryless) and game.returns():
        return "value-iteration", "play can return to a state"
    if isinstance(game, Memoryless) or (isinstance(game, Open) and isinstance(game, Representatives)):
        return "backward-induction", "the game has perfect information"
    return None


def choose(form: FormArrays, *, iterating: bool, seconds: float = inf) -> SolverChoice:
    """Choose what to try for so many seconds, or until the bounds are close enough.

    With `iterating`, choose one solver that iterates.
    """
    sequences, hurried = sum(tree.sequences for tree in form.trees), seconds < inf
    if iterating or (seconds < SECONDS and sequences > SMALL):
        return SolverChoice((Attempt("pdcfr+"),), "of the solvers that iterate, it is usually the fastest")
    rest = (Attempt("pdcfr+"),) if hurried else ()  # what a solver without progress leaves of the time
    if all(tree.infosets <= 1 for tree in form.trees):
        return SolverChoice((Attempt("matrix", share=MOST), *rest), "each side chooses only once")
    if sequences <= SMALL:
        return SolverChoice((Attempt("lp", share=MOST), *rest), f"{sequences:,} sequences are few enough for an LP")
    attempts = {
        "pdhg": Attempt("pdhg", FIRST_STEPS, share=A_LITTLE),
        "the support of pdcfr+": Attempt("pdcfr+", FOR_SUPPORT, polish=True, share=MOST),
    }
    if not hurried or sequences <= LARGEST_LP:
        attempts["the LP"] = Attempt("lp", share=HALF)
    if hurried:
        attempts["more of pdcfr+"] = Attempt("pdcfr+")
    *others, last = attempts
    named = f"{', '.join(others)} and {last}"
    return SolverChoice(tuple(attempts.values()), f"with {sequences:,} sequences, ruse tries {named} in turn")
