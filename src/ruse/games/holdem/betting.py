"""The tree of bets of a spot, without cards: the same for every runout.

Nodes are numbered from the root down. A node is a decision of a side, a card to be dealt, or an end: a fold or a
showdown. Stakes are what each side has put in since the spot began, in whole chips.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from ruse.core.clock import tick
from ruse.core.game import CHANCE, END, GameError
from ruse.games.holdem.sizes import Plan, chips

MOST_NODES = 3_000_000


class Bets(NamedTuple):
    """The sizes and rules of betting of a spot."""

    pot: int
    stack: int
    streets: int  # left to bet on
    bets: Plan
    raises: Plan
    donks: Plan | None  # of the side out of position, into a side that bet or raised last on the street before
    add_all_in: Fraction  # all-in is one more size where it is at most so many times the pot
    force_all_in: Fraction  # a bet is all-in where less than that many times the pot would stay behind
    merge: Fraction  # sizes closer than that many times the pot are one
    cap: int | None  # raises on a street


class BetNode(NamedTuple):
    turn: int  # 0, 1, CHANCE or END
    street: int  # 0 is the first of the spot
    stakes: tuple[int, int]
    moves: tuple[str, ...]
    children: tuple[int, ...]  # of a card, the one node that follows whatever card it is
    folded: int = -1  # the side that folded at an end


@dataclass
class BettingTree:
    nodes: list[BetNode] = field(default_factory=list)

    @property
    def streets(self) -> int:
        return 1 + max(node.street for node in self.nodes)


def betting_tree(rules: Bets) -> BettingTree:
    """Write the tree down."""
    builder = _Builder(rules)
    builder.street(0, 0, -1)
    return BettingTree([node for node in builder.nodes if node is not None])


class _Builder:
    def __init__(self, rules: Bets) -> None:
        self.rules = rules
        self.nodes: list[BetNode | None] = []

    def _new(self) -> int:
        tick()
        if len(self.nodes) == MOST_NODES:
            raise GameError(
                f"the bets of this spot make a tree of more than {MOST_NODES:,} nodes for each runout; "
                "use fewer sizes, or a cap on raises"
            )
        self.nodes.append(None)
        return len(self.nodes) - 1

    def street(self, street: int, stake: int, aggressor: int) -> int:
        """A street that both begin with the same stake; `aggressor` made the last bet of the street before."""
        if stake == self.rules.stack:
            return self._next(street, stake, -1)
        return self._decision(street, stake, 0, (stake, stake), 0, False, aggressor, -1)

    def _next(self, street: int, stake: int, aggressor: int) -> int:
        """What follows a street: a showdown, or a card."""
        number = self._new()
        stakes = (stake, stake)
        if street + 1 == self.rules.streets:
            self.nodes[number] = BetNode(END, street, stakes, (), ())
        else:
            self.nodes[number] = BetNode(CHANCE, street, stakes, (), (self.street(street + 1, stake, aggressor),))
        return number

    def _decision(
        self,
        street: int,
        begun: int,
        side: int,
        stakes: tuple[int, int],
        raises: int,
        checked: bool,
        before: int,
        aggressor: int,
    ) -> int:
        number = self._new()
        moves: list[str] = []
        children: list[int] = []
        mine, theirs = stakes[side], stakes[1 - side]
        if theirs > mine:
            moves += ["fold", "call"]
            fold = self._new()
            self.nodes[fold] = BetNode(END, street, stakes, (), (), side)
            children += [fold, self._next(street, theirs, aggressor)]
        else:
            moves.append("check")
            if checked:
                children.append(self._next(street, mine, -1))
            else:
                children.append(self._decision(street, begun, 1, stakes, 0, True, before, -1))
        for amount in self._amounts(street, begun, side, stakes, raises, before):
            paid = (begun + amount, theirs) if side == 0 else (theirs, begun + amount)
            moves.append(f"{'raise' if theirs > begun else 'bet'}{amount}")
            count = raises + (theirs > begun)
            children.append(self._decision(street, begun, 1 - side, paid, count, False, before, side))
        self.nodes[number] = BetNode(side, street, stakes, tuple(moves), tuple(children))
        return number

    def _amounts(
        self, street: int, begun: int, side: int, stakes: tuple[int, int], raises: int, before: int
    ) -> list[int]:
        """What the side may bet or raise to on this street."""
        rules = self.rules
        last, own = stakes[1 - side] - begun, stakes[side] - begun
        left = rules.stack - begun
        facing = last > own
        if last >= left or (facing and rules.cap is not None and raises >= rules.cap):
            return []
        plan = rules.raises if facing else rules.bets
        if not facing and side == 0 and before == 1 and rules.donks is not None:
            plan = rules.donks
        pot = rules.pot + 2 * stakes[1 - side]
        least = last - own if facing else 1
        sizes = plan[side][street]
        amounts = set(chips(sizes, pot, least, last, left, rules.streets - street))
        if left <= last + rules.add_all_in * pot:
            amounts.add(left)
        forced = {
            left if left - amount <= rules.force_all_in * (pot + 2 * (amount - last)) else amount for amount in amounts
        }
        kept: list[int] = []
        for amount in sorted(forced, reverse=True):
            if not kept or kept[-1] - amount > rules.merge * pot:
                kept.append(amount)
        return kept[::-1]
