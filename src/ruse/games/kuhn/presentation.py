"""How Kuhn's poker is shown."""

from __future__ import annotations

from ruse.core.presentation import HandPresentation
from ruse.games.kuhn.rules import Deal, Kuhn


class KuhnPresentation(HandPresentation[Kuhn]):
    def hidden_from(self, state: Deal, side: int) -> str:
        return state.cards[1 - side : 2 - side]

    def openspiel_name(self) -> str:
        return "kuhn_poker"
