"""How Nim is shown: its heaps."""

from __future__ import annotations

from string import ascii_lowercase

from ruse.core.presentation import Presentation
from ruse.games.nim.rules import Heaps, Nim
from ruse.play.pictures import Cell, Grid, Picture


class NimPresentation(Presentation[Nim]):
    def picture(self, state: Heaps, side: int, end: Heaps | None) -> Picture:
        heads = [Cell("heap"), Cell("left"), Cell("", "drawn")]
        rows = [
            [Cell(ascii_lowercase[number]), Cell(str(heap)), Cell("|" * heap, f"{heap} matches", "matches")]
            for number, heap in enumerate(state.heaps)
        ]
        return Picture((), Grid("", heads, rows))
