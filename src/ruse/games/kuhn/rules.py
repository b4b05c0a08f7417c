"""Kuhn's poker (Kuhn 1950): three cards, one bet.

Each side antes 1 and gets one of J, Q, K. The first may check or bet 1; after a check the second may
check or bet; a bet is answered by fold or call. The higher card wins the pot.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import permutations
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from ruse.core.capabilities import Public, Ranged
from ruse.core.game import CHANCE, END, Titled
from ruse.core.parameters import game_factory

if TYPE_CHECKING:
    from ruse.games.kuhn.public import KuhnPublic

CARDS = "JQK"
DEALS = tuple(first + second for first, second in permutations(CARDS, 2))


class Deal(NamedTuple):
    cards: str  # "" before the deal, then side 0's card and side 1's
    bets: tuple[str, ...]


class Kuhn(Titled):
    name = title = "kuhn"
    sides = ("first", "second")
    wins = ()
    provides = (Public, Ranged)
    parts: ClassVar[Mapping[str, str]] = {"presentation": "ruse.games.kuhn.presentation:KuhnPresentation"}

    def __init__(self) -> None:
        self.parameters: dict[str, object] = {}

    def start(self) -> Deal:
        return Deal("", ())

    def turn(self, state: Deal) -> int:
        if not state.cards:
            return CHANCE
        return len(state.bets) % 2 if self.moves(state) else END

    def moves(self, state: Deal) -> Sequence[str]:
        if not state.cards:
            return DEALS
        if state.bets in ((), ("check",)):
            return ("check", "bet")
        if state.bets in (("bet",), ("check", "bet")):
            return ("fold", "call")
        return ()

    def odds(self, state: Deal) -> Sequence[Fraction]:
        return [Fraction(1, len(DEALS))] * len(DEALS)

    def play(self, state: Deal, move: str) -> Deal:
        return state._replace(bets=(*state.bets, move)) if state.cards else Deal(move, ())

    def knows(self, state: Deal, side: int) -> Deal:
        return state._replace(cards=state.cards[side : side + 1])

    def payoff(self, state: Deal) -> Fraction:
        if state.bets[-1] == "fold":
            return Fraction(1 if len(state.bets) % 2 == 0 else -1)
        stake = 2 if state.bets[-1] == "call" else 1
        return Fraction(stake if CARDS.index(state.cards[0]) > CARDS.index(state.cards[1]) else -stake)

    def payoff_range(self) -> tuple[Fraction, Fraction]:
        return Fraction(-2), Fraction(2)

    def label(self, move: str) -> str:
        return move

    def format_position(self, knowledge: Deal) -> str:
        return f"@{knowledge.cards}" * bool(knowledge.cards) + "".join(f"/{bet}" for bet in knowledge.bets)

    def public(self) -> KuhnPublic:
        from ruse.games.kuhn.public import KuhnPublic

        return KuhnPublic(self)


@game_factory
def kuhn() -> Kuhn:
    """Kuhn's poker: three cards, one bet; the first side loses 1/18 a hand."""
    return Kuhn()
