"""Monte-Carlo counterfactual regret minimisation (Lanctot, Waugh, Zinkevich, Bowling 2009, §3).

Nothing of the tree is needed but the plays that are drawn. With q the chance that a play z is drawn, the value of an
information set I for its side i, and from it the regret of each move, is estimated without bias by

    v(I) = sum over the drawn z through a state h of I of  pi_-i(h) * pi(h, z) * u(z) / q(z).

External sampling draws chance and the other side and tries all of i's moves: pi_-i and q cancel. Outcome sampling draws
one play and explores: i's moves are even with odds EXPLORE, else by its present policy. The estimates are here times
the odds with which even play of i comes to I. That is one factor for all of I, so that regret matching does not change,
and the numbers of deep games stay in range.

Each iteration has every side learn once, first side 0. While a side learns, the other's present policy is added to its
average wherever play comes, over the learner's odds of having come there, so that each policy weighs as much as it
comes there itself. Iteration t counts t times, for regrets and averages (Brown and Sandholm 2019, linear CFR): by
certificates, over many seeds, that is as good as even weights on Kuhn and leaves 5 to 10% (external) and 15 to 20%
(outcome) less gap on Leduc. Clipping regrets at zero as CFR+ does, or weighing averages alone, is worse.
"""

from __future__ import annotations

from array import array
from bisect import bisect
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import accumulate, chain, islice
from random import Random
from typing import Literal

import numpy as np

from ruse.core import rationals
from ruse.core.arrays import Array
from ruse.core.clock import tick, timed
from ruse.core.contract import checked, different_moves, endless, most_moves
from ruse.core.game import CHANCE, END, Game, GameError, Knowledge, Move, RuseError, State
from ruse.forms.sequence_form import FormArrays

Sampling = Literal["external", "outcome"]

EXPLORE = 0.6  # as usual since Lanctot et al. 2009; on Leduc 0.3 and 0.8 are worse
MOST = 4_000_000  # entries of the table: about 1 GB
KEPT = 500_000  # moves and ends of the nodes that are kept to save calls of the rules: about 100 MB
FARTHEST = 1e70  # an importance weight, or its inverse: reached by plays of hundreds of own moves only
LARGEST = Fraction(10) ** 100  # payoff whose regrets stay in the range of floats


class TableFull(RuseError):
    """More information sets were met than the table may hold."""


class _Set:
    """An information set that has been visited, with three numbers a move. `odds` is a function of `regrets`."""

    __slots__ = ("moves", "odds", "regrets", "totals")

    def __init__(self, moves: tuple[Move, ...]) -> None:
        self.moves = moves
        self.regrets = [0.0] * len(moves)
        self.totals = [0.0] * len(moves)  # the sum of weighted odds
        self.odds = _matched(self.regrets)


class _Node:
    """A state as a traversal needs it, asked of the rules once. A forced move is a chance move of odds 1."""

    __slots__ = ("after", "depth", "known", "moves", "number", "odds", "payoff", "state", "turn", "up", "way")

    turn: int
    moves: Sequence[Move]
    after: list[_Node | None]  # those of its children that are kept
    odds: list[float]  # of chance, added up
    known: _Set  # of the side whose turn it is
    payoff: float  # at the end, to side 0

    def __init__(self, state: State, up: _Node | None, number: int) -> None:
        self.state = state
        self.up, self.number = up, number  # it is its parent's child of that number
        self.depth: int = 0 if up is None else up.depth + 1
        self.way = -1


def _matched(regrets: Sequence[float]) -> list[float]:
    """Odds in proportion to the regrets above zero: Hart and Mas-Colell 2000."""
    total = 0.0
    for regret in regrets:
        if regret > 0.0:
            total += regret
    if total > 0.0:
        return [regret / total if regret > 0.0 else 0.0 for regret in regrets]
    return [1.0 / len(regrets)] * len(regrets)


class Mccfr:
    """A run on the rules themselves, with a table that grows by the information sets that are visited.

    The numbers depend on the seed and the count of iterations alone. `most` bounds the table: its entries are the moves
    of its information sets and the steps of the plays by which they were first met.
    """

    def __init__(self, game: Game, *, sampling: Sampling, seed: int, most: int = MOST, kept: int = KEPT) -> None:
        if sampling not in ("external", "outcome"):
            raise RuseError(f"expected external or outcome sampling, got {sampling!r}")
        self.game, self._longest = checked(game), most_moves(game)
        self.most, self.kept = most, kept
        self.iterations = 0
        self._learn = self._external if sampling == "external" else self._outcome
        self._random = Random(seed)
        self._clear()

    def _clear(self) -> None:
        self._sets: tuple[dict[Knowledge, _Set], dict[Knowledge, _Set]] = ({}, {})
        self._listed: list[_Set] = []  # of both sides, as they were met
        self._slots = 0  # moves of all sets
        self._used = 0  # of `kept`
        # Ways: plays from the start, one step each. Step i goes on from step ups[i] with the move of that number.
        self._ups, self._numbers = array("i", [0]), array("i", [0])
        self._root = _Node(self.game.start(), None, 0)
        self._root.way = 0
        self._look(self._root)

    @property
    def information_sets(self) -> tuple[int, int]:
        """How many of each side have been visited, forced moves left out."""
        return len(self._sets[0]), len(self._sets[1])

    @property
    def slots(self) -> int:
        """Moves of all visited information sets: a function of seed and iterations alone."""
        return self._slots

    @property
    def entries(self) -> int:
        """How much of `most` is used: 150 to 300 bytes each."""
        return self._slots + len(self._ups)

    def run(self, iterations: int) -> None:
        """Do so many more. What `TableFull` or another exception breaks off is not to be saved."""
        for _ in range(iterations):
            weight = self.iterations + 1.0
            self._learn(0, weight)
            self._learn(1, weight)
            self.iterations += 1

    def policy(self, side: int, most: int | None = None) -> dict[Knowledge, dict[Move, float]]:
        """The average policy where the run has been and had a choice; even odds are meant everywhere else.

        With `most`, at so many sets that were met first.
        """
        return {
            knowledge: dict(zip(known.moves, _average(known), strict=True))
            for knowledge, known in islice(self._sets[side].items(), most)
        }

    def weights(self, form: FormArrays) -> tuple[Array, Array]:
        """The average policy on the sequence form of the same game, even where not visited: float64[sequences] each."""
        first, second = (self._weights(form, side) for side in (0, 1))
        return first, second

    def _weights(self, form: FormArrays, side: int) -> Array:
        tree, sets = form.trees[side], self._sets[side]
        weights = np.ones(tree.sequences)
        for knowledge, (_, first, end) in timed(zip(form.knowledge[side], tree.sets(), strict=True)):
            if (known := sets.get(knowledge)) is not None:
                weights[first:end] = _average(known)
        return weights

    def state(self) -> dict[str, Array]:
        """All that `restore` needs, in any process: information sets are saved as the ways to them, not as objects."""
        return {
            "iterations": np.array(self.iterations, dtype=np.int64),
            "random": np.array(self._random.getstate()[1], dtype=np.uint32),
            "ups": np.array(self._ups, dtype=np.int32),
            "numbers": np.array(self._numbers, dtype=np.int32),
            "regrets": np.fromiter(chain.from_iterable(known.regrets for known in self._listed), np.float64),
            "totals": np.fromiter(chain.from_iterable(known.totals for known in self._listed), np.float64),
        }

    def restore(self, state: Mapping[str, Array]) -> None:
        """Go on from a state: play all its ways by the rules, which meets the information sets in the same order."""
        self._clear()
        try:
            ways = [self._root]
            for up, number in zip(state["ups"][1:].tolist(), state["numbers"][1:].tolist(), strict=True):
                if up < 0 or number < 0:
                    raise IndexError(f"expected steps that are not negative, got {up} and {number}")
                node = self._child(ways[up], number)
                self._way(node)
                ways.append(node)
            regrets, totals = (state[name].astype(np.float64).reshape(self._slots) for name in ("regrets", "totals"))
            if not (np.isfinite(regrets).all() and np.isfinite(totals).all() and (totals >= 0.0).all()):
                raise ValueError("expected numbers, and totals of at least 0")
            self._random.setstate((3, tuple(state["random"].tolist()), None))
            self.iterations = int(state["iterations"])
            if self.iterations < 0:
                raise ValueError(f"expected iterations, got {self.iterations}")
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            if isinstance(error, RuseError):
                raise
            raise RuseError(f"this saved run does not fit {self.game.title}: {error}") from error
        first = 0
        for known in self._listed:
            end = first + len(known.moves)
            known.regrets, known.totals = regrets[first:end].tolist(), totals[first:end].tolist()
            known.odds = _matched(known.regrets)
            first = end

    # Learning. The loops are written out because they are all that takes time.

    def _external(self, side: int, weight: float) -> None:
        """One traversal: down to all ends below the drawn moves, then back up through the side's own sets.

        Whoever never forgets meets each own set once a traversal, so that regrets can change on the way up.
        """
        random, child = self._random.random, self._child
        sign = 1.0 if side == 0 else -1.0
        met: list[tuple[_Set, list[float], list[float], int]] = []  # a set, its moves' gains, and where its value goes
        stack: list[tuple[_Node, list[float], int]] = [(self._root, [0.0], 0)]
        while stack:
            node, gains, place = stack.pop()
            while True:
                turn = node.turn
                if turn == side:
                    below = [0.0] * len(node.after)
                    met.append((node.known, below, gains, place))
                    for number, after in enumerate(node.after):
                        stack.append((after or child(node, number), below, number))
                    break
                if turn == END:
                    gains[place] = sign * node.payoff
                    break
                number = bisect(node.odds, random()) if turn == CHANCE else _drawn(node.known, random(), weight)
                node = node.after[number] or child(node, number)
        for known, gains, above, place in reversed(met):
            value = 0.0
            for share, gain in zip(known.odds, gains, strict=True):
                value += share * gain
            above[place] = value
            regrets = known.regrets
            for number, gain in enumerate(gains):
                regrets[number] += weight * (gain - value)
            known.odds = _matched(regrets)

    def _outcome(self, side: int, weight: float) -> None:
        """One play. `drift` is how likely the side was to draw its moves so far, over what even play would be."""
        random = self._random.random
        met: list[tuple[_Set, int, float, float, float]] = []
        node, drift = self._root, 1.0
        while (turn := node.turn) != END:
            if turn == CHANCE:
                number = bisect(node.odds, random())
            elif turn != side:
                number = _drawn(node.known, random(), weight / drift)
            else:
                known = node.known
                number = int(random() * len(known.odds)) if random() < EXPLORE else _drawn(known, random(), 0.0)
                policy = known.odds[number] * len(known.odds)  # over even odds, as is
                drawn = EXPLORE + (1.0 - EXPLORE) * policy
                met.append((known, number, policy, drawn, drift))
                drift = max(drift * drawn, 1.0 / FARTHEST)
            node = node.after[number] or self._child(node, number)
        gain = weight * (node.payoff if side == 0 else -node.payoff)
        tail = 1.0  # policy over drawn, from here to the end
        for known, number, policy, drawn, drift in reversed(met):
            estimate = gain * tail / (drawn * drift)
            value = policy * estimate
            regrets = known.regrets
            raised = regrets[number] + (len(regrets) - policy) * estimate
            for other in range(len(regrets)):
                regrets[other] -= value
            regrets[number] = raised
            known.odds = _matched(regrets)
            tail = min(tail * policy / drawn, FARTHEST)

    # The table, and the nodes that are kept.

    def _child(self, node: _Node, number: int) -> _Node:
        """The node after a move; kept for the next time while there is room."""
        if node.depth >= self._longest:
            raise endless(self.game, node.state)
        tick()
        child = _Node(self.game.play(node.state, node.moves[number]), node, number)
        self._look(child)
        if self._used < self.kept:
            node.after[number] = child
            self._used += 1 + len(child.moves)
        return child

    def _look(self, node: _Node) -> None:
        """Ask the rules about a new node's state."""
        game, state = self.game, node.state
        node.turn = turn = game.turn(state)
        if turn == END:
            payoff = game.payoff(state)
            if abs(payoff) > LARGEST:
                raise GameError(f"expected payoffs of at most 10^100 for sampling, got {rationals.brief(payoff)}")
            node.payoff, node.moves = float(payoff), ()
            return
        node.moves = moves = tuple(game.moves(state))
        node.after = [None] * len(moves)
        if turn == CHANCE:
            node.odds = [float(total) for total in accumulate(game.odds(state))]
        elif len(moves) == 1:
            node.turn, node.odds = CHANCE, [1.0]
        else:
            knowledge = game.knows(state, turn)
            known = self._sets[turn].get(knowledge)
            if known is None:
                known = self._sets[turn][knowledge] = self._met(node, moves)
            elif known.moves != moves:
                raise different_moves(game, knowledge, state, known.moves, moves)
            node.known = known

    def _met(self, node: _Node, moves: tuple[Move, ...]) -> _Set:
        """A new information set."""
        self._way(node)
        if self.entries + len(moves) > self.most:
            raise TableFull(
                f"the table of visited information sets has more than {self.most:,} entries in "
                f"{self.game.title} at iteration {self.iterations + 1:,}: use a smaller game or fewer iterations"
            )
        known = _Set(moves)
        self._slots += len(moves)
        self._listed.append(known)
        return known

    def _way(self, node: _Node) -> None:
        """Write down how a node was reached."""
        fresh = []
        while node.way < 0 and node.up is not None:
            fresh.append(node)
            node = node.up
        way = node.way
        for node in reversed(fresh):
            self._ups.append(way)
            self._numbers.append(node.number)
            node.way = way = len(self._ups) - 1


def _drawn(known: _Set, draw: float, weight: float) -> int:
    """A move by the present odds, which are added to the average."""
    totals, drawn = known.totals, 0
    for number, share in enumerate(known.odds):
        totals[number] += weight * share
        if draw >= 0.0:
            draw -= share
            drawn = number
    return drawn


def _average(known: _Set) -> list[float]:
    """The average odds; the present ones where the side itself has never come."""
    total = sum(known.totals)
    return [share / total for share in known.totals] if total > 0.0 else known.odds
