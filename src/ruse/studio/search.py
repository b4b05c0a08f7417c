"""The search among variants: which one to solve next, and which need no solving."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
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
from ruse.studio.rows import VariantRow, wins_of
from ruse.studio.saved_variants import SavedVariants
from ruse.studio.solving import TimeLimits, measure_solution, quick, solved_here
from ruse.studio.variants import Condition, Variants, failure, own_metrics

# Bounds on the values of all variants at once: how solving one variant bounds the others.
#
# If a game declares in which direction its value moves (`Adjustable`), variants are partly ordered: b is above a if
# no declared entry of b is on the wrong side and everything else is equal. Then value(a) <= value(b), so
#
#     lower(b) >= lower(a)   and   upper(a) <= upper(b).
#
# Bounds are stored as places in one sorted list of fractions, so comparing and spreading them is integer arithmetic.

Number = Fraction | float  # plus or minus infinity
FAR = 1e300


class VariantBounds:
    """A lower and an upper bound on the value of each variant."""

    def __init__(self, games: Sequence[Game], keys: Sequence[str], ends: tuple[Number, Number] = (-inf, inf)) -> None:
        """Variants with the same key have the same value, and all values lie between the ends."""
        self._values: list[Number] = list(ends)
        self.low = np.zeros(len(games), dtype=np.int64)
        self.high = np.ones(len(games), dtype=np.int64)
        alike: dict[str, list[int]] = {}
        for number, key in enumerate(keys):
            alike.setdefault(key, []).append(number)
        self._alike = [alike[key] for key in keys]
        groups: dict[str, int] = {}
        places = [_place(game) for game in games]
        self._group = np.array([groups.setdefault(rest, len(groups)) for rest, _ in places])
        width = max((len(entries) for _, entries in places), default=0)
        self._place = np.array([[*entries, *[0] * (width - len(entries))] for _, entries in places], dtype=np.int64)

    def of(self, number: int) -> tuple[Number, Number]:
        """Return the bounds of a variant."""
        return self._values[self.low[number]], self._values[self.high[number]]

    def learn(self, number: int, lower: Number, upper: Number) -> None:
        """Bound a variant, and all others that this bounds too."""
        for member in self._alike[number]:
            here = self._group == self._group[member]
            above = here & (self._place >= self._place[member]).all(axis=1)
            below = here & (self._place <= self._place[member]).all(axis=1)
            low = self._rank(lower)
            self.low[above] = np.maximum(self.low[above], low)
            high = self._rank(upper)
            self.high[below] = np.minimum(self.high[below], high)

    def may_be_within(self, target: Fraction, distance: Number, or_equal: bool) -> Array:
        """Return which variants may be closer than a distance to a target, or equally close: bool[variants]."""
        if distance == inf:
            return np.ones(len(self.low), dtype=bool)
        first, last = (bisect_right, bisect_left) if or_equal else (bisect_left, bisect_right)
        within: Array = (self.low < first(self._values, target + distance)) & (
            self.high >= last(self._values, target - distance)
        )
        return within

    def height(self) -> Array:
        """Return roughly how high each variant is in the order: int[variants]."""
        heights: Array = self._place.sum(axis=1)
        return heights

    def apart(self, numbers: Array, target: Fraction) -> Array:
        """Return about how far the middle of the bounds is from a target: float[numbers]."""
        floats = np.clip(np.array([float(value) for value in self._values]), -FAR, FAR)
        distances: Array = np.abs((floats[self.low[numbers]] + floats[self.high[numbers]]) / 2 - float(target))
        return distances

    def _rank(self, value: Number) -> int:
        """Return the place of a value in the list, and insert the value if it is missing."""
        place = bisect_left(self._values, value)
        if self._values[place] != value:
            self._values.insert(place, value)
            self.low[self.low >= place] += 1
            self.high[self.high >= place] += 1
        return place


def _place(game: Game) -> tuple[str, list[int]]:
    """Return what comparable variants must share, as a text, and the entries that order them."""
    declared = call_optional(Adjustable.directions, game)
    rest: list[object] = []
    entries: list[int] = []
    for name, value in game.parameters.items():
        signs = declared.get(name, 0)
        values = list(value) if isinstance(value, list | tuple) else [value]
        each = list(signs) if isinstance(signs, Sequence) else [signs] * len(values)
        if len(each) != len(values) or not all(
            isinstance(entry, int) and not isinstance(entry, bool) for entry in values
        ):
            each = [0] * len(values)  # only whole numbers are compared
        rest.append((name, len(values), [entry for entry, sign in zip(values, each, strict=True) if not sign]))
        entries += [sign * entry for entry, sign in zip(values, each, strict=True) if sign]
    return repr(rest), entries


@dataclass(frozen=True)
class Candidate:
    """A solved variant, and how close it is to the target."""

    row: VariantRow
    distance: Fraction  # from the target, as people measure it: win rates, or payoffs
    changes: int  # entries that differ from the variant to stay near; 0 without one
    warnings: Sequence[str] = ()  # sentences on a game that plays itself

    def to_json(self) -> dict[str, Any]:
        return {
            **self.row.to_json(),
            "distance": rationals.write(self.distance),
            "changes": self.changes,
            "warnings": list(self.warnings),
        }


class Constraints:
    """Constraints that only the solution of a variant can show."""

    def __init__(
        self, free: bool, lines: int | None, conditions: Sequence[Condition] = (), metrics: Sequence[str] = ()
    ) -> None:
        """Take conditions on metrics, and files with metrics of one's own."""
        self._free, self._most, self.conditions, self._files = free, lines, conditions, metrics
        self.lines = lines is not None
        self.refused = 0
        self.why = ""  # what the last variant failed

    def met(self, game: Game, row: VariantRow) -> VariantRow | None:
        """Return the row of a variant that meets all constraints, with its metrics if they count; otherwise None."""
        met = self._most is None or (row.lines is not None and row.lines <= self._most)
        met = met and (not self._free or is_free(game))
        if met and self.conditions:
            row = self._measured(game, row)
            why = failure(self.conditions, row)
            met, self.why = why is None, self.why if why is None else why
        self.refused += not met
        return row if met else None

    def _measured(self, game: Game, row: VariantRow) -> VariantRow:
        if row.metrics is not None and not self._files and not own_metrics(game):
            return row
        from ruse.solving.pipeline import solve

        return replace(row, metrics=measure_solution(solve(game), self._files))


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
            if any(self._beats(other, candidate) for other in self.candidates):
                continue
            admitted = self.meets.met(game, mine)
            if admitted is not None:
                self.saved.add([(key, replace(admitted, parameters=row.parameters))])
                self.candidates.append(replace(candidate, row=admitted))

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
