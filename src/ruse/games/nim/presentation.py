"""How Nim is shown: its heaps."""

from __future__ import annotations

from string import ascii_lowercase

from ruse.core.presentation import Presentation
from ruse.games.nim.rules import Heaps, Nim
from ruse.play.pictures import Cell, Grid, Picture
from ruse.present.scene import MATCH, Piece, Row, Scene

MOST_DRAWN = 100  # matches


class NimPresentation(Presentation[Nim]):
    def picture(self, state: Heaps, side: int, end: Heaps | None) -> Picture:
        heads = [Cell("heap"), Cell("left"), Cell("", "drawn")]
        rows = [
            [Cell(ascii_lowercase[number]), Cell(str(heap)), Cell("|" * heap, _matches(heap), "matches")]
            for number, heap in enumerate(state.heaps)
        ]
        heaps = [
            Row(f"Heap {ascii_lowercase[number]}", [Piece(MATCH, says=_matches(heap))] + [Piece(MATCH)] * (heap - 1))
            for number, heap in enumerate(state.heaps)
            if heap
        ]
        scene = Scene(heaps) if sum(state.heaps) <= MOST_DRAWN and heaps else None
        return Picture((), Grid("", heads, rows), scene)


def _matches(count: int) -> str:
    return "1 match" if count == 1 else f"{count} matches"
