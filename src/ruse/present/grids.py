"""Tables that a game draws of a state and its neighbours (Presentation.board). The first row and column are heads."""

from __future__ import annotations

MOST_CELLS = 40  # rows and columns
Table = list[list[str]]


def scale(low: int, high: int, here: int) -> list[int]:
    """Choose at most MOST_CELLS evenly spaced numbers from low to high that include `here`."""
    pace = -(-(high - low + 1) // MOST_CELLS)
    numbers = [number for number in range(low, high + 1) if (number - here) % pace == 0]
    return numbers[:MOST_CELLS] if here in numbers[:MOST_CELLS] else numbers[-MOST_CELLS:]
