"""Games by name, and the parts that they bring: the only place that imports by name.

`ruse.games` lists the games of ruse; those of one's own are in `ruse.core.named_games` once they are named. What a room
does for every game, a game may do in its own way: it then says, in `parts` of its own class body, where that is; a
subclass, whose rules may be others, inherits none.

    solve         a module with the game's own solver (ruse.solving.routes); perhaps ITERATES and COMPRESSES: whether
                  it uses checkpoints and 16-bit numbers; `tables_of`, Game, weights of both sides -> Tables,
                  for strategies that files keep as whole numbers (ruse.solution.part_weights); `check_size`, which
                  raises GameError for a game that is too large; and of games that ruse brings perhaps `values`,
                  Game -> ValueSearch (ruse.present.states), `exploiter`, Solution, side, model -> Exploiter
                  (ruse.exploitation.response), `quick`, Game -> Quick (ruse.studio.solving), and
                  `plays`, Solution -> Game: a smaller game with the same plays, in which the solution's strategies
                  are written, or None
    verify        a module with `verifier`, Game, by_class -> Verifier: best responses from the rules (ruse.verify); and
                  perhaps `proof_checker`, Game -> ProofChecker (ruse.insight.proof_checker): only ruse's own games
    presentation  a class derived from Presentation (ruse.core.presentation)
    companion     a module for evenings at a real table (ruse.explorer.companion): `converse`, and perhaps `packed` with
                  `official` for a page in one file, `asked` for a page that a server makes, and `SEATS`, the name
                  of a module that seats people and bots (ruse.play.seats.SeatPart)
    insight       Solution, file -> Insight: what holds for all optimal strategies; only of games that ruse brings

A part is written "module:attribute" or "module", so that it is imported when it is needed; a class in a file may name
the object itself.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from types import MappingProxyType
from typing import Any, TypeVar

from ruse.core import named_games
from ruse.core.contract import built_in, rules_of, unchecked
from ruse.core.declared import declares, in_body, named_presentation, provided
from ruse.core.entry_points import theirs
from ruse.core.former_capabilities import FormerPresentation
from ruse.core.game import Game, PositionError, RuseError
from ruse.core.own import plain
from ruse.core.parameters import Parameter, did_you_mean, values_of
from ruse.core.parameters import parameters_of as read_parameters
from ruse.core.presentation import Presentation

TRUSTED = frozenset(
    {"verify", "insight", "plays", "values", "quick", "exploiter"}
)  # parts, and entries of them, whose word is a proof
HEAD = re.compile(r"(?P<name>[a-z0-9][a-z0-9-]*)(\((?P<changed>[^()]*)\))?(?=[/@]|$)")
NUMBERED = re.compile(r"(?P<name>.+)-(?P<number>\d+)")
SENTENCES = 3
SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
SOURCES = re.compile(r"\s*\((?:[^()]*\d{4}[^()]*|see [^()]*)\)")  # "(Kuhn 1950)"


Returned = TypeVar("Returned")


class UnknownGame(RuseError):
    """No game has that name."""


@dataclass(frozen=True)
class Choice:
    """A parameter that a page offers as a list of named values, such as the number of players."""

    parameter: str
    label: str
    values: Mapping[str, str]  # what people read, by value as somebody types it; the first is chosen at first


@dataclass(frozen=True)
class GameSpec:
    """A line of the list of games."""

    name: str
    made_by: str | Callable[..., Game]  # "module:factory", so that the module is imported when it is needed
    heading: str = ""  # the name as people write it, if not the name with a capital letter
    pitch: str = ""  # one sentence about it, for somebody who looks for a game
    choices: Sequence[Choice] = ()  # parameters to choose before it opens; ruse solves what is chosen
    more: Sequence[tuple[str, str]] = ()  # terms and what they mean, for somebody who chooses
    rules: str = ""  # how it is played, in about three sentences
    moves: str = ""  # what moves look like, where that does not speak for itself
    offered: Sequence[Mapping[str, object]] = ({},)  # parameters of the tables that the explorer offers unasked
    tables: tuple[str, str] | None = None  # where those are several: their heading, and what tells them apart
    advice: str = ""  # to whoever fills in its parameters
    refuse: Callable[[Mapping[str, str]], None] | None = None  # parameters that a page asks for, unmade: code of others

    @property
    def factory(self) -> Callable[..., Game]:
        made: Callable[..., Game] = imported(self.made_by) if isinstance(self.made_by, str) else self.made_by
        return made


def imported(reference: str) -> Any:
    """What "module" or "module:attribute" names."""
    module, _, attribute = reference.partition(":")
    imported_module = import_module(module)
    return getattr(imported_module, attribute) if attribute else imported_module


def part(game: Game, name: str, entry: str = "") -> Any | None:
    """What a game brings for a room of ruse's, or one entry of it; None where it has nothing of its own."""
    reference = (in_body(rules_of(game), "parts") or {}).get(name)
    if reference is None or ({name, entry} & TRUSTED and not built_in(unchecked(game))):
        return None
    brought = imported(reference) if isinstance(reference, str) else reference
    return getattr(brought, entry, None) if entry else brought


def presentation(game: Game) -> Presentation[Any]:
    """How a game is shown: as its class says, or as any other."""
    kind: type[Presentation[Any]]
    kind = named_presentation(rules_of(game)) or part(game, "presentation") or FormerPresentation
    return kind(game) if built_in(unchecked(game)) else _guarded(kind, game)


def _guarded(kind: type[Presentation[Any]], game: Game) -> Presentation[Any]:
    """A presentation that is anybody's code: what it raises is a sentence. ruse.play.shown does that for pictures."""
    with theirs(game.title, f"be shown by {kind.__name__}"):
        shown = kind(game)
    for name, default in vars(Presentation).items():
        method = getattr(shown, name)
        if callable(default) and name[0] != "_" and name != "picture" and getattr(method, "__func__", 0) is not default:
            setattr(shown, name, _guarded_method(method, f"be shown by {name} of {kind.__name__}", game.title))
    return shown


def _guarded_method(method: Callable[..., Any], purpose: str, title: str) -> Callable[..., Any]:
    def call(*arguments: Any) -> Any:
        with theirs(title, purpose):
            return method(*arguments)

    return call


def call_optional(method: Callable[..., Returned], game: Game, *arguments: object) -> Returned:
    """Call a method of a capability that has a default: the game's own, if the class body that declares it has it."""
    name, rules = method.__name__, rules_of(game)
    written = name in vars(type(rules)) and any(
        name in getattr(capability, "optional", ()) for capability in provided(game)
    )
    if not written and not declares(game, name):
        return method(game, *arguments)
    answer: Returned = getattr(rules, name)(*arguments)
    return answer


# Names.


def groups() -> Mapping[str, Sequence[str]]:
    """The names of games in groups, in the order in which the home page shows them."""
    named: Mapping[str, Sequence[str]] = imported("ruse.games:GROUPS")
    return named


def games() -> dict[str, GameSpec]:
    """The games that ruse brings."""
    specs: dict[str, GameSpec] = imported("ruse.games:GAMES")
    return specs


def elsewhere() -> dict[str, GameSpec]:
    """The games that are read from files and from other libraries."""
    specs: dict[str, GameSpec] = imported("ruse.games:ELSEWHERE")
    return specs


def names() -> list[str]:
    """Of all games that can be made: ruse's own, and those that were named in this process."""
    return [*games(), *elsewhere(), *named_games.OWN]


def named(spelled: str) -> str | None:
    """The name of the game that somebody spells, on the command line or in Python; None of what names no game.

    A game of one's own, FILE.py, FILE.py:NAME, package.module:NAME or an entry point's, is imported, and can be made by
    that name from then on.
    """
    if spelled in names():
        return spelled
    loaded = named_games.load(spelled, taken())
    return None if loaded is None else loaded.name


def taken() -> tuple[str, ...]:
    """Names that nobody else's game can have."""
    return (*games(), *elsewhere())


def know(spelled: str) -> str:
    """Return the name that a spelling stands for. Raises UnknownGame where no game has it."""
    name = named(spelled) or spelled
    spec(name)
    return name


def is_own(name: str) -> bool:
    """Whether a name is that of no game of ruse's."""
    return name not in taken()


def spec(name: str) -> GameSpec:
    """The line of a game, or of one's own."""
    if name in named_games.OWN:
        return GameSpec(name, named_games.OWN[name].factory, rules=_brief(named_games.OWN[name].text))
    game_spec = games().get(name) or elsewhere().get(name)
    if game_spec is None:
        hint = did_you_mean(name, [*games(), *named_games.OWN])
        lists = "; `ruse games` lists the games, and your own is a .py, .efg or .nfg file"
        raise UnknownGame(f"unknown game {name!r}{hint or lists}")
    return game_spec


def name_of(factory: Callable[..., Any]) -> str:
    """The name of a factory of ruse's; a class or function of somebody's own is known by its name from then on."""
    place = f"{getattr(factory, '__module__', '')}:{getattr(factory, '__qualname__', '')}"
    known = next((spec.name for spec in games().values() if spec.made_by == place and spec.factory is factory), None)
    return known or named_games.name(factory, taken()).name


# Games.


def parameters_of(name: str) -> list[Parameter]:
    """The parameters of a game, in the order of its factory's signature."""
    return read_parameters(spec(name).factory)


def make(name: str, parameters: Mapping[str, object] = MappingProxyType({})) -> Game:
    """The game of that name. Parameters are values, or texts as on the command line; None leaves the default."""
    factory = spec(name).factory
    return factory(**values_of(name, factory, parameters))


def arguments(name: str, parameters: Mapping[str, object] = MappingProxyType({})) -> dict[str, Any]:
    """What the factory of that name is called with, defaults included, as plain values."""
    factory = spec(name).factory
    given = values_of(name, factory, parameters)
    return {
        parameter.name: plain(given.get(parameter.name, parameter.default))
        for parameter in inspect.signature(factory).parameters.values()
    }


def find(spelled: str | Callable[..., Any], parameters: Mapping[str, object] = MappingProxyType({})) -> Game:
    """A game as people spell it: by name, as a file of Gambit's, as `openspiel:NAME`, or their own as `named` says.

    In Python it may be the class or function itself, which is known by its name from then on.
    """
    if not isinstance(spelled, str):
        return make(name_of(spelled), parameters)
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
    known = (*games(), *named_games.OWN)
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
        raise PositionError(f"expected the title {game.title!r} for this game, got {head[0]!r}")
    return game


# Words.


def summary(name: str) -> str:
    """A game in a line."""
    return (inspect.getdoc(spec(name).factory) or "").partition("\n")[0]  # python -OO drops it


def moves_text(name: str) -> str:
    """What a move looks like and means, in a sentence or two, or nothing."""
    return spec(name).moves


def rules_text(name: str) -> str:
    """How a game is played; of those that come from elsewhere, nothing; of one's own, what its docstring says."""
    entry = spec(name)
    if entry.rules or name not in games():
        return entry.rules
    module = inspect.getmodule(entry.factory)
    return _brief(module.__doc__ or "" if module else "")


@lru_cache(maxsize=64)
def _brief(text: str) -> str:
    """The first sentences of the paragraph that follows the heading."""
    paragraphs = [" ".join(paragraph.split()) for paragraph in text.strip().split("\n\n")]
    body = paragraphs[1] if len(paragraphs) > 1 else paragraphs[0]
    sentences = SENTENCE_END.split(SOURCES.sub("", body))
    return " ".join(sentences[:SENTENCES])
