"""How Leduc poker is shown."""

from __future__ import annotations

from ruse.games.poker.presentation import PokerPresentation
from ruse.games.poker.rules import Hand


class LeducPresentation(PokerPresentation):
    def openspiel_name(self) -> str:
        return "leduc_poker"

    def picture(self, knowledge: Hand, side: int, end: Hand | None) -> list[str]:
        public = [f"The public card is {knowledge.public}."] if knowledge.public else []
        return [*super().picture(knowledge, side, end), *public]
