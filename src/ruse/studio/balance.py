"""The search for balance: the variants closest to a target, with a proof that none in the ranges is closer.

ruse does not solve a variant whose bounds (ruse.studio.search) already put it further from the target than the best so
far. When no variant is left that could be closer, all have been considered, and the best solved ones are the best.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from ruse.core import clock, rationals, registry
from ruse.core.capabilities import Adjustable
from ruse.core.contract import built_in
from ruse.core.former_modules import former_classes
from ruse.core.game import Game, GameError, RuseError
from ruse.core.registry import call_optional
from ruse.core.types import Report
from ruse.studio.ranges import Space
from ruse.studio.rows import wins_of
from ruse.studio.search import BalanceSearch, Candidate, Constraints
from ruse.studio.solving import TimeLimits
from ruse.studio.sweep import metric_files, named
from ruse.studio.variants import Variants, make_variants, parameter_space, split_conditions

OFFICIAL = "official"
MOST_CANDIDATES = 200_000
WARNING = 10.0  # seconds to look whether a variant plays itself
DECLARED = "its value moves with its parameters as the game declares"


class BalanceError(RuseError):
    """An impossible target, or constraints that no variant meets."""


@dataclass(frozen=True)
class BalanceResult:
    """The best variants in some ranges: the closest ones, or with `pareto` all that no other beats in both goals."""

    name: str
    target: Fraction
    best: list[Candidate]
    considered: int  # variants in the ranges
    distinct: int  # variants left after merging those that must have the same value
    solved: int  # distinct variants that were solved, now or earlier
    bounded: int  # distinct variants that quick bounds alone ruled out
    proved: bool
    condition: str  # that the proof relies on: a declaration of the game, or ""
    refused: int  # solved variants that were closer but failed a constraint
    left_out: list[str]
    seconds: float
    bases: tuple[str, ...] = ()  # what metrics in conditions are of (ruse.metrics.pair); empty without any

    @property
    def pruned(self) -> Fraction:
        """Share of distinct variants that were not solved."""
        return 1 - Fraction(self.solved, self.distinct)

    def to_json(self) -> dict[str, Any]:
        """Return what `ruse balance --json` prints."""
        return {
            "game": self.name,
            "target": rationals.write(self.target),
            "best": [candidate.to_json() for candidate in self.best],
            "considered": self.considered,
            "distinct": self.distinct,
            "solved": self.solved,
            "bounded": self.bounded,
            "pruned": float(self.pruned),
            "refused": self.refused,
            "proved": self.proved,
            "condition": self.condition,
            "metrics": list(self.bases),
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
    where: str | Sequence[str] | None = None,
    metrics: Sequence[str | Path] = (),
    time: float | None = None,
    time_each: float | None = None,
    report: Report = lambda *_: None,
    **ranges: Any,
) -> BalanceResult:
    """Find the variants closest to a target win rate of side 0, or to a target payoff in games with draws.

    Parameters
    ----------
    game
        A name, as on the command line, or a class or function that makes a game.
    parameters
        The parameters: values, or ranges such as "1..3" or "2|4". You can also give them by name. Without any
        range, the game's own span is searched.
    target
        The win rate or payoff to come close to.
    near
        "official" (what the game fills in by default) or the title of a variant. Among variants equally close to the
        target, prefer those with the fewest changes from this one.
    changes
        Allow at most this many changes from `near`.
    pareto
        Return all variants that no other beats both in distance and in number of changes.
    free
        Accept only variants in which each side has a choice somewhere in optimal play.
    lines
        Accept only variants whose strategies in words take at most this many lines.
    where
        Conditions on the parameters and on metrics, as for `ruse.sweep`.
    metrics
        Files with metrics of your own, for conditions.
    time
        Seconds for the whole search. When they run out, the answer is the best so far, without a proof.
    time_each
        Seconds for each variant.
    report
        A function that is called with messages about progress.
    **ranges
        Parameters by name.

    Returns
    -------
    BalanceResult
        The best variants, and whether it is proved that none is better.

    Examples
    --------
    >>> import ruse
    >>> result = ruse.balance("liars-dice", target="1/2", faces="2..4")
    >>> result.proved, [candidate.row.parameters["faces"] for candidate in result.best]
    (True, [4])
    """
    started, limits = perf_counter(), TimeLimits.of(time, time_each)
    name = named(game)
    goal = target_of(target)
    if near is None and (changes is not None or pareto):
        raise BalanceError("--changes and --pareto need --near official, or another variant to count changes from")
    if changes is not None and changes < 0:
        raise BalanceError(f"expected a number of changes of at least 0, got {changes}")
    span = parameter_space(name, {**(parameters or {}), **ranges}, whole=True)
    report(f"making up to {rationals.count(len(span))} variants", None, None)
    files = metric_files([*metrics]) or ()
    on_parameters, on_metrics = split_conditions(where, files)
    variants, counted = _candidates(name, span, near, changes, on_parameters)
    made = variants.items[0].game
    if wins_of(made) and not 0 <= goal <= 1:
        raise BalanceError(f"expected a win rate from 0 to 1 as the target, got {rationals.write(goal)}")
    meets = Constraints(free, lines, on_metrics, files)
    search = BalanceSearch(variants, goal, counted, pareto, meets, limits, report)
    proved = search.run()
    if not search.solved:
        if limits.over():
            raise BalanceError("out of time before the first variant was solved; give it more time")
        raise KeyboardInterrupt
    if proved and not search.candidates:
        last = f" (the last one fails: {meets.why})" if meets.why else ""
        raise BalanceError(f"none of {search.solved:,} solved variants meets the constraints{last}; relax one of them")
    return BalanceResult(
        name,
        goal,
        [_warned(search, candidate, limits) for candidate in search.best()],
        len(variants),
        len({variant.key for variant in variants}),
        search.solved,
        search.ruled_out,
        proved,
        DECLARED if not built_in(made) and call_optional(Adjustable.directions, made) else "",
        meets.refused,
        variants.left_out(),
        perf_counter() - started,
        _bases(search.best()) if on_metrics else (),
    )


def _warned(search: BalanceSearch, candidate: Candidate, limits: TimeLimits) -> Candidate:
    """Add warnings to a candidate that plays itself, as far as there is time to look."""
    if candidate.row.metrics is not None:
        return replace(candidate, warnings=candidate.row.metrics.warnings)
    left = limits.left()
    with suppress(GameError, clock.TimeIsUp), clock.deadline(min(WARNING, WARNING if left is None else left)):
        from ruse.metrics.results import plays_itself
        from ruse.solving.pipeline import solve

        game = registry.make(search.name, candidate.row.parameters)
        return replace(candidate, warnings=plays_itself(solve(game)))
    return candidate


def _bases(best: Sequence[Candidate]) -> tuple[str, ...]:
    """What the metrics of the best variants are of."""
    bases = [candidate.row.metrics.basis for candidate in best if candidate.row.metrics is not None]
    return tuple(dict.fromkeys(bases))


def _candidates(
    name: str, span: Space, near: str | None, changes: int | None, condition: str | None
) -> tuple[Variants, list[int]]:
    """Make the variants to search, and count the changes of each from the variant to stay near."""
    choices = None
    if near is not None and changes is not None and (fixed := _base(name, span, near)) is not None:
        choices = span.within(fixed, changes)
    elif len(span) > MOST_CANDIDATES:
        raise BalanceError(
            f"expected at most {MOST_CANDIDATES:,} variants, got {rationals.count(len(span))}: "
            "narrow the ranges, or limit the changes from one variant"
        )
    variants = make_variants(name, span, condition, choices=choices)
    counted = [0] * len(variants) if near is None else _changes(name, span, variants, near)
    if changes is None:
        return variants, counted
    allowed = [number for number, count in enumerate(counted) if count <= changes]
    if not allowed:
        raise BalanceError(f"no variant in these ranges has at most {changes} changes; allow more")
    variants.items = [variants.items[number] for number in allowed]
    return variants, [counted[number] for number in allowed]


def target_of(target: Fraction | str) -> Fraction:
    """Read a target as people write it."""
    if not isinstance(target, str):
        return Fraction(target)
    try:
        return rationals.read(target)
    except ValueError as error:
        raise BalanceError(f"expected a target such as 1/2, got {target[:40]!r}") from error


def _base(name: str, span: Space, near: str) -> list[str | None] | None:
    """Return the options of the variant to stay near, one per axis; None if it depends on the parameters."""
    if near == OFFICIAL and _first(name) in {axis.parameter for axis in span.axes}:
        return None
    fixed = _official(name, span, next(iter(span))) if near == OFFICIAL else registry.game_of(near)
    options: list[str | None] = []
    for axis in span.axes:
        value = fixed.parameters.get(axis.parameter.replace("-", "_"))
        if isinstance(value, list | tuple) and axis.entry is None and len(value) > 1:
            value = ",".join(map(str, value))  # a list that varies as a whole
        entries = value if isinstance(value, list | tuple) else [value]
        place = (axis.entry or 1) - 1
        options.append(str(entries[place]) if place < len(entries) else None)
    return options


def _first(name: str) -> str:
    """Return the parameter that decides which variant is official: the first one, such as the number of players."""
    return next((parameter.name for parameter in registry.parameters_of(name)), "")


def _official(name: str, span: Space, choice: tuple[str, ...]) -> Game:
    """Make the official variant from its first parameter and all parameters given without a range."""
    varied = {axis.parameter for axis in span.axes} - {_first(name)}
    return registry.make(name, {key: text for key, text in span.at(choice).items() if key not in varied})


def _changes(name: str, span: Space, variants: Variants, near: str) -> list[int]:
    """Count the entries of each variant that differ from the variant to stay near."""
    fixed = None if near == OFFICIAL else registry.game_of(near)
    if fixed is not None and fixed.name != name:
        raise BalanceError(f"expected a variant of {name} to stay near, got {near!r}")
    places = [number for number, axis in enumerate(span.axes) if axis.parameter == _first(name)]
    known: dict[tuple[str, ...], Game] = {}
    counted = []
    for variant in variants:
        key = tuple(variant.choice[place] for place in places)
        if key not in known:
            known[key] = fixed or _official(name, span, variant.choice)
        counted.append(_differ(variant.game, known[key]))
    return counted


def _differ(game: Game, other: Game) -> int:
    total = 0
    for name, value in game.parameters.items():
        mine, theirs = (
            list(values) if isinstance(values, list | tuple) else [values]
            for values in (value, other.parameters.get(name))
        )
        total += sum(a != b for a, b in zip(mine, theirs, strict=False)) + abs(len(mine) - len(theirs))
    return total


if not TYPE_CHECKING:
    __getattr__ = former_classes(__name__, {"Balance": "BalanceResult"})
