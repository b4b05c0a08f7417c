"""Tables of the states around one (Presentation.board): a heat map, or the board itself. Heads come first."""

from __future__ import annotations

MOST_CELLS = 40  # rows and columns
Table = list[list[str]]


def scale(low: int, high: int, here: int) -> list[int]:
    """At most MOST_CELLS numbers from low to high, one of them `here`."""
    pace = -(-(high - low + 1) // MOST_CELLS)
    numbers = [number for number in range(low, high + 1) if (number - here) % pace == 0]
    return numbers[:MOST_CELLS] if here in numbers[:MOST_CELLS] else numbers[-MOST_CELLS:]
