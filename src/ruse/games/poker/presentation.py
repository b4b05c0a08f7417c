"""How poker is shown."""

from __future__ import annotations

from ruse.core.game import Game
from ruse.core.presentation import HandPresentation
from ruse.games.poker.rules import Hand


class PokerPresentation(HandPresentation[Game]):
    def hidden_from(self, state: Hand, side: int) -> str:
        return "".join(state.cards[1 - side : 2 - side])
