"""What is known of one variant: a row of a sweep."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from ruse.core import rationals
from ruse.core.certificate import Certificate, a_proof
from ruse.core.game import Game


@dataclass(frozen=True)
class Row:
    """A variant that was solved, or bounded where the time was up."""

    parameters: Mapping[str, Any]  # all of them, as plain JSON values
    wins: tuple[str, ...]  # the names of both sides, where the game is won or lost and never drawn
    certificate: Certificate
    solver: str
    seconds: float
    simple: bool | None  # whether simple strategies are optimal; None where the game has none to try
    lines: int | None  # that the strategies take in words; None where nobody counted
    note: str = ""
    shares: Mapping[str, Fraction] = field(default_factory=dict)  # of wins and draws, with these strategies

    @property
    def exact(self) -> bool:
        return self.certificate.exact

    @property
    def middle(self) -> Fraction:
        """The payoff to side 0: the value where exact, else the middle of the bounds."""
        return (self.certificate.lower + self.certificate.upper) / 2

    @property
    def win(self) -> dict[str, Fraction]:
        """How often each side wins; by the middle of the bounds where they differ."""
        if not self.wins:
            return dict(self.shares)
        first, second = self.wins
        return {first: (1 + self.middle) / 2, second: (1 - self.middle) / 2}

    @property
    def measure(self) -> Fraction:
        """What people compare: how often side 0 wins, or what it gets."""
        return (1 + self.middle) / 2 if self.wins else self.middle

    def told(self) -> str:
        """The same as people read it."""
        if self.exact:
            told = rationals.short(self.measure)
            return f"{rationals.percent(self.measure)} ({told})" if self.wins else told
        lower, upper = self.certificate.lower, self.certificate.upper
        if self.wins:
            lower, upper = (1 + lower) / 2, (1 + upper) / 2
        return rationals.within(lower, upper, "%" if self.wins else "")

    def to_json(self) -> dict[str, Any]:
        """As `ruse sweep --json` prints it (docs/reference/json.md)."""
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
        }

    def _number(self, share: Fraction) -> str | float:
        return rationals.write(share) if self.exact else float(share)

    def flat(self) -> dict[str, Any]:
        """A line of a table: one value a column, lists of parameters as texts."""
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
        }


def of_json(found: Mapping[str, Any]) -> Row:
    """A row as `to_json` wrote it. Raises KeyError, TypeError or ValueError of anything else."""
    bounds = found["certificate"]
    win = found.get("win", {})
    return Row(
        dict(found["parameters"]),
        tuple(win) if len(win) == 2 else (),
        Certificate(rationals.read(bounds["lower"]), rationals.read(bounds["upper"]), a_proof(bounds)),
        str(found["solver"]),
        float(found["seconds"]),
        found["simple"],
        found["lines"],
        str(found.get("note", "")),
        {name: rationals.read(share) for name, share in win.items()} if len(win) == 3 else {},
    )


def wins_of(game: Game) -> tuple[str, ...]:
    """Both sides' names where a row tells how often each wins: draws take strategies to count."""
    return tuple(game.wins) if len(game.wins) == 2 else ()


def cell(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return ",".join(map(str, value))
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
