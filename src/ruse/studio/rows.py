"""The result of one variant: a row of a sweep."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ruse.core import rationals
from ruse.core.certificate import Certificate, a_proof
from ruse.core.former_modules import former_classes
from ruse.core.game import Game

METRICS_VERSION = 2  # raised when a metric of ruse's means something else: saved figures are then measured again


@dataclass(frozen=True)
class VariantMetrics:
    """The metrics of a variant: as conditions and tables use them, and as JSON."""

    figures: Mapping[str, Fraction | float | None]  # by name; None where there is no figure
    fields: Mapping[str, Any]  # as in `ruse metrics --json`
    basis: str = ""
    reasons: Mapping[str, str] = field(default_factory=dict)  # why there is no figure
    warnings: tuple[str, ...] = ()
    complete: bool = True  # whether there was time for all of them

    def to_json(self) -> dict[str, Any]:
        """Return the metrics as `ruse sweep --metrics --json` prints them in a row."""
        figures = {name: number if number is None else _figure(number) for name, number in self.figures.items()}
        return {
            **self.fields,
            "figures": figures,
            "basis": self.basis,
            "reasons": dict(self.reasons),
            "warnings": list(self.warnings),
            "version": METRICS_VERSION,
        }


NOT_FIELDS = ("figures", "basis", "reasons", "warnings", "version")


def metrics_of_json(data: Any) -> VariantMetrics | None:
    """Read metrics that `to_json` wrote; None if there are none, or those of another version of ruse."""
    if data is None or data["version"] != METRICS_VERSION:
        return None
    figures = {
        str(name): rationals.read(number) if isinstance(number, str) else None if number is None else float(number)
        for name, number in data["figures"].items()
    }
    fields = {name: value for name, value in data.items() if name not in NOT_FIELDS}
    return VariantMetrics(figures, fields, str(data["basis"]), dict(data["reasons"]), tuple(data["warnings"]))


def _figure(number: Fraction | float) -> str | float:
    if isinstance(number, float):
        return number
    text = rationals.write(number)
    return text if len(text) <= MOST_WRITTEN else float(number)


MOST_WRITTEN = 60  # characters of a fraction


@dataclass(frozen=True)
class VariantRow:
    """A variant that was solved, or bounded because time ran out."""

    parameters: Mapping[str, Any]  # all of them, as plain JSON values
    wins: tuple[str, ...]  # the names of both sides, if the game cannot be drawn
    certificate: Certificate
    solver: str
    seconds: float
    simple: bool | None  # whether simple strategies are optimal; None if the game has none
    lines: int | None  # of the strategies in words; None if not counted
    note: str = ""
    shares: Mapping[str, Fraction] = field(default_factory=dict)  # of wins and draws, with these strategies
    metrics: VariantMetrics | None = None  # None if not measured

    @property
    def exact(self) -> bool:
        return self.certificate.exact

    @property
    def middle(self) -> Fraction:
        """The payoff to side 0: the value if exact, otherwise the middle of the bounds."""
        return (self.certificate.lower + self.certificate.upper) / 2

    @property
    def win(self) -> dict[str, Fraction]:
        """How often each side wins, by the middle of the bounds if they differ."""
        if not self.wins:
            return dict(self.shares)
        first, second = self.wins
        return {first: (1 + self.middle) / 2, second: (1 - self.middle) / 2}

    @property
    def measure(self) -> Fraction:
        """The number that people compare: the win rate of side 0, or its payoff."""
        return (1 + self.middle) / 2 if self.wins else self.middle

    def format_value(self) -> str:
        """Format the value, or its bounds, for people."""
        if self.exact:
            text = rationals.short(self.measure)
            return f"{rationals.percent(self.measure)} ({text})" if self.wins else text
        lower, upper = self.certificate.lower, self.certificate.upper
        if self.wins:
            lower, upper = (1 + lower) / 2, (1 + upper) / 2
        return rationals.within(lower, upper, "%" if self.wins else "")

    def to_json(self) -> dict[str, Any]:
        """Return the row as `ruse sweep --json` prints it (docs/reference/json.md)."""
        return {
            "parameters": dict(self.parameters),
            "value": {
                "exact": rationals.write(self.certificate.lower) if self.exact else None,
                "float": float(self.middle),
            },
            **({"win": {name: self._number(share) for name, share in win.items()}} if (win := self.win) else {}),
            "certificate": self.certificate.to_json(),
            "simple": self.simple,
            "lines": self.lines,
            "solver": self.solver,
            "seconds": self.seconds,
            **({"note": self.note} if self.note else {}),
            **({} if self.metrics is None else {"metrics": self.metrics.to_json()}),
        }

    def _number(self, share: Fraction) -> str | float:
        return rationals.write(share) if self.exact else float(share)

    def flat(self) -> dict[str, Any]:
        """Return a line of a table: one value per column, with lists of parameters as texts."""
        lower, upper = self.certificate.lower, self.certificate.upper
        return {
            **{name: cell(value) for name, value in self.parameters.items()},
            "value": rationals.write(lower) if self.exact else None,
            "value_float": float(self.middle),
            "lower": rationals.write(lower),
            "upper": rationals.write(upper),
            "exact": self.exact,
            **{f"win_{name}": float(share) for name, share in self.win.items()},
            "simple": self.simple,
            "lines": self.lines,
            "solver": self.solver,
            "seconds": self.seconds,
            "note": self.note,
            **{
                f"metric_{name}": None if number is None else float(number)
                for name, number in (self.metrics.figures.items() if self.metrics else ())
            },
        }


def of_json(data: Mapping[str, Any]) -> VariantRow:
    """Read a row that `to_json` wrote. Raise KeyError, TypeError or ValueError for anything else."""
    bounds = data["certificate"]
    win = data.get("win", {})
    return VariantRow(
        dict(data["parameters"]),
        tuple(win) if len(win) == 2 else (),
        Certificate(rationals.read(bounds["lower"]), rationals.read(bounds["upper"]), a_proof(bounds)),
        str(data["solver"]),
        float(data["seconds"]),
        data["simple"],
        data["lines"],
        str(data.get("note", "")),
        {name: rationals.read(share) for name, share in win.items()} if len(win) == 3 else {},
        metrics_of_json(data.get("metrics")),
    )


def wins_of(game: Game) -> tuple[str, ...]:
    """Return the names of both sides if the game cannot be drawn, otherwise nothing."""
    return tuple(game.wins) if len(game.wins) == 2 else ()


def cell(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return ",".join(map(str, value))
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


if not TYPE_CHECKING:
    __getattr__ = former_classes(__name__, {"Row": "VariantRow"})
