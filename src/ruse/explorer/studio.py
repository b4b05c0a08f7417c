"""The studio of the page: a variant that is edited in place is solved as it stands, in a moment or not at all."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from time import perf_counter
from typing import Any

from ruse.core import registry
from ruse.core.capabilities import Adjustable
from ruse.core.contract import built_in
from ruse.core.game import Game, RuseError, display_name
from ruse.explorer.entries import identified
from ruse.explorer.models import StudioCellModel
from ruse.explorer.pages import url
from ruse.studio.rows import Row
from ruse.studio.solving import row_of

MOMENTS = 2  # for a map
AT_ONCE = 2  # that are solved
MOST_KEPT = 20_000  # rows in memory
MOST_TABS = 1_000
MOST_CELLS = 100  # of a map
MOST_CHARACTERS = 2_000  # of parameters
FORBIDDEN = ("file",)  # a page must not make the server open files


class Superseded(RuseError):
    """Somebody has typed on."""


@dataclass(frozen=True)
class Axis:
    """Something that can be changed: a parameter, or an entry of one."""

    name: str  # "missions 3"
    parameter: str
    entry: int | None
    options: tuple[str, ...]


class Bench:
    """Rows by the identity of their canonical variant; each is solved once."""

    def __init__(self, moment: float) -> None:
        """`moment`: seconds that a variant may take."""
        self.moment = moment
        self._rows: dict[str, Row] = {}
        self._latest: dict[str, int] = {}
        self._lock = threading.Lock()
        self._free = threading.BoundedSemaphore(AT_ONCE)

    def row(self, game: Game, seconds: float = inf, tab: str = "", turn: int = 0) -> Row:
        """A variant, solved, or bounded in a moment or less. Raises Superseded where the same tab has asked again."""
        standing = game
        if isinstance(game, Adjustable) and built_in(game):
            standing = registry.make(game.name, registry.call_optional(Adjustable.canonical, game))
        key = identified(standing)
        with self._lock:
            if tab:
                if len(self._latest) > MOST_TABS:
                    self._latest.clear()
                self._latest[tab] = max(turn, self._latest.get(tab, 0))
            found = self._rows.get(key)
        if found is None:
            with self._free:
                if tab and self._latest.get(tab, 0) > turn:
                    raise Superseded("another variant was asked for meanwhile")
                found = row_of(standing, min(seconds, self.moment))
            with self._lock:
                if len(self._rows) > MOST_KEPT:
                    self._rows.clear()
                if found.exact:
                    self._rows[key] = found
        return replace(found, parameters=dict(game.parameters))

    def map(
        self, name: str, given: Mapping[str, str], across: Axis, down: Axis
    ) -> tuple[list[list[StudioCellModel | None]], bool]:
        """What each option of two axes makes of a variant, row after row; None of what cannot be. And whether all."""
        until = perf_counter() + MOMENTS * self.moment
        complete = True
        table: list[list[StudioCellModel | None]] = []
        for below in down.options:
            line: list[StudioCellModel | None] = []
            for beside in across.options:
                texts = _with(_with(given, across, beside), down, below)
                try:
                    game = registry.make(name, texts)
                    left = until - perf_counter()
                    row = self.row(game, left) if left > 0 else None
                except RuseError:
                    line.append(None)
                    continue
                complete = complete and row is not None and row.exact
                line.append(None if row is None else cell(row, link(name, texts)))
            table.append(line)
        return table, complete


def offered() -> list[str]:
    """The games that have something to change: ruse's own, as code of others runs in workers only."""
    return [name for name in registry.games() if asked(name)]


def asked(name: str) -> list[str]:
    """The parameters that can be given here."""
    return [one.name for one in registry.parameters_of(name) if one.name not in FORBIDDEN]


def cell(row: Row, address: str) -> StudioCellModel:
    exact = row.measure if row.exact else None
    return StudioCellModel(exact=exact, float=float(row.measure), told=row.told(), page=address)


def link(name: str, texts: Mapping[str, str], path: str = "/studio") -> str:
    """The address that opens a variant again, or another page of it."""
    return url(path, game=name, **{f"p-{key}": text for key, text in texts.items()})


def texts_of(game: Game) -> dict[str, str]:
    """All parameters of a variant as a form has them."""
    return {
        name.replace("_", "-"): _text(value)
        for name, value in game.parameters.items()
        if name.replace("_", "-") not in FORBIDDEN
    }


def axes_of(game: Game) -> list[Axis]:
    """What can be changed in steps: whole numbers and yes or no, within the game's own span or two steps around."""
    span = registry.call_optional(Adjustable.span, game)
    found: list[Axis] = []
    for name, value in game.parameters.items():
        told = name.replace("_", "-")
        entries = list(value) if isinstance(value, list | tuple) else [value]
        spans = span.get(told, "").split(",")
        for number, one in enumerate(entries):
            if isinstance(one, bool):
                options: Sequence[str] = ("yes", "no")
            elif isinstance(one, int):
                low, dots, high = spans[min(number, len(spans) - 1)].partition("..")
                ends = (min(one, int(low)), max(one, int(high))) if dots else (one - 2, one + 2)
                options = [str(step) for step in range(ends[0], ends[1] + 1)]
            else:
                continue
            entry = number + 1 if isinstance(value, list | tuple) else None
            found.append(Axis(told if entry is None else f"{told} {entry}", told, entry, tuple(options)))
    return found


def _with(given: Mapping[str, str], axis: Axis, option: str) -> dict[str, str]:
    if axis.entry is None:
        return {**given, axis.parameter: option}
    entries = given.get(axis.parameter, "").split(",")
    entries[axis.entry - 1] = option
    return {**given, axis.parameter: ",".join(entries)}


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else "" if value is None else str(value)


def sentence(game: Game, row: Row, moment: float) -> str:
    """What a variant comes to, in a line."""
    side = display_name(game.sides[0])
    if row.exact:
        return f"{side} {'wins' if row.wins else 'gets'} {row.told()}; exact"
    return f"{side} {'wins' if row.wins else 'gets'} {row.told()}; not settled in {moment:g} s"


def in_a_line(game: Game) -> str:
    return registry.presentation(game).setup() or game.title
