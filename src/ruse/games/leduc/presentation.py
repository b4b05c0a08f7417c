"""How Leduc poker is shown: as other poker, with OpenSpiel's name for it."""

from __future__ import annotations

from ruse.games.poker.presentation import PokerPresentation


class LeducPresentation(PokerPresentation):
    def openspiel_name(self) -> str:
        return "leduc_poker"
