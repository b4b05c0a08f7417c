"""Which solvers to try on a form, and in which order: by its size and by how exact the answer must be.

Measured by `python -m benchmarks.peers` (docs/benchmarks.md): on small forms nothing beats the simplex method. On
large ones first-order steps now and then converge within some hundred iterations, in a tenth of the time of an LP.
Where they do not, the support of a few hundred iterations of PDCFR+ is nearly that of an optimal strategy, and the game
restricted to it has a small LP. The LP of the whole game is the last resort.
"""

from __future__ import annotations

from typing import NamedTuple

from ruse.forms.sequence_form import SequenceForm

SMALL = 6_000  # sequences of both sides
FIRST_STEPS = 200  # of pdhg
FOR_SUPPORT = 300  # iterations of pdcfr+


class Attempt(NamedTuple):
    solver: str
    iterations: int | None = None  # after which the next attempt follows
    polish: bool = False  # whether to look for an exact solution near what it found


class Choice(NamedTuple):
    attempts: tuple[Attempt, ...]
    why: str


def choose(form: SequenceForm, *, iterating: bool) -> Choice:
    """What to try until the bounds are as close as is asked for. With `iterating`, one solver that iterates."""
    sequences = sum(tree.sequences for tree in form.trees)
    if iterating:
        return Choice((Attempt("pdcfr+"),), "of the solvers that iterate it mostly needs the fewest seconds")
    if all(tree.infosets <= 1 for tree in form.trees):
        return Choice((Attempt("matrix"),), "each side chooses only once")
    if sequences <= SMALL:
        return Choice((Attempt("lp"),), f"{sequences:,} sequences are few enough for an LP")
    return Choice(
        (Attempt("pdhg", FIRST_STEPS), Attempt("pdcfr+", FOR_SUPPORT, polish=True), Attempt("lp")),
        f"with {sequences:,} sequences, pdhg, the support of pdcfr+ and the LP were to be tried in turn",
    )
