"""The metrics of a solved game: `measure(solution)`, and what it returns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ruse.core.clock import TimeIsUp
from ruse.core.entry_points import Failed
from ruse.core.game import Game, GameError
from ruse.core.html import facts_table
from ruse.core.parameters import did_you_mean
from ruse.insight.insight_file import InsightFile
from ruse.metrics.metric import SIMPLICITY, Measure, MeasuredPlay, MetricSpec, Number, figure, figures, metrics
from ruse.metrics.pair import APPROXIMATE, REFERENCE, STORED, pair_of
from ruse.metrics.variety import always, is_lively
from ruse.metrics.variety import variety as measure_variety
from ruse.solution.strategy import Solution

LATE = "time ran out; allow more time"
SAME_WAY = "{who} make every game go the same way: {course}."
ONE_MOVE = "{who} make {side} always make the same move, {move}."
WHO = {REFERENCE: "All optimal strategies", STORED: "These optimal strategies", APPROXIMATE: "These strategies"}


class UnknownMetric(GameError):
    """No metric has that name."""


@dataclass(frozen=True)
class Metrics:
    """The metrics of a solved game, in the order of the list of metrics."""

    game: str
    title: str
    parameters: Mapping[str, Any]
    headline: str
    basis: str  # REFERENCE, STORED or APPROXIMATE (ruse.metrics.pair)
    sentence: str  # what the figures are of
    measures: Mapping[str, Measure]
    failed: Mapping[str, str] = field(default_factory=dict)  # metrics without an answer, and why
    warnings: Sequence[str] = ()  # sentences on games that play themselves
    complete: bool = True  # whether there was time for all of them

    def __getitem__(self, name: str) -> Number | None:
        """The figure of a metric that tables and conditions use."""
        return self.measures[name].scalar

    def scalars(self) -> dict[str, Number | None]:
        """The figure of every metric; None where there is none."""
        return {name: measure.scalar for name, measure in self.measures.items()}

    def fields(self) -> dict[str, Any]:
        """The metrics as JSON, by name."""
        fields: dict[str, Any] = {}
        for name, measure in self.measures.items():
            fields |= {name: measure.to_json(), **figures(measure.more)}
        return fields

    def reasons(self) -> dict[str, str]:
        """Why there is no figure, by metric."""
        return {name: measure.reason for name, measure in self.measures.items() if measure.reason} | dict(self.failed)

    def to_json(self) -> dict[str, Any]:
        """Return what `ruse metrics --json` prints (docs/reference/json.md)."""
        return {
            "game": self.game,
            "parameters": dict(self.parameters),
            "basis": self.basis,
            **self.fields(),
            "reasons": self.reasons(),
            "warnings": list(self.warnings),
            "complete": self.complete,
        }

    def text(self) -> str:
        """Return what `ruse metrics` prints."""
        width = max(map(len, self.measures), default=0)
        lines = [self.headline, "", *self.warnings, *([""] if self.warnings else [])]
        for name, measure in self.measures.items():
            shown = measure.text or figure(measure.scalar)
            if measure.scalar is None:
                shown = f"no figure: {measure.reason or 'it does not apply'}"
            lines.append(f"{name:<{width}}  {shown}")
        lines += [f"{name:<{width}}  failed: {why}" for name, why in self.failed.items()]
        return "\n".join([*lines, "", self.sentence])

    def __repr__(self) -> str:
        return f"<metrics of {self.title}: {', '.join(self.measures)}>"

    def _repr_html_(self) -> str:
        facts = [(name, measure.text or measure.reason) for name, measure in self.measures.items()]
        return facts_table(self.headline, facts)


def measure(
    solution: Solution,
    names: Sequence[str] | None = None,
    *,
    file: str | Path | InsightFile | None = None,
    simplest: bool = False,
    report: Callable[[str, float | None, float | None], object] = lambda *_: None,
) -> Metrics:
    """Measure how a game plays under its optimal strategies.

    Parameters
    ----------
    solution
        A solution, from `ruse.solve` or a file.
    names
        The metrics to measure; all of them if you give none.
    file
        The file of the solution, beside which the reference pair may be saved.
    simplest
        Also look for the simplest optimal strategies, which can take ten seconds.
    report
        A function that is called with messages about progress.

    Returns
    -------
    Metrics
        A mapping from names to figures, with `to_json()` and `text()`.

    Examples
    --------
    >>> import ruse
    >>> from ruse.metrics import measure
    >>> kuhn = measure(ruse.solve(ruse.games.kuhn()))
    >>> kuhn["decisions"], kuhn.basis
    (Fraction(107, 45), 'reference')
    """
    game = solution.game
    chosen = [*find(names, game), *([SIMPLICITY] if simplest else [])]
    report("comparing all optimal strategies", None, None)
    play = MeasuredPlay(pair_of(solution, file))
    measures: dict[str, Measure] = {}
    failed: dict[str, str] = {}
    complete = True
    for spec in chosen:
        report(f"measuring {spec.name}", None, None)
        try:
            measures[spec.name] = spec.measure(play)
        except TimeIsUp:
            complete = False
            measures[spec.name] = Measure(None, reason=LATE)
        except Failed as error:
            failed[spec.name] = str(error)
        except GameError as error:
            measures[spec.name] = Measure(None, reason=str(error))
    return Metrics(
        game.name,
        game.title,
        dict(game.parameters),
        solution.headline(),
        play.pair.basis,
        play.pair.sentence,
        measures,
        failed,
        warnings(play),
        complete,
    )


def find(names: Sequence[str] | None = None, game: Game | None = None) -> list[MetricSpec]:
    """The metrics of these names, or all that apply to a game. Raises UnknownMetric."""
    known = metrics(game)
    if names is None:
        return list(known.values())
    return [known[check_name(name)] for name in names]


def check_name(name: str) -> str:
    """Return the name of a metric. Raises UnknownMetric if there is none of that name."""
    known = metrics()
    if name not in known:
        hint = did_you_mean(name, list(known)) or f"; the metrics are {', '.join(known)}"
        raise UnknownMetric(f"unknown metric {name!r}{hint}")
    return name


def plays_itself(solution: Solution) -> list[str]:
    """Sentences on a game that plays itself; none if the stored strategies already leave both sides several moves."""
    if not solution.written or is_lively(solution):
        return []
    return warnings(MeasuredPlay(pair_of(solution)))


def warnings(play: MeasuredPlay) -> list[str]:
    """Sentences on a game that plays itself: one course of play, or a side that always makes the same move."""
    course, who = measure_variety(play).more, WHO[play.pair.basis]
    if course["courses"] == 1 and course["course"]:
        return [SAME_WAY.format(who=who, course=", ".join(course["course"]))]
    return [ONE_MOVE.format(who=who, side=side, move=move) for side, move in always(play).items()]
