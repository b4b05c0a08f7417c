"""Liar's dice for two, one die each unless said otherwise, with the rules of OpenSpiel's `liars_dice`.

Both roll their dice in secret. Then they bid in turns, side 0 first: `2-5` claims that two of all dice show a five, and
each bid is higher than the last, in number or else in face. The highest face is wild: it counts as any. Who
does not believe a bid calls `liar`; the bidder wins if the claim is true, else the caller. Positions read
`liars-dice@6/1-4/2-4`: a roll and the bids; a roll of several dice is `3+6`, in order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import TYPE_CHECKING, Annotated, ClassVar, NamedTuple

from ruse.core.bidding import Bidding
from ruse.core.capabilities import Bulk, Public
from ruse.core.game import CHANCE, END, GameError, Titled
from ruse.core.parameters import game_factory

if TYPE_CHECKING:
    from ruse.games.liars_dice.arrays import LiarsDiceArrays
    from ruse.games.liars_dice.public import LiarsDicePublic

SIDES = 2
LIAR = "liar"
FACES = 6
MOST_FACES = 20
DICE = 1
MOST_DICE = 5


class Rolled(NamedTuple):
    """A state, and what a side knows of it: its own roll only."""

    rolls: tuple[str, ...]
    bids: tuple[str, ...]  # the last may be LIAR


class LiarsDice(Titled):
    name = "liars-dice"
    sides = ("first", "second")
    wins = ("first", "second")
    provides = (Bulk, Public)
    parts: ClassVar[Mapping[str, str]] = {"presentation": "ruse.games.liars_dice.presentation:LiarsDicePresentation"}

    def __init__(self, faces: int, dice: int = DICE) -> None:
        if not 1 <= faces <= MOST_FACES:
            raise GameError(f"expected dice of 1 to {MOST_FACES} faces, got {faces}")
        if not 1 <= dice <= MOST_DICE:
            raise GameError(f"expected 1 to {MOST_DICE} dice each, got {dice}")
        self.faces, self.dice = faces, dice
        self.parameters: dict[str, object] = {"faces": faces, **({} if dice == DICE else {"dice": dice})}
        changed = [f"faces={faces}"] * (faces != FACES) + [f"dice={dice}"] * (dice != DICE)
        self.title = f"{self.name}({','.join(changed)})" if changed else self.name
        every = combinations_with_replacement([str(face) for face in range(1, faces + 1)], dice)
        self.dice_of = {"+".join(roll): roll for roll in every}
        self.rolls = tuple(self.dice_of)
        self.ways = [
            factorial(dice) // prod(factorial(roll.count(face)) for face in set(roll)) for roll in self.dice_of.values()
        ]  # in which dice fall so
        self._odds = [Fraction(ways, faces**dice) for ways in self.ways]
        bids = tuple(f"{number}-{face}" for number in range(1, SIDES * dice + 1) for face in range(1, faces + 1))
        self.bids = bids
        self._after: dict[str, Sequence[str]] = {"": bids, LIAR: ()}  # the moves after each bid
        self._after |= {bid: (*bids[rank:], LIAR) for rank, bid in enumerate(bids, 1)}

    def start(self) -> Rolled:
        return Rolled((), ())

    def turn(self, state: Rolled) -> int:
        if len(state.rolls) < SIDES:
            return CHANCE
        return END if state.bids[-1:] == (LIAR,) else len(state.bids) % 2

    def moves(self, state: Rolled) -> Sequence[str]:
        return self._after[state.bids[-1] if state.bids else ""] if len(state.rolls) == SIDES else self.rolls

    def odds(self, state: Rolled) -> Sequence[Fraction]:
        return self._odds

    def play(self, state: Rolled, move: str) -> Rolled:
        if len(state.rolls) < SIDES:
            return Rolled((*state.rolls, move), ())
        return Rolled(state.rolls, (*state.bids, move))

    def knows(self, state: Rolled, side: int) -> Rolled:
        return Rolled(state.rolls[side : side + 1], state.bids)

    def payoff(self, state: Rolled) -> Fraction:
        number, face = state.bids[-2].split("-")
        counted = (face, str(self.faces))
        true = sum(die in counted for roll in state.rolls for die in self.dice_of[roll]) >= int(number)
        return Fraction(1 if true == (len(state.bids) % 2 == 0) else -1)  # side 0 bids first, third, ...

    def label(self, move: str) -> str:
        return move

    def format_position(self, knowledge: Rolled) -> str:
        return "".join(f"@{roll}" for roll in knowledge.rolls) + "".join(f"/{bid}" for bid in knowledge.bids)

    def arrays(self) -> LiarsDiceArrays:
        from ruse.games.liars_dice.arrays import LiarsDiceArrays

        return LiarsDiceArrays(self)

    def public(self) -> LiarsDicePublic:
        from ruse.games.liars_dice.public import LiarsDicePublic

        return LiarsDicePublic(self)

    def bidding(self) -> Bidding:
        wild = str(self.faces)
        faces = [
            [sum(die in (str(face), wild) for die in roll) for roll in self.dice_of.values()]
            for face in range(1, self.faces + 1)
        ]
        numbers = range(1, SIDES * self.dice + 1)
        needs = [number for number in numbers for _ in faces]
        return Bidding(self.rolls, self.bids, LIAR, self.ways, faces * len(numbers), needs)

    def nodes(self) -> int:
        """A play bids a set of bids, and calls after any of them but the empty one."""
        bid_sets, rolls = 1 << len(self.bids), len(self.rolls)
        return 1 + rolls + rolls**2 * (2 * bid_sets - 1)


@game_factory
def liars_dice(
    faces: Annotated[int, f"faces of a die, 1 to {MOST_FACES}; the highest is wild"] = FACES,
    dice: Annotated[int, f"dice of each side, 1 to {MOST_DICE}"] = DICE,
) -> LiarsDice:
    """Liar's dice for two: bid higher, or call the bluff."""
    return LiarsDice(faces, dice)
