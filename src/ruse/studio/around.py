"""Sensitivity: how each single change of a variant changes its value, largest effect first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ruse.core import rationals, registry
from ruse.core.game import Game, RuseError
from ruse.core.types import Report
from ruse.studio.ranges import ParameterAxis
from ruse.studio.rows import VariantRow
from ruse.studio.solving import Quick, quick
from ruse.studio.sweep import Sweep, SweepError, SweepOptions, named, solve_variants
from ruse.studio.variants import Variants, make_variant, parameter_space


@dataclass(frozen=True)
class Effect:
    """A single change of a variant and its effect on the value."""

    change: str  # "missions 3: 2 → 3"
    entry: str  # "missions 3"
    row: VariantRow
    difference: Fraction  # in win rates of side 0, or in payoffs
    rule: Fraction | None  # what simple rules cost side 1 there, in the same unit; None where the game has none

    def to_json(self) -> dict[str, Any]:
        price = None if self.rule is None else rationals.write(self.rule)
        effect = {"change": self.change, "difference": rationals.write(self.difference), "simple_price": price}
        return {**effect, **self.row.to_json()}


@dataclass(frozen=True)
class Sensitivity:
    """A variant, and the effects of all changes of one entry by one step."""

    base: VariantRow
    rule: Fraction | None  # what simple rules cost side 1 at the variant itself
    effects: list[Effect]
    sweep: Sweep

    def to_json(self) -> dict[str, Any]:
        price = None if self.rule is None else rationals.write(self.rule)
        return {
            "game": self.sweep.name,
            "base": {**self.base.to_json(), "simple_price": price},
            "changes": [effect.to_json() for effect in self.effects],
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
    """Solve a variant and all its neighbours: one whole number one up or down, or one yes turned into no."""
    name = named(game)
    span = parameter_space(name, {**(parameters or {}), **more})
    if span.axes:
        raise SweepError(f"--around needs a single variant, but there is a range for --{span.axes[0].parameter}")
    base = registry.make(name, span.at(()))
    variants = Variants(name, ())
    changes: dict[str, str] = {}
    standing = make_variant(name, base, ("as it is",), span.at(()))
    variants.items.append(standing)
    for entry, change, values in _steps(standing.parameters):
        try:
            made = registry.make(name, values)
        except RuseError as error:
            variants.impossible += 1
            variants.reasons.setdefault(change, str(error))
            continue
        changes[change] = entry
        variants.items.append(make_variant(name, made, (change,), values))
    variants.axes = (ParameterAxis("change", None, tuple(variant.choice[0] for variant in variants)),)
    swept = solve_variants(
        variants, SweepOptions(time, False, engine, address, workers, fresh, time_each), report=report
    )
    if 0 not in swept.rows:
        if time is not None:
            raise SweepError("out of time before the variant itself was solved; give it more time")
        raise KeyboardInterrupt
    row = swept.rows[0]
    effects = [
        Effect(
            variant.choice[0],
            changes[variant.choice[0]],
            swept.rows[number],
            swept.rows[number].measure - row.measure,
            _price(variant.game, swept.rows[number]),
        )
        for number, variant in enumerate(variants)
        if number and number in swept.rows
    ]
    effects.sort(key=lambda effect: (-abs(effect.difference), effect.change))
    return Sensitivity(row, _price(base, row), effects, swept)


def _price(game: Game, row: VariantRow) -> Fraction | None:
    """Return how much more than the value the simple rule of side 1 concedes."""
    known: Quick | None = quick(game)
    if known is None or not row.exact:
        return None
    return (known.upper - row.certificate.upper) / (2 if row.wins else 1)


def _steps(parameters: Mapping[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield each entry, its change in words, and the parameters after the change."""
    for name, value in parameters.items():
        parameter = name.replace("_", "-")
        entries = list(value) if isinstance(value, list | tuple) else [value]
        for number, current in enumerate(entries):
            for other in _beside(current):
                changed = [*entries[:number], other, *entries[number + 1 :]]
                entry = f"{parameter} {number + 1}" if isinstance(value, list | tuple) else parameter
                after = changed if isinstance(value, list | tuple) else other
                yield entry, f"{entry}: {_word(current)} → {_word(other)}", {**parameters, name: after}


def _beside(value: Any) -> list[Any]:
    if isinstance(value, bool):
        return [not value]
    return [value - 1, value + 1] if isinstance(value, int) else []


def _word(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
