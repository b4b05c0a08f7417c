"""The home page: games as cards in groups, with a picture, a sentence, and ways to learn, play and explore each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from ruse.core.game import Game
from ruse.core.jsonable import HIDDEN
from ruse.core.registry import Choice, GameSpec, games, groups, make, parameters_of, part
from ruse.explorer import pages, wording
from ruse.explorer.choices import headline_of
from ruse.explorer.entries import Entry
from ruse.explorer.forms import FormError
from ruse.explorer.library import Library
from ruse.explorer.search import said_of
from ruse.play.cover import cover
from ruse.present.scene import Scene

LEARN, PLAY, EXPLORE = WAYS = ("learn", "play", "explore")


@dataclass(frozen=True)
class GameCard:
    """A game on the home page."""

    name: str
    """as on the command line"""
    heading: str
    pitch: str
    """one sentence about it"""
    group: str
    """Hidden roles, Cards and dice, or Boards and classics"""
    ways: Mapping[str, str]
    """the pages that learn, play and explore it, with the table that comes first"""
    value: str
    """its value in a line; empty if it is not known, or differs from table to table"""
    choices: Sequence[Choice]
    """the parameters to choose before it opens"""
    more: Sequence[tuple[str, str]]
    """terms and what they mean"""
    variants: str
    """the page on which all its parameters can be changed; empty if it has none"""
    scene: Scene = field(metadata=HIDDEN)
    said: str = field(metadata=HIDDEN)
    """all text that describes it, for the filter"""


def cards(library: Library) -> list[GameCard]:
    """Return the cards of all games in groups."""
    known = {entry.title: entry for entry in library.entries() if entry.own}
    return [_card(games()[name], group, known, library) for group, names in groups().items() for name in names]


def _card(spec: GameSpec, group: str, known: Mapping[str, Entry], library: Library) -> GameCard:
    game, scene = _first(spec.name)
    choices = [_with_values(spec, choice) for choice in spec.choices]
    return GameCard(
        name=spec.name,
        heading=spec.heading,
        pitch=spec.pitch,
        group=group,
        ways={way: way_url(way, game) for way in WAYS},
        value="" if spec.choices else _value(game, known.get(game.title), library),
        choices=choices,
        more=spec.more,
        variants=pages.url("/solve", game=spec.name) if parameters_of(spec.name) else "",
        scene=scene,
        said=said_of(spec.name, spec.heading, spec.pitch, game.title, *(text for _, text in spec.more)).lower(),
    )


@cache
def _first(name: str) -> tuple[Game, Scene]:
    """Return the table of a game that comes first, and its picture."""
    game = make(name, {choice.parameter: next(iter(choice.values)) for choice in games()[name].choices})
    return game, cover(game)


def _value(game: Game, entry: Entry | None, library: Library) -> str:
    headline = "" if entry is None else headline_of(entry, library.standing(entry))
    return headline or wording.known_value(game)


def _with_values(spec: GameSpec, choice: Choice) -> Choice:
    """Add the known value of each table, if nothing else is chosen."""
    if len(spec.choices) > 1:
        return choice
    values = {}
    for value, text in choice.values.items():
        known = wording.known_value(make(spec.name, {choice.parameter: value})).partition(" (")[0]
        values[value] = f"{text}: {known[:1].lower()}{known[1:]}" if known else text
    return Choice(choice.parameter, choice.label, values)


def way_url(way: str, game: Game) -> str:
    """Return the address where a game is learned, played or explored."""
    if way == LEARN:
        return learn_url(game)
    return pages.url("/play", game=game.title) if way == PLAY else pages.position_url(game.title)


def learn_url(game: Game) -> str:
    """Return the address where a game is learned: by its drills."""
    return pages.url("/drills", game=game.title)


def chosen(name: str, query: Mapping[str, str]) -> Game:
    """Make the game that somebody chose on its card. Raises GameError if it is too large to solve."""
    spec = games().get(name)
    if spec is None or not spec.choices:
        raise FormError(f"expected a game with choices, got {name[:40]!r}")
    parameters = {}
    for choice in spec.choices:
        value = query.get(choice.parameter, next(iter(choice.values)))
        if value not in choice.values:
            raise FormError(f"expected {choice.parameter} to be one of {', '.join(choice.values)}, got {value[:40]!r}")
        parameters[choice.parameter] = value
    game = make(name, parameters)
    if (check := part(game, "solve", "check_size")) is not None:
        check(game)
    return game
