"""Sensitivity: what every single change of a variant does to its value, the largest effect first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ruse.core import rationals, registry
from ruse.core.game import Game, RuseError
from ruse.core.types import Report
from ruse.studio.ranges import Axis
from ruse.studio.rows import Row
from ruse.studio.solving import Quick, quick
from ruse.studio.sweep import How, Sweep, SweepError, go, named
from ruse.studio.variants import Variants, spelled, variant


@dataclass(frozen=True)
class Effect:
    """One change, and what it comes to."""

    change: str  # "missions 3: 2 → 3"
    entry: str  # "missions 3"
    row: Row
    difference: Fraction  # in win rates of side 0, or in payoffs
    rule: Fraction | None  # what simple rules cost side 1 there, in the same unit; None where the game has none

    def to_json(self) -> dict[str, Any]:
        price = None if self.rule is None else rationals.write(self.rule)
        found = {"change": self.change, "difference": rationals.write(self.difference), "simple_price": price}
        return {**found, **self.row.to_json()}


@dataclass(frozen=True)
class Sensitivity:
    """A variant and all that differ from it by one step of one entry."""

    base: Row
    rule: Fraction | None  # what simple rules cost side 1 at the variant itself
    effects: list[Effect]
    sweep: Sweep

    def to_json(self) -> dict[str, Any]:
        price = None if self.rule is None else rationals.write(self.rule)
        return {
            "game": self.sweep.name,
            "base": {**self.base.to_json(), "simple_price": price},
            "changes": [one.to_json() for one in self.effects],
            "complete": self.sweep.complete,
        }


def around(
    game: str | Callable[..., Any],
    parameters: Mapping[str, Any] | None = None,
    *,
    time: float | None = None,
    time_each: float | None = None,
    engine: str = "local",
    address: str | None = None,
    workers: int | None = None,
    fresh: bool = False,
    report: Report = lambda *_: None,
    **more: Any,
) -> Sensitivity:
    """Solve a variant, and all with a whole number one up or down, or a yes for a no, somewhere in their parameters."""
    name = named(game)
    span = spelled(name, {**(parameters or {}), **more})
    if span.axes:
        raise SweepError(f"--around needs a single variant, but there is a range for --{span.axes[0].parameter}")
    base = registry.make(name, span.at(()))
    found = Variants(name, ())
    changes: dict[str, str] = {}
    standing = variant(name, base, ("as it is",), span.at(()))
    found.found.append(standing)
    for entry, change, values in _steps(standing.parameters):
        try:
            made = registry.make(name, values)
        except RuseError as error:
            found.impossible += 1
            found.reasons.setdefault(change, str(error))
            continue
        changes[change] = entry
        found.found.append(variant(name, made, (change,), values))
    found.axes = (Axis("change", None, tuple(one.choice[0] for one in found)),)
    swept = go(found, How(time, False, engine, address, workers, fresh, time_each), report=report)
    if 0 not in swept.rows:
        if time is not None:
            raise SweepError("out of time before the variant itself was solved; give it more time")
        raise KeyboardInterrupt
    row = swept.rows[0]
    effects = [
        Effect(
            one.choice[0],
            changes[one.choice[0]],
            swept.rows[number],
            swept.rows[number].measure - row.measure,
            _price(one.game, swept.rows[number]),
        )
        for number, one in enumerate(found)
        if number and number in swept.rows
    ]
    effects.sort(key=lambda effect: (-abs(effect.difference), effect.change))
    return Sensitivity(row, _price(base, row), effects, swept)


def _price(game: Game, row: Row) -> Fraction | None:
    """What the simple rule of side 1 concedes beyond the value."""
    known: Quick | None = quick(game)
    if known is None or not row.exact:
        return None
    return (known.upper - row.certificate.upper) / (2 if row.wins else 1)


def _steps(parameters: Mapping[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Each entry, the change in words, and the parameters after it."""
    for name, value in parameters.items():
        told = name.replace("_", "-")
        entries = list(value) if isinstance(value, list | tuple) else [value]
        for number, one in enumerate(entries):
            for other in _beside(one):
                changed = [*entries[:number], other, *entries[number + 1 :]]
                entry = f"{told} {number + 1}" if isinstance(value, list | tuple) else told
                after = changed if isinstance(value, list | tuple) else other
                yield entry, f"{entry}: {_word(one)} → {_word(other)}", {**parameters, name: after}


def _beside(value: Any) -> list[Any]:
    if isinstance(value, bool):
        return [not value]
    return [value - 1, value + 1] if isinstance(value, int) else []


def _word(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
