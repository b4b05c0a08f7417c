"""Morra: both sides show some fingers and say, at the same time, how many there will be in all.

Each shows 0 to 5 fingers and guesses a sum from 0 to 10. Who alone is right wins; if both or neither are, it is a draw
(Cauwet and Teytaud 2018, §III). So it is a table of 66 × 66 payoffs, fair because the sides are alike.

`2-6` shows 2 fingers and says 6; a side knows nothing of the other's choice: `morra`, and `morra/?` for the second.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from typing import Annotated, ClassVar

from ruse.core.capabilities import Ranged
from ruse.core.game import GameError
from ruse.core.parameters import game_factory
from ruse.core.plain_games.matrix import Matrix

FINGERS = 5
MOST_FINGERS = 10


class Morra(Matrix):
    name = "morra"
    sides = ("first", "second")
    wins = ("first", "second", "draw")
    parts: ClassVar[Mapping[str, str]] = {
        **Matrix.parts,
        "presentation": "ruse.games.morra.presentation:MorraPresentation",
    }
    provides = (Ranged,)

    def __init__(self, fingers: int) -> None:
        if not 1 <= fingers <= MOST_FINGERS:
            raise GameError(f"expected 1 to {MOST_FINGERS} fingers, got {fingers}")
        choices = list(product(range(fingers + 1), range(2 * fingers + 1)))
        names = [f"{shown}-{said}" for shown, said in choices]
        payoffs = [
            [Fraction((said == shown + other) - (heard == shown + other)) for other, heard in choices]
            for shown, said in choices
        ]
        super().__init__(payoffs, names, names)
        self.parameters = {"fingers": fingers}
        if fingers != FINGERS:
            self.title = f"{self.name}(fingers={fingers})"


@game_factory
def morra(fingers: Annotated[int, "how many fingers a side can show"] = FINGERS) -> Morra:
    """Morra: show fingers, and guess how many both show together."""
    return Morra(fingers)
