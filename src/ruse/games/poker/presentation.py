"""How poker is shown."""

from __future__ import annotations

from ruse.games.poker.rules import Poker, Table
from ruse.play.pictures import HandPresentation


class PokerPresentation(HandPresentation[Poker]):
    def hidden_from(self, state: Table, side: int) -> str:
        return "".join(state.hands[1 - side : 2 - side])
