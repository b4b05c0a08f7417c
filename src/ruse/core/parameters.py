"""The parameters of a game, read from its factory's signature: names, types, defaults, and the help in `Annotated`.

A value is what the factory takes, or stands for what one would type on the command line: "1/2" for Fraction(1, 2),
["merlin", "assassin"] for "merlin,assassin". `_read_value` decides that for every game, whoever asks.
"""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from fractions import Fraction
from functools import lru_cache, wraps
from numbers import Integral, Number, Rational
from typing import Any, Literal, NamedTuple, ParamSpec, TypeVar, get_args, get_origin, get_type_hints

from ruse.core.game import GameError, RuseError

Arguments = ParamSpec("Arguments")
Made = TypeVar("Made")


class UnknownParameter(RuseError):
    """The game has no such parameter, or not with such a value."""


class Parameter(NamedTuple):
    """One parameter of a game, as the command line shows it."""

    name: str  # with dashes, as on the command line
    hint: str  # what a value looks like: N, "N,N,…", P/Q, yes|no or TEXT
    default: object
    help: str
    choices: tuple[str, ...] = ()  # the words that it takes, where the annotation lists them in a Literal
    is_list: bool = False


class _Kind(NamedTuple):
    hint: str
    expected: str
    read: Callable[[str], object]
    fits: Callable[[Any], bool]
    choices: tuple[str, ...] = ()


WHOLE = re.compile(r"[-+]?[0-9]+")
NUMBER = re.compile(r"[-+]?(\d+/\d+|\d+\.?\d*|\.\d+)(e[-+]?\d{1,3})?", re.IGNORECASE | re.ASCII)
MOST_DIGITS = 300  # of a number, above and below the line: so it has a float
SHOWN = 40  # characters of what is no number


def number(text: str) -> Fraction:
    """An integer, a decimal or a fraction, exactly."""
    text = text.strip()
    if len(text) <= MOST_DIGITS and NUMBER.fullmatch(text):
        try:
            fraction = Fraction(text)
        except (ValueError, ZeroDivisionError):
            pass  # 1/2e3 or 1/0
        else:
            if max(abs(fraction.numerator), fraction.denominator) < 10**MOST_DIGITS:
                return fraction
    shown = repr(text) if len(text) <= SHOWN else f"{text[:SHOWN]!r}…"
    raise GameError(f"expected a number of at most {MOST_DIGITS} digits such as -1, 0.25 or 1/2, got {shown}")


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


LISTS = (KINDS[Sequence[int]].hint, KINDS[Sequence[str]].hint)
BETWEEN = ",+-"  # words of a list; in a position, a comma already stands between parameters


def _kind(hint: Any) -> _Kind:
    named = [hint] if get_origin(hint) in (Sequence, Literal) else [hint, *get_args(hint)]
    for type_ in named:
        if get_origin(type_) is Literal:
            return _word_kind(tuple(map(str, get_args(type_))))
        entries = get_args(type_)
        if get_origin(type_) is Sequence and get_origin(entries[0]) is Literal:
            return _word_list_kind(tuple(map(str, get_args(entries[0]))))
    return next(kind for type_, kind in KINDS.items() if type_ in named)


def _word_kind(choices: tuple[str, ...]) -> _Kind:
    """One of the words that a Literal lists."""
    kind = KINDS[str]
    return kind._replace(expected=f"one of {', '.join(choices)}", fits=lambda value: value in choices, choices=choices)


def _word_list_kind(choices: tuple[str, ...]) -> _Kind:
    """A list of words that a Literal lists, in upper or lower case."""
    known = {choice.lower(): choice for choice in choices}

    between = "".join(mark for mark in BETWEEN if not any(mark in choice for choice in choices))

    def read(text: str) -> list[str]:
        words = [word.strip() for word in re.split(f"[{re.escape(between)}]", text)]
        return [known.get(word.lower(), word) for word in words]

    return _Kind(
        KINDS[Sequence[str]].hint,
        f"some of {', '.join(choices)}",
        read,
        lambda value: _is_list(value, lambda word: word in choices),
        choices,
    )


def did_you_mean(name: str, names: Sequence[str]) -> str:
    """Ask whether the nearest of some names was meant, as the end of a sentence; empty if none is near."""
    close = get_close_matches(name, names, 1)
    return f"; did you mean {close[0]!r}?" if close else ""


def parameters_of(factory: Callable[..., Any]) -> list[Parameter]:
    """The parameters of a factory of games, in the order of its signature."""
    return [parameter for parameter, _ in _read(factory)]


@lru_cache(maxsize=256)
def _read(factory: Callable[..., Any]) -> tuple[tuple[Parameter, _Kind], ...]:
    """Read the parameters of a factory, with their kinds, once: a sweep makes thousands of games by one factory."""
    hints, helped = get_type_hints(factory), get_type_hints(factory, include_extras=True)
    parameters = []
    for parameter in inspect.signature(factory).parameters.values():
        kind = _kind(hints[parameter.name])
        text = " ".join(getattr(helped[parameter.name], "__metadata__", ()))
        described = Parameter(
            parameter.name.replace("_", "-"), kind.hint, parameter.default, text, kind.choices, kind.hint in LISTS
        )
        parameters.append((described, kind))
    return tuple(parameters)


def values_of(name: str, factory: Callable[..., Any], given: Mapping[str, object]) -> dict[str, object]:
    """What is given as parameters of a game, as its factory takes it. None leaves the default."""
    kinds = {parameter.name: kind for parameter, kind in _read(factory)}
    known = list(kinds)
    values: dict[str, object] = {}
    for key, value in given.items():
        spelled = key.replace("_", "-")
        if spelled not in known:
            listed = f"; its parameters are {', '.join(known)}" if known else ""
            raise UnknownParameter(f"{name} has no parameter {spelled!r}{did_you_mean(spelled, known) or listed}")
        if value is not None:
            values[spelled.replace("-", "_")] = _read_value(kinds[spelled], spelled, value)
    return values


def game_factory(factory: Callable[Arguments, Made]) -> Callable[Arguments, Made]:
    """Read what a factory of games is called with from Python as what is typed on the command line is read."""
    names = tuple(inspect.signature(factory).parameters)
    name = factory.__name__.replace("_", "-")
    read: Callable[..., Made] = factory

    @wraps(factory)
    def made(*positional: Arguments.args, **named: Arguments.kwargs) -> Made:
        given = dict(zip(names, positional, strict=False))
        if len(positional) > len(names) or given.keys() & named.keys():
            return factory(*positional, **named)  # Python's own error says what is wrong
        return read(**values_of(name, factory, given | named))

    return made


def _read_value(kind: _Kind, spelled: str, value: object) -> object:
    """A value as the factory takes it, whether it is one already, or a text or stands for one."""
    if isinstance(value, Integral) and not isinstance(value, bool):
        value = int(value)  # numpy has whole numbers of its own
    if not isinstance(value, str) and kind.fits(value):
        return value
    text = None if isinstance(value, Number) else _typed(value)
    try:
        parsed = None if text is None else kind.read(text)
    except ValueError:
        parsed = None
    if not kind.fits(parsed):
        got, hint = _misspelled(kind, parsed, value)
        raise UnknownParameter(f"expected {kind.expected} for --{spelled}, got {got!r}{hint}")
    return parsed


def _misspelled(kind: _Kind, parsed: object, value: object) -> tuple[object, str]:
    """What is wrong with a value, and the word that was probably meant, where only some words fit."""
    words = parsed if isinstance(parsed, list) else [parsed]
    wrong = next((word for word in words if isinstance(word, str) and word not in kind.choices), None)
    return (value, "") if wrong is None or not kind.choices else (wrong, did_you_mean(wrong, kind.choices))


def _typed(value: Any) -> str | None:
    """What one would type on the command line for a value of Python; None where that is not clear."""
    if isinstance(value, str | os.PathLike | Rational):
        return str(value)
    entries = value.tolist() if hasattr(value, "tolist") else value  # an array
    if not isinstance(entries, list | tuple):
        return None
    words = [_typed(entry) for entry in entries]
    between = ";" if any(isinstance(entry, list | tuple) for entry in entries) else ","  # rows of a table
    return None if None in words else between.join(word for word in words if word is not None)
