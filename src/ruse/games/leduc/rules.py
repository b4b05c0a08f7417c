"""Leduc poker (Southey et al. 2005) with the rules of OpenSpiel's `leduc_poker`.

Six cards: J, Q, K in the suits s and h. Each side antes 1 and gets a card, then there is a round of
betting, a public card, and a second round. Side 0 begins both rounds; raises are 2 in the first and 4 in
the second, at most two a round; fold is offered only when facing a raise, and call is also the check.
A pair with the public card wins, else the higher rank; equal ranks split. Payoffs are chips won.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from ruse.core.capabilities import Bulk, Public, Ranged, Representatives, Symmetric
from ruse.core.game import PositionError
from ruse.core.parameters import game_factory
from ruse.games.poker.rules import Hand, LimitPoker

if TYPE_CHECKING:
    from ruse.games.leduc.arrays import LeducArrays

RANKS, SUITS = "JQK", "sh"
CARDS = tuple(rank + suit for rank in RANKS for suit in SUITS)


class Leduc(LimitPoker):
    name = title = "leduc"
    provides = (Symmetric, Representatives, Bulk, Public, Ranged)
    parts: ClassVar[Mapping[str, str]] = {"presentation": "ruse.games.poker.presentation:LeducPresentation"}

    deck = CARDS
    hand = 1
    public_cards = (0, 1)
    raise_sizes = (2, 4)
    raises = 2
    ante = 1

    def __init__(self) -> None:
        self.parameters: dict[str, object] = {}

    def arrays(self) -> LeducArrays:
        from ruse.games.leduc.arrays import LeducArrays

        return LeducArrays()

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

    def representative_position(self, position: str, side: int) -> tuple[str, Callable[[str], str]]:
        """One position represents all that differ from it by suits; bets keep their names."""
        hand = self.read(position)
        names = dict(zip(CARDS, CARDS, strict=True))
        for labels in self.labels():
            names.update(zip(sorted(labels, key=lambda label: self.record(hand, label, None)), labels, strict=True))
        return self.title + self.format_position(self.relabel(hand, names)), lambda move: move


@game_factory
def leduc() -> Leduc:
    """Leduc poker: six cards, two rounds of betting; the first side loses about 0.0856 chips a hand."""
    return Leduc()
