"""The smallest poker (Bossle 2018, §3.5, Figure 3.2): two cards, one bet by the first side only.

Each side antes 1 and gets a card, 0 or 1, with all four deals as likely. The first passes, and the cards
are shown, or bets 1 more; the second then calls or folds. The higher card wins, equal cards split.
(With an ante of 1, passing is worth -1/4 with 0 and +1/4 with 1, deal odds included; the thesis's
objective prints 0.5 there, under which its "quite trivial" optimal strategy would not be optimal.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import ClassVar, NamedTuple

from ruse.core.capabilities import Ranged
from ruse.core.game import CHANCE, END, Titled
from ruse.core.parameters import game_factory

DEALS = ("00", "01", "10", "11")


class MiniPokerState(NamedTuple):
    cards: str  # "" before the deal, then side 0's card and side 1's
    bets: tuple[str, ...]


class MiniPoker(Titled):
    name = title = "mini-poker"
    sides = ("first", "second")
    wins = ()
    provides = (Ranged,)
    parts: ClassVar[Mapping[str, str]] = {"presentation": "ruse.games.kuhn.presentation:OneBetPresentation"}

    def __init__(self) -> None:
        self.parameters: dict[str, object] = {}

    def start(self) -> MiniPokerState:
        return MiniPokerState("", ())

    def turn(self, state: MiniPokerState) -> int:
        if not state.cards:
            return CHANCE
        return len(state.bets) if self.moves(state) else END

    def moves(self, state: MiniPokerState) -> Sequence[str]:
        if not state.cards:
            return DEALS
        return {(): ("pass", "bet"), ("bet",): ("fold", "call")}.get(state.bets, ())

    def odds(self, state: MiniPokerState) -> Sequence[Fraction]:
        return [Fraction(1, len(DEALS))] * len(DEALS)

    def play(self, state: MiniPokerState, move: str) -> MiniPokerState:
        return state._replace(bets=(*state.bets, move)) if state.cards else MiniPokerState(move, ())

    def knows(self, state: MiniPokerState, side: int) -> MiniPokerState:
        return state._replace(cards=state.cards[side : side + 1])

    def payoff(self, state: MiniPokerState) -> Fraction:
        if state.bets[-1] == "fold":
            return Fraction(1)
        stake = 2 if state.bets[-1] == "call" else 1
        return Fraction(stake * (int(state.cards[0]) - int(state.cards[1])))

    def payoff_range(self) -> tuple[Fraction, Fraction]:
        return Fraction(-2), Fraction(2)

    def label(self, move: str) -> str:
        return move

    def format_position(self, knowledge: MiniPokerState) -> str:
        return f"@{knowledge.cards}" * bool(knowledge.cards) + "".join(f"/{bet}" for bet in knowledge.bets)


@game_factory
def mini_poker() -> MiniPoker:
    """Bossle's mini-poker: cards 0 and 1, one bet; the value is 0."""
    return MiniPoker()
