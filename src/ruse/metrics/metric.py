"""What a metric is, and the list of them: a function of `MeasuredPlay`, which holds all that metrics have in common.

A metric of your own is such a function under `@metric("name")`, in the file of your game, in a file that you name with
`--metric`, or in a package with an entry point of the group `ruse.metrics`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from numbers import Rational, Real
from pathlib import Path
from types import CodeType
from typing import Any, Protocol, TypeVar

from ruse.core import named_games, rationals, sources
from ruse.core.entry_points import Broken, Failed, entry_point_text, installed, loaded, theirs, warn_once
from ruse.core.game import Game, RuseError
from ruse.core.jsonable import jsonable
from ruse.core.registry import imported
from ruse.core.sources import PACKAGE
from ruse.metrics.move_costs import FormPlay, MoveCosts, form_play, move_costs
from ruse.metrics.plays import Number, PlayTree
from ruse.metrics.public_states import PublicChances, public_chances

GROUP = "ruse.metrics"
NAME = re.compile(r"[a-z][a-z0-9_]*")
LONGEST = 60  # characters of a fraction in JSON; longer ones are numbers
PAIR, ALL = "pair", "all"  # what a figure is of: a pair of strategies, or all optimal ones

__all__ = ["ALL", "PAIR", "Measure", "MeasuredPlay", "MetricSpec", "Number", "metric", "metrics", "take_installed"]


class MetricError(RuseError):
    """A metric without a name, or with that of another."""


class MeasuredPlay(PlayTree):
    """The plays of a game under a pair of strategies, with what several metrics need, computed once."""

    @cached_property
    def form(self) -> FormPlay | None:
        """The game on its sequence form; None if it is too large for that."""
        return form_play(self)

    @cached_property
    def costs(self) -> MoveCosts | None:
        """What moves cost where play comes; None if that takes too long."""
        by_game = self.by_class and self.pair.costs is not None
        return move_costs(self, None if by_game else self.form)

    @cached_property
    def public(self) -> PublicChances:
        """The winning chances of side 0 given public information."""
        return public_chances(self)


@dataclass(frozen=True)
class Measure:
    """The value of a metric."""

    scalar: Number | None  # what tables and conditions use; None if the game has no such figure
    fields: Mapping[str, Any] = field(default_factory=dict)  # what JSON has under the metric's name; else the scalar
    more: Mapping[str, Any] = field(default_factory=dict)  # what JSON has beside it, under names of its own
    text: str = ""  # a line for people; else the scalar
    of: str = PAIR  # PAIR or ALL
    reason: str = ""  # why there is no figure

    def to_json(self) -> Any:
        """Return what `ruse metrics --json` prints under the metric's name."""
        return figures(self.fields) if self.fields else figure(self.scalar)


class MetricFunction(Protocol):
    """What measures a metric."""

    __module__: str
    __code__: CodeType

    def __call__(self, play: MeasuredPlay, /) -> Number | int | Measure | None: ...


AnyMetric = TypeVar("AnyMetric", bound=MetricFunction)


@dataclass(frozen=True)
class MetricSpec:
    """A line of the list of metrics."""

    name: str
    function: MetricFunction | str  # "module:function", so that it is imported when it is needed
    text: str = ""  # what it measures, in a phrase; else the first line of the docstring
    share: bool = False  # whether people read it as a percentage
    own: bool = False  # whether it is not one of ruse's
    file: str = ""  # the file of a game that defines it

    def measure(self, play: MeasuredPlay) -> Measure:
        """Measure it. Raises Failed, with a sentence, if anybody's code raises something or returns no number."""
        function: MetricFunction = imported(self.function) if isinstance(self.function, str) else self.function
        if not self.own:
            return _checked(self, function(play))
        with theirs(f"the metric {self.name}", f"measure {play.original.title}"):
            answer = function(play)
        return _checked(self, answer)


def _checked(spec: MetricSpec, answer: object) -> Measure:
    """The answer of a metric as a measure with a finite number."""
    measured = answer if isinstance(answer, Measure) else Measure(answer)  # type: ignore[arg-type]
    scalar: object = measured.scalar
    if scalar is None:
        return measured
    if isinstance(scalar, bool) or not isinstance(scalar, Real) or not math.isfinite(scalar):
        raise Failed(f"expected the metric {spec.name} to return a number, got {str(scalar)[:80]!r}")
    exact = Fraction(scalar) if isinstance(scalar, Rational) else float(scalar)
    return replace(measured, scalar=exact)


def _ruse(name: str, place: str, text: str, share: bool = False) -> MetricSpec:
    return MetricSpec(name, f"ruse.metrics.{place}", text, share)


_METRICS = (
    _ruse("length", "length:length", "moves in a game"),
    _ruse("decisions", "decisions:decisions", "decisions in a game, with two or more legal moves"),
    _ruse("matter", "decisions:matter", "decisions in a game in which some move costs over 1% of the payoff range"),
    _ruse("mixing", "mixing:mixing", "share of decisions with two or more moves in use", share=True),
    _ruse("moves", "moves:moves", "share of the most frequent move", share=True),
    _ruse("variety", "variety:variety", "how often play departs from its most frequent course", share=True),
    _ruse("bluffing", "bluffing:bluffing", "share of claims that are bluffs", share=True),
    _ruse("drama", "drama:drama", "how far the winning chance moves in a game, up and down together"),
    _ruse("lead_changes", "drama:lead_changes", "how often the lead changes in a game"),
    _ruse("decided", "drama:decided", "share of the moves after which the lead no longer changes", share=True),
    _ruse("first_mover", "first_mover:first_mover", "advantage of the side that moves first"),
    _ruse("skill", "skill:skill", "what a player who moves at random loses against an optimal one"),
)
SIMPLICITY = _ruse("simplicity", "simplicity:simplicity", "positions at which optimal strategies have to mix")
METRICS: dict[str, MetricSpec] = {spec.name: spec for spec in _METRICS}
_own: dict[str, MetricSpec] = {}
_asked: set[str] = set()  # metrics of files that somebody named


def metric(name: str, *, share: bool = False) -> Callable[[AnyMetric], AnyMetric]:
    """Register a function as a metric: `ruse metrics`, `--metrics` and conditions know it by this name.

    Parameters
    ----------
    name
        Small letters, digits and underscores.
    share
        Whether people read it as a percentage.

    Returns
    -------
    A decorator of a function that takes a `MeasuredPlay` and returns a number, a `Measure`, or None for no figure.
    """
    if not NAME.fullmatch(name):
        raise MetricError(f"expected small letters, digits and underscores as the name of a metric, got {name!r}")
    if name in METRICS:
        raise MetricError(f"ruse already has a metric {name!r}: choose another name")

    def register(function: AnyMetric) -> AnyMetric:
        text = (function.__doc__ or "").strip().partition("\n")[0].rstrip(".")
        in_file = (function.__module__ or "").startswith(PACKAGE)
        file = str(Path(function.__code__.co_filename).resolve()) if in_file else ""
        _own[name] = MetricSpec(name, function, text, share, own=True, file=file)
        return function

    return register


def metrics(game: Game | None = None) -> dict[str, MetricSpec]:
    """All metrics by name: ruse's, those of installed packages, and those registered in this process.

    With a game, those from the file of another game are left out.
    """
    file = None if game is None else _file_of(game)
    own = {name: spec for name, spec in _own.items() if file is None or spec.file in ("", file) or name in _asked}
    return {**METRICS, **take_installed(), **own}


def _file_of(game: Game) -> str:
    """The file of somebody's own game; empty for other games."""
    known = named_games.OWN.get(game.name)
    return "" if known is None else str(Path(known.spelled.rpartition(":")[0] or known.spelled).resolve())


@contextmanager
def asked_here() -> Iterator[None]:
    """Within it, files of metrics that are loaded count for all games; afterwards only those from before do."""
    asked = set(_asked)
    try:
        yield
    finally:
        _asked.clear()
        _asked.update(asked)


def load_metrics(file: str | Path) -> list[str]:
    """Register the metrics in a Python file, for all games, and return their names. Raises RuseError."""
    before = {name: spec.function for name, spec in _own.items()}
    path = Path(file)
    if not path.is_file():
        raise MetricError(f"the file {str(file)!r} does not exist; name a Python file with metrics")
    sources.load(path)
    place = str(path.resolve())
    names = [name for name, spec in _own.items() if spec.file == place or before.get(name) != spec.function]
    if not names:
        raise MetricError(f'{path.name} registers no metric; put @metric("name") above a function')
    _asked.update(names)
    return names


def take_installed() -> dict[str, MetricSpec]:
    """The metrics of installed packages."""
    specs: dict[str, MetricSpec] = {}
    for name, point in installed(GROUP, "metric", NAME, METRICS).items():
        try:
            specs[name] = MetricSpec(name, loaded(point), own=True)
        except Broken as error:
            warn_once(f"{entry_point_text(point)} cannot be used: {error}")
    return specs


# Numbers in JSON.


def figure(number: Number | None) -> str | float | None:
    """A number in JSON: a fraction as a text unless it is very long, everything else as a number."""
    if number is None or isinstance(number, float):
        return number
    text = rationals.write(number)
    return text if len(text) <= LONGEST else float(number)


def figures(value: Any) -> Any:
    """Nested values in JSON, with numbers as `figure` writes them."""
    if isinstance(value, Fraction):
        return figure(value)
    if isinstance(value, Mapping):
        return {str(key): figures(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [figures(item) for item in value]
    return jsonable(value)
