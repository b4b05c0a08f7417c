"""The parameters of a game, read from its factory's signature: names, types, defaults, and the help in `Annotated`."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple, get_args, get_type_hints

from ruse.core.game import RuseError
from ruse.core.plain_games.matrix import number


class UnknownParameter(RuseError):
    """The game has no such parameter, or not with such a value."""


class Parameter(NamedTuple):
    """One parameter of a game, as the command line shows it."""

    name: str  # with dashes, as on the command line
    hint: str  # what a value looks like: N, "N,N,…", P/Q, yes|no or TEXT
    default: object
    help: str


class _Kind(NamedTuple):
    hint: str
    expected: str
    read: Callable[[str], object]
    fits: Callable[[Any], bool]


WHOLE = re.compile(r"[-+]?[0-9]+")


def _whole(text: str) -> int:
    """Stricter than `int`, which takes 1_000 and digits of other scripts."""
    if not WHOLE.fullmatch(text):
        raise ValueError
    return int(text)


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_list(value: Any, fits: Callable[[Any], bool]) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str) and all(map(fits, value))


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


# The first of these types that a parameter's annotation names says how its value is read.
KINDS: dict[Any, _Kind] = {
    Sequence[int]: _Kind(
        "N,N,…",
        "whole numbers such as 2,3,2",
        lambda text: [_whole(word) for word in re.split("[,-]", text)],
        lambda value: _is_list(value, _is_int),
    ),
    Sequence[str]: _Kind(
        "TEXT,TEXT,…",
        "words such as up,down",
        lambda text: [word.strip() for word in text.split(",")],
        lambda value: _is_list(value, _is_text),
    ),
    Fraction: _Kind(
        "P/Q",
        "a number such as 1/2",
        lambda text: number(text.replace(":", "/")),
        lambda value: isinstance(value, Fraction) or _is_int(value),
    ),
    bool: _Kind(
        "yes|no",
        "yes or no",
        lambda text: {"yes": True, "no": False}.get(text),
        lambda value: isinstance(value, bool),
    ),
    int: _Kind("N", "a whole number", _whole, _is_int),
    str: _Kind("TEXT", "a text", str, _is_text),
}


def _kind(hint: Any) -> _Kind:
    named = {hint, *get_args(hint)}
    return next(kind for type_, kind in KINDS.items() if type_ in named)


def meant(name: str, names: Sequence[str]) -> str:
    """The end of a sentence: which names there are, and which of them may have been meant."""
    close = get_close_matches(name, names, 1)
    return f"got {name!r}" + (f"; did you mean {close[0]!r}?" if close else "")


def parameters_of(factory: Callable[..., Any]) -> list[Parameter]:
    """The parameters of a factory of games, in the order of its signature."""
    return [parameter for parameter, _ in _read(factory)]


@lru_cache(maxsize=256)
def _read(factory: Callable[..., Any]) -> tuple[tuple[Parameter, _Kind], ...]:
    """The same, with the kind of each: a sweep makes thousands of games by one factory."""
    hints, helped = get_type_hints(factory), get_type_hints(factory, include_extras=True)
    found = []
    for parameter in inspect.signature(factory).parameters.values():
        kind = _kind(hints[parameter.name])
        text = " ".join(getattr(helped[parameter.name], "__metadata__", ()))
        found.append((Parameter(parameter.name.replace("_", "-"), kind.hint, parameter.default, text), kind))
    return tuple(found)


def values_of(name: str, factory: Callable[..., Any], given: Mapping[str, object]) -> dict[str, object]:
    """What is given as parameters of a game, as its factory takes it. Texts are read; None leaves the default."""
    kinds = {parameter.name: kind for parameter, kind in _read(factory)}
    known = list(kinds)
    values: dict[str, object] = {}
    for key, value in given.items():
        spelled = key.replace("_", "-")
        if spelled not in known:
            expected = f"a parameter of {name}, one of {', '.join(known)}" if known else f"no parameter of {name}"
            raise UnknownParameter(f"expected {expected}, {meant(spelled, known)}")
        if value is None:
            continue
        identifier = spelled.replace("-", "_")
        kind = kinds[spelled]
        try:
            values[identifier] = kind.read(value) if isinstance(value, str) else value
        except ValueError:
            values[identifier] = None
        if not kind.fits(values[identifier]):
            raise UnknownParameter(f"expected {kind.expected} for --{spelled}, got {value!r}")
    return values
