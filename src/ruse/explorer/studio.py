"""The studio of the page: solves a variant as you edit it, within a moment or not at all.

Built-in games are solved in this process. A game of somebody's own is solved in a process of its own
(ruse.explorer.own_variants), which can be stopped and which reads the game's files again when they change.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from math import inf
from time import perf_counter
from types import MappingProxyType
from typing import Any

from ruse.core import registry
from ruse.core.capabilities import Adjustable
from ruse.core.contract import built_in
from ruse.core.game import Game, RuseError, display_name
from ruse.core.parameters import Parameter
from ruse.explorer.entries import identified
from ruse.explorer.models import StudioCellModel
from ruse.explorer.pages import url
from ruse.studio.rows import VariantRow, of_json
from ruse.studio.solving import row_of

MOMENTS = 2  # time for a map
AT_ONCE = 2  # variants solved at once
MOST_KEPT = 20_000  # rows in memory
MOST_TABS = 1_000
MOST_CELLS = 100  # of a map
MOST_CHARACTERS = 2_000  # of parameters
WHOLE = re.compile(r"-?[0-9]{1,9}")
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


@dataclass(frozen=True)
class StudioField:
    """A parameter of a game, as a field of the form."""

    name: str
    hint: str
    help: str
    default: str  # empty where the game fills it in
    derived: bool  # whether its default depends on other parameters
    choices: tuple[str, ...] = ()  # the words that it takes, where only some fit
    is_list: bool = False

    @classmethod
    def of(cls, parameter: Parameter) -> StudioField:
        default = parameter.default
        missing = default is None or "empty" in repr(default)
        choices = ("yes", "no") if parameter.hint == "yes|no" else parameter.choices
        return cls(
            parameter.name,
            parameter.hint,
            parameter.help,
            "" if missing else _text(default),
            default is None,
            choices,
            parameter.is_list,
        )


@dataclass(frozen=True)
class StudioVariant:
    """A variant that is one, and its value."""

    title: str
    line: str  # the setup in one line
    side: str  # the first one, as people read it
    parameters: Mapping[str, Any]
    texts: Mapping[str, str]  # of all parameters
    identity: str  # of a user's own game
    row: VariantRow

    @classmethod
    def of(cls, game: Game, row: VariantRow, identity: str = "") -> StudioVariant:
        return cls(
            game.title,
            in_a_line(game),
            display_name(game.sides[0]),
            dict(game.parameters),
            texts_of(game),
            identity,
            row,
        )

    def to_json(self) -> dict[str, Any]:
        """Return what another process reads with `read`."""
        return {**asdict(replace(self, row=None)), "row": self.row.to_json()}  # type: ignore[arg-type]

    @classmethod
    def read(cls, written: Mapping[str, Any]) -> StudioVariant:
        return cls(**{**written, "row": of_json(written["row"])})

    def sentence(self, moment: float) -> str:
        """Return the value in one line."""
        won = f"{self.side} {'wins' if self.row.wins else 'gets'} {self.row.format_value()}"
        return f"{won}; exact" if self.row.exact else f"{won}; not settled in {moment:g} s"


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

    def variant(self, name: str, given: Mapping[str, str], tab: str = "", turn: int = 0) -> StudioVariant:
        """Solve or bound a variant. Raise RuseError if it is impossible, and Superseded as `row` does."""
        game = registry.make(name, given)
        return StudioVariant.of(game, self.row(game, tab=tab, turn=turn))


def cells_of(
    name: str,
    given: Mapping[str, str],
    across: StudioAxis,
    down: StudioAxis,
    seconds: float,
    solve: Callable[[Mapping[str, str], float], VariantRow | None],
    official: Mapping[str, str] = MappingProxyType({}),
) -> tuple[list[list[StudioCellModel | None]], bool]:
    """Return the cells of a map over two axes, row by row, and whether all are exact.

    `solve` takes the texts of a variant and the seconds that are left; it returns None if they do not suffice.
    """
    until = perf_counter() + seconds
    complete = True
    table: list[list[StudioCellModel | None]] = []
    for below in down.options:
        line: list[StudioCellModel | None] = []
        for beside in across.options:
            texts = _with(_with(given, across, beside), down, below)
            try:
                row = solve(texts, until - perf_counter())
            except RuseError:
                line.append(None)
                continue
            complete = complete and row is not None and row.exact
            line.append(None if row is None else cell(row, link(name, texts), texts == official))
        table.append(line)
    return table, complete


def offered() -> list[str]:
    """Return the built-in games with parameters."""
    return [name for name in registry.games() if fields_of(name)]


def fields_of(name: str) -> list[StudioField]:
    """Return the parameters that can be edited here, with their help."""
    return [StudioField.of(parameter) for parameter in registry.parameters_of(name) if parameter.name not in FORBIDDEN]


def cell(row: VariantRow, address: str, official: bool = False) -> StudioCellModel:
    exact, text = row.measure if row.exact else None, row.format_value()
    return StudioCellModel(exact=exact, float=float(row.measure), told=text, page=address, official=official)


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
    return _axes(game.parameters, registry.call_optional(Adjustable.span, game))


def axes_of_texts(fields: Sequence[StudioField], texts: Mapping[str, str]) -> list[StudioAxis]:
    """Return the axes of a map of a game that is known by its parameters alone."""
    parameters: dict[str, Any] = {}
    for field in fields:
        text = texts.get(field.name, "")
        entries = [int(word) if WHOLE.fullmatch(word) else word for word in text.split(",")]
        if field.hint == "yes|no":
            parameters[field.name] = text == "yes"
        elif text and field.hint in ("N", "N,N,…"):
            parameters[field.name] = entries if field.is_list else entries[0]
    return _axes(parameters, {})


def _axes(parameters: Mapping[str, Any], span: Mapping[str, str]) -> list[StudioAxis]:
    axes: list[StudioAxis] = []
    for name, value in parameters.items():
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


def shown_field(field: StudioField, text: str) -> dict[str, Any]:
    """Return a field as the form shows it: entries of a list one by one, words to choose from as boxes."""
    chosen = [word.strip() for word in text.split(",")] if text else []
    numbers = field.hint.startswith("N,") and bool(text)
    return {**asdict(field), "text": text, "entries": chosen if numbers else [], "chosen": chosen}


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


def in_a_line(game: Game) -> str:
    return registry.presentation(game).setup() or game.title
