"""How Leduc poker is shown."""

from __future__ import annotations

from ruse.core.presentation import HandPresentation
from ruse.games.leduc.rules import Hand, Leduc


class LeducPresentation(HandPresentation[Leduc]):
    def hidden_from(self, state: Hand, side: int) -> str:
        return "".join(state.cards[1 - side : 2 - side])

    def openspiel_name(self) -> str:
        return "leduc_poker"

    def picture(self, knowledge: Hand, side: int, end: Hand | None) -> list[str]:
        public = [f"The public card is {knowledge.public}."] if knowledge.public else []
        return [*super().picture(knowledge, side, end), *public]
