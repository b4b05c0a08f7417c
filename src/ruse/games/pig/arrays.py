"""All states of Pig on arrays (forms/state_graph.py), also some that no play comes to, such as those with a score of 1.

Layers are pairs of scores, whoever has which, by their sum, which no turn lowers. In a layer come the scores, the
sides, the totals of the turn, and each total with its decision before its roll. Two ends, won by either side, are the
last layer.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ruse.core.arrays import Array
from ruse.core.clock import timed
from ruse.core.game import CHANCE, END, PositionError
from ruse.core.types import StrategyTable
from ruse.forms.state_graph import Arrays, ChoiceError, check_known, chosen
from ruse.games.pig.rules import FACES, HOLD_AT

if TYPE_CHECKING:
    from ruse.games.pig.rules import Pig, PigState

ONE = Fraction(1)
EDGES = 8  # a decision's two and a roll's six


class PigGraph:
    def __init__(self, game: Pig) -> None:
        self.game = game
        goal = game.goal
        mine, theirs = np.divmod(np.arange(goal * goal), goal)
        least = np.minimum(mine, theirs)
        order = np.lexsort((mine, least, mine + theirs))
        sizes = 4 * (goal - mine[order])  # two sides, each with decisions and rolls
        ends = np.cumsum(sizes)
        self.base = np.empty((goal, goal), dtype=np.int64)  # the number of side 0's first decision at two scores
        self.base[mine[order], theirs[order]] = ends - sizes
        self.states = int(ends[-1])
        pairs = ((mine + theirs) * goal + least)[order]
        last = np.flatnonzero(np.append(pairs[1:] != pairs[:-1], True))
        self.layers = np.concatenate([[0], ends[last], [self.states + 2]])

    def _numbers(self, turn: Array | int, mine: Array, theirs: Array, total: Array | int) -> Array:
        """Of decisions; the roll of each is the next."""
        return np.asarray(self.base[mine, theirs] + 2 * (turn * (self.game.goal - mine) + total))

    def number(self, state: PigState) -> int:
        turn, mine, theirs, total, rolling = state
        if mine + total >= self.game.goal:
            return self.states + turn
        return int(self._numbers(turn, np.array(mine), np.array(theirs), total)) + rolling

    @cached_property
    def decisions(self) -> tuple[Array, Array, Array, Array]:
        """int32[decisions] each: the side to move, its score, the other's, and the turn's total; by number."""
        goal = self.game.goal
        fields = np.indices((2, goal, goal, goal), dtype=np.int32).reshape(4, -1)
        turn, mine, theirs, total = fields[:, fields[1] + fields[3] < goal]
        order = np.argsort(self._numbers(turn, mine, theirs, total))
        return turn[order], mine[order], theirs[order], total[order]

    @cached_property
    def arrays(self) -> Arrays:
        turn, mine, theirs, total = self.decisions
        count, goal = len(turn), self.game.goal
        turns = np.full(self.states + 2, END, dtype=np.int8)
        turns[0 : self.states : 2], turns[1 : self.states : 2] = turn, CHANCE
        child = np.empty((count, EDGES), dtype=np.uint32)
        child[:, 0] = np.arange(1, self.states, 2)
        child[:, 1] = self._numbers(1 - turn, theirs, mine + total, 0)
        child[:, 2] = self._numbers(1 - turn, theirs, mine, 0)
        for face in range(2, 7):
            within = mine + total + face < goal
            following = self._numbers(turn, mine, theirs, np.where(within, total + face, 0))
            child[:, 1 + face] = np.where(within, following, self.states + turn)
        has = np.ones((count, EDGES), dtype=bool)
        has[:, 1] = total > 0  # a turn begins with a roll
        lengths = np.zeros(self.states + 2, dtype=np.int32)
        lengths[0 : self.states : 2], lengths[1 : self.states : 2] = 1 + (total > 0), 6
        payoff = np.zeros(self.states + 2, dtype=np.int64)
        payoff[self.states :] = 1, -1
        children = child[has]
        return Arrays(
            turns,
            np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32),
            children,
            np.ones(len(children), dtype=np.int32),
            np.where(turns == CHANCE, 6, 1).astype(np.int32),
            payoff,
            1,
            self.layers.astype(np.int64),
            0,
        )

    def write(self, side: int, choice: Array) -> StrategyTable:
        turn, mine, theirs, total = self.decisions
        goal = self.game.goal
        holds = np.zeros((goal, goal, goal), dtype=bool)  # by scores and total
        own = turn == side
        holds[mine[own], theirs[own], total[own]] = choice[0 : self.states : 2][own] == 1
        return {
            self.game.stored_position(side, mine, other): {
                _format_holds(holds[mine, other, : goal - mine].tolist()): ONE
            }
            for mine in timed(range(goal))
            for other in range(goal)
        }

    def read(self, side: int, table: StrategyTable) -> Array:
        goal = self.game.goal
        scores = {
            self.game.stored_position(side, mine, other): (mine, other) for mine in range(goal) for other in range(goal)
        }
        check_known(table, scores, self.game.sides[side])
        holds = np.zeros((goal, goal, goal), dtype=bool)
        for position, (score, other) in scores.items():
            try:
                for span in self.game.holds(chosen(position, table), score):
                    holds[score, other, span.start : span.stop] = True
            except PositionError as error:
                raise ChoiceError(f"{error} at {position}") from error
        _, mine, theirs, total = self.decisions
        choice = np.zeros(self.states + 2, dtype=np.int32)
        choice[0 : self.states : 2] = holds[mine, theirs, total]
        return choice


def _format_holds(holds: list[bool]) -> str:
    """The totals to hold at. Those that the turn cannot come to are as those before them; the last total wins."""
    come_to = [False] * (len(holds) + FACES[-1])
    come_to[0] = True
    spans: list[list[int]] = []
    held = False
    for total, hold in enumerate(holds):
        if come_to[total]:
            if hold and not held:
                spans.append([total, total])
            held = hold
            if not hold:
                for face in FACES[1:]:
                    come_to[total + face] = True
        if held:
            spans[-1][1] = total
    texts = [f"{low}-{high}" for low, high in spans]  # also 42-42, as a rule of 42 is short for 42+
    if held:
        texts[-1] = f"{spans[-1][0]}+"
    return HOLD_AT + (";".join(texts) or f"{max(len(holds), 2)}+")
