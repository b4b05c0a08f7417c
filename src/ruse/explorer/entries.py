"""Games of the library: their values, solution files and addresses."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from ruse.core.game import Game, GameError
from ruse.core.identity import identity, is_walked
from ruse.core.named_games import OWN
from ruse.core.own import Own
from ruse.core.registry import game_of, games, make, presentation, rules_text
from ruse.explorer import wording
from ruse.explorer.solution_files import is_tagged, source_of, source_of_game
from ruse.present.viewer import too_large
from ruse.solution.store import source_of as source_of_rules
from ruse.solution.strategy import Solution

SLOW = 0.5  # seconds, to walk a game
MOST_SHOWN = 60  # characters of a table of payoffs

Stamp = tuple[int, ...]  # when a file was last written, its size, when it was last changed at all, which one it is


class Loaded(NamedTuple):
    """A file in memory."""

    stamp: Stamp
    solution: Solution
    digest: str  # of its bytes
    sealed: bool  # whether this explorer wrote it


@dataclass(frozen=True)
class Summary:
    """What the library page shows of a solution, so that it need not load every file."""

    sentence: str  # the value of the game
    mark: str  # how sure the value is
    solver: str
    exact: bool
    positions: tuple[int, int]  # that each side's strategy covers
    rules: str
    table: str  # the table, if a game has several
    too_large: bool = False  # to look at position by position
    looks: int = 0  # number of bounds that the run recorded


@dataclass(frozen=True)
class Entry:
    """A game in the library, with its solution if there is one."""

    title: str  # the beginning of its positions
    name: str  # of the game, as on the command line
    identity: str  # of the game
    sides: tuple[str, str]
    origin: str  # "built in", "given", "solved here", "sent", "found" beside those or "this folder"
    path: Path | None  # of the solution; None if not solved yet
    digest: str = ""  # of the file's bytes
    foreign: bool = False  # whether the file was made elsewhere, so that its bounds are only claims
    own: bool = False  # whether the explorer solves it on demand, or has solved it
    spec: dict[str, Any] | None = None  # what to solve if there is no file
    summary: Summary | None = None
    missing: bool = False  # whether the file was deleted or damaged meanwhile

    @property
    def source(self) -> str:
        """The key in addresses that tells apart games with one title and files of one game."""
        return source_of_game(self.identity) if self.own or self.path is None else source_of(self.path)

    @property
    def carried(self) -> str | None:
        """The source, if the title alone could mean another game or file; otherwise None."""
        return None if self.own and self.identity == named_by(self.title) else self.source


_identities: dict[str, str] = {}  # of users' own games that take long to walk, by name and parameters


def identified(game: Game) -> str:
    """Return the identity of a game; a user's own large game is walked only once."""
    if not isinstance(game, Own):
        return identity(game)
    loaded = OWN.get(game.name)
    spelling = [] if loaded is None else [loaded.spelled, loaded.digest]
    key = json.dumps([game.name, dict(game.parameters), *spelling], sort_keys=True)
    if key in _identities:
        return _identities[key]
    begun = perf_counter()
    known = identity(game)
    if perf_counter() - begun > SLOW:
        _identities[key] = known
    return known


def unsolved(game: Game, origin: str, spec: dict[str, Any]) -> Entry:
    key = identified(game)
    if not is_walked(key):  # a worker that imports the same source needs the identity
        spec = {**spec, "unwalked": {"identity": key, **source_of_rules(game)}}
    return Entry(game.title, game.name, key, game.sides, origin, None, own=True, spec=spec)


def solved(path: Path, origin: str, loaded: Loaded) -> Entry:
    """Make the entry of a file. A file in the explorer's folder without a valid seal comes from elsewhere."""
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
    """Return the identity of the built-in game that a title names; None if it names none or several."""
    try:
        return identity(game_of(title))
    except (ValueError, TypeError, LookupError, ArithmeticError, RecursionError):
        return None


def built_in() -> Iterator[tuple[Game, dict[str, Any]]]:
    """Yield the built-in games of the library: official tables, and small games with their defaults."""
    for name, spec in games().items():
        for parameters in spec.offered:
            yield make(name, parameters), {"name": name, "parameters": dict(parameters)}


@cache
def _on_request() -> Mapping[str, tuple[Game, dict[str, Any]]]:
    """Return the tables of the home page by title, with what a worker needs to make them: ruse solves what is asked."""
    tables = {}
    for name, spec in games().items():
        for chosen in product(*(choice.values for choice in spec.choices)):
            parameters = {choice.parameter: value for choice, value in zip(spec.choices, chosen, strict=True)}
            with suppress(GameError):  # more evil roles than spies
                game = make(name, parameters)
                tables[game.title] = (game, {"name": name, "parameters": parameters})
    return tables


def requested(position: str) -> Entry | None:
    """Return the entry of a position of such a table; None if it belongs to none."""
    title = re.split("[/@]", position, maxsplit=1)[0]
    table = _on_request().get(title)
    return None if table is None else unsolved(table[0], "built in", table[1])


def _summary(solution: Solution) -> Summary:
    verdict = wording.solved(solution)
    first, second = (len(table) for table in solution.tables)
    return Summary(
        verdict.sentence,
        verdict.mark,
        solution.solver,
        solution.certificate.exact,
        (first, second),
        *rules_and_table(solution.game),
        too_large=bool(too_large(solution.game)),
        looks=len(solution.points),
    )


def rules_and_table(game: Game) -> tuple[str, str]:
    """Return the rules of a game and its table."""
    if setup := presentation(game).setup():
        return rules_text(game.name), setup
    payoffs = game.parameters.get("payoffs")
    table = f"payoffs {payoffs}" if isinstance(payoffs, str) else ""
    return rules_text(game.name), table if len(table) <= MOST_SHOWN else f"{table[:MOST_SHOWN]}…"


def example(entry: Entry) -> Game:
    """Make the game of an entry that has no solution yet."""
    assert entry.spec is not None
    return make(entry.spec["name"], entry.spec["parameters"])
