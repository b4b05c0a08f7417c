"""Goofspiel for two in which bids stay hidden: OpenSpiel's `goofspiel` with imp_info, descending points, win_loss.

Both sides hold the cards 1 to N and bid one a round, at the same time, for a prize: N points in the first round,
then N - 1, and so on. The higher card takes the prize, equal cards take nothing. Only who won is shown, never the
cards. The last card is played by itself. Who has more points wins. As a tree, side 0 bids first and side 1 without
seeing it: `goofspiel/4/won/2/tied/?` is what side 1 knows who won with the 4 and tied with the 2, its turn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, ClassVar, NamedTuple

from ruse.core.capabilities import Bulk
from ruse.core.game import END, GameError, PositionError, Titled
from ruse.core.parameters import game_factory

if TYPE_CHECKING:
    from ruse.games.goofspiel.arrays import GoofspielArrays

CARDS = 4
MOST_CARDS = 30
RESULTS = ("tied", "won", "lost")  # by the sign of the difference
HIDDEN = "?"


class Bids(NamedTuple):
    """A state: the cards that each side has bid."""

    first: tuple[int, ...]
    second: tuple[int, ...]


class GoofspielKnowledge(NamedTuple):
    """What a side knows."""

    cards: tuple[int, ...]  # its own bids
    results: tuple[str, ...]  # of each round that is over, to it
    hidden: bool  # whether the other side has bid in this round already


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


class Goofspiel(Titled):
    name = "goofspiel"
    sides = ("first", "second")
    wins = ("first", "second", "draw")
    provides = (Bulk,)
    parts: ClassVar[Mapping[str, str]] = {"presentation": "ruse.games.goofspiel.presentation:GoofspielPresentation"}

    def __init__(self, cards: int) -> None:
        if not 1 <= cards <= MOST_CARDS:
            raise GameError(f"expected 1 to {MOST_CARDS} cards a side, got {cards}")
        self.cards = cards
        self.rounds = max(1, cards - 1)  # in which there is a choice, or there would be none at all
        self.parameters: dict[str, object] = {"cards": cards}
        self.title = self.name if cards == CARDS else f"{self.name}(cards={cards})"

    def start(self) -> Bids:
        return Bids((), ())

    def turn(self, state: Bids) -> int:
        if len(state.first) > len(state.second):
            return 1
        return END if len(state.second) == self.rounds else 0

    def moves(self, state: Bids) -> Sequence[int]:
        turn = self.turn(state)
        return self._left(state[turn]) if turn != END else ()

    def _left(self, bids: tuple[int, ...]) -> list[int]:
        return [card for card in range(1, self.cards + 1) if card not in bids]

    def odds(self, state: Bids) -> Sequence[Fraction]:
        raise PositionError(f"expected a state where chance moves, got {state!r}")

    def play(self, state: Bids, move: int) -> Bids:
        if len(state.first) > len(state.second):
            return Bids(state.first, (*state.second, move))
        return Bids((*state.first, move), state.second)

    def knows(self, state: Bids, side: int) -> GoofspielKnowledge:
        mine, theirs = state[side], state[1 - side]
        results = tuple(RESULTS[_sign(card - other)] for card, other in zip(mine, theirs, strict=False))
        return GoofspielKnowledge(mine, results, len(theirs) > len(mine))

    def payoff(self, state: Bids) -> Fraction:
        plays = ((*bids, *self._left(bids)) for bids in state)  # the last card is all that is left
        prizes = range(self.cards, 0, -1)
        return Fraction(
            _sign(sum(prize * _sign(card - other) for prize, card, other in zip(prizes, *plays, strict=True)))
        )

    def label(self, move: int) -> str:
        return str(move)

    def format_position(self, knowledge: GoofspielKnowledge) -> str:
        steps = [f"{card}/{result}" for card, result in zip(knowledge.cards, knowledge.results, strict=False)]
        steps += map(str, knowledge.cards[len(knowledge.results) :])
        return "".join(f"/{step}" for step in (*steps, *([HIDDEN] if knowledge.hidden else [])))

    def arrays(self) -> GoofspielArrays:
        from ruse.games.goofspiel.arrays import GoofspielArrays

        return GoofspielArrays(self.cards, self.rounds)

    def nodes(self) -> int:
        total = level = 1
        for left in range(self.cards, self.cards - self.rounds, -1):
            total += level * left + level * left**2
            level *= left**2
        return total


@game_factory
def goofspiel(cards: Annotated[int, f"cards of a side, 1 to {MOST_CARDS}"] = CARDS) -> Goofspiel:
    """Goofspiel for two: hidden bids for falling prizes; the value is 0."""
    return Goofspiel(cards)
