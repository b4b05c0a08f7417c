"""How much memory a spot takes, before anything large is allocated."""

from __future__ import annotations

from ruse.games.holdem.layout import SpotLayout

PROGRAM = 250_000_000  # bytes of Python with compiled sweeps: measured
HAND_BYTES = 40  # of each board's hand, in all lists of both solver and proof: measured
PROOF = 8.0  # times an iteration that exact bounds take: measured


def bytes_needed(layout: SpotLayout, compress: bool) -> int:
    """The memory of a run: two numbers for each move, board and hand, and what lists them."""
    number = 2 if compress else 4
    rows = sum(len(street.boards) * street.sides[side].rows for street in layout.streets for side in (0, 1))
    hands = sum(int(street.widths[side].sum()) for street in layout.streets for side in (0, 1))
    state = layout.numbers() * 2 * number + (8 * rows if compress else 0)
    return PROGRAM + state + hands * HAND_BYTES


def proof_seconds(layout: SpotLayout, rate: float) -> float:
    """About how long exact bounds take, at so many iterations a second."""
    return PROOF / rate
