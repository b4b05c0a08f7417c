"""The search for balance: the variants nearest to a target, with a proof that none of the range is nearer.

A variant is left unsolved where its bounds (ruse.studio.bounds) keep it further from the target than what was found. So
when no variant is left that may be nearer, all of them have been considered, and the best of those solved are the best.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import count
from math import inf
from time import perf_counter
from typing import Any

import numpy as np

from ruse.core import rationals, registry
from ruse.core.game import Game, RuseError
from ruse.core.interrupts import Interrupts
from ruse.core.types import Report
from ruse.studio.bounds import Array, Bounds, Number
from ruse.studio.kept import Library
from ruse.studio.ranges import Space
from ruse.studio.rows import Row, wins_of
from ruse.studio.solving import quick, row_of
from ruse.studio.sweep import named
from ruse.studio.variants import Variants, spelled, variants

OFFICIAL = "official"
MOST_CANDIDATES = 200_000


class BalanceError(RuseError):
    """A target that cannot be, or constraints that nothing meets."""


@dataclass(frozen=True)
class Candidate:
    """A variant that was solved."""

    row: Row
    distance: Fraction  # from the target, as people measure it: win rates, or payoffs
    changes: int  # entries that differ from the variant to stay near; 0 where there is none

    def to_json(self) -> dict[str, Any]:
        return {**self.row.to_json(), "distance": rationals.write(self.distance), "changes": self.changes}


@dataclass(frozen=True)
class Balance:
    """The best variants of a range: the nearest, or where several goals were asked for, all that none beats in both."""

    name: str
    target: Fraction
    best: list[Candidate]
    considered: int  # variants of the range
    distinct: int  # of them, that are not worth the same for a reason
    solved: int  # distinct ones whose value was found, or known before
    bounded: int  # distinct ones that quick bounds alone ruled out
    proved: bool
    refused: int  # solved ones that were nearer but did not meet a constraint that only a solution shows
    left_out: list[str]
    seconds: float

    @property
    def pruned(self) -> Fraction:
        """The share of distinct variants that were not solved."""
        return 1 - Fraction(self.solved, self.distinct)

    def to_json(self) -> dict[str, Any]:
        """What `ruse balance --json` prints."""
        return {
            "game": self.name,
            "target": rationals.write(self.target),
            "best": [one.to_json() for one in self.best],
            "considered": self.considered,
            "distinct": self.distinct,
            "solved": self.solved,
            "bounded": self.bounded,
            "pruned": float(self.pruned),
            "refused": self.refused,
            "proved": self.proved,
            "seconds": round(self.seconds, 3),
        }


def balance(
    game: str | Callable[..., Any],
    parameters: Mapping[str, Any] | None = None,
    *,
    target: Fraction | str,
    near: str | None = None,
    changes: int | None = None,
    pareto: bool = False,
    free: bool = False,
    lines: int | None = None,
    where: str | None = None,
    time: float | None = None,
    report: Report = lambda *_: None,
    **ranges: Any,
) -> Balance:
    """The variants of some ranges nearest to a target: how often side 0 wins, or what it gets where there are draws.

    Parameters
    ----------
    game
        A name, as on the command line, or a class or function that makes a game.
    parameters
        What each parameter is: a value, or a range such as "1..3" or "2|4". More may be given by name. Without any
        range, the game's own span is searched.
    target
        The win rate, or the payoff, to be near to.
    near
        "official" (what the game fills in by default) or the title of a variant. Of variants that are equally far from
        the target, the one with the fewest changes from it is best.
    changes
        Allow no more than so many changes.
    pareto
        Ask for all variants that none beats both in distance and in changes.
    free
        Each side has a choice somewhere in optimal play.
    lines
        The strategies take at most so many in words.
    where
        A condition on the parameters, as for `ruse.sweep`.
    time
        Seconds for each variant that is solved.
    report
        Is called with what is being done.
    **ranges
        Parameters by name.

    Returns
    -------
    Balance
        The best variants, and whether it is proved that none is better.

    Examples
    --------
    >>> import ruse
    >>> found = ruse.balance("liars-dice", target="1/2", faces="2..4")
    >>> found.proved, [one.row.parameters["faces"] for one in found.best]
    (True, [4])
    """
    started = perf_counter()
    name = named(game)
    goal = target_of(target)
    if near is None and (changes is not None or pareto):
        raise BalanceError("expected --near official, or another variant to count changes from, got none")
    if changes is not None and changes < 0:
        raise BalanceError(f"expected no changes or more, got {changes}")
    span = spelled(name, {**(parameters or {}), **ranges}, whole=True)
    choices = None
    if near is not None and changes is not None and (fixed := _base(name, span, near)) is not None:
        choices = span.within(fixed, changes)
    elif len(span) > MOST_CANDIDATES:
        raise BalanceError(
            f"expected at most {MOST_CANDIDATES:,} variants, got {rationals.count(len(span))}: "
            "narrow the ranges, or allow few changes from one variant"
        )
    report(f"making up to {rationals.count(len(span))} variants", None, None)
    found = variants(name, span, where, choices=choices)
    counted = [0] * len(found) if near is None else _changes(name, span, found, near)
    if changes is not None:
        kept = [number for number, count in enumerate(counted) if count <= changes]
        if not kept:
            raise BalanceError(f"expected a variant with at most {changes} changes, got none in these ranges")
        found.found, counted = [found.found[number] for number in kept], [counted[number] for number in kept]
    if wins_of(found.found[0].game) and not 0 <= goal <= 1:
        raise BalanceError(f"expected a win rate from 0 to 1 as the target, got {rationals.write(goal)}")
    meets = _Constraints(free, lines)
    search = _Search(found, goal, counted, pareto, meets, time, report)
    proved = search.go()
    if not search.solved:
        raise KeyboardInterrupt
    if proved and not search.candidates:
        raise BalanceError(f"expected a variant that meets the constraints, got none of {search.solved:,} solved")
    return Balance(
        name,
        goal,
        search.best(),
        len(found),
        len({one.key for one in found}),
        search.solved,
        search.ruled_out,
        proved,
        meets.refused,
        found.left_out(),
        perf_counter() - started,
    )


def target_of(target: Fraction | str) -> Fraction:
    """A target as people write it."""
    if not isinstance(target, str):
        return Fraction(target)
    try:
        return rationals.read(target)
    except ValueError as error:
        raise BalanceError(f"expected a target such as 1/2, got {target[:40]!r}") from error


def _base(name: str, span: Space, near: str) -> list[str | None] | None:
    """The option of each axis that the variant to stay near has; None where there are several such variants."""
    if near == OFFICIAL and _first(name) in {axis.parameter for axis in span.axes}:
        return None
    fixed = _official(name, span, next(iter(span))) if near == OFFICIAL else registry.game_of(near)
    found: list[str | None] = []
    for axis in span.axes:
        value = fixed.parameters.get(axis.parameter.replace("-", "_"))
        entries = value if isinstance(value, list | tuple) else [value]
        place = (axis.entry or 1) - 1
        found.append(str(entries[place]) if place < len(entries) else None)
    return found


def _first(name: str) -> str:
    """The parameter that says which variant is official: of The Resistance the number of players."""
    return next((one.name for one in registry.parameters_of(name)), "")


def _official(name: str, span: Space, choice: tuple[str, ...]) -> Game:
    """What the game makes of all that is given without a range, and of its first parameter."""
    varied = {axis.parameter for axis in span.axes} - {_first(name)}
    return registry.make(name, {key: text for key, text in span.at(choice).items() if key not in varied})


def _changes(name: str, span: Space, found: Variants, near: str) -> list[int]:
    """How many entries of each variant differ from the one to stay near."""
    fixed = None if near == OFFICIAL else registry.game_of(near)
    if fixed is not None and fixed.name != name:
        raise BalanceError(f"expected a variant of {name} to stay near, got {near!r}")
    places = [number for number, axis in enumerate(span.axes) if axis.parameter == _first(name)]
    known: dict[tuple[str, ...], Game] = {}
    counted = []
    for one in found:
        key = tuple(one.choice[place] for place in places)
        if key not in known:
            known[key] = fixed or _official(name, span, one.choice)
        counted.append(_differ(one.game, known[key]))
    return counted


def _differ(game: Game, other: Game) -> int:
    total = 0
    for name, value in game.parameters.items():
        mine, theirs = (
            list(one) if isinstance(one, list | tuple) else [one] for one in (value, other.parameters.get(name))
        )
        total += sum(a != b for a, b in zip(mine, theirs, strict=False)) + abs(len(mine) - len(theirs))
    return total


class _Constraints:
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


class _Search:
    """A search under way."""

    def __init__(
        self,
        found: Variants,
        goal: Fraction,
        changes: list[int],
        pareto: bool,
        meets: _Constraints,
        time: float | None,
        report: Report,
    ) -> None:
        self.name, self.variants, self.goal = found.name, found.found, goal
        self.changes, self.levels, self.pareto, self.meets = np.array(changes), sorted({*changes}), pareto, meets
        self.time, self.report = time, report
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
        """Solve until no variant can be better; False where somebody interrupts, or one could only be bounded."""
        exact = True
        with Interrupts() as interrupts:
            for number in self._order():
                if interrupts.came:
                    return False
                exact = self._look(number) and exact
        return exact

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
        game = registry.make(self.name, one.solved_as)
        row = self.library.rows.get(one.key)
        if row is not None and self.meets.lines and row.lines is None:
            row = None
        if row is None and one.key not in self.tried:
            self.tried.add(one.key)
            known = quick(game)
            if known is not None and known.lower != known.upper:
                self.bounds.learn(number, known.lower, known.upper)
                if not self._alive()[self.numbers[one.key]].any():
                    self.left[self.numbers[one.key]] = False
                    self.ruled_out += 1
                return True
        if row is None:
            row = row_of(game, self.time, self.meets.lines)
            self.library.add([(one.key, row)])
        self.solved += 1
        self.left[self.numbers[one.key]] = False
        self.bounds.learn(number, row.certificate.lower, row.certificate.upper)
        if row.exact:
            self._take(one.key, row)
        left = int((self.left & self._alive()).sum())
        told = f"{self.solved:,} of {len(self.numbers):,} variants solved, {left:,} more may be better"
        self.report(told, None, None)
        return row.exact

    def _take(self, key: str, row: Row) -> None:
        """A solved variant, and all that are worth the same, where nothing so far beats them."""
        for number in self.numbers[key]:
            game = self.variants[number].game
            mine = replace(row, parameters=dict(game.parameters))
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
