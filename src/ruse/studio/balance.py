"""The search for balance: the variants nearest to a target, with a proof that none of the range is nearer.

A variant is left unsolved where its bounds (ruse.studio.bounds) keep it further from the target than what was found. So
when no variant is left that may be nearer, all of them have been considered, and the best of those solved are the best.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from time import perf_counter
from typing import Any

from ruse.core import rationals, registry
from ruse.core.capabilities import Adjustable
from ruse.core.contract import built_in
from ruse.core.game import Game, RuseError
from ruse.core.registry import call_optional
from ruse.core.types import Report
from ruse.studio.ranges import Space
from ruse.studio.rows import wins_of
from ruse.studio.search import Candidate, Constraints, Search
from ruse.studio.solving import TimeLimits
from ruse.studio.sweep import named
from ruse.studio.variants import Variants, spelled, variants

OFFICIAL = "official"
MOST_CANDIDATES = 200_000
DECLARED = "its value moves with its parameters as the game declares"


class BalanceError(RuseError):
    """A target that cannot be, or constraints that nothing meets."""


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
    condition: str  # on which it is proved, where that is anybody's word
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
            "condition": self.condition,
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
    time_each: float | None = None,
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
        Seconds for the whole search: what is solved by then is the answer, and not proved.
    time_each
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
    started, limits = perf_counter(), TimeLimits.of(time, time_each)
    name = named(game)
    goal = target_of(target)
    if near is None and (changes is not None or pareto):
        raise BalanceError("--changes and --pareto need --near official, or another variant to count changes from")
    if changes is not None and changes < 0:
        raise BalanceError(f"expected a number of changes of at least 0, got {changes}")
    span = spelled(name, {**(parameters or {}), **ranges}, whole=True)
    choices = None
    if near is not None and changes is not None and (fixed := _base(name, span, near)) is not None:
        choices = span.within(fixed, changes)
    elif len(span) > MOST_CANDIDATES:
        raise BalanceError(
            f"expected at most {MOST_CANDIDATES:,} variants, got {rationals.count(len(span))}: "
            "narrow the ranges, or limit the changes from one variant"
        )
    report(f"making up to {rationals.count(len(span))} variants", None, None)
    found = variants(name, span, where, choices=choices)
    counted = [0] * len(found) if near is None else _changes(name, span, found, near)
    if changes is not None:
        kept = [number for number, count in enumerate(counted) if count <= changes]
        if not kept:
            raise BalanceError(f"no variant in these ranges has at most {changes} changes; allow more")
        found.found, counted = [found.found[number] for number in kept], [counted[number] for number in kept]
    if wins_of(found.found[0].game) and not 0 <= goal <= 1:
        raise BalanceError(f"expected a win rate from 0 to 1 as the target, got {rationals.write(goal)}")
    meets = Constraints(free, lines)
    search = Search(found, goal, counted, pareto, meets, limits, report)
    proved = search.go()
    if not search.solved:
        if limits.over():
            raise BalanceError("out of time before the first variant was solved; give it more time")
        raise KeyboardInterrupt
    if proved and not search.candidates:
        raise BalanceError(f"none of {search.solved:,} solved variants meets the constraints; relax one of them")
    return Balance(
        name,
        goal,
        search.best(),
        len(found),
        len({one.key for one in found}),
        search.solved,
        search.ruled_out,
        proved,
        DECLARED if not built_in(first := found.found[0].game) and call_optional(Adjustable.directions, first) else "",
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
