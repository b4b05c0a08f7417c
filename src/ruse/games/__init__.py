"""The games. GAMES is the only list of them; to add one, write its file and add its line.

A game's parameters are those of its factory: their names, types, defaults and the help in `Annotated`
are read from its signature by `make`, by `game_of` and by the command line.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from fractions import Fraction
from types import MappingProxyType
from typing import Any, NamedTuple, get_args, get_type_hints

from ruse.core.game import Game, PositionError, RuseError
from ruse.core.plain_games.matrix import matrix, number
from ruse.core.plain_games.tree import efg, nfg
from ruse.formats.openspiel import openspiel
from ruse.games import own
from ruse.games.battleship import battleship
from ruse.games.four_in_a_row.rules import four_in_a_row
from ruse.games.goofspiel import goofspiel
from ruse.games.guess_who import guess_who
from ruse.games.kubicek import kubicek
from ruse.games.kuhn import kuhn
from ruse.games.leduc import leduc
from ruse.games.liars_dice import liars_dice
from ruse.games.mini_poker import mini_poker
from ruse.games.morra import morra
from ruse.games.nim import nim
from ruse.games.oshi_zumo import oshi_zumo
from ruse.games.phantom.four_in_a_row import phantom_four_in_a_row
from ruse.games.phantom.tic_tac_toe import phantom_tic_tac_toe
from ruse.games.pig import pig
from ruse.games.resistance import resistance
from ruse.games.rock_paper_scissors import rock_paper_scissors
from ruse.games.tic_tac_toe import tic_tac_toe

__all__ = [
    "ELSEWHERE",
    "GAMES",
    "Parameter",
    "UnknownGame",
    "UnknownParameter",
    "battleship",
    "efg",
    "find",
    "four_in_a_row",
    "game_of",
    "goofspiel",
    "guess_who",
    "is_own",
    "know",
    "kubicek",
    "kuhn",
    "leduc",
    "liars_dice",
    "make",
    "matrix",
    "mini_poker",
    "morra",
    "named",
    "names",
    "nfg",
    "nim",
    "openspiel",
    "oshi_zumo",
    "own",
    "parameters_of",
    "phantom_four_in_a_row",
    "phantom_tic_tac_toe",
    "pig",
    "resistance",
    "rock_paper_scissors",
    "tic_tac_toe",
]

GAMES: dict[str, Callable[..., Game]] = {
    "resistance": resistance,
    "kuhn": kuhn,
    "leduc": leduc,
    "mini-poker": mini_poker,
    "rock-paper-scissors": rock_paper_scissors,
    "matrix": matrix,
    "kubicek": kubicek,
    "tic-tac-toe": tic_tac_toe,
    "liars-dice": liars_dice,
    "goofspiel": goofspiel,
    "battleship": battleship,
    "oshi-zumo": oshi_zumo,
    "guess-who": guess_who,
    "pig": pig,
    "nim": nim,
    "morra": morra,
    "phantom-tic-tac-toe": phantom_tic_tac_toe,
    "phantom-4-in-a-row": phantom_four_in_a_row,
    "4-in-a-row": four_in_a_row,
}

# Games that come from files and from other libraries.
ELSEWHERE: dict[str, Callable[..., Game]] = {"efg": efg, "nfg": nfg, "openspiel": openspiel}

HEAD = re.compile(r"(?P<name>[a-z0-9][a-z0-9-]*)(\((?P<changed>[^()]*)\))?(?=[/@]|$)")
NUMBERED = re.compile(r"(?P<name>.+)-(?P<number>\d+)")


class UnknownGame(RuseError):
    """No game has that name."""


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


def _known(name: str, names: Sequence[str]) -> str:
    """The end of a sentence: which names there are, and which of them may have been meant."""
    close = get_close_matches(name, names, 1)
    return f"got {name!r}" + (f"; did you mean {close[0]!r}?" if close else "")


def names() -> list[str]:
    """Of all games that can be made: ruse's own, and those that were named in this process."""
    return [*GAMES, *ELSEWHERE, *own.OWN]


def named(spelled: str) -> str | None:
    """The name of the game that somebody spells, on the command line or in Python; None of what names no game.

    A game of one's own, FILE.py, FILE.py:NAME, package.module:NAME or an entry point's, is imported, and can be made by
    that name from then on.
    """
    if spelled in GAMES or spelled in ELSEWHERE or spelled in own.OWN:
        return spelled
    found = own.load(spelled, (*GAMES, *ELSEWHERE))
    return None if found is None else found.name


def know(spelled: str) -> str:
    """The same; raises UnknownGame of what names no game."""
    name = named(spelled) or spelled
    _factory(name)
    return name


def is_own(name: str) -> bool:
    """Whether a name is that of no game of ruse's."""
    return name not in GAMES and name not in ELSEWHERE


def _factory(name: str) -> Callable[..., Game]:
    if name in own.OWN:
        return own.OWN[name].factory
    if name in ELSEWHERE:
        return ELSEWHERE[name]
    if name not in GAMES:
        raise UnknownGame(
            f"expected a game, one of {', '.join([*GAMES, *own.OWN])}, FILE.efg, .nfg, .py or openspiel:NAME, "
            f"{_known(name, [*GAMES, *own.OWN])}"
        )
    return GAMES[name]


def parameters_of(name: str) -> list[Parameter]:
    """The parameters of a game, in the order of its factory's signature."""
    factory = _factory(name)
    hints, helped = get_type_hints(factory), get_type_hints(factory, include_extras=True)
    return [
        Parameter(
            parameter.name.replace("_", "-"),
            _kind(hints[parameter.name]).hint,
            parameter.default,
            " ".join(getattr(helped[parameter.name], "__metadata__", ())),
        )
        for parameter in inspect.signature(factory).parameters.values()
    ]


def make(name: str, parameters: Mapping[str, object] = MappingProxyType({})) -> Game:
    """The game of that name. Parameters are values, or texts as on the command line; None leaves the default."""
    factory = _factory(name)
    hints = get_type_hints(factory)
    known = [parameter.name for parameter in parameters_of(name)]
    values: dict[str, object] = {}
    for key, value in parameters.items():
        spelled = key.replace("_", "-")
        if spelled not in known:
            expected = f"a parameter of {name}, one of {', '.join(known)}" if known else f"no parameter of {name}"
            raise UnknownParameter(f"expected {expected}, {_known(spelled, known)}")
        if value is None:
            continue
        identifier = spelled.replace("-", "_")
        kind = _kind(hints[identifier])
        try:
            values[identifier] = kind.read(value) if isinstance(value, str) else value
        except ValueError:
            values[identifier] = None
        if not kind.fits(values[identifier]):
            raise UnknownParameter(f"expected {kind.expected} for --{spelled}, got {value!r}")
    return factory(**values)


def find(spelled: str | Callable[..., Any], parameters: Mapping[str, object] = MappingProxyType({})) -> Game:
    """A game as people spell it: by name, as a file of Gambit's, as `openspiel:NAME`, or their own as `named` says.

    In Python it may be the class or function itself, which is known by its name from then on.
    """
    if not isinstance(spelled, str):
        return make(own.name(spelled, (*GAMES, *ELSEWHERE)).name, parameters)
    _, dot, kind = spelled.lower().rpartition(".")
    if dot and kind in ("efg", "nfg"):
        return make(kind, {"file": spelled, **parameters})
    if spelled.startswith("openspiel:"):
        return make("openspiel", {"game": spelled.removeprefix("openspiel:"), **parameters})
    return make(named(spelled) or spelled, parameters)


def game_of(position: str) -> Game:
    """The game that a position begins with: `kuhn@K/check`, `resistance-5/ab+`, `resistance(players=7,spies=2)`."""
    head = HEAD.match(position)
    if head is None:
        raise PositionError(f"expected a game and steps, such as resistance-5/ab+, got {position!r}")
    name, changed = head["name"], head["changed"]
    parameters: dict[str, object] = {}
    numbered = NUMBERED.fullmatch(name)
    known = (*GAMES, *own.OWN)
    if name not in known and numbered and numbered["name"] in known and changed is None:
        name = numbered["name"]
        first = parameters_of(name)[:1]
        if not first or first[0].hint != "N":
            raise PositionError(f"expected {name} without a number, got {head[0]!r}")
        parameters[first[0].name] = numbered["number"]
    for pair in changed.split(",") if changed is not None else ():
        key, equals, value = pair.partition("=")
        if not equals:
            raise PositionError(f"expected a name, = and a value between the brackets, got {pair!r} in {position!r}")
        parameters[key] = value
    game = make(name, parameters)
    if game.title != head[0]:
        raise PositionError(f"expected this game under its own title, {game.title!r}, got {head[0]!r}")
    return game
