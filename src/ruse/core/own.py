"""A game of somebody's own: an object with the seven methods of the rules, and by default all else that a game has.

    start turn moves odds play knows payoff   the object's own, and all that one would lack without
    name        the class's or function's name in kebab-case: OneCard is one-card
    parameters  those of `__init__` or of the function, by its signature
    title       the name, with the parameters that are not the default: one-card(cards=5)
    sides       ("first", "second")
    wins        ()
    label, format_position  texts of moves and of what a side knows: `label` and `position`

Whatever the object has of these, and any other method, is taken from it.
"""

from __future__ import annotations

import inspect
import re
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from math import isfinite
from numbers import Rational
from types import UnionType
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin, get_type_hints

from ruse.core.declared import FORMER_METHODS, RULES, TEXTS, former_methods, held_methods, provided, rule_of, shadowed
from ruse.core.game import Game, GameError, Titled, as_written, is_library

NAME = re.compile(r"[a-z0-9][a-z0-9-]*")
SAFE = re.compile(r"[A-Za-z0-9_-]")
PROTOCOL = ("name", "title", "parameters", "sides", "wins", "label")  # of Game, besides the rules
PLAIN = (bool, int, str, Fraction)
_warned: dict[Any, Any] = {}  # warnings given before
ACCEPTED = "int, bool, str, Fraction, Literal, Sequence[int], Sequence[str] or Sequence[Literal]"


def lacking(thing: object) -> list[str]:
    """Which of the seven methods somebody's class or object does not have."""
    return [name for name in RULES if not callable(getattr(thing, name, None))]


class Own(Titled):
    """The rules of an object, with defaults."""

    name: str
    parameters: dict[str, Any]
    sides: tuple[str, ...]
    wins: tuple[str, ...]
    walked: str | None = None  # what the rules do (ruse.core.behaviour), as of the last sequence form
    token: str | None = None  # what stands for that where the game is too large to walk

    def __init__(self, rules: Any, name: str, parameters: Mapping[str, Any], title: str, origin: str) -> None:
        self.rules, self.name, self.origin = rules, name, origin
        self.parameters = {key: plain(value) for key, value in parameters.items()}
        self.title = _own_text(rules, "title") or title
        self.sides = _texts(rules, "sides", ("first", "second"), (2,))
        self.wins = _texts(rules, "wins", (), (0, 2, 3))
        for method in (*RULES, *TEXTS):
            if callable(rule := rule_of(rules, method)):
                setattr(self, method, rule)
        warn_of_former_methods(rules)

    @property
    def provides(self) -> tuple[type, ...]:
        """What the object's own class declares; nothing where somebody has replaced a rule here."""
        return () if self.replaced else provided(self.rules)

    @property
    def replaced(self) -> bool:
        """Whether somebody has replaced a rule of the object here."""
        return any(rule != rule_of(self.rules, name) for name, rule in held_methods(self).items())

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or "rules" not in self.__dict__:
            raise AttributeError(name)
        return rule_of(self.rules, name) if name in FORMER_METHODS else getattr(self.rules, name)

    def label(self, move: Any) -> str:
        return label(move)

    def format_position(self, knowledge: Any) -> str:
        return position(knowledge)


def warn_of_former_methods(rules: object) -> None:
    """Warn of methods under former names, once and where they are written: there Python shows it to their author."""
    kind = type(rules)
    for name in former_methods(rules):
        former = FORMER_METHODS[name]
        code = getattr(getattr(rules, former), "__code__", None)
        warnings.warn_explicit(
            f"rename the method {former} of {kind.__name__} to {name}",
            DeprecationWarning,
            code.co_filename if code else kind.__module__,
            code.co_firstlineno if code else 0,
            module=kind.__module__,
            registry=_warned,
        )


def _texts(rules: Any, name: str, default: tuple[str, ...], lengths: Sequence[int]) -> tuple[str, ...]:
    texts = getattr(rules, name, default)
    good = isinstance(texts, tuple | list) and len(texts) in lengths and all(isinstance(text, str) for text in texts)
    if not good or len(set(texts)) < len(texts):
        counts = " or ".join(map(str, lengths))
        raise GameError(f"expected {counts} different names as {name} of {type(rules).__name__}, got {texts!r}")
    return tuple(texts)


def as_game(thing: Any) -> Game:
    """An object with the seven methods as a game, with the parameters that it has kept under their names.

    A game of ruse's whose rules were changed, on the object or by a subclass, is a game of its own under another name.
    """
    if isinstance(thing, type) or lacking(thing):
        made = f" the class {thing.__name__}: call it" if isinstance(thing, type) and not lacking(thing) else ""
        raise GameError(f"expected a game, such as ruse.games.kuhn(), got{made or f' {thing!r}'}")
    kind = type(thing)
    changed = _derived(kind) and not unmodified(thing)
    if not changed and former_methods(thing) and all(hasattr(thing, name) for name in PROTOCOL):
        return cast(Game, Own(thing, thing.name, thing.parameters, thing.title, origin(thing)))
    if isinstance(thing, Game) and not changed:
        return thing
    given = getattr(thing, "parameters", None) if changed else None
    asked = _asked(kind, given)
    values = _values_of(thing, asked, given)
    name = name_of(kind)
    if is_library(kind):  # changed on the object alone
        name = f"my-{name}"
    return own(thing, name, asked, values, f"{kind.__module__}:{kind.__qualname__}")


def _values_of(thing: Any, asked: inspect.Signature, given: Any) -> dict[str, Any]:
    """Return the parameters that an object keeps under their names, or else in its `parameters`."""
    values = {name: getattr(thing, name, None) for name in asked.parameters}
    if isinstance(given, Mapping):
        values |= {name: given[name] for name in asked.parameters if name in given}
    return {name: value for name, value in values.items() if isinstance(value, PLAIN)}


def _asked(kind: type, given: Any) -> inspect.Signature:
    """What a class is made of; of one of ruse's whose constructor takes more than plain values, its parameters."""
    try:
        return signature(kind)
    except GameError:
        if not is_library(kind) or not isinstance(given, Mapping):
            raise
        return inspect.Signature([inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY) for name in given])


def own(
    rules: Any,
    name: str,
    asked: inspect.Signature,
    values: Mapping[str, Any],
    origin: str,
    taken: Collection[str] = (),
) -> Game:
    """An object as the game of that name that these values of its parameters make.

    A game of ruse's as it comes, under a name that is taken, stays what it is.
    """
    if missing := lacking(rules):
        raise GameError(f"expected a game from {origin}, got {type(rules).__name__}, which has no {missing[0]}")
    title = _title(name, asked, values)
    if isinstance(rules, Game) and unmodified(rules):  # the rules are ruse's, and need no wrapper
        if rules.name in taken:
            return rules
        rules.__dict__.update(name=name, title=title, parameters={key: plain(value) for key, value in values.items()})
        return rules
    return cast(Game, Own(rules, name, values, title, origin))


def unmodified(thing: object) -> bool:
    """Whether an object's class is ruse's own, as it was written, and no rule of the object was replaced."""
    return as_written(type(thing)) and not shadowed(thing)


def _derived(kind: type) -> bool:
    """Whether a class is, or comes from, a game of ruse's."""
    return any(is_library(base) and not lacking(base) for base in kind.__mro__)


def _own_text(rules: Any, name: str) -> str | None:
    """A text that somebody gave their game, but not one that it has from a game of ruse's."""
    kinds = [kind for kind in type(rules).__mro__ if not is_library(kind)]
    text = next((vars(kind)[name] for kind in kinds if name in vars(kind)), None)
    if not isinstance(text, str) and not _derived(type(rules)):
        text = getattr(rules, name, None)
    return text if isinstance(text, str) else None


def origin(game: Game) -> str:
    """Where a game of one's own came from, as it can be named, but without folders."""
    return game.origin if isinstance(game, Own) else f"{type(game).__module__}:{type(game).__qualname__}"


def name_of(factory: Any) -> str:
    """What a class or function is called on the command line."""
    said = vars(factory).get("name") if isinstance(factory, type) else None
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", factory.__name__)
    name = said if isinstance(said, str) else re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-")
    if not NAME.fullmatch(name):
        raise GameError(
            f"expected a name of small letters, digits and dashes, got {name!r} of {factory.__name__}: "
            "give the class a `name`"
        )
    return name


def _title(name: str, asked: inspect.Signature, values: Mapping[str, Any]) -> str:
    changed = [
        f"{key.replace('_', '-')}={_in_title(value)}"
        for key, value in values.items()
        if value != asked.parameters[key].default
    ]
    return f"{name}({','.join(changed)})" if changed else name


def _in_title(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return "-".join(_in_title(item) for item in value)
    return _escaped(value) if isinstance(value, str) else str(value).replace("/", ":")


def plain(value: Any) -> Any:
    """A parameter as JSON holds it."""
    if isinstance(value, Fraction):
        return str(value)
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value


# Parameters.


def signature(factory: Callable[..., Any]) -> inspect.Signature:
    """A class's or function's parameters, each with the type that says how it is read. Raises GameError."""
    source = factory.__init__ if isinstance(factory, type) else factory  # type: ignore[misc]
    try:
        asked = inspect.signature(factory)
        hints = get_type_hints(source, include_extras=True) if hasattr(source, "__annotations__") else {}
    except (ValueError, TypeError, NameError, AttributeError) as error:
        raise GameError(f"cannot read the parameters of {factory.__name__}: {error}") from error
    parameters = []
    for parameter in asked.parameters.values():
        hint = hints.get(parameter.name, parameter.default)
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD, parameter.POSITIONAL_ONLY):
            raise GameError(f"expected named parameters, got {parameter} in {factory.__name__}")
        if (kind := _kind(hint)) is None:
            got = "none" if hint is parameter.empty else str(getattr(hint, "__name__", hint))
            raise GameError(f"expected {ACCEPTED} as the type of {parameter.name} of {factory.__name__}, got {got}")
        help_ = " ".join(
            text for text in getattr(hints.get(parameter.name), "__metadata__", ()) if isinstance(text, str)
        )
        kept = parameter.replace(kind=parameter.KEYWORD_ONLY, annotation=Annotated[kind, help_] if help_ else kind)
        parameters.append(kept)
    return inspect.Signature(parameters)


def _kind(hint: Any) -> Any:
    """The type that a parameter is read as, by its annotation or else by its default."""
    if get_origin(hint) is Annotated:
        return _kind(get_args(hint)[0])
    if _is_words(hint):
        return hint
    if get_origin(hint) in (Union, UnionType):
        kinds = [_kind(argument) for argument in get_args(hint) if argument is not type(None)]
        return kinds[0] if len(kinds) == 1 else None
    if isinstance(hint, type) and get_origin(hint) is None:
        return hint if hint in PLAIN else None
    if get_origin(hint) is not None:
        return _sequence_kind(hint)
    if isinstance(hint, list | tuple) and hint and type(hint[0]) in (int, str):
        return Sequence[type(hint[0])]  # type: ignore[misc]
    return type(hint) if type(hint) in PLAIN else None


def _sequence_kind(hint: Any) -> Any:
    """Sequence of numbers or texts, for an annotation such as list[int]; None for any other."""
    outer, inner = get_origin(hint), [argument for argument in get_args(hint) if argument is not ...]
    if not isinstance(outer, type) or not issubclass(outer, Sequence) or len(inner) != 1:
        return None
    return Sequence[inner[0]] if inner[0] in (int, str) or _is_words(inner[0]) else None  # type: ignore[valid-type]


def _is_words(hint: Any) -> bool:
    """Whether an annotation lists the words that a parameter takes: Literal["none", "private"]."""
    return get_origin(hint) is Literal and all(isinstance(word, str) for word in get_args(hint))


# Texts of moves and of knowledge.


def label(move: Any) -> str:
    """A move as people write it."""
    if isinstance(move, str):
        return str(move)
    return str(move) if isinstance(move, bool | Fraction) or move is None else written(move)


def position(knowledge: Any) -> str:
    """What follows the title in a position: "@K/check" of ("K", "check"), "/K" of "K" and nothing of ()."""
    if isinstance(knowledge, tuple | list):
        return f"@{'/'.join(map(written, knowledge))}" * bool(knowledge)
    return f"/{written(knowledge)}"


def written(value: Any) -> str:
    """A plain value as a text that is safe in addresses: equal ones alike, others differently.

    Letters, digits, - and _ stand for themselves; ~ and two hexadecimal digits for any other byte, and for a first
    character that would make a text look like a number. Numbers are 3, -1 or 1:2, lists are (a,b), None is ~none.
    """
    if isinstance(value, str):
        return _escaped(value)
    if isinstance(value, Rational) or (isinstance(value, float) and isfinite(value)):
        return str(Fraction(value)).replace("/", ":")
    if value is None:
        return "~none"
    if isinstance(value, tuple | list):
        return f"({','.join(map(written, value))})"
    if isinstance(value, frozenset | set):
        return f"~set({','.join(sorted(map(written, value)))})"
    if isinstance(value, Enum):
        return f"~is-{_escaped(value.name)}"
    if is_dataclass(value) and not isinstance(value, type):
        held = ",".join(written(getattr(value, field.name)) for field in fields(value))
        return f"~of-{_escaped(type(value).__name__)}({held})"
    if getattr(type(value), "__repr__", None) is object.__repr__:
        raise GameError(
            f"expected plain values (numbers, strings, tuples of them), got {type(value).__name__}: use those, or "
            "write the methods label and format_position"
        )
    return f"~is-{_escaped(type(value).__name__)}({_escaped(repr(value))})"


def _escaped(text: str) -> str:
    if not text:
        return "~"
    escaped = "".join(character if SAFE.fullmatch(character) else _bytes(character) for character in text)
    return _bytes(text[0]) + escaped[1:] if text[0] in "0123456789-" else escaped


def _bytes(character: str) -> str:
    return "".join(f"~{byte:02X}" for byte in character.encode("utf-8", "surrogatepass"))
