"""Games as plain trees, and what they are worth, in exact numbers. Nothing here comes from ruse.

A tree is made of leaves, chance moves and choices; choices of one side with the same `known` are one information set.
A sequence of a side is its last choice, (known, place of the move), or None before any: with perfect recall that says
all that the side has done. A leaf then pays its payoff times its odds to a pair of sequences, so that

    best answer of side s to a plan = best over the moves at each of its sets, last sets first,

and the value is found by answers alone: the table of some plans is solved by the simplex method, each side answers the
other's mix, the answers join the table, until nobody gains (Dantzig 1951, McMahan et al. 2003).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, prod

Did = tuple[str, int] | None  # a sequence
Plan = Mapping[Did, Fraction]
Policy = Mapping[str, Sequence[Fraction]]  # known -> the odds of each move


@dataclass(frozen=True)
class Leaf:
    payoff: Fraction  # to side 0


@dataclass(frozen=True)
class Chance:
    moves: tuple[str, ...]
    odds: tuple[Fraction, ...]
    after: tuple[Node, ...]


@dataclass(frozen=True)
class Choice:
    side: int
    known: str
    moves: tuple[str, ...]
    after: tuple[Node, ...]


Node = Leaf | Chance | Choice


def nodes(root: Node) -> Iterator[Node]:
    """All of them, parents first."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, Leaf):
            stack.extend(reversed(node.after))


def size(root: Node) -> int:
    return sum(1 for _ in nodes(root))


def pruned(node: Node) -> Node:
    """Without chance moves that never happen."""
    if isinstance(node, Leaf):
        return node
    after = tuple(map(pruned, node.after))
    if isinstance(node, Choice):
        return Choice(node.side, node.known, node.moves, after)
    moves, odds, below = zip(*(one for one in zip(node.moves, node.odds, after, strict=True) if one[1]), strict=True)
    return Chance(moves, odds, below)


@dataclass(frozen=True)
class Set:
    """An information set of a side."""

    known: str
    parent: Did  # what its side did last
    moves: int


class Flat:
    """A tree by its leaves: the odds of chance, the last sequence of each side, the payoff."""

    def __init__(self, root: Node) -> None:
        self.leaves: list[tuple[Fraction, Did, Did, Fraction]] = []
        self.sets: tuple[dict[str, Set], dict[str, Set]] = ({}, {})  # parents come first
        stack: list[tuple[Node, Fraction, Did, Did]] = [(root, Fraction(1), None, None)]
        while stack:
            node, odds, first, second = stack.pop()
            if isinstance(node, Leaf):
                self.leaves.append((odds, first, second, node.payoff))
            elif isinstance(node, Chance):
                if sum(node.odds) != 1 or min(node.odds) < 0:
                    raise ValueError(f"no odds: {node.odds}")
                follow = zip(node.odds, node.after, strict=True)
                stack.extend((after, odds * share, first, second) for share, after in follow if share)
            else:
                last = (first, second)[node.side]
                here = Set(node.known, last, len(node.moves))
                if self.sets[node.side].setdefault(node.known, here) != here:
                    raise ValueError(f"no perfect recall at {node.known}")
                for place, after in enumerate(node.after):
                    did = (node.known, place)
                    both = (did, second) if node.side == 0 else (first, did)
                    stack.append((after, odds, *both))

    @property
    def entries(self) -> int:
        """Of the normal form: a move at every set is a row or column."""
        return prod(one.moves for sets in self.sets for one in sets.values())

    def plan(self, side: int, policy: Policy) -> Plan:
        """How likely the side makes all moves of each sequence."""
        found: dict[Did, Fraction] = {None: Fraction(1)}
        for here in self.sets[side].values():
            for place, share in enumerate(policy[here.known]):
                found[here.known, place] = found[here.parent] * share
        return found

    def answer(self, side: int, plan: Plan) -> tuple[Fraction, dict[str, int]]:
        """The payoff of the best answer of `side` to the other's plan, and its move at every set."""
        worth: dict[Did, Fraction] = dict.fromkeys(
            [None, *((one.known, place) for one in self.sets[side].values() for place in range(one.moves))], Fraction(0)
        )
        for odds, first, second, payoff in self.leaves:
            own, other = (first, second) if side == 0 else (second, first)
            worth[own] += odds * plan[other] * payoff
        pick = max if side == 0 else min
        moves = {}
        for here in reversed(list(self.sets[side].values())):
            payoffs = [worth[here.known, place] for place in range(here.moves)]
            moves[here.known] = payoffs.index(pick(payoffs))
            worth[here.parent] += pick(payoffs)
        return worth[None], moves

    def guarantees(self, policies: tuple[Policy, Policy]) -> tuple[Fraction, Fraction]:
        """What each side's strategy is worth against its worst answer, as the payoff to side 0."""
        first, second = (self.plan(side, policies[side]) for side in (0, 1))
        return self.answer(1, first)[0], self.answer(0, second)[0]

    def value(self, most_rounds: int | None = None) -> Fraction | None:
        """What the game is worth; None if that takes too many rounds."""
        return self.solve(most_rounds)[0]

    def solve(self, most_rounds: int | None = None) -> tuple[Fraction | None, list[Plan]]:
        """The same, with a plan of each side that gets it."""
        plans: tuple[list[Plan], list[Plan]] = ([], [])
        table: list[list[Fraction]] = []
        mixes: list[list[Fraction]] = [[Fraction(1)], [Fraction(1)]]
        for side in (0, 1):
            self._add(plans, table, side, dict.fromkeys(self.sets[side], 0))
        rounds = 0
        while most_rounds is None or rounds < most_rounds:
            rounds += 1
            mixed = [self._mixed(plans[side], mixes[side]) for side in (0, 1)]
            (lower, reply), (upper, attack) = self.answer(1, mixed[0]), self.answer(0, mixed[1])
            if lower == upper:
                return lower, mixed
            self._add(plans, table, 0, attack)
            self._add(plans, table, 1, reply)
            mixes = list(solve_table(table)[1:])
        return None, []

    def _add(
        self, plans: tuple[list[Plan], list[Plan]], table: list[list[Fraction]], side: int, moves: Mapping[str, int]
    ) -> None:
        """A pure plan joins the table."""
        policy = {
            one.known: [Fraction(place == moves[one.known]) for place in range(one.moves)]
            for one in self.sets[side].values()
        }
        added = self.plan(side, policy)
        if side == 0:
            table.append([self.expected(added, other) for other in plans[1]])
        else:
            for row, other in zip(table, plans[0], strict=True):
                row.append(self.expected(other, added))
        plans[side].append(added)

    def expected(self, first: Plan, second: Plan) -> Fraction:
        """The payoff of two plans against each other."""
        return sum(
            (
                odds * mine * theirs * payoff
                for odds, one, other, payoff in self.leaves
                if payoff and (mine := first[one]) and (theirs := second[other])
            ),
            Fraction(0),
        )

    @staticmethod
    def _mixed(plans: Sequence[Plan], mix: Sequence[Fraction]) -> Plan:
        used = [(plan, share) for plan, share in zip(plans, mix, strict=False) if share]
        return {one: sum((share * plan[one] for plan, share in used), Fraction(0)) for one in plans[0]}


def solve_table(payoffs: Sequence[Sequence[Fraction]]) -> tuple[Fraction, list[Fraction], list[Fraction]]:
    """The value of a payoff table and a mix for each side, by the simplex method in whole numbers.

    With all payoffs b at least 1, side 1 maximises the sum of y where b y <= 1; the value is one over that sum.
    Bland's rule (1977) ends always; whole numbers stay whole if divided by the last pivot (Edmonds 1967).
    """
    height, width = len(payoffs), len(payoffs[0])
    scale = lcm(*(entry.denominator for row in payoffs for entry in row))
    whole = [[int(entry * scale) for entry in row] for row in payoffs]
    low = min(map(min, whole)) - 1
    rows = [[entry - low for entry in row] + [int(i == j) for j in range(height)] + [1] for i, row in enumerate(whole)]
    rows.append([-1] * width + [0] * (height + 1))
    basis = [width + place for place in range(height)]
    last = 1
    while (enters := next((place for place in range(width + height) if rows[-1][place] < 0), None)) is not None:
        leaves = min(
            (place for place in range(height) if rows[place][enters] > 0),
            key=lambda place: (Fraction(rows[place][-1], rows[place][enters]), basis[place]),
        )
        chosen, pivot = rows[leaves], rows[leaves][enters]
        for place, row in enumerate(rows):
            if place != leaves:
                factor = row[enters]
                rows[place] = [
                    (entry * pivot - factor * above) // last for entry, above in zip(row, chosen, strict=True)
                ]
        basis[leaves], last = enters, pivot
    total = Fraction(rows[-1][-1], last)
    first = [Fraction(rows[-1][width + place], last) / total for place in range(height)]
    second = [Fraction(0)] * width
    for place, column in enumerate(basis):
        if column < width:
            second[column] = Fraction(rows[place][-1], last) / total
    return (1 / total + low) / scale, first, second
