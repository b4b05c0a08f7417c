"""External sampling with baselines: VR-MCCFR (Schmid, Burch, Lanctot, Moravčík, Kadlec and Bowling 2019).

Where a move a of chance or of the other side is drawn at a state h, with odds p, the moves that are not drawn count by
what they were worth before:

    value(h)  =  sum over a' of  p(a') b(h, a')  +  v - b(h, a),        v the sampled value after a,
    b(h, a)   <-  b(h, a) + LEARN (v - b(h, a)).

On average, v - b(h, a) makes up for any error of the baselines b, so the estimate has no bias; and the nearer b is to
the true values, the less it varies. All else is as in `ruse.solvers.mccfr`. The baselines belong to states, as in
Davis, Schmid and Bowling 2020, and not to information sets: what one side knows says little about the value of a state.
States have baselines as long as there is room to keep them (`mccfr.KEPT`); later ones have none.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Mapping
from itertools import chain

import numpy as np

from ruse.core.arrays import Array
from ruse.core.game import CHANCE, END, Game, RuseError
from ruse.solvers.mccfr import KEPT, MOST, Mccfr, _drawn, _matched, _Node, _Set
from ruse.solvers.sampled import Sampled, check_width
from ruse.solvers.spec import Task

LEARN = 0.5  # of the way from a baseline to a new value, as in the paper


def run(task: Task) -> Sampled:
    check_width(task)
    return Sampled(BaselineMccfr(task.game, seed=task.seed), task.walked)


class BaselineMccfr(Mccfr):
    """A run of external sampling with a baseline for each move of each state that is kept."""

    def __init__(self, game: Game, *, seed: int, most: int = MOST, kept: int = KEPT) -> None:
        super().__init__(game, sampling="external", seed=seed, most=most, kept=kept)
        self._learn = self._with_baselines

    def _clear(self) -> None:
        super()._clear()
        self._baselines: dict[int, list[float]] = {}  # of states by their ways: a value to side 0 for each move
        self._add_baselines(self._root)

    def _child(self, node: _Node, number: int) -> _Node:
        child = super()._child(node, number)
        if node.after[number] is child:
            self._way(child)  # so that a saved run has the same states in the same order
            self._add_baselines(child)
        return child

    def _add_baselines(self, node: _Node) -> None:
        if len(node.moves) > 1:
            self._baselines[node.way] = [0.0] * len(node.moves)

    def state(self) -> dict[str, Array]:
        return {**super().state(), "baselines": np.fromiter(chain.from_iterable(self._baselines.values()), np.float64)}

    def restore(self, state: Mapping[str, Array]) -> None:
        super().restore(state)
        numbers, first = state["baselines"].tolist() if "baselines" in state else [], 0
        if len(numbers) != sum(map(len, self._baselines.values())) or not np.isfinite(numbers).all():
            raise RuseError(f"this saved run does not fit {self.game.title}: expected a finite baseline for each move")
        for baselines in self._baselines.values():
            baselines[:] = numbers[first : first + len(baselines)]
            first += len(baselines)

    def _with_baselines(self, side: int, weight: float) -> None:
        """One traversal: down to all ends below the drawn moves, then back up through own sets and drawn moves."""
        random, child, known_values = self._random.random, self._child, self._baselines
        sign = 1.0 if side == 0 else -1.0
        # What waits for values below it: a set or a state with the move that was drawn there, and where its value goes.
        met: list[tuple[_Set | _Node, int, list[float], list[float], int]] = []
        stack: list[tuple[_Node, list[float], int]] = [(self._root, [0.0], 0)]
        while stack:
            node, gains, place = stack.pop()
            while True:
                turn = node.turn
                if turn == side:
                    below = [0.0] * len(node.after)
                    met.append((node.known, 0, below, gains, place))
                    for number, after in enumerate(node.after):
                        stack.append((after or child(node, number), below, number))
                    break
                if turn == END:
                    gains[place] = sign * node.payoff
                    break
                number = bisect(node.odds, random()) if turn == CHANCE else _drawn(node.known, random(), weight)
                if node.way in known_values:
                    below = [0.0]
                    met.append((node, number, below, gains, place))
                    gains, place = below, 0
                node = node.after[number] or child(node, number)
        for visited, number, below, gains, place in reversed(met):
            if isinstance(visited, _Set):
                gains[place] = _learned(visited, below, weight)
            else:
                gains[place] = sign * _corrected(visited, known_values[visited.way], number, sign * below[0])


def _learned(known: _Set, gains: list[float], weight: float) -> float:
    """The value of an own information set, whose regrets and odds change."""
    value = 0.0
    for share, gain in zip(known.odds, gains, strict=True):
        value += share * gain
    regrets = known.regrets
    for number, gain in enumerate(gains):
        regrets[number] += weight * (gain - value)
    known.odds = _matched(regrets)
    return value


def _corrected(node: _Node, baselines: list[float], number: int, sampled: float) -> float:
    """The value of a state to side 0 from that after the drawn move, whose baseline changes."""
    expected = 0.0
    if node.turn == CHANCE:
        before = 0.0
        for total, baseline in zip(node.odds, baselines, strict=True):
            expected += (total - before) * baseline
            before = total
    else:
        for share, baseline in zip(node.known.odds, baselines, strict=True):
            expected += share * baseline
    error = sampled - baselines[number]
    baselines[number] += LEARN * error
    return expected + error
