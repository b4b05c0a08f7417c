"""The search among variants: which one to solve next, and which need no solving."""

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
from ruse.studio.bounds import Number, VariantBounds
from ruse.studio.rows import VariantRow, wins_of
from ruse.studio.saved_variants import SavedVariants
from ruse.studio.solving import TimeLimits, quick, solved_here
from ruse.studio.variants import Variants


@dataclass(frozen=True)
class Candidate:
    """A solved variant, and how close it is to the target."""

    row: VariantRow
    distance: Fraction  # from the target, as people measure it: win rates, or payoffs
    changes: int  # entries that differ from the variant to stay near; 0 without one

    def to_json(self) -> dict[str, Any]:
        return {**self.row.to_json(), "distance": rationals.write(self.distance), "changes": self.changes}


class Constraints:
    """Constraints that only the solution of a variant can show."""

    def __init__(self, free: bool, lines: int | None) -> None:
        self._free, self._most = free, lines
        self.lines = lines is not None
        self.refused = 0

    def met(self, game: Game, row: VariantRow) -> bool:
        met = self._most is None or (row.lines is not None and row.lines <= self._most)
        met = met and (not self._free or is_free(game))
        self.refused += not met
        return met


def is_free(game: Game) -> bool:
    """Return whether each side reaches, in some optimal play, a position where optimal strategies may differ."""
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


class BalanceSearch:
    """A search in progress."""

    def __init__(
        self,
        variants: Variants,
        goal: Fraction,
        changes: list[int],
        pareto: bool,
        meets: Constraints,
        limits: TimeLimits,
        report: Report,
    ) -> None:
        self.name, self.variants, self.goal = variants.name, variants.items, goal
        self.changes, self.levels, self.pareto, self.meets = np.array(changes), sorted({*changes}), pareto, meets
        self.limits, self.report = limits, report
        games = [variant.game for variant in self.variants]
        self.won = bool(wins_of(games[0]))
        self.target = 2 * goal - 1 if self.won else goal  # as a payoff
        ends: tuple[Number, Number] = (Fraction(-1), Fraction(1)) if self.won else (-inf, inf)
        self.bounds = VariantBounds(games, [variant.key for variant in self.variants], ends)
        self.height = self.bounds.height()
        self.saved = SavedVariants(variants.name)
        self.numbers: dict[str, list[int]] = {}
        for number, variant in enumerate(self.variants):
            self.numbers.setdefault(variant.key, []).append(number)
        self.left = np.ones(len(self.variants), dtype=bool)
        self.tried: set[str] = set()  # keys whose quick bounds are known
        self.candidates: list[Candidate] = []
        self.solved = self.ruled_out = 0

    def run(self) -> bool:
        """Solve until no variant can be better.

        Return False on Ctrl-C, when time runs out, or if a variant could only be bounded.
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
        """Return the lowest and highest variants that only a user's declaration ruled out, to check it."""
        game = self.variants[0].game
        out = np.flatnonzero(self.left)
        if not len(out) or built_in(game) or not call_optional(Adjustable.directions, game):
            return []
        ordered = out[np.argsort(self.height[out], kind="stable")]
        return [int(ordered[0]), int(ordered[-1])]

    def _order(self) -> Iterator[int]:
        """Yield the next variant to look at: in turn the most promising one, and one that halves the rest."""
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
        """Return which variants may be better than the best so far: bool[variants]."""
        alive = np.zeros(len(self.variants), dtype=bool)
        best = min(((candidate.distance, candidate.changes) for candidate in self.candidates), default=None)
        for level in self.levels:
            distance: Number = inf
            or_equal = False
            if self.pareto:
                distance = min(
                    (candidate.distance for candidate in self.candidates if candidate.changes <= level), default=inf
                )
            elif best is not None:
                distance, or_equal = best[0], level < best[1]
            within = self.bounds.may_be_within(self.target, distance * (2 if self.won else 1), or_equal)
            alive |= within & (self.changes == level)
        return alive

    def _look(self, number: int) -> bool:
        """Bound a variant, or solve it if its quick bounds are known; return False if it could only be bounded."""
        variant = self.variants[number]
        if self._known(variant.key) is None and variant.key not in self.tried:
            self.tried.add(variant.key)
            known = quick(variant.solvable())
            if known is not None and known.lower != known.upper:
                self.bounds.learn(number, known.lower, known.upper)
                if not self._alive()[self.numbers[variant.key]].any():
                    self.left[self.numbers[variant.key]] = False
                    self.ruled_out += 1
                return True
        return self._solve(number)

    def _known(self, key: str) -> VariantRow | None:
        """Return the saved row of a variant, if it has everything that the constraints need."""
        row = self.saved.rows.get(key)
        return None if row is None or (self.meets.lines and row.lines is None) else row

    def _solve(self, number: int) -> bool:
        """Solve a variant or take its saved row; return False if it could only be bounded."""
        variant = self.variants[number]
        row = self._known(variant.key)
        if row is None:
            answer = solved_here(variant, self.limits.seconds(int(self.left.sum())), self.meets.lines)
            if isinstance(answer, str):
                raise GameError(answer)
            row = answer
            self.saved.add([(variant.key, row)])
        self.solved += 1
        self.left[self.numbers[variant.key]] = False
        self._learn(number, row)
        if row.exact:
            self._take(variant.key, row)
        left = int((self.left & self._alive()).sum())
        message = f"{self.solved:,} of {len(self.numbers):,} variants solved, {left:,} left to rule out"
        self.report(message, None, None)
        return row.exact

    def _learn(self, number: int, row: VariantRow) -> None:
        """Bound the other variants by a solved one, and check that it agrees with its own bounds."""
        least, most = self.bounds.of(number)
        if row.certificate.lower > most or row.certificate.upper < least:
            game = self.variants[number].game
            raise GameError(
                f"{self.name} declares how its value moves with its parameters, but {game.title} has the value "
                f"{row.format_value()}, and other variants imply {least} to {most}; correct `directions`"
            )
        self.bounds.learn(number, row.certificate.lower, row.certificate.upper)

    def _take(self, key: str, row: VariantRow) -> None:
        """Add a solved variant, and all with the same value, as candidates if none so far beats them."""
        for number in self.numbers[key]:
            game = self.variants[number].game
            mine = replace(row, parameters=dict(self.variants[number].parameters))
            candidate = Candidate(mine, abs(row.measure - self.goal), int(self.changes[number]))
            if not any(self._beats(other, candidate) for other in self.candidates) and self.meets.met(game, mine):
                self.candidates.append(candidate)

    def _beats(self, candidate: Candidate, other: Candidate) -> bool:
        """Return whether a candidate beats another: closer, or as close with fewer changes, or no worse in both."""
        mine, theirs = (candidate.distance, candidate.changes), (other.distance, other.changes)
        if self.pareto:
            return mine != theirs and mine[0] <= theirs[0] and mine[1] <= theirs[1]
        return mine < theirs

    def best(self) -> list[Candidate]:
        """Return the candidates that no other beats, fewest changes first."""
        kept = [
            candidate
            for candidate in self.candidates
            if not any(self._beats(other, candidate) for other in self.candidates)
        ]
        return sorted(
            kept, key=lambda candidate: (candidate.changes, candidate.distance, str(candidate.row.parameters))
        )
