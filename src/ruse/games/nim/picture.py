"""The heaps of Nim."""

from __future__ import annotations

from string import ascii_lowercase

from ruse.games.nim.rules import Heaps
from ruse.play.pictures import Cell, Grid, Picture
from ruse.play.session import Session


def picture(session: Session, state: Heaps) -> Picture:
    heads = [Cell("heap"), Cell("left"), Cell("", "drawn")]
    rows = [
        [Cell(ascii_lowercase[number]), Cell(str(heap)), Cell("|" * heap, f"{heap} matches", "matches")]
        for number, heap in enumerate(state.heaps)
    ]
    return Picture((), Grid("", heads, rows))
