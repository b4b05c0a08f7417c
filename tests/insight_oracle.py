"""Ranges, prices and beliefs once more, by code that shares nothing with ruse.insight: it walks the rules itself.

Small games are asked of scipy, as linear programs in floats with the value written into them; tiny ones are settled by
listing all vertices of the optimal plans, which are cut out by the other side's pure strategies, in fractions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_matrix

Path = tuple[tuple[Any, Any], ...]  # what a side knew and did, so far

LITTLE = 1e-3  # what slack in a value may come to


class Oracle:
    def __init__(self, game: Any, near: float = 1e-6) -> None:
        """`near`: what floats may be off by."""
        self.game, self.near = game, near
        self._programs: dict[int, tuple[Any, Any]] = {}
        self.leaves: list[tuple[Path, Path, Fraction]] = []
        self.sets: tuple[dict[Any, tuple[Path, list[Any]]], dict[Any, tuple[Path, list[Any]]]] = ({}, {})
        self.seen: dict[tuple[int, Any], list[tuple[Any, Path, Fraction]]] = {}  # states of each knowledge
        self._walk(game.start(), Fraction(1), ((), ()))
        self.sequences: tuple[dict[Path, int], dict[Path, int]] = ({(): 0}, {(): 0})
        for side in (0, 1):
            for known, (parent, moves) in self.sets[side].items():
                for move in moves:
                    self.sequences[side][(*parent, (known, move))] = len(self.sequences[side])

    def _walk(self, state: Any, odds: Fraction, did: tuple[Path, Path]) -> None:
        turn = self.game.turn(state)
        if turn == -2:
            self.leaves.append((*did, odds * self.game.payoff(state)))
            return
        moves = list(self.game.moves(state))
        if turn == -1:
            for move, share in zip(moves, self.game.odds(state), strict=True):
                if share:
                    self._walk(self.game.play(state, move), odds * share, did)
            return
        known = self.game.knows(state, turn)
        self.sets[turn].setdefault(known, (did[turn], moves))
        self.seen.setdefault((turn, known), []).append((state, did[1 - turn], odds))
        for move in moves:
            after = (*did[turn], (known, move))
            self._walk(self.game.play(state, move), odds, (after, did[1]) if turn == 0 else (did[0], after))

    # Linear programs in floats

    def _rows(self, side: int) -> tuple[Any, Any]:
        """E over x and q, a row a set and one for x[0]; and F'q - G'x <= 0."""
        if side not in self._programs:
            self._programs[side] = self._written(side)
        return self._programs[side]

    def _written(self, side: int) -> tuple[Any, Any]:
        mine, theirs = self.sequences[side], self.sequences[1 - side]
        plan = np.zeros((len(self.sets[side]), len(mine)))
        for row, (known, (parent, moves)) in enumerate(self.sets[side].items()):
            plan[row, mine[parent]] = -1
            for move in moves:
                plan[row, mine[*parent, (known, move)]] = 1
        answers = np.zeros((len(theirs), len(mine) + 1 + len(self.sets[1 - side])))
        sign = 1 if side == 0 else -1
        for leaf in self.leaves:
            answers[theirs[leaf[1 - side]], mine[leaf[side]]] -= sign * float(leaf[2])
        answers[0, len(mine)] = 1
        for number, (known, (parent, moves)) in enumerate(self.sets[1 - side].items(), 1):
            answers[theirs[parent], len(mine) + number] -= 1
            for move in moves:
                answers[theirs[*parent, (known, move)], len(mine) + number] += 1
        equal = np.zeros((len(plan) + 1, answers.shape[1]))
        equal[:-1, : len(mine)] = plan
        equal[-1, 0] = 1
        return csr_matrix(equal), csr_matrix(answers)

    def _best(self, side: int, cost: Any, bounds: Any) -> float:
        equal, answers = self._rows(side)
        right = np.zeros(equal.shape[0])
        right[-1] = 1
        found = linprog(cost, answers, np.zeros(answers.shape[0]), equal, right, bounds, method="highs")
        assert found.status == 0, found.message
        return float(found.fun)

    def _bounds(self, side: int) -> list[tuple[float | None, float | None]]:
        mine, count = len(self.sequences[side]), self._rows(side)[1].shape[1]
        return [(0, None)] * mine + [(None, None)] * (count - mine)

    def most(self, side: int, known: Any = None, move: Any = None) -> float:
        """What a side can guarantee, if it always makes a move at a set."""
        mine, bounds = self.sequences[side], self._bounds(side)
        cost = np.zeros(len(bounds))
        cost[len(mine)] = -1
        if known is not None:
            parent, moves = self.sets[side][known]
            for one in moves:
                if one != move:
                    bounds[mine[*parent, (known, one)]] = (0, 0)
        return -self._best(side, cost, bounds)

    def least(self, side: int, value: float, terms: Mapping[Path, float]) -> float:
        """The least of a linear function over the plans that guarantee a value."""
        mine, bounds = self.sequences[side], self._bounds(side)
        bounds[len(mine)] = (value, None)
        cost = np.zeros(len(bounds))
        for path, share in terms.items():
            cost[mine[path]] += share
        return self._best(side, cost, bounds)

    def _comes(self, side: int, value: float, below: Mapping[Path, float]) -> float:
        """How often optimal plans come at most. What they come by the slack in the value alone grows with it."""
        terms = {path: -share for path, share in below.items()}
        found = -self.least(side, value, terms)
        if found < LITTLE and -self.least(side, value - 9e-9, terms) > 3 * found:  # ten times the slack of 1e-9
            return 0.0
        return found

    def check_range(
        self,
        side: int,
        value: float,
        above: Mapping[Path, float],
        below: Mapping[Path, float],
        ends: tuple[Fraction, Fraction] | None,
    ) -> None:
        """That the ratio lies between the ends for every optimal plan, and gets there; None if no plan comes."""
        comes = self._comes(side, value, below)
        if ends is None or comes < self.near * sum(below.values()):
            assert ends is None and comes < self.near * sum(below.values()), (ends, comes)
            return
        for sign, end in ((1, ends[0]), (-1, ends[1])):
            for moved in (0.0, 0.05):
                terms = {path: sign * share for path, share in above.items()}
                for path, share in below.items():
                    terms[path] = terms.get(path, 0.0) - (sign * float(end) + moved) * share
                found = self.least(side, value, terms)
                assert found < -self.near * comes if moved else found > -self.near, (end, moved, found)

    # Vertices in fractions

    def pure(self, side: int) -> Iterator[dict[Path, int]]:
        """Pure strategies, those that differ only where they never come counted once."""

        def after(path: Path) -> list[dict[Path, int]]:
            here = [known for known, (parent, _) in self.sets[side].items() if parent == path]
            options = [
                [{(*path, (known, move)): 1, **rest} for move in self.sets[side][known][1]
                 for rest in after((*path, (known, move)))]
                for known in here
            ]  # fmt: skip
            found = []
            for choice in product(*options):
                joined: dict[Path, int] = {}
                for part in choice:
                    joined.update(part)
                found.append(joined)
            return found

        for one in after(()):
            yield {(): 1, **one}

    def vertices(self, side: int, value: Fraction) -> list[list[Fraction]]:
        """All vertices of the optimal plans of a side."""
        mine = self.sequences[side]
        sign = 1 if side == 0 else -1
        equations: list[list[Fraction]] = [[Fraction(0)] * (len(mine) + 1)]
        equations[0][0] = equations[0][-1] = Fraction(1)
        for known, (parent, moves) in self.sets[side].items():
            row = [Fraction(0)] * (len(mine) + 1)
            row[mine[parent]] -= 1
            for move in moves:
                row[mine[*parent, (known, move)]] += 1
            equations.append(row)
        limits: list[list[Fraction]] = []  # row x >= right
        for place in range(len(mine)):
            limits.append([Fraction(place == one) for one in range(len(mine))] + [Fraction(0)])
        for answer in self.pure(1 - side):
            row = [Fraction(0)] * len(mine) + [value]
            for leaf in self.leaves:
                if leaf[1 - side] in answer:
                    row[mine[leaf[side]]] += sign * leaf[2]
            if row not in limits:
                limits.append(row)
        found: list[list[Fraction]] = []
        free = len(mine) - len(equations)
        for chosen in combinations(limits, free):
            point = solved([*equations, *chosen], len(mine))
            if point is None or point in found:
                continue
            if all(_product(row, point) >= row[-1] for row in limits):
                found.append(point)
        return found


def _product(row: Sequence[Fraction], point: Sequence[Fraction]) -> Fraction:
    return sum((a * b for a, b in zip(row, point, strict=False) if a), Fraction(0))


def solved(rows: Sequence[Sequence[Fraction]], count: int) -> list[Fraction] | None:
    """The only solution of some equations, if there is just one."""
    left = [list(row) for row in rows]
    for column in range(count):
        pivot = next((row for row in range(column, len(left)) if left[row][column]), None)
        if pivot is None:
            return None
        left[column], left[pivot] = left[pivot], left[column]
        lead = left[column][column]
        left[column] = [entry / lead for entry in left[column]]
        for row in range(len(left)):
            if row != column and left[row][column]:
                times = left[row][column]
                left[row] = [a - times * b for a, b in zip(left[row], left[column], strict=True)]
    if any(row[-1] for row in left[count:]):
        return None
    return [left[row][-1] for row in range(count)]
