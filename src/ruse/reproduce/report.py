"""What a report is made of: papers, their items as `papers.toml` lists them, and what computing an item gives.

An item is computed by a function of its paper's module (`ruse.reproduce.papers`), never stored there: `theirs` is what
the paper prints, `ours` comes from a run, and whether they agree is worked out from both.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from ruse.core import rationals
from ruse.core.game import RuseError
from ruse.core.registry import imported
from ruse.present.svg import ten_to

LIST = Path(__file__).parent / "papers.toml"
KINDS = ("table", "figure", "example", "claim", "beyond")
Number = Fraction | int | float
MINUS = "−"


class ReproduceError(RuseError):
    """An unknown paper or item, or a folder that cannot be used."""


@dataclass(frozen=True)
class PaperLine:
    """One line: what the paper prints beside what was computed."""

    label: str
    theirs: str  # "" if the paper prints no number
    ours: str
    difference: str = ""
    agrees: bool | None = None  # None if there is nothing to compare with

    def to_json(self) -> dict[str, Any]:
        fields = asdict(self)
        return {"what": fields.pop("label"), **fields}

    def __post_init__(self) -> None:
        if self.agrees is not None:
            object.__setattr__(self, "agrees", bool(self.agrees))  # NumPy's own kind is not JSON


@dataclass(frozen=True)
class Chart:
    """A figure as numbers: lines through points, or bars where x is a name."""

    title: str
    x: str
    y: str
    series: Mapping[str, Sequence[tuple[float | str, float]]]
    log: tuple[bool, bool] = (False, False)
    marks: Mapping[str, tuple[float, float]] = field(default_factory=dict)  # points of the paper


@dataclass(frozen=True)
class Outcome:
    """The outcome of computing an item."""

    comparisons: Sequence[PaperLine] = ()
    note: str = ""  # what it shows, and why values differ
    hidden: str = ""  # what the paper shows only in a picture, or not at all
    own_example: bool = False  # whether it uses ruse's own example
    slip: str = ""  # the row of docs/explanation/slips.md about it
    charts: Sequence[Chart] = ()
    pictures: Sequence[str] = ()  # SVG
    commands: Sequence[str] = ()  # other commands with the same result
    failed: str = ""  # why there is no result
    seconds: float = 0.0

    def to_json(self) -> dict[str, Any]:
        comparisons = [line.to_json() for line in self.comparisons]
        return {**asdict(self), "comparisons": comparisons}

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> Outcome:
        charts = []
        for chart in kept["charts"]:
            series = {name: [(x, y) for x, y in points] for name, points in chart["series"].items()}
            marks = {name: (x, y) for name, (x, y) in chart["marks"].items()}
            across, up = chart["log"]
            charts.append(Chart(chart["title"], chart["x"], chart["y"], series, (across, up), marks))
        comparisons = [PaperLine(line["what"], *list(line.values())[1:]) for line in kept["comparisons"]]
        return cls(**{**kept, "charts": charts, "comparisons": comparisons})

    @property
    def verdict(self) -> str:
        """The verdict in one word."""
        if self.failed:
            return "missing"
        verdicts = [comparison.agrees for comparison in self.comparisons if comparison.agrees is not None]
        if not verdicts:
            return "shown"
        if not all(verdicts):
            return "differs"
        return "alike" if self.own_example else "agrees"


Make = Callable[[bool], Outcome]  # given whether it may take its time


@dataclass(frozen=True)
class Item:
    """A numbered item of a paper, and the function that computes it."""

    number: str
    kind: str
    title: str
    make: Make
    seconds: tuple[float, float]  # about how long it takes on two cores: quick, full


@dataclass(frozen=True)
class Paper:
    name: str
    title: str
    authors: str
    source: str
    items: Sequence[Item]

    def item(self, number: str) -> Item:
        """By its number, spelled as in the paper or nearly so."""
        matching = [item for item in self.items if _plain(item.number) == _plain(number)]
        if not matching:
            known = ", ".join(item.number for item in self.items)
            raise ReproduceError(f"expected an item of {self.name} ({known}), got {number!r}")
        return matching[0]


def _plain(number: str) -> str:
    return number.lower().replace("–", "-").replace("§", "").replace(" ", "").replace(".", "")


@cache
def listed() -> dict[str, dict[str, Any]]:
    """`papers.toml`."""
    return tomllib.loads(LIST.read_text(encoding="utf-8"))


def paper(name: str) -> Paper:
    """A paper with what computes its items."""
    if name not in listed():
        raise ReproduceError(f"expected one of the papers {', '.join(listed())}, got {name!r}")
    about = listed()[name]
    made: Mapping[str, tuple[Make, float, float]]
    made = imported(f"ruse.reproduce.papers.{name.replace('-', '_')}:ITEMS")
    items = [Item(number, kind, title, made[number][0], made[number][1:]) for number, kind, title in about["items"]]
    return Paper(name, about["title"], about["authors"], about["where"], items)


# Comparing.


def rounded(number: float, form: str = ".2g") -> str:
    """A number in so many digits, without an e."""
    digits, _, power = f"{number:{form}}".partition("e")
    return digits.replace("-", MINUS) + (f" · {ten_to(int(power))}" if power else "")


def shown(number: Number) -> str:
    """A number as people read it: exact where that is short."""
    if isinstance(number, float):
        return rounded(number, ",.4g" if abs(number) < 1e6 else ".3e")
    if isinstance(number, Fraction) and number.denominator > 1:
        exact, near = rationals.write(number), f"{float(number):.4f}"
        if len(exact) > 12:
            return rounded(float(number), ".6g")
        return f"{exact} {'=' if Fraction(near) == number else '≈'} {near}".replace("-", MINUS)
    return f"{int(number):,}".replace("-", MINUS)


def compare(
    label: str, theirs: str, ours: Number, *, within: float | Fraction | None = None, unit: str = ""
) -> PaperLine:
    """Beside a number as it is printed: it agrees if ours, rounded as theirs is, is theirs, or if it is `within` it."""
    printed = Decimal(theirs.replace(MINUS, "-").replace(",", ""))
    exact = Fraction(str(ours)) if isinstance(ours, float) else Fraction(ours)  # 0.84 is meant where 0.84 is written
    away = exact - Fraction(printed)
    half = Fraction(1, 2) * Fraction(10) ** int(printed.as_tuple().exponent)
    agrees = abs(away) <= (half if within is None else Fraction(within))
    difference = "rounding"
    if away == 0:
        difference = "none"
    elif not agrees or within is not None:
        difference = f"{int(away):+,}".replace("-", MINUS) if away.denominator == 1 else rounded(float(away), "+.2g")
    return PaperLine(label, theirs.replace("-", MINUS) + unit, shown(ours) + unit, difference, agrees)


def said(label: str, theirs: str, ours: str, agrees: bool | None) -> PaperLine:
    """Beside words: whether they agree was worked out by whoever calls."""
    return PaperLine(label, theirs, ours, "" if agrees is None else "none" if agrees else "differs", agrees)


def times(label: str, theirs: float, ours: float) -> PaperLine:
    """Seconds there and here: on other machines, so that neither is right."""
    ratio = theirs / ours
    speed = f"{ratio:,.0f} times quicker" if ratio >= 2 else f"{1 / ratio:.1f} times as long" if ratio < 1 else "alike"
    return PaperLine(label, lasting(theirs), lasting(ours), speed)


def lasting(seconds: float) -> str:
    """A time in words."""
    if seconds < 0.01:
        return "under 0.01 s"
    if seconds < 90:
        return f"{seconds:.2g} s" if seconds < 10 else f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
