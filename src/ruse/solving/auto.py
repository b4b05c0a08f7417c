"""Which solvers to try, and in which order: by the game, by the size of its form and by how exact the answer must be.

Measured by `python -m benchmarks.peers` (docs/benchmarks.md): on small forms nothing beats the simplex method. On
large ones first-order steps now and then converge within some hundred iterations, in a tenth of the time of an LP.
Where they do not, the support of a few hundred iterations of PDCFR+ is nearly that of an optimal strategy, and the game
restricted to it has a small LP. The LP of the whole game is the last resort. Where the time is limited, none of these
may take all of it: the rest is for more iterations of PDCFR+, which bring the bounds together however large the game.
"""

from __future__ import annotations

from math import inf
from typing import NamedTuple

from ruse.core.capabilities import Memoryless, Open, Representatives
from ruse.core.game import Game
from ruse.forms.sequence_form import SequenceForm

SMALL = 6_000  # sequences of both sides
FIRST_STEPS = 200  # of pdhg
FOR_SUPPORT = 300  # iterations of pdcfr+
SECONDS = 1.0  # with less time, only one solver is tried on a large form
LARGEST_LP = 300_000  # sequences: more take an hour
A_LITTLE, HALF, MOST = 0.15, 0.5, 0.75  # of the time that is left
SAMPLING = (
    ("mccfr", "the tree does not fit in memory"),
    ("mccfr-outcome", "the tree does not fit in memory, and one traversal visits too many nodes"),
)  # where no form fits: the first that takes the game, and why


class Attempt(NamedTuple):
    solver: str
    iterations: int | None = None  # after which the next attempt follows
    polish: bool = False  # whether to look for an exact solution near what it found
    share: float = 1.0  # of the time that is left


class Choice(NamedTuple):
    attempts: tuple[Attempt, ...]
    why: str


def solver_by_states(game: Game) -> tuple[str, str] | None:
    """The solver of a game without secrets, where strategies can go by its boards, and why; None for other games."""
    if isinstance(game, Memoryless) and game.returns():
        return "value-iteration", "play can return to a state"
    if isinstance(game, Memoryless) or (isinstance(game, Open) and isinstance(game, Representatives)):
        return "backward-induction", "the game has perfect information"
    return None


def choose(form: SequenceForm, *, iterating: bool, seconds: float = inf) -> Choice:
    """What to try for so many seconds, or until the bounds are as close as is asked for.

    With `iterating`, one solver that iterates.
    """
    sequences, hurried = sum(tree.sequences for tree in form.trees), seconds < inf
    if iterating or (seconds < SECONDS and sequences > SMALL):
        return Choice((Attempt("pdcfr+"),), "of the solvers that iterate, it is usually the fastest")
    rest = (Attempt("pdcfr+"),) if hurried else ()  # what a solver without progress leaves of the time
    if all(tree.infosets <= 1 for tree in form.trees):
        return Choice((Attempt("matrix", share=MOST), *rest), "each side chooses only once")
    if sequences <= SMALL:
        return Choice((Attempt("lp", share=MOST), *rest), f"{sequences:,} sequences are few enough for an LP")
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
    return Choice(tuple(attempts.values()), f"with {sequences:,} sequences, ruse tries {named} in turn")
