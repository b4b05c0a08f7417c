"""How liar's dice is shown."""

from __future__ import annotations

from ruse.core.presentation import HandPresentation
from ruse.games.liars_dice.rules import LiarsDice, Rolled


class LiarsDicePresentation(HandPresentation[LiarsDice]):
    def hidden_from(self, state: Rolled, side: int) -> str:
        return "".join(state.rolls[1 - side : 2 - side])

    def openspiel_name(self) -> str:
        return f"liars_dice(numdice={self.game.dice},dice_sides={self.game.faces})"
