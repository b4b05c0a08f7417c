"""How poker is shown: both hands, the public cards and the chips."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ruse.core.presentation import Presentation
from ruse.games import card_reasons
from ruse.games.card_table import Player, card_table
from ruse.games.poker.rules import Hand, cards_of
from ruse.play.pictures import Picture

if TYPE_CHECKING:
    from ruse.insight.reasons.model import Question, Reason


class PokerPresentation(Presentation[Any]):
    cover_moves = 4

    def activity(self, position: str, move: str) -> str:
        return card_reasons.activity(position, move)

    def reasons(self, question: Question) -> Sequence[Reason]:
        return card_reasons.reasons(question, ranks_of)

    def hidden_from(self, state: Hand, side: int) -> str:
        return "".join(state.cards[1 - side : 2 - side])

    def picture(self, knowledge: Hand, side: int, end: Hand | None) -> Picture:
        if not knowledge.cards:
            return Picture()
        paid, bets = self.game.stakes(knowledge.rounds), [bet for bets in knowledge.rounds for bet in bets]
        other = cards_of(end.cards[1 - side]) if end is not None and "fold" not in bets else []
        last = knowledge.rounds[-1] if knowledge.rounds else ()
        public = cards_of(knowledge.public)
        named = f"The public card{'s are' if len(public) > 1 else ' is'} {', '.join(public)}."
        return card_table(
            Player(cards_of(knowledge.cards[0]), 0, paid[side], last[side::2]),
            Player(other, self.game.hand - len(other), paid[1 - side], last[1 - side :: 2]),
            public,
            [named] if public else [],
        )


def ranks_of(hand: str) -> str:
    """Name a hand without suits, because there are no flushes: "K", "KQ"."""
    return "".join(card[0] for card in cards_of(hand))
