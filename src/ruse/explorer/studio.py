"""The studio of the page: solves a variant as you edit it, within a moment or not at all."""

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
from ruse.studio.rows import VariantRow
from ruse.studio.solving import row_of

MOMENTS = 2  # time for a map
AT_ONCE = 2  # variants solved at once
MOST_KEPT = 20_000  # rows in memory
MOST_TABS = 1_000
MOST_CELLS = 100  # of a map
MOST_CHARACTERS = 2_000  # of parameters
FORBIDDEN = ("file",)  # a page must not make the server open files


class Superseded(RuseError):
    """A request that a newer one of the same page replaced."""


@dataclass(frozen=True)
class StudioAxis:
    """A parameter, or an entry of one, with its possible values."""

    name: str  # "missions 3"
    parameter: str
    entry: int | None
    options: tuple[str, ...]


class Bench:
    """Solved variants by the identity of their canonical variant; each is solved once."""

    def __init__(self, moment: float) -> None:
        """`moment` is the number of seconds that a variant may take."""
        self.moment = moment
        self._rows: dict[str, VariantRow] = {}
        self._latest: dict[str, int] = {}
        self._lock = threading.Lock()
        self._free = threading.BoundedSemaphore(AT_ONCE)

    def row(self, game: Game, seconds: float = inf, tab: str = "", turn: int = 0) -> VariantRow:
        """Solve or bound a variant. Raise Superseded if the same page has sent a newer request."""
        standing = game
        if isinstance(game, Adjustable) and built_in(game):
            standing = registry.make(game.name, registry.call_optional(Adjustable.canonical, game))
        key = identified(standing)
        with self._lock:
            if tab:
                if len(self._latest) > MOST_TABS:
                    self._latest.clear()
                self._latest[tab] = max(turn, self._latest.get(tab, 0))
            row = self._rows.get(key)
        if row is None:
            with self._free:
                if tab and self._latest.get(tab, 0) > turn:
                    raise Superseded("another variant was asked for meanwhile")
                row = row_of(standing, min(seconds, self.moment))
            with self._lock:
                if len(self._rows) > MOST_KEPT:
                    self._rows.clear()
                if row.exact:
                    self._rows[key] = row
        return replace(row, parameters=dict(game.parameters))

    def map(
        self, name: str, given: Mapping[str, str], across: StudioAxis, down: StudioAxis
    ) -> tuple[list[list[StudioCellModel | None]], bool]:
        """Return the cells of a map over two axes, row by row, and whether all are exact."""
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
    """Return the built-in games with parameters; users' own games run only in workers."""
    return [name for name in registry.games() if asked(name)]


def asked(name: str) -> list[str]:
    """Return the parameters that can be edited here."""
    return [parameter.name for parameter in registry.parameters_of(name) if parameter.name not in FORBIDDEN]


def cell(row: VariantRow, address: str) -> StudioCellModel:
    exact = row.measure if row.exact else None
    return StudioCellModel(exact=exact, float=float(row.measure), told=row.format_value(), page=address)


def link(name: str, texts: Mapping[str, str], path: str = "/studio") -> str:
    """Return the address of a variant, or of another page of it."""
    return url(path, game=name, **{f"p-{key}": text for key, text in texts.items()})


def texts_of(game: Game) -> dict[str, str]:
    """Return all parameters of a variant as texts."""
    return {
        name.replace("_", "-"): _text(value)
        for name, value in game.parameters.items()
        if name.replace("_", "-") not in FORBIDDEN
    }


def axes_of(game: Game) -> list[StudioAxis]:
    """Return the axes of a map: whole numbers and yes/no, within the game's span or two steps around the value."""
    span = registry.call_optional(Adjustable.span, game)
    axes: list[StudioAxis] = []
    for name, value in game.parameters.items():
        parameter = name.replace("_", "-")
        entries = list(value) if isinstance(value, list | tuple) else [value]
        spans = span.get(parameter, "").split(",")
        for number, current in enumerate(entries):
            if isinstance(current, bool):
                options: Sequence[str] = ("yes", "no")
            elif isinstance(current, int):
                low, dots, high = spans[min(number, len(spans) - 1)].partition("..")
                ends = (min(current, int(low)), max(current, int(high))) if dots else (current - 2, current + 2)
                options = [str(step) for step in range(ends[0], ends[1] + 1)]
            else:
                continue
            entry = number + 1 if isinstance(value, list | tuple) else None
            axes.append(
                StudioAxis(parameter if entry is None else f"{parameter} {entry}", parameter, entry, tuple(options))
            )
    return axes


def _with(given: Mapping[str, str], axis: StudioAxis, option: str) -> dict[str, str]:
    if axis.entry is None:
        return {**given, axis.parameter: option}
    entries = given.get(axis.parameter, "").split(",")
    entries[axis.entry - 1] = option
    return {**given, axis.parameter: ",".join(entries)}


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else "" if value is None else str(value)


def sentence(game: Game, row: VariantRow, moment: float) -> str:
    """Return the value of a variant in one line."""
    side = display_name(game.sides[0])
    if row.exact:
        return f"{side} {'wins' if row.wins else 'gets'} {row.format_value()}; exact"
    return f"{side} {'wins' if row.wins else 'gets'} {row.format_value()}; not settled in {moment:g} s"


def in_a_line(game: Game) -> str:
    return registry.presentation(game).setup() or game.title
