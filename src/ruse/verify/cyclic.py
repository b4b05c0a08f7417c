"""What a strategy guarantees in a game whose play can come back to a state: a bound that is proved, not iterated to.

Let x be side 0's strategy, W any function of states with the true payoff at every end and

    W(s) <= W(x's move at s)             where side 0 moves,
    W(s) <= min over moves W(next)       where side 1 moves,
    W(s) <= sum of odds times W(next)    at chance.

Against any answer of side 1, W of the state never falls on average along a play. If play ends with certainty, whatever
the sides do, W(start) is therefore at most the expected payoff: x guarantees W(start). The same the other way round
bounds what a strategy of side 1 concedes. W is a whole number of tiny units at every state, so that the inequalities
are checked exactly, in numpy alone; where W comes from does not matter (from sweeps that round to the safe side). That
play ends is checked too: no pair of strategies can stay in a set of states for ever if from every state of the game
the end has a chance whatever is done, as `kernels.states.ends` marks them.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from random import Random

import numpy as np

from ruse.core.arrays import Array
from ruse.core.capabilities import Memoryless
from ruse.core.certificate import STATES, Certificate
from ruse.core.contract import built_in
from ruse.core.game import CHANCE, END
from ruse.core.types import StrategyTable
from ruse.forms.state_graph import Arrays, ChoiceError, Graph, Walked, graph_of, settled
from ruse.kernels import states as kernel
from ruse.verify.tree import VerifyError

FINEST = 10**13  # units to the largest payoff
SAMPLE = 5_000  # states of random plays, to compare arrays with rules at


def guarantee(game: Memoryless, side: int, table: StrategyTable) -> Fraction:
    """A payoff to side 0 that a side's table is proved to guarantee, or to concede at most."""
    return _guarantees(game, {side: table})[side]


def bounds(game: Memoryless, tables: tuple[StrategyTable, StrategyTable]) -> Certificate:
    """What both tables are proved to guarantee."""
    proved = _guarantees(game, dict(enumerate(tables)))
    return Certificate(proved[0], proved[1], STATES)


def _guarantees(game: Memoryless, tables: Mapping[int, StrategyTable]) -> dict[int, Fraction]:
    graph = graph_of(game) if built_in(game) else Walked(game)  # anybody else's graph is written down by the rules
    arrays = graph.arrays
    if not isinstance(graph, Walked):
        _check_graph(game, graph)
    _check_ends(game, arrays)
    unit = _unit(arrays)
    proved = {}
    for side, table in tables.items():
        try:
            choice = graph.read(side, table)
        except ChoiceError as error:
            raise VerifyError(str(error)) from error
        value = _swept(arrays, unit, side, choice)
        _check_inequalities(arrays, side, choice, value, unit)
        proved[side] = Fraction(int(value[arrays.start]), unit * arrays.denominator)
    return proved


def _unit(arrays: Arrays) -> int:
    """How many units one part of a payoff is: as many as products with shares leave room for in 64 bits."""
    largest = max(1, int(np.abs(arrays.payoff).max()))
    return max(1, min(FINEST, 2**62 // int(arrays.whole.max())) // largest)


def _swept(arrays: Arrays, unit: int, side: int, choice: Array) -> Array:
    """int64[states]: values with a side's choice fixed, from below for side 0, from above for side 1."""
    worst = int(np.abs(arrays.payoff).max()) * unit * (-1 if side == 0 else 1)
    value = np.where(arrays.turn == END, arrays.payoff * unit, worst)
    settled(arrays, choice, side, side == 0, value)
    return value


def _check_inequalities(arrays: Arrays, side: int, choice: Array, value: Array, unit: int) -> None:
    """W is the payoff at every end, and elsewhere on the safe side of what follows."""
    ended = arrays.turn == END
    inner = np.flatnonzero(~ended)
    turn, first, whole, mine = arrays.turn[inner], arrays.first[inner], arrays.whole[inner], value[inner]
    after = value[arrays.child]
    answer = (np.minimum if side == 0 else np.maximum).reduceat(after, first)
    limit = np.where(turn == side, after[first + choice[inner]], answer)
    limit = np.where(turn == CHANCE, np.add.reduceat(arrays.share * after, first), limit)
    mine = np.where(turn == CHANCE, whole * mine, mine)
    safe = np.all(mine <= limit if side == 0 else mine >= limit)
    if not safe or not np.array_equal(value[ended], arrays.payoff[ended] * unit):
        raise VerifyError("the stored bounds are not consistent with each other")


def _check_ends(game: Memoryless, arrays: Arrays) -> None:
    sure = np.zeros(len(arrays.turn), dtype=np.bool_)
    kernel.ends(arrays.turn, arrays.first, arrays.child, arrays.layers, sure)
    if not sure.all():
        raise VerifyError(f"play in {game.title} may never end")


def _check_graph(game: Memoryless, graph: Graph) -> None:
    """Arrays that a game has made itself say what its rules say, along random plays."""
    arrays, random, state = graph.arrays, Random(0), game.start()
    if graph.number(state) != arrays.start:
        raise VerifyError(f"the arrays of {game.title} do not begin at the start")
    for _ in range(SAMPLE):
        number, turn = graph.number(state), game.turn(state)
        first, last = int(arrays.first[number]), int(arrays.first[number + 1])
        moves = [] if turn == END else list(game.moves(state))
        following = [game.play(state, move) for move in moves]
        odds = game.odds(state) if turn == CHANCE else [Fraction(1)] * len(moves)
        same = (
            arrays.turn[number] == turn
            and arrays.child[first:last].tolist() == [graph.number(successor) for successor in following]
            and [Fraction(part, int(arrays.whole[number])) for part in arrays.share[first:last].tolist()] == list(odds)
            and arrays.payoff[number] == (game.payoff(state) * arrays.denominator if turn == END else 0)
        )
        if not same:
            raise VerifyError(f"the arrays of {game.title} do not say what its rules say at {state!r}")
        state = random.choice(following) if following else game.start()
