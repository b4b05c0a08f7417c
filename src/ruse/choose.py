"""Which solver is quickest for a form: by its size and by whether an exact answer is wanted."""

from __future__ import annotations

from typing import NamedTuple

from ruse.sequence_form import SequenceForm

SMALL = 2_000  # sequences of both sides: an LP of this size is solved before compiled code has been loaded


class Choice(NamedTuple):
    solver: str
    why: str = ""
    polish: bool = False  # make it exact afterwards


def choose(form: SequenceForm, gap: float, checkpoint: bool) -> Choice:
    """A solver that ends with bounds `gap` apart; 0 wants them equal. With `checkpoint`, one that iterates."""
    sequences = sum(tree.sequences for tree in form.trees)
    if not checkpoint:
        if all(tree.infosets <= 1 for tree in form.trees):
            return Choice("matrix", "it is a payoff table")
        if sequences <= SMALL or not gap:
            return Choice("lp", f"{sequences:,} sequences are few enough for an exact LP")
    return Choice("pdcfr+", f"a gap of {gap:g} on {sequences:,} sequences takes it fewer seconds than an LP")
