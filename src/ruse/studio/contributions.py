"""What each role or card contributes: the game solved with it and without it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ruse.core import rationals, registry
from ruse.core.game import RuseError, display_name
from ruse.core.types import Report
from ruse.studio.rows import VariantRow
from ruse.studio.solving import row_of
from ruse.studio.sweep import named


@dataclass(frozen=True)
class Contribution:
    """One entry of a list parameter, and what it adds for side 0."""

    parameter: str
    entry: str
    row: VariantRow | None  # the game without it; None if that is no game
    difference: Fraction | None  # in win rates or payoffs of side 0: with the entry, less without it
    reason: str = ""  # why there is no such game

    def to_json(self) -> dict[str, Any]:
        """Return what `ruse metrics --without --json` prints for it."""
        return {
            "parameter": self.parameter,
            "entry": self.entry,
            "contributes": None if self.difference is None else rationals.write(self.difference),
            "without": None if self.row is None else self.row.to_json()["value"],
            "exact": self.row is not None and self.row.exact,
            **({"reason": self.reason} if self.reason else {}),
        }


def contributions(
    game: str | Callable[..., Any],
    parameters: Mapping[str, Any],
    *,
    time_each: float | None = None,
    report: Report = lambda *_: None,
) -> list[Contribution]:
    """Solve a game with all entries of its list parameters, and without each of them.

    Lists of names count, such as roles, and texts that separate names by commas; lists of numbers do not. Raises
    RuseError if the game has no such list.
    """
    name = named(game)
    whole = registry.make(name, parameters)
    entries = list(_entries(whole.parameters if whole.name == name else registry.arguments(name, parameters)))
    if not entries:
        raise RuseError(f"{whole.title} has no list of roles or cards to leave one out; leave out --without")
    report("solving the whole game", None, None)
    base = row_of(whole, time_each)
    every = []
    for parameter, entry, rest in entries:
        report(f"solving it without {entry}", None, None)
        try:
            row = row_of(registry.make(name, {**parameters, parameter: rest}), time_each)
        except RuseError as error:
            every.append(Contribution(parameter, entry, None, None, str(error)))
            continue
        every.append(Contribution(parameter, entry, row, base.measure - row.measure))
    return every


def _entries(parameters: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Each name in a list, with the parameter and the list without it as somebody types it."""
    for parameter, value in parameters.items():
        names = value.split(",") if isinstance(value, str) and "," in value else value
        if not isinstance(names, list | tuple) or not all(isinstance(entry, str) for entry in names):
            continue
        for place, entry in enumerate(names):
            yield parameter.replace("_", "-"), entry.strip(), ",".join([*names[:place], *names[place + 1 :]])


def format_contributions(every: list[Contribution], side: str, won: bool) -> str:
    """Format what each entry contributes, one line each."""
    lines = [f"What each one contributes to {display_name(side)}, with it less without it:"]
    for contribution in every:
        amount = contribution.difference
        if amount is None:
            lines.append(f"  {contribution.entry}: no such game, because {contribution.reason}")
            continue
        size = rationals.points(abs(amount)) if won else rationals.short(abs(amount))
        sign = "−" if amount < 0 else "+" if amount else ""
        bounded = "" if contribution.row is not None and contribution.row.exact else " (bounds only)"
        lines.append(f"  {contribution.entry}: {sign}{size}{bounded}")
    return "\n".join(lines)
