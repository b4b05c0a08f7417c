"""How poker is shown."""

from __future__ import annotations

from ruse.core.presentation import HandPresentation
from ruse.games.poker.rules import Poker, Table


class PokerPresentation(HandPresentation[Poker]):
    def hidden_from(self, state: Table, side: int) -> str:
        return "".join(state.hands[1 - side : 2 - side])
