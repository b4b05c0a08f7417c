"""The search among variants that were made: which one to solve next, and which need not be solved at all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import count
from math import inf
from typing import Any

import numpy as np

from ruse.core import clock, rationals
from ruse.core.arrays import Array
from ruse.core.capabilities import Adjustable
from ruse.core.contract import built_in
from ruse.core.game import Game, GameError
from ruse.core.interrupts import Interrupts
from ruse.core.registry import call_optional
from ruse.core.types import Report
from ruse.studio.bounds import Bounds, Number
from ruse.studio.kept import Library
from ruse.studio.rows import Row, wins_of
from ruse.studio.solving import TimeLimits, quick, solved_here
from ruse.studio.variants import Variants


@dataclass(frozen=True)
class Candidate:
    """A variant that was solved."""

    row: Row
    distance: Fraction  # from the target, as people measure it: win rates, or payoffs
    changes: int  # entries that differ from the variant to stay near; 0 where there is none

    def to_json(self) -> dict[str, Any]:
        return {**self.row.to_json(), "distance": rationals.write(self.distance), "changes": self.changes}


class Constraints:
    """What only the solution of a variant shows."""

    def __init__(self, free: bool, lines: int | None) -> None:
        self._free, self._most = free, lines
        self.lines = lines is not None
        self.refused = 0

    def met(self, game: Game, row: Row) -> bool:
        met = self._most is None or (row.lines is not None and row.lines <= self._most)
        met = met and (not self._free or is_free(game))
        self.refused += not met
        return met


def is_free(game: Game) -> bool:
    """Whether each side comes, in some optimal play, to a position where optimal strategies may differ."""
    from ruse.insight.model import MAY
    from ruse.solving.pipeline import solve

    insight = solve(game).insight()
    waiting = {0, 1}
    for side, position in insight.positions():
        if side in waiting and list(insight.kinds(position, side).values()).count(MAY) > 1:
            waiting.discard(side)
        if not waiting:
            return True
    return False


class Search:
    """A search under way."""

    def __init__(
        self,
        found: Variants,
        goal: Fraction,
        changes: list[int],
        pareto: bool,
        meets: Constraints,
        limits: TimeLimits,
        report: Report,
    ) -> None:
        self.name, self.variants, self.goal = found.name, found.found, goal
        self.changes, self.levels, self.pareto, self.meets = np.array(changes), sorted({*changes}), pareto, meets
        self.limits, self.report = limits, report
        games = [one.game for one in self.variants]
        self.won = bool(wins_of(games[0]))
        self.target = 2 * goal - 1 if self.won else goal  # as a payoff
        ends: tuple[Number, Number] = (Fraction(-1), Fraction(1)) if self.won else (-inf, inf)
        self.bounds = Bounds(games, [one.key for one in self.variants], ends)
        self.height = self.bounds.height()
        self.library = Library(found.name)
        self.numbers: dict[str, list[int]] = {}
        for number, one in enumerate(self.variants):
            self.numbers.setdefault(one.key, []).append(number)
        self.left = np.ones(len(self.variants), dtype=bool)
        self.tried: set[str] = set()  # keys whose quick bounds are known
        self.candidates: list[Candidate] = []
        self.solved = self.ruled_out = 0

    def go(self) -> bool:
        """Solve until no variant can be better.

        False where somebody interrupts, the time is up, or a variant could only be bounded.
        """
        exact = True
        with Interrupts() as interrupts, clock.deadline(self.limits.left()):
            try:
                for number in self._order():
                    if interrupts.came or self.limits.over():
                        return False
                    exact = self._look(number) and exact
                for number in self._doubted():
                    if interrupts.came or self.limits.over():
                        return False
                    self._solve(number)
            except clock.TimeIsUp:
                return False
        return exact

    def _doubted(self) -> list[int]:
        """Of a stranger's game, the lowest and the highest variant that its promises alone ruled out: do they hold?"""
        game = self.variants[0].game
        out = np.flatnonzero(self.left)
        if not len(out) or built_in(game) or not call_optional(Adjustable.directions, game):
            return []
        ordered = out[np.argsort(self.height[out], kind="stable")]
        return [int(ordered[0]), int(ordered[-1])]

    def _order(self) -> Iterator[int]:
        """The next variant to look at: in turn the most promising one, and one that halves what is left."""
        for turn in count():
            alive = np.flatnonzero(self.left & self._alive())
            if not len(alive):
                return
            if turn % 2:
                ordered = alive[np.argsort(self.height[alive], kind="stable")]
                yield int(ordered[len(ordered) // 2])
            else:
                apart = self.bounds.apart(alive, self.target)
                yield int(alive[np.lexsort((alive, self.changes[alive], apart))[0]])

    def _alive(self) -> Array:
        """Which variants may be better than what was found: bool[variants]."""
        found = np.zeros(len(self.variants), dtype=bool)
        best = min(((one.distance, one.changes) for one in self.candidates), default=None)
        for level in self.levels:
            distance: Number = inf
            or_equal = False
            if self.pareto:
                distance = min((one.distance for one in self.candidates if one.changes <= level), default=inf)
            elif best is not None:
                distance, or_equal = best[0], level < best[1]
            within = self.bounds.may_be_within(self.target, distance * (2 if self.won else 1), or_equal)
            found |= within & (self.changes == level)
        return found

    def _look(self, number: int) -> bool:
        """Bound a variant, or solve it if its quick bounds are known; False where it could only be bounded."""
        one = self.variants[number]
        if self._known(one.key) is None and one.key not in self.tried:
            self.tried.add(one.key)
            known = quick(one.solvable())
            if known is not None and known.lower != known.upper:
                self.bounds.learn(number, known.lower, known.upper)
                if not self._alive()[self.numbers[one.key]].any():
                    self.left[self.numbers[one.key]] = False
                    self.ruled_out += 1
                return True
        return self._solve(number)

    def _known(self, key: str) -> Row | None:
        """The row of a variant that was solved before, if it says all that is asked."""
        row = self.library.rows.get(key)
        return None if row is None or (self.meets.lines and row.lines is None) else row

    def _solve(self, number: int) -> bool:
        """Solve a variant, or know it; False where it could only be bounded."""
        one = self.variants[number]
        row = self._known(one.key)
        if row is None:
            answer = solved_here(one, self.limits.seconds(int(self.left.sum())), self.meets.lines)
            if isinstance(answer, str):
                raise GameError(answer)
            row = answer
            self.library.add([(one.key, row)])
        self.solved += 1
        self.left[self.numbers[one.key]] = False
        self._learn(number, row)
        if row.exact:
            self._take(one.key, row)
        left = int((self.left & self._alive()).sum())
        told = f"{self.solved:,} of {len(self.numbers):,} variants solved, {left:,} left to rule out"
        self.report(told, None, None)
        return row.exact

    def _learn(self, number: int, row: Row) -> None:
        """What a solved variant says of the others; it must not contradict what they said of it."""
        least, most = self.bounds.of(number)
        if row.certificate.lower > most or row.certificate.upper < least:
            game = self.variants[number].game
            raise GameError(
                f"expected the value of {self.name} to move with its parameters as it declares, got {row.told()} at "
                f"{game.title}, where other variants leave {least} to {most}"
            )
        self.bounds.learn(number, row.certificate.lower, row.certificate.upper)

    def _take(self, key: str, row: Row) -> None:
        """A solved variant, and all that are worth the same, where nothing so far beats them."""
        for number in self.numbers[key]:
            game = self.variants[number].game
            mine = replace(row, parameters=dict(self.variants[number].parameters))
            candidate = Candidate(mine, abs(row.measure - self.goal), int(self.changes[number]))
            if not any(self._beats(other, candidate) for other in self.candidates) and self.meets.met(game, mine):
                self.candidates.append(candidate)

    def _beats(self, one: Candidate, other: Candidate) -> bool:
        """Whether one is better: nearer, or as near with fewer changes; in a front, no worse in either goal."""
        mine, theirs = (one.distance, one.changes), (other.distance, other.changes)
        if self.pareto:
            return mine != theirs and mine[0] <= theirs[0] and mine[1] <= theirs[1]
        return mine < theirs

    def best(self) -> list[Candidate]:
        """The candidates that none beats, fewest changes first."""
        kept = [one for one in self.candidates if not any(self._beats(other, one) for other in self.candidates)]
        return sorted(kept, key=lambda one: (one.changes, one.distance, str(one.row.parameters)))
