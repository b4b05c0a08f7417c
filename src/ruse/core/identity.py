"""What makes a game the game that it is, as a short text: equal identities are equal rules.

    identity(game) = the first 24 hexadecimal digits of the SHA-256 of a JSON object, names sorted and without blanks:

    name        the game's name, as on the command line
    title       what its positions begin with
    parameters  all of them, as they would make it anew: a table's payoffs, the text of a file, OpenSpiel's own string
    rules       the version of its rules, `rules_version`, which a game raises when the same parameters mean other rules
    content     what else defines it, where its parameters do not say it all: the nodes of a tree that was built by hand
    reductions  the names of those that it has been through
    code        None of a game of ruse's that its name and parameters make; of another object with ruse's rules, its
                class and all that it holds; of anybody else's game, what its rules do (ruse.core.behaviour), its sides,
                the capabilities that it declares with what they return, and its presentation's texts

Solutions, sessions and checkpoints are kept and looked up by this. A title names no game: every payoff table is called
matrix, and a file may have any title that it likes.

Anybody else's game that is too large to walk has an identity of its own that no other object, and no other process,
ever has: nothing is looked up by it. A class of ruse's counts as ruse's while its methods and values are those of its
source, and an object while its instance dict is as its factory builds it. What that cannot see: a function whose code
object is replaced, a global of a module of ruse's that is changed, what lies in private mutable attributes, which are
taken for caches, and the nodes of a tree that was read from a file and changed afterwards.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from ruse.core import behaviour, rationals, registry, size_estimate
from ruse.core.capabilities import Memoryless
from ruse.core.clock import TimeIsUp
from ruse.core.contract import Checked, checked, rules_of
from ruse.core.declared import Capability, declares, provided
from ruse.core.game import Game, GameError, RuseError, Titled, is_library
from ruse.core.own import Own, unmodified
from ruse.core.presentation import overridden
from ruse.core.types import Digested

if TYPE_CHECKING:
    from ruse.forms.sequence_form import FormArrays
    from ruse.solution.strategy import Solution

LENGTH = 24  # hexadecimal digits
UNWALKED = "unwalked-"  # how the identity of a game begins that is too large to walk
OURS = "ruse."
REDUCTIONS = "ruse.forms.reductions."


def identity(game: Game) -> str:
    """What tells the rules of a game from all others."""
    reductions: list[str] = []
    while isinstance(game, Checked):
        game = game.unchecked
    while type(game).__module__.startswith(REDUCTIONS) and isinstance(inner := getattr(game, "game", None), Game):
        reductions.append(type(game).__name__)
        game = inner.unchecked if isinstance(inner, Checked) else inner
    try:
        parameters, content = plain(game.parameters), plain(_content(game))
    except (TypeError, RecursionError) as error:
        raise GameError(f"the parameters of {game.title} must be plain values: {error}") from error
    code = _code(game)
    if code == UNWALKED:
        return _unwalked(game)
    return digest(
        {
            "name": game.name,
            "title": game.title,
            "parameters": parameters,
            "rules": getattr(game, "rules_version", 1),
            "content": content,
            "reductions": reductions,
            "code": code,
        }
    )


def identity_of(solution: Solution) -> str:
    """What tells a solution from others: its game's identity, its bounds and both strategies, however found."""
    bounds = solution.certificate
    return digest(
        {
            "game": identity(solution.game),
            "bounds": [rationals.write(bounds.lower), rationals.write(bounds.upper)],
            "strategies": [
                table.digest()
                if isinstance(table, Digested)
                else {
                    position: {move: rationals.write(share) for move, share in odds.items()}
                    for position, odds in table.items()
                }
                for table in solution.tables
            ],
        }
    )


def identity_of_form(form: FormArrays) -> str:
    """What tells a sequence form from others: both trees and every payoff."""
    hashed = sha256(str(form.denominator).encode())
    for tree in form.trees:
        hashed.update(tree.parent.astype("<i8").tobytes() + tree.first.astype("<i8").tobytes())
    hashed.update(form.rows.astype("<i8").tobytes() + form.columns.astype("<i8").tobytes())
    whole = form.payoffs
    hashed.update(repr(whole.tolist()).encode() if whole.dtype == object else whole.astype("<i8").tobytes())
    return hashed.hexdigest()[:LENGTH]


def digest(parts: Mapping[str, Any]) -> str:
    """The first digits of the SHA-256 of an object in JSON."""
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()[:LENGTH]


def plain(value: Any) -> Any:
    """A plain value as JSON holds it: the same for equal values, another for others. Raises TypeError."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float | Fraction | Decimal):
        return {type(value).__name__: str(value)}
    if isinstance(value, Mapping):
        if all(isinstance(key, str) for key in value):
            return {key: plain(item) for key, item in value.items()}
        return {"pairs": _sorted([plain(key), plain(item)] for key, item in value.items())}
    if isinstance(value, set | frozenset):
        return {"set": _sorted(map(plain, value))}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if is_dataclass(value) and not isinstance(value, type):
        return {type(value).__qualname__: {field.name: plain(getattr(value, field.name)) for field in fields(value)}}
    raise TypeError(f"expected a plain value, got {type(value).__name__}")


def _sorted(values: Iterable[Any]) -> list[Any]:
    return sorted(values, key=lambda item: json.dumps(item, sort_keys=True))


class Foreign(Exception):
    """An object that is neither a plain value nor ruse's own."""


def _has_content(game: Game) -> bool:
    """Whether a class of ruse's says what defines a game besides its parameters; another's `content` is a helper."""
    kind = type(rules_of(game))
    return declares(rules_of(game), "content") or (is_library(kind) and kind.content is not Titled.content)


def _content(game: Game) -> object:
    return rules_of(game).content() if _has_content(game) else None


def _code(game: Game) -> Any:
    """What defines a game besides its name and parameters."""
    if unmodified(game) and not isinstance(game, Own):
        with suppress(Foreign, RecursionError):
            return None if _has_content(game) or _is_as_named(game) else _held(game)
    known = getattr(game, "walked", None)  # by whoever wrote its sequence form down
    walked = known if isinstance(game, Own) and known is not None else walk_digest(game)
    return UNWALKED if walked is None else [walked, list(game.sides), list(game.wins), _declared(game)]


def walk_digest(game: Game) -> str | None:
    """What the rules of a game do, by a walk; None where it is too large, or breaks the contract."""
    try:
        by_states = isinstance(game, Memoryless)  # each state once, whether or not play comes back to it
        if not by_states and not size_estimate.walkable(checked(game), behaviour.MOST_NODES):
            return None
        return behaviour.digest(game)
    except TimeIsUp:
        raise
    except (RuseError, behaviour.TooLarge):
        return None


def is_walked(identified: str) -> bool:
    """Whether an identity stands for what the rules do, and so for the same game in another process."""
    return not identified.startswith(UNWALKED)


def adopt(game: Game, identified: str) -> None:
    """Let a game that is too large to walk have the identity of another object with the same source."""
    if isinstance(game, Own) and not is_walked(identified):
        game.token = identified


def _unwalked(game: Game) -> str:
    """An identity that only this object has, or one that it was given."""
    if not isinstance(game, Own):
        return UNWALKED + token_hex(LENGTH // 2)
    if game.token is None:
        game.token = UNWALKED + token_hex(LENGTH // 2)
    return game.token


def _declared(game: Game) -> dict[str, Any]:
    """The capabilities that a game declares, and what its presentation overrides, with the texts of both."""
    written = vars(type(rules_of(game)))
    declared = {
        capability.__name__: _answers(
            game, (*capability.methods, *(name for name in capability.optional if name in written))
        )
        for capability in provided(game)
        if isinstance(capability, Capability)
    }
    shown = registry.presentation(game)
    if own := overridden(type(shown)):
        declared["Presentation"] = dict.fromkeys(own) | _answers(shown, own)
    return declared


def _answers(thing: object, names: Iterable[str]) -> dict[str, Any]:
    """What those methods return that need no argument."""
    answers: dict[str, Any] = {}
    for name in names:
        with suppress(Exception):  # anybody's code: it takes arguments, fails, or returns what is not plain
            value = getattr(thing, name)
            answers[name] = plain(value() if callable(value) else value)
    return answers


def _is_as_named(game: Game) -> bool:
    """Whether a game of ruse's is what its name and parameters make. Raises Foreign."""
    if registry.is_own(game.name):
        return False
    try:
        fresh = registry.make(game.name, game.parameters)
    except (RuseError, ValueError, TypeError, LookupError, ArithmeticError):
        return False
    mine, other = _attributes(game), _attributes(fresh)
    return (
        type(game) is type(fresh)
        and mine.keys() == other.keys()
        and all(value == other[name] or _held(value) == _held(other[name]) for name, value in mine.items())
    )


def _held(thing: Any) -> Any:
    """All that an object of ruse's holds, as plain values. Raises Foreign."""
    if thing is None or isinstance(thing, bool | int | str | float | Fraction | Decimal):
        return plain(thing)
    if isinstance(thing, Mapping):
        return {"pairs": _sorted([_held(key), _held(value)] for key, value in thing.items())}
    if isinstance(thing, set | frozenset):
        return {"set": _sorted(map(_held, thing))}
    if isinstance(thing, list | tuple):
        return [_held(item) for item in thing]
    kind = thing if isinstance(thing, type) else type(thing)
    if callable(thing) and not is_library(kind):  # a function, or one with a memory
        kind = getattr(thing, "__wrapped__", thing)
        held: Any = getattr(kind, "__qualname__", "")
    else:
        held = {name: _held(value) for name, value in _attributes(thing).items()}
    if not str(getattr(kind, "__module__", "")).startswith(OURS):
        raise Foreign
    return {getattr(kind, "__qualname__", ""): held}


def _attributes(thing: Any) -> dict[str, Any]:
    """The attributes that make an object what it is: not those that were worked out and kept for the next time."""
    kind = thing if isinstance(thing, type) else type(thing)
    return {
        name: value
        for name, value in getattr(thing, "__dict__", {}).items()
        if name not in getattr(kind, "outside", ())
        and not isinstance(getattr(kind, name, None), cached_property)
        and not (name.startswith("_") and isinstance(value, list | dict | set))
    }
