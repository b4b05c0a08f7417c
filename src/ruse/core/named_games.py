"""Games of one's own, by the names that people give them: FILE.py, FILE.py:NAME, package.module:NAME, an entry point.

Only what somebody spells, on the command line or in Python, is ever imported. It is then known by its name to all that
makes games by names (`OWN`): solution files, sessions, pages and addresses never say more than such a name.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import EntryPoint
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from ruse.core import entry_points, sources
from ruse.core.declared import RULES
from ruse.core.entry_points import Broken, line, said, unimported, warn_once
from ruse.core.game import Game, GameError
from ruse.core.own import NAME, lacking, name_of, own, signature

GROUP = "ruse.games"  # of entry points
FILE = re.compile(r"(?P<file>.+\.py)(?::(?P<name>[^:/\\]*))?", re.IGNORECASE)
MODULE = re.compile(r"(?P<module>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*):(?P<name>[A-Za-z_]\w*)", re.ASCII)
MANY = 4  # methods of the seven that make a class an unfinished game


@dataclass(frozen=True)
class NamedGame:
    """A game of one's own that was named in this process."""

    name: str
    factory: Callable[..., Game]
    spelled: str  # as it can be named again from here
    origin: str  # the same without folders, as solution files say it
    digest: str | None  # of its source
    text: str  # what its docstrings say


OWN: dict[str, NamedGame] = {}


@contextmanager
def only_here() -> Iterator[None]:
    """Within it games are known only if they are named within it: each command line for itself."""
    before = dict(OWN)
    OWN.clear()
    try:
        yield
    finally:
        OWN.clear()
        OWN.update(before)


def is_spelled(text: str) -> bool:
    """Whether a text has the form FILE.py, FILE.py:NAME or package.module:NAME."""
    return bool(FILE.fullmatch(text) or (MODULE.fullmatch(text) and not text.startswith("openspiel:")))


def load(spelled: str, taken: Collection[str] = ()) -> NamedGame | None:
    """Import a game of one's own, to be known by its name from now on; None if no entry point is called so either."""
    if file := FILE.fullmatch(spelled):
        return _know(_from_file(file["file"], file["name"], taken), taken)
    if is_spelled(spelled):
        return _know(_from_module(spelled, taken), taken)
    point = installed(taken).get(spelled)
    if point is None:
        return None
    try:
        return _know(_from_entry(point, taken), taken)
    except Broken as error:
        raise GameError(str(error)) from error


def name(factory: Callable[..., Any], taken: Collection[str] = ()) -> NamedGame:
    """A class or function of Python's as a game that is known by its name from now on."""
    spelled = f"{factory.__module__}:{factory.__qualname__}"
    return _know(_named(factory, name_of(factory), spelled, spelled, spelled, taken), taken)


def installed(taken: Collection[str] = ()) -> dict[str, EntryPoint]:
    """The games of installed packages, not loaded yet; of those that cannot be, a word on stderr."""
    return entry_points.installed(GROUP, "game", NAME, taken)


def load_installed(taken: Collection[str] = ()) -> None:
    """Load the games of all installed packages; one that fails gets a word on stderr, and is left out."""
    for point in installed(taken).values():
        try:
            _know(_from_entry(point, taken), taken)
        except (GameError, Broken) as error:
            warn_once(f"{error}; ruse continues without it")


def unnamed(name: str, kind: str, origin: str | None = None, given: str | None = None) -> str:
    """Why a file of some kind is not opened whose game is nobody's who opens it."""
    source = "" if origin is None else f" (the {kind} says {origin})"
    instead = given or ", ".join(OWN)
    return (
        f"name the rules of {name}{source} with --game FILE.py:NAME, or game=… in Python"
        f"{f', instead of {instead}' if instead else ''}: ruse runs only code that you name"
    )


def _know(named: NamedGame, taken: Collection[str]) -> NamedGame:
    if named.name in taken:
        raise GameError(
            f"ruse already has a game {named.name!r}: rename the class of {named.origin}, or give it a `name`"
        )
    OWN[named.name] = named
    return named


def _named(target: Any, name: str, spelled: str, origin: str, place: str, taken: Collection[str]) -> NamedGame:
    """A class or function as a factory of games, with a signature that the rest of ruse can read."""
    asked = signature(target)

    def make(**values: Any) -> Game:
        for parameter in asked.parameters.values():
            if parameter.default is parameter.empty and parameter.name not in values:
                raise GameError(f"{name} needs --{parameter.name.replace('_', '-')}")
        try:
            made = target(**values)
        except GameError:
            raise
        except Exception as error:  # anybody's code
            raise GameError(f"{place} failed to make a game: {said(error)}{line(error)}") from error
        filled = {
            parameter.name: values.get(parameter.name, parameter.default) for parameter in asked.parameters.values()
        }
        return own(made, name, asked, filled, origin, taken)

    text = inspect.getdoc(target) if not isinstance(target, type) or target.__doc__ else None
    module = sys.modules.get(target.__module__)
    text = text or inspect.cleandoc((module.__doc__ if module else None) or "")
    make.__doc__ = text.partition("\n")[0]
    make.__name__ = make.__qualname__ = target.__name__
    make.__module__ = target.__module__
    make.__signature__ = asked  # type: ignore[attr-defined]
    make.__annotations__ = {parameter.name: parameter.annotation for parameter in asked.parameters.values()}
    return NamedGame(name, make, spelled, origin, sources.digest_of(target), text)


# Files.


def _from_file(file: str, asked: str | None, taken: Collection[str]) -> NamedGame:
    path = Path(file)
    module = sources.load(path)
    games = _games_in(module)
    if asked is None:
        if len(games) > 1:
            example = f"{path.name}:{next(iter(games))}"
            raise GameError(f"{path.name} has several games, {', '.join(games)}: name one, as in {example}")
        if not games:
            raise GameError(_what_is_missing(module, path.name))
        asked = next(iter(games))
    target = _target(module, asked, path.name)
    spelled = f"{path.resolve()}:{asked}"
    return _named(target, name_of(target), spelled, f"{path.name}:{asked}", path.name, taken)


def _games_in(module: ModuleType) -> dict[str, type]:
    """The classes that were written in a module and have the seven methods."""
    return {
        key: kind
        for key, kind in vars(module).items()
        if isinstance(kind, type) and kind.__module__ == module.__name__ and key[0] != "_" and not lacking(kind)
    }


def _what_is_missing(module: ModuleType, file: str) -> str:
    """Explain why a file has no game: what its likeliest class lacks, or that none comes near."""
    kinds = [kind for kind in vars(module).values() if isinstance(kind, type) and kind.__module__ == module.__name__]
    kinds.sort(key=lambda kind: len(lacking(kind)))
    if kinds and len(lacking(kinds[0])) <= len(RULES) - MANY:
        lacks = " and no ".join(lacking(kinds[0]))
        needs = ", ".join(RULES)
        return f"class {kinds[0].__name__} in {file} has no {lacks}{_defined(kinds[0])}; a game needs {needs}"
    functions = [key for key, made in vars(module).items() if isinstance(made, FunctionType) and key[0] != "_"]
    functions = [key for key in functions if vars(module)[key].__module__ == module.__name__]
    named = f"; if a function returns the game, name it, as in {file}:{functions[-1]}" if functions else ""
    return f"{file} has no class with the methods {', '.join(RULES)}{named}"


def _defined(target: Any) -> str:
    try:
        return f" (line {inspect.getsourcelines(target)[1]})"
    except (OSError, TypeError):
        return ""


def _target(module: ModuleType, asked: str, place: str) -> Any:
    target = getattr(module, asked, None)
    if target is None:
        known = ", ".join(_games_in(module)) or "none"
        raise GameError(f"{place} has no class or function {asked!r}; its games are: {known}")
    if isinstance(target, type):
        if missing := lacking(target):
            without = " and no ".join(missing)
            needs = ", ".join(RULES)
            raise GameError(f"class {asked} in {place} has no {without}{_defined(target)}; a game needs {needs}")
    elif not isinstance(target, FunctionType):
        got = f"{type(target).__name__} ({place}:{asked})"
        raise GameError(f"expected a class, or a function that returns a game, got {got}")
    return target


# Modules and entry points.


def _from_module(spelled: str, taken: Collection[str]) -> NamedGame:
    named, asked = spelled.split(":")
    sys.path.append(str(Path.cwd()))  # last, and only for this
    try:
        with redirect_stdout(sys.stderr):
            module = import_module(named)
    except (Exception, SystemExit) as error:  # anybody's code
        if isinstance(error, ModuleNotFoundError) and error.name and f"{named}.".startswith(f"{error.name}."):
            raise GameError(f"cannot import {named!r}: it is not installed") from error
        raise GameError(unimported(error, named)) from error
    finally:
        sys.path.pop()
    target = _target(module, asked, named)
    return _named(target, name_of(target), spelled, spelled, spelled, taken)


def _from_entry(point: EntryPoint, taken: Collection[str]) -> NamedGame:
    target = entry_points.loaded(point)
    if not isinstance(target, type | FunctionType) or (isinstance(target, type) and lacking(target)):
        wanted = f"expected a class with the methods {', '.join(RULES)}, or a function,"
        raise Broken(f"{wanted} for {entry_points.entry_point_text(point)}")
    return _named(target, point.name, point.name, point.name, point.value, taken)
