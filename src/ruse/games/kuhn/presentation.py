"""How games of one card each and one bet are shown: Kuhn's poker and mini-poker."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ruse.core.presentation import Presentation, Situation
from ruse.games.card_table import Player, card_table, held
from ruse.play.pictures import Picture

if TYPE_CHECKING:
    from ruse.insight.reasons.model import Question, Reason

ANTE = 1
RANKS = "01JQK"  # of both games
PAYING = ("bet", "call")
BEFORE = {
    (): "You open",
    ("check",): "After a check",
    ("bet",): "Facing a bet",
    ("check", "bet"): "You checked, and the other side bets",
}


class OneBetPresentation(Presentation[Any]):
    """Of games whose states are both cards, as one text, and the bets, the first side's first."""

    cover_moves = 2

    def activity(self, position: str, move: str) -> str:
        from ruse.games import card_reasons  # reasons need the costs of moves, which take time to import

        return card_reasons.activity(position, move)

    def bluff(self, state: Any, move: str) -> bool | None:
        """A bet is a bluff with a card that beats less than half of the cards that the other side may hold."""
        if move != "bet":
            return None
        side = len(state.bets) % 2
        own = RANKS.index(state.cards[side])
        deals = [deal for deal in self.game.moves(self.game.start()) if deal[side] == state.cards[side]]
        others = [RANKS.index(deal[1 - side]) for deal in deals]
        return sum((own > other) - (own < other) for other in others) < 0

    def reasons(self, question: Question) -> Sequence[Reason]:
        from ruse.games import card_reasons

        return card_reasons.reasons(question, name=held)

    def secret_phrase(self, secret: str) -> str:
        return held(secret)

    def picture(self, knowledge: Any, side: int, end: Any) -> Picture:
        if not knowledge.cards:
            return Picture()
        paid = [ANTE + any(bet in PAYING for bet in knowledge.bets[at::2]) for at in (0, 1)]
        shown = [end.cards[1 - side]] if end is not None and "fold" not in knowledge.bets else []
        you = Player([knowledge.cards], 0, paid[side], knowledge.bets[side::2])
        return card_table(you, Player(shown, 1 - len(shown), paid[1 - side], knowledge.bets[1 - side :: 2]))

    def situations(self, knowledge: Any, side: int) -> Sequence[Situation]:
        return [Situation(BEFORE[knowledge.bets], f"With {held(knowledge.cards)}", order=RANKS.index(knowledge.cards))]


class KuhnPresentation(OneBetPresentation):
    def hidden_from(self, state: Any, side: int) -> str:
        cards: str = state.cards
        return cards[1 - side : 2 - side]

    def openspiel_name(self) -> str:
        return "kuhn_poker"
