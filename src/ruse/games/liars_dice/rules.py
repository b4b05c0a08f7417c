"""Liar's dice for two, one die each unless said otherwise, with the rules of OpenSpiel's `liars_dice`.

Both roll their dice in secret. Then they bid in turns, side 0 first: `2-5` claims that two of all dice show a five, and
each bid is higher than the last, in number or else in face. The highest face is wild: it counts as any. Who
does not believe a bid calls `liar`; the bidder wins if the claim is true, else the caller. Positions read
`liars-dice@6/1-4/2-4`: a roll and the bids; a roll of several dice is `3+6`, in order.

What may be varied besides: how many faces and dice there are, and how many the second side has; which face is wild, or
none; whether the loser pays 1 or the number that was bid last; and whether one may also call `exact`, which wins if
exactly as many dice as were bid show the face, and loses otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, NamedTuple

from ruse.core.capabilities import Bidding, Bulk, Public, Ranged
from ruse.core.game import CHANCE, END, GameError, Titled
from ruse.core.parameters import game_factory

if TYPE_CHECKING:
    from ruse.games.liars_dice.arrays import LiarsDiceArrays
    from ruse.games.liars_dice.public import LiarsDicePublic

SIDES = 2
LIAR, EXACT = "liar", "exact"
CALLS = (LIAR, EXACT)
FACES = 6
MOST_FACES = 20
DICE = 1
MOST_DICE = 5
Penalty = Literal["one", "bid"]
ONE: Penalty = "one"
BID: Penalty = "bid"


class Rolled(NamedTuple):
    """A state, and what a side knows of it: its own roll only."""

    rolls: tuple[str, ...]
    bids: tuple[str, ...]  # the last may be a call


class LiarsDice(Titled):
    name = "liars-dice"
    sides = ("first", "second")
    wins: tuple[str, ...] = ("first", "second")
    provides = (Bulk, Public, Ranged)
    parts: ClassVar[Mapping[str, str]] = {"presentation": "ruse.games.liars_dice.presentation:LiarsDicePresentation"}

    def __init__(
        self,
        faces: int,
        dice: int = DICE,
        theirs: int | None = None,
        wild: int | None = None,
        penalty: Penalty = ONE,
        exact: bool = False,
    ) -> None:
        theirs, wild = dice if theirs is None else theirs, faces if wild is None else wild
        if not 1 <= faces <= MOST_FACES:
            raise GameError(f"expected dice of 1 to {MOST_FACES} faces, got {faces}")
        for count in (dice, theirs):
            if not 1 <= count <= MOST_DICE:
                raise GameError(f"expected 1 to {MOST_DICE} dice each, got {count}")
        if not 0 <= wild <= faces:
            raise GameError(f"expected a wild face of 1 to {faces}, or 0 for none, got {wild}")
        self.faces, self.dice, self.wild, self.penalty, self.exact = faces, (dice, theirs), wild, penalty, exact
        self.parameters, self.title = self._named()
        if penalty == BID:
            self.wins = ()
        self.dice_of: dict[str, tuple[str, ...]] = {}
        self.rolls = self._rolls(dice), self._rolls(theirs)
        self.ways = self._ways(0), self._ways(1)
        self._odds = [
            [Fraction(ways, faces**count) for ways in of_side]
            for of_side, count in zip(self.ways, self.dice, strict=True)
        ]
        bids = tuple(f"{number}-{face}" for number in range(1, sum(self.dice) + 1) for face in range(1, faces + 1))
        self.bids = bids
        self.calls = CALLS if exact else (LIAR,)
        self._after: dict[str, Sequence[str]] = {"": bids, **dict.fromkeys(self.calls, ())}  # the moves after each bid
        self._after |= {bid: (*bids[rank:], *self.calls) for rank, bid in enumerate(bids, 1)}

    def _named(self) -> tuple[dict[str, object], str]:
        """The parameters, and the title with those that are not the default."""
        (dice, theirs), faces = self.dice, self.faces
        changed: dict[str, object] = {"dice": dice} if dice != DICE else {}
        changed |= {"theirs": theirs} if theirs != dice else {}
        changed |= {"wild": self.wild} if self.wild != faces else {}
        changed |= {"penalty": self.penalty} if self.penalty != ONE else {}
        changed |= {"exact": True} if self.exact else {}
        inside = [f"faces={faces}"] * (faces != FACES)
        inside += [f"{name}={'yes' if value is True else value}" for name, value in changed.items()]
        return {"faces": faces, **changed}, f"{self.name}({','.join(inside)})" if inside else self.name

    def _rolls(self, dice: int) -> tuple[str, ...]:
        """All rolls of so many dice."""
        every = combinations_with_replacement([str(face) for face in range(1, self.faces + 1)], dice)
        rolls = {"+".join(roll): roll for roll in every}
        self.dice_of |= rolls
        return tuple(rolls)

    def _ways(self, side: int) -> list[int]:
        """In how many ways a side's dice fall so, for each roll."""
        dice = [self.dice_of[roll] for roll in self.rolls[side]]
        return [factorial(len(roll)) // prod(factorial(roll.count(face)) for face in set(roll)) for roll in dice]

    def counts(self, die: str, face: str) -> bool:
        """Whether a die counts for a bid on a face."""
        return die in (face, str(self.wild))

    def matching(self, roll: str, face: str) -> int:
        """How many dice of a roll count for a bid on a face."""
        return sum(self.counts(die, face) for die in self.dice_of[roll])

    def start(self) -> Rolled:
        return Rolled((), ())

    def turn(self, state: Rolled) -> int:
        if len(state.rolls) < SIDES:
            return CHANCE
        return END if state.bids and state.bids[-1] in CALLS else len(state.bids) % 2

    def moves(self, state: Rolled) -> Sequence[str]:
        if len(state.rolls) < SIDES:
            return self.rolls[len(state.rolls)]
        return self._after[state.bids[-1] if state.bids else ""]

    def odds(self, state: Rolled) -> Sequence[Fraction]:
        return self._odds[len(state.rolls)]

    def play(self, state: Rolled, move: str) -> Rolled:
        if len(state.rolls) < SIDES:
            return Rolled((*state.rolls, move), ())
        return Rolled(state.rolls, (*state.bids, move))

    def knows(self, state: Rolled, side: int) -> Rolled:
        return Rolled(state.rolls[side : side + 1], state.bids)

    def payoff(self, state: Rolled) -> Fraction:
        number, face = state.bids[-2].split("-")
        counted = sum(self.matching(roll, face) for roll in state.rolls)
        wins = counted != int(number) if state.bids[-1] == EXACT else counted >= int(number)  # the bidder
        lost = int(number) if self.penalty == BID else 1
        return Fraction(lost if wins == (len(state.bids) % 2 == 0) else -lost)  # side 0 bids first, third, ...

    def payoff_range(self) -> tuple[Fraction, Fraction]:
        most = Fraction(sum(self.dice) if self.penalty == BID else 1)
        return -most, most

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

    def bidding(self) -> Bidding | None:
        """Where both roll alike, the loser pays 1 and nobody calls exactly: that is all a sweep of bids knows."""
        if len(set(self.dice)) > 1 or self.penalty != ONE or self.exact:
            return None
        faces = [[self.matching(roll, str(face)) for roll in self.rolls[0]] for face in range(1, self.faces + 1)]
        numbers = range(1, sum(self.dice) + 1)
        needs = [number for number in numbers for _ in faces]
        return Bidding(self.rolls[0], self.bids, LIAR, self.ways[0], faces * len(numbers), needs)

    def nodes(self) -> int:
        """A play bids a set of bids, and calls after any of them but the empty one."""
        bid_sets, (first, second) = 1 << len(self.bids), map(len, self.rolls)
        return 1 + first + first * second * (bid_sets + len(self.calls) * (bid_sets - 1))


@game_factory
def liars_dice(
    faces: Annotated[int, f"faces of a die, 1 to {MOST_FACES}; the highest is wild"] = FACES,
    dice: Annotated[int, f"dice of each side, 1 to {MOST_DICE}"] = DICE,
    theirs: Annotated[int | None, "dice of the second side, if it has another number"] = None,
    wild: Annotated[int | None, "the wild face, if it is not the highest; 0 for none"] = None,
    penalty: Annotated[Penalty, "what the loser pays: one, or bid for the number that was bid last"] = ONE,
    exact: Annotated[bool, "whether one may also call a bid exact"] = False,
) -> LiarsDice:
    """Liar's dice for two: bid higher, or call the bluff."""
    return LiarsDice(faces, dice, theirs, wild, penalty, exact)
