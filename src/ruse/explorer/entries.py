"""Games of the library: what is known of each, where its solution is, and how its pages are called."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from ruse.core.game import Game
from ruse.core.identity import identity, is_walked
from ruse.core.named_games import OWN
from ruse.core.own import Own
from ruse.core.registry import game_of, games, make, presentation, rules_text
from ruse.explorer import say
from ruse.explorer.keeping import is_tagged, source_of, source_of_game
from ruse.present.viewer import too_large
from ruse.solution.store import source_of as source_of_rules
from ruse.solution.strategy import Solution

SLOW = 0.5  # seconds, to walk a game
MOST_TOLD = 60  # characters of a table of payoffs

Stamp = tuple[int, ...]  # when a file was last written, its size, when it was last changed at all, which one it is


class Loaded(NamedTuple):
    """A file in memory."""

    stamp: Stamp
    solution: Solution
    digest: str  # of its bytes
    sealed: bool  # whether it is as this explorer wrote it


@dataclass(frozen=True)
class Summary:
    """What the library page says of a solution, kept so that the page need not load them all."""

    sentence: str  # what the game is worth
    mark: str  # how sure that is
    solver: str
    exact: bool
    positions: tuple[int, int]  # that each side's strategy covers
    rules: str
    table: str  # what is played at, where a game has many tables
    too_large: bool = False  # to look at position by position
    looks: int = 0  # at the bounds that the run kept


@dataclass(frozen=True)
class Entry:
    """A game in the library, with its solution if there is one."""

    title: str  # how its positions begin
    name: str  # of the game, as on the command line
    identity: str  # of the game
    sides: tuple[str, str]
    origin: str  # "built in", "given", "solved here", "sent", "found" beside those or "this folder"
    path: Path | None  # of the solution; None where it has yet to be solved
    digest: str = ""  # of the file's bytes
    foreign: bool = False  # whether the file was made elsewhere, so that its bounds are only what it says
    own: bool = False  # whether it is what the explorer solves unasked, or has solved
    spec: dict[str, Any] | None = None  # what to solve where there is no file
    summary: Summary | None = None
    gone: bool = False  # whether the file was deleted or damaged since

    @property
    def source(self) -> str:
        """What tells games of one title and files of one game apart, in addresses."""
        return source_of_game(self.identity) if self.own or self.path is None else source_of(self.path)

    @property
    def carried(self) -> str | None:
        """The same, where the title alone means another game or file, or may in another run."""
        return None if self.own and self.identity == named_by(self.title) else self.source


_identities: dict[str, str] = {}  # of people's own games that take long to walk, by name and parameters


def identified(game: Game) -> str:
    """The identity of a game. A large one of somebody's own is walked once: pages would have to wait."""
    if not isinstance(game, Own):
        return identity(game)
    loaded = OWN.get(game.name)
    where = [] if loaded is None else [loaded.spelled, loaded.digest]
    key = json.dumps([game.name, dict(game.parameters), *where], sort_keys=True)
    if key in _identities:
        return _identities[key]
    begun = perf_counter()
    found = identity(game)
    if perf_counter() - begun > SLOW:
        _identities[key] = found
    return found


def unsolved(game: Game, origin: str, spec: dict[str, Any]) -> Entry:
    found = identified(game)
    if not is_walked(found):  # a worker has to be told, if it imports the same source
        spec = {**spec, "unwalked": {"identity": found, **source_of_rules(game)}}
    return Entry(game.title, game.name, found, game.sides, origin, None, own=True, spec=spec)


def solved(path: Path, origin: str, loaded: Loaded) -> Entry:
    """A file as an entry. What lies among our own and is not sealed was put there."""
    game = loaded.solution.game
    ours = origin == "solved here" and loaded.sealed
    return Entry(
        game.title,
        game.name,
        identity(game),
        game.sides,
        "found" if origin == "solved here" and not ours else origin,
        path,
        loaded.digest,
        foreign=not ours,
        own=ours and not is_tagged(path),
        summary=_summary(loaded.solution),
    )


@lru_cache(maxsize=1024)
def named_by(title: str) -> str | None:
    """The identity of the built-in game that a title names; None of titles that name none, or many, such as matrix."""
    try:
        return identity(game_of(title))
    except (ValueError, TypeError, LookupError, ArithmeticError, RecursionError):
        return None


def built_in() -> Iterator[tuple[Game, dict[str, Any]]]:
    """What games offer unasked: the official tables of The Resistance, and whatever is small as it comes."""
    for name, spec in games().items():
        for parameters in spec.offered:
            yield make(name, parameters), {"name": name, "parameters": dict(parameters)}


def _summary(solution: Solution) -> Summary:
    worth = say.solved(solution)
    first, second = (len(table) for table in solution.tables)
    return Summary(
        worth.sentence,
        worth.mark,
        solution.solver,
        solution.certificate.exact,
        (first, second),
        *told(solution.game),
        too_large=bool(too_large(solution.game)),
        looks=len(solution.points),
    )


def told(game: Game) -> tuple[str, str]:
    """The rules of a game, and the table it is played at."""
    if setup := presentation(game).setup():
        return rules_text(game.name), setup
    payoffs = game.parameters.get("payoffs")
    table = f"payoffs {payoffs}" if isinstance(payoffs, str) else ""
    return rules_text(game.name), table if len(table) <= MOST_TOLD else f"{table[:MOST_TOLD]}…"


def example(entry: Entry) -> Game:
    """The game of an entry that has no solution yet."""
    assert entry.spec is not None
    return make(entry.spec["name"], entry.spec["parameters"])
