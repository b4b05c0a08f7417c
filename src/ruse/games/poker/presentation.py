"""How poker is shown: both hands, the public cards and the chips."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ruse.core.presentation import Presentation, Situation
from ruse.games.card_table import RANK_WORDS, Player, card_table, held
from ruse.games.poker.rules import RANKS, Hand, LimitPoker, cards_of, of_a_kind
from ruse.play.pictures import Picture

ROUNDS = ("First", "Second", "Third", "Last")
RAISES = ("a bet", "a raise", "a second raise")
KINDS = {(2,): "a pair", (3,): "three of a kind", (2, 2): "two pairs", (4,): "four of a kind", (3, 2): "a full house"}

if TYPE_CHECKING:
    from ruse.insight.reasons.model import Question, Reason


class PokerPresentation(Presentation[Any]):
    cover_moves = 4

    def activity(self, position: str, move: str) -> str:
        from ruse.games import card_reasons  # reasons need the costs of moves, which take time to import

        return card_reasons.activity(position, move)

    def reasons(self, question: Question) -> Sequence[Reason]:
        from ruse.games import card_reasons

        return card_reasons.reasons(question, ranks_of, ranks_phrase)

    def secret_phrase(self, secret: str) -> str:
        return ranks_phrase(ranks_of(secret))

    def bluff(self, state: Hand, move: str) -> bool | None:
        """A raise is a bluff with a hand that is behind more of the hands that the other side may hold than not."""
        if move != "raise":
            return None
        return _behind(self.game, state.cards[self.game.turn(state)], state.public)

    def hidden_from(self, state: Hand, side: int) -> str:
        return "".join(state.cards[1 - side : 2 - side])

    def move_phrase(self, position: str, move: str) -> str:
        """A call with nothing to pay is a check, and the first raise of a round is a bet."""
        if position.rpartition("/")[2] == "raise":
            return ""
        return {"call": "check", "raise": "bet"}.get(move, "")

    def explain_move(self, position: str, move: str) -> str:
        """Say what the name of a move means where players call it something else."""
        if phrase := self.move_phrase(position, move):
            return f"a {phrase}"
        return ""

    def situations(self, knowledge: Hand, side: int) -> Sequence[Situation]:
        """The betting of this round and the hand; then the hand by its strength alone."""
        number, bets = len(knowledge.rounds), knowledge.rounds[-1]
        before = "you open" if not bets else "after a check"
        if raised := bets.count("raise"):
            facing = RAISES[min(raised, len(RAISES)) - 1]
            before = f"facing {facing}" + " after your check" * (len(bets) == 2 and bets[0] == "call")
        many = len(self.game.raise_sizes) > 1
        name = "Last" if number == len(self.game.raise_sizes) > 2 else ROUNDS[min(number, len(ROUNDS)) - 1]
        heading = f"{name} round, {before}" if many else f"{before[:1].upper()}{before[1:]}"
        cards = knowledge.cards[0]
        fine, coarse = _hand(cards, knowledge.public), _strength(self.game.deck, cards, knowledge.public)
        counts, _ = of_a_kind(cards + knowledge.public)
        made, best = max(counts), max(RANKS.index(card[0]) for card in cards_of(cards))
        order = 100 * made * ("no pair" not in fine) + best
        return [Situation(heading, f"With {hand}", order=order) for hand in (fine, coarse)]

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


@lru_cache(maxsize=1 << 12)
def _behind(game: LimitPoker, cards: str, public: str) -> bool:
    """Whether more hands beat this one than it beats, among those that the other side may hold."""
    own = game.strength(cards, public)
    others = [game.strength(hand, public) for hand in game.draws(game.hand, cards + public)]
    return sum((own > other) - (own < other) for other in others) < 0


def _made(cards: str, public: str) -> str:
    """What cards make with the public ones; empty if the public cards alone make as much."""
    counts, _ = of_a_kind(cards + public)
    kinds = tuple(count for count in counts if count > 1)
    alone = tuple(count for count in of_a_kind(public)[0] if count > 1) if public else ()
    return "" if kinds == alone else KINDS.get(kinds[:2], "a strong hand")


def _hand(cards: str, public: str) -> str:
    """A hand as a person says it: "a pair", "no pair and a king", "an ace and a 9"."""
    ranks = sorted((card[0] for card in cards_of(cards)), key=RANKS.index, reverse=True)
    if len(set(ranks)) < len(ranks):
        pair = RANK_WORDS.get(ranks[0], f"a {ranks[0]}").split()[1]
        own = f"a pair of {pair}s"
    else:
        own = " and ".join(held(rank) for rank in ranks)
    if not public:
        return own
    made = _made(cards, public)
    return made or (f"no pair and {own}" if len(set(ranks)) == len(ranks) else own)


def _strength(deck: Sequence[str], cards: str, public: str) -> str:
    """A hand by what it makes, else by whether its best card is among the highest, middle or lowest ranks."""
    if made := _made(cards, public):
        return made
    ranks = sorted({card[0] for card in deck}, key=RANKS.index)
    best = max(RANKS.index(card[0]) for card in cards_of(cards))
    third = 3 * ranks.index(RANKS[best]) // len(ranks)
    return ("a low card", "a middle card", "a high card")[third]


def ranks_phrase(ranks: str) -> str:
    """Name cards without suits for a sentence: "a king", "a king and a queen", "a pair of kings"."""
    if len(ranks) == 2 and ranks[0] == ranks[1]:
        return f"a pair of {held(ranks[0]).split()[1]}s"
    return " and ".join(held(rank) for rank in ranks)


def ranks_of(hand: str) -> str:
    """Name a hand without suits, because there are no flushes: "K", "KQ"."""
    return "".join(card[0] for card in cards_of(hand))


class LeducPresentation(PokerPresentation):
    """Leduc poker, which OpenSpiel has too."""

    def openspiel_name(self) -> str:
        return "leduc_poker"
