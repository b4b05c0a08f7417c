"""A bluffing dice game of somebody's own, written from docs/how-to/write-a-game.md alone."""

from fractions import Fraction
from itertools import product
from typing import Annotated

from ruse import CHANCE, END


class PayDice:
    """Two players each roll a die in secret. The first bids, such as 1x2: among both dice at least one shows a 2. Each
    later bid is higher, by number and then by face. Instead of bidding, a player may say "liar": then both dice are
    shown, and whoever is wrong pays the bid: its number, and the fee. A 1 counts as every face if ones are wild.
    """

    def __init__(
        self,
        faces: Annotated[int, "faces of a die"] = 3,
        wild: Annotated[bool, "whether a 1 counts as every face"] = True,
        fee: Annotated[Fraction, "what the loser pays besides the bid"] = Fraction(0),
    ):
        if faces < 2:
            raise ValueError("a die needs at least two faces")
        self.faces, self.wild, self.fee = faces, wild, fee
        self.rolls = list(product(range(1, faces + 1), repeat=2))
        self.bids = [(number, face) for number in (1, 2) for face in range(1, faces + 1)]

    def start(self):
        return (), ()  # both dice, and what was said so far

    def turn(self, state):
        dice, said = state
        return CHANCE if not dice else END if said and said[-1] == "liar" else len(said) % 2

    def moves(self, state):
        dice, said = state
        if not dice:
            return self.rolls
        higher = [f"{number}x{face}" for number, face in self.bids[len_to(self.bids, said) :]]
        return higher + ["liar"] * bool(said)

    def odds(self, state):
        return [Fraction(1, len(self.rolls))] * len(self.rolls)

    def play(self, state, move):
        dice, said = state
        return (dice, (*said, move)) if dice else (move, ())

    def knows(self, state, side):
        dice, said = state
        return (*dice[side : side + 1], *said)  # its own die, and all that was said

    def payoff(self, state):
        dice, said = state
        number, face = map(int, said[-2].split("x"))
        shown = sum(die == face or (self.wild and die == 1) for die in dice)
        bidder = len(said) % 2  # who made the last bid: the other said "liar"
        wins = bidder if shown >= number else 1 - bidder
        return (number + self.fee) * (1 if wins == 0 else -1)


def len_to(bids, said):
    """How many bids are not above the last one."""
    return bids.index(tuple(map(int, said[-1].split("x")))) + 1 if said else 0
