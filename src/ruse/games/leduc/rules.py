"""Leduc poker (Southey et al. 2005) with the rules of OpenSpiel's `leduc_poker`.

Six cards: J, Q, K in the suits s and h. Each side antes 1 and gets a card, then there is a round of
betting, a public card, and a second round. Side 0 begins both rounds; raises are 2 in the first and 4 in
the second, at most two a round; fold is offered only when facing a raise, and call is also the check.
A pair with the public card wins, else the higher rank; equal ranks split. Payoffs are chips won.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from ruse.core.capabilities import Bulk, Filed, Public, Ranged, Symmetric
from ruse.core.game import CHANCE, END, PositionError, Titled
from ruse.core.parameters import game_factory

if TYPE_CHECKING:
    from ruse.games.leduc.arrays import LeducArrays
    from ruse.games.leduc.public import LeducPublic

RANKS, SUITS = "JQK", "sh"
CARDS = tuple(rank + suit for rank in RANKS for suit in SUITS)
ANTE = 1
RAISES = (2, 4)  # chips a raise adds, in each round
MOST_RAISES = 2

Bets = tuple[str, ...]  # of one round


class Hand(NamedTuple):
    """A state, and what a side knows of it: its own card only."""

    cards: tuple[str, ...]
    public: str  # "" until it is dealt
    rounds: tuple[Bets, ...]


def _over(bets: Bets) -> bool:
    return bets[-1:] == ("fold",) or (len(bets) > 1 and bets[-1] == "call")


class Leduc(Titled):
    name = title = "leduc"
    sides = ("first", "second")
    wins = ()
    provides = (Symmetric, Filed, Bulk, Public, Ranged)
    parts: ClassVar[Mapping[str, str]] = {"presentation": "ruse.games.leduc.presentation:LeducPresentation"}

    def __init__(self) -> None:
        self.parameters: dict[str, object] = {}

    def start(self) -> Hand:
        return Hand((), "", ((),))

    def turn(self, state: Hand) -> int:
        if len(state.cards) < 2:
            return CHANCE
        bets = state.rounds[-1]
        if not _over(bets):
            return len(bets) % 2
        return CHANCE if bets[-1] == "call" and not state.public else END

    def moves(self, state: Hand) -> Sequence[str]:
        turn = self.turn(state)
        if turn == CHANCE:
            return [card for card in CARDS if card not in state.cards]
        return _bets(state.rounds[-1]) if turn != END else ()

    def odds(self, state: Hand) -> Sequence[Fraction]:
        left = len(CARDS) - len(state.cards)
        return [Fraction(1, left)] * left

    def play(self, state: Hand, move: str) -> Hand:
        if len(state.cards) < 2:
            return state._replace(cards=(*state.cards, move))
        if move in CARDS:
            return Hand(state.cards, move, (*state.rounds, ()))
        return state._replace(rounds=(*state.rounds[:-1], (*state.rounds[-1], move)))

    def knows(self, state: Hand, side: int) -> Hand:
        return state._replace(cards=state.cards[side : side + 1])

    def payoff(self, state: Hand) -> Fraction:
        stakes = [ANTE, ANTE]
        for bets, size in zip(state.rounds, RAISES, strict=False):
            for number, bet in enumerate(bets):
                if bet != "fold":
                    stakes[number % 2] = max(stakes) + size * (bet == "raise")
        last = state.rounds[-1]
        if last[-1] == "fold":
            return Fraction(-stakes[0] if len(last) % 2 else stakes[1])
        strengths = [(card[0] == state.public[0], RANKS.index(card[0])) for card in state.cards]
        return Fraction(stakes[0] * ((strengths[0] > strengths[1]) - (strengths[0] < strengths[1])))

    def payoff_range(self) -> tuple[Fraction, Fraction]:
        most = ANTE + MOST_RAISES * sum(RAISES)
        return Fraction(-most), Fraction(most)

    def label(self, move: str) -> str:
        return move

    def tell(self, knowledge: Hand) -> str:
        steps = list(knowledge.rounds[0])
        if knowledge.public:
            steps += [knowledge.public, *knowledge.rounds[1]]
        return "".join(f"@{card}" for card in knowledge.cards) + "".join(f"/{step}" for step in steps)

    def arrays(self) -> LeducArrays:
        from ruse.games.leduc.arrays import LeducArrays

        return LeducArrays()

    def public(self) -> LeducPublic:
        from ruse.games.leduc.public import LeducPublic

        return LeducPublic(self)

    def nodes(self) -> int:
        """A round of betting has 15 states, 5 of which end it by a call; then there are 4 cards for the public one."""
        return 1 + 6 + 30 * (15 + 5 * 4 * 15)

    # Symmetry: the two suits of a rank can be exchanged. A side's own card is filed as the s of its rank.

    def labels(self) -> Sequence[Sequence[str]]:
        return [tuple(rank + suit for suit in SUITS) for rank in RANKS]

    def record(self, state: Hand, label: str, side: int | None) -> tuple[bool, ...]:
        cards = state.cards if side is None else state.cards[side : side + 1]
        seen = [card == label for card in cards]
        return tuple(not bit for bit in (*seen, state.public == label))

    def relabel(self, state: Hand, names: Mapping[str, str]) -> Hand:
        cards = tuple(names[card] for card in state.cards)
        return Hand(cards, state.public and names[state.public], state.rounds)

    def rename(self, move: str, names: Mapping[str, str]) -> str:
        return names.get(move, move)

    def mark(self, move: str, label: str) -> bool:
        return move != label

    def read(self, position: str) -> Hand:
        """What the side knows whose position this is."""
        head, *steps = position.split("/")
        if head == self.title and not steps:
            return self.start()
        card = head.removeprefix(f"{self.title}@")
        if card not in CARDS or head == card:
            raise PositionError(f"expected {self.title}@ and one of {', '.join(CARDS)}, got {position!r}")
        state = Hand((card, ""), "", ((),))
        for step in steps:
            options = self.moves(state)
            if step not in options:
                expected = f"one of {', '.join(options)}" if options else "no step after the end"
                raise PositionError(f"expected {expected}, got {step!r} in {position!r}")
            state = self.play(state, step)
        return state._replace(cards=(card,))

    def file(self, position: str, side: int) -> tuple[str, Callable[[str], str]]:
        """Positions that differ by suits are filed under one; bets keep their names."""
        hand = self.read(position)
        names = dict(zip(CARDS, CARDS, strict=True))
        for labels in self.labels():
            names.update(zip(sorted(labels, key=lambda label: self.record(hand, label, None)), labels, strict=True))
        return self.title + self.tell(self.relabel(hand, names)), lambda move: move


def _bets(bets: Bets) -> list[str]:
    moves = ["fold"] if bets[-1:] == ("raise",) else []
    return [*moves, "call", "raise"] if bets.count("raise") < MOST_RAISES else [*moves, "call"]


@game_factory
def leduc() -> Leduc:
    """Leduc poker: six cards, two rounds of betting; the first side loses about 0.0856 chips a hand."""
    return Leduc()
