"""The picture of Morra: the fingers to show and the sums to guess."""

from __future__ import annotations

from typing import Any

from ruse.core.game import State
from ruse.play.pictures import MatrixPresentation, Picture
from ruse.present.scene import NOTE, Piece, Row, Scene


class MorraPresentation(MatrixPresentation):
    def picture(self, knowledge: Any, side: int, end: State | None) -> Picture:
        """The fingers that can be shown, and the sums that can be guessed; the payoff table of a small game."""
        if (drawn := super().picture(knowledge, side, end)).grid is not None:
            return drawn
        fingers = int(str(self.game.parameters["fingers"]))
        shown, guessed = (_numbers(most) for most in (fingers, 2 * fingers))
        scene = Scene([Row("Fingers", shown), Row("Sum", guessed)])
        return Picture([f"Show 0 to {fingers} fingers and guess a sum from 0 to {2 * fingers}."], None, scene)


def _numbers(most: int) -> list[Piece]:
    return [Piece(NOTE, str(number)) for number in range(most + 1)]
