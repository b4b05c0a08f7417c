"""What makes a game the game that it is, as a short text: equal identities are equal rules.

    identity(game) = the first 24 hexadecimal digits of the SHA-256 of a JSON object, names sorted and without blanks:

    name        the game's name, as on the command line
    title       what its positions begin with
    parameters  all of them, as they would make it anew: a table's payoffs, the text of a file, OpenSpiel's own string
    rules       the version of its rules, `rules_version`, which a game raises when the same parameters mean other rules
    content     what else defines it, where its parameters do not say it all: the nodes of a tree that was built by hand
    reductions  the names of those that it has been through
    code        only of a game that is not ruse's own, which its parameters may not make: for each class, its module,
                its qualified name and the SHA-256 of the module's source where that can be read, and what plain values
                and other games the object holds

What is kept is kept and looked up by this: solutions, sessions, checkpoints. A title names no game: every payoff table
is called matrix, and a file may have any title that it likes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from inspect import getsourcefile, ismemberdescriptor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ruse.core import rationals
from ruse.core.capabilities import Built
from ruse.core.contract import Checked
from ruse.core.game import Game, GameError
from ruse.core.own import Own
from ruse.core.types import Digested

if TYPE_CHECKING:
    from ruse.forms.sequence_form import SequenceForm
    from ruse.solution.strategy import Solution

LENGTH = 24  # hexadecimal digits
KNOWN = ("ruse", "typing", "abc", "builtins")  # packages whose classes need no digest of their source


def identity(game: Game) -> str:
    """What tells the rules of a game from all others."""
    reductions: list[str] = []
    while isinstance(game, Checked):
        game = game.unchecked
    while _is_wrapper(game) and isinstance(inner := getattr(game, "game", None), Game):
        reductions.append(type(game).__name__)
        game = inner.unchecked if isinstance(inner, Checked) else inner
    try:
        parameters, content = plain(game.parameters), plain(game.content() if isinstance(game, Built) else None)
    except (TypeError, RecursionError) as error:
        raise GameError(f"the parameters of {game.title} must be plain values: {error}") from error
    return digest(
        {
            "name": game.name,
            "title": game.title,
            "parameters": parameters,
            "rules": getattr(game, "rules_version", 1),
            "content": content,
            "reductions": reductions,
            "code": _code(game.rules if isinstance(game, Own) else game),
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
                one.digest()
                if isinstance(one, Digested)
                else {
                    position: {move: rationals.write(share) for move, share in odds.items()}
                    for position, odds in one.items()
                }
                for one in solution.tables
            ],
        }
    )


def identity_of_form(form: SequenceForm) -> str:
    """What tells a sequence form from others: both trees and every payoff."""
    found = sha256(str(form.denominator).encode())
    for tree in form.trees:
        found.update(tree.parent.astype("<i8").tobytes() + tree.first.astype("<i8").tobytes())
    found.update(form.rows.astype("<i8").tobytes() + form.columns.astype("<i8").tobytes())
    whole = form.payoffs
    found.update(repr(whole.tolist()).encode() if whole.dtype == object else whole.astype("<i8").tobytes())
    return found.hexdigest()[:LENGTH]


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
            return {key: plain(one) for key, one in value.items()}
        return {"pairs": _sorted([plain(key), plain(one)] for key, one in value.items())}
    if isinstance(value, set | frozenset):
        return {"set": _sorted(map(plain, value))}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if is_dataclass(value) and not isinstance(value, type):
        return {type(value).__qualname__: {one.name: plain(getattr(value, one.name)) for one in fields(value)}}
    raise TypeError(f"expected a plain value, got {type(value).__name__}")


def _sorted(values: Iterable[Any]) -> list[Any]:
    return sorted(values, key=lambda one: json.dumps(one, sort_keys=True))


def _code(game: Any) -> list[Any] | None:
    """Where a game that is not ruse's own comes from, and what it holds."""
    foreign = [kind for kind in type(game).__mro__ if not _is_known(kind)]
    if not foreign:
        return None
    return [*([kind.__module__, kind.__qualname__, source_digest(kind)] for kind in foreign), _held(game)]


def _is_wrapper(game: Game) -> bool:
    """Whether a game may be one of ruse's around another."""
    return _is_known(type(game)) and not isinstance(game, Own)


def _is_known(kind: type) -> bool:
    return kind.__module__.partition(".")[0] in KNOWN


@lru_cache(maxsize=256)
def source_digest(kind: Any) -> str | None:
    """The digest of the module that a class or function was written in, as it was when first asked for."""
    try:
        path = getsourcefile(kind)
        return None if path is None else sha256(Path(path).read_bytes()).hexdigest()
    except (OSError, TypeError):  # typed at a prompt
        return None


def _held(game: Any) -> dict[str, Any]:
    """The plain values and games of an object. What is under an underscore and can change is a memory, not a rule."""
    found: dict[str, Any] = {}
    slots = (name for kind in type(game).__mro__ for name, one in vars(kind).items() if ismemberdescriptor(one))
    values = {name: getattr(game, name, None) for name in (*getattr(game, "__dict__", ()), *slots)}
    for name, value in (values | {"items": tuple(game) if isinstance(game, tuple) else ()}).items():
        if name.startswith("_") and isinstance(value, list | dict | set):
            continue
        with suppress(TypeError, RecursionError):  # neither
            found[name] = {"identity": identity(value)} if isinstance(value, Game) else plain(value)
    return found
