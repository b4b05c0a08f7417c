"""Tables of the states around one, by a game's part `grid`: a heat map, or the board itself. Heads come first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruse.core.game import State
from ruse.core.registry import part

if TYPE_CHECKING:
    from ruse.view.states import StateViewer

MOST_CELLS = 40  # rows and columns
Table = list[list[str]]


def grid(viewer: StateViewer, state: State) -> tuple[Table, str]:
    """The table, and what it shows in a sentence; empty for games without one."""
    brought = part(viewer.game, "grid")
    return ([], "") if brought is None else brought(viewer, state)


def scale(low: int, high: int, here: int) -> list[int]:
    """At most MOST_CELLS numbers from low to high, one of them `here`."""
    pace = -(-(high - low + 1) // MOST_CELLS)
    numbers = [number for number in range(low, high + 1) if (number - here) % pace == 0]
    return numbers[:MOST_CELLS] if here in numbers[:MOST_CELLS] else numbers[-MOST_CELLS:]
