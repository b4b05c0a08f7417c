"""Solutions in files: one that can be saved, reopened, shared and checked on another machine.

The container (ruse.solution.container) notices damage; whoever mends the checksum too has `ruse.verify` to convince.
docs/reference/solution-file.md says what the JSON holds.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from numbers import Rational
from pathlib import Path
from types import FunctionType
from typing import Any

from ruse.core import atomic_files, named_games, rationals, registry, sources
from ruse.core.certificate import NONE, Certificate, a_proof
from ruse.core.game import Game
from ruse.core.identity import adopt, identity, is_walked
from ruse.core.own import Own, as_game, origin
from ruse.core.types import Digested, StrategyTable
from ruse.solution import bids, container, history, mistakes, rows
from ruse.solution.container import SHOWN, OtherKind, StoreError, a_fraction, a_line, a_list, an_object, field, shown
from ruse.solution.strategy import Solution

KEPT = {"rows": rows, "bids": bids}  # strategies that are not written out position by position
__all__ = ["StoreError", "dumps", "load", "loads", "save"]


def save(solution: Solution, path: Path) -> Path:
    """Write a solution to a file. Whenever the process ends, the path holds the old file or the new one."""
    return container.write(path, dumps(solution, path))


def load(path: str | Path, game: Any = None) -> Solution:
    """The solution in a file.

    Parameters
    ----------
    path
        What `Solution.save` or `ruse solve --out` wrote.
    game
        For a game that is not ruse's own: an object with its rules, its class or function, or how it is spelled, as
        "mygame.py:Auction". A file never makes ruse run code. If the rules have changed since, a word on stderr
        says so.

    Returns
    -------
    Solution
        As it was saved.

    Raises
    ------
    StoreError
        The file is damaged, or something else.

    Examples
    --------
    >>> import ruse
    >>> path = ruse.solve(ruse.games.kuhn()).save("kuhn.ruse")
    >>> ruse.load(path).value
    Fraction(-1, 18)
    """
    return loads(container.read(Path(path)), str(path), game, atomic_files.warn, Path(path))


def dumps(solution: Solution, path: Path | None = None) -> bytes:
    """A solution as the bytes of its file, which `loads` has been seen to read.

    Strategies that are very long are written beside the file, if it has a path.
    """
    try:
        content = container.pack(_fields(solution, path))
    except TypeError as error:
        raise StoreError(f"this solution cannot be written as JSON: {error}") from error
    own = solution.game if registry.is_own(solution.game.name) else None
    again = loads(content, f"the solution of {solution.game.title}, not saved", own, path=path)
    same = again.tables == tuple(solution.tables) and again.certificate == solution.certificate
    if not same or identity(again.game) != identity(solution.game):
        raise StoreError(
            f"this solution of {again.game.title} changes when it is saved and loaded: please report this game"
        )
    return content


def loads(
    content: bytes,
    name: str,
    game: Any = None,
    warn: Callable[[str], object] | None = None,
    path: Path | None = None,
    sealed: bool = False,
) -> Solution:
    """The solution in the bytes of a file of that name, of a game of ruse's, or one that is given or was named before.

    `warn` hears it if the rules of such a game are others than those that were solved; without it that is refused.
    What a file says is a claim, and its certificate has no proof; `sealed`: this is the file as ruse wrote it here.
    """
    try:
        solution = _solution(
            container.unpack(content), game, _refuse if warn is None else lambda text: warn(f"{text} ({name})"), path
        )
    except StoreError as error:
        raise type(error)(f"{error} ({name})") from error.__cause__
    return solution if sealed else replace(solution, certificate=replace(solution.certificate, proof=NONE))


def _fields(solution: Solution, path: Path | None) -> dict[str, Any]:
    certificate = solution.certificate
    kept = next((table.kept_as for table in solution.tables if isinstance(table, Digested)), "")
    return {
        "game": solution.game.name,
        "parameters": dict(solution.game.parameters),
        "identity": identity(solution.game),
        **source_of(solution.game),
        "sides": list(solution.game.sides),
        "solver": solution.solver,
        "options": dict(solution.options),
        "seconds": solution.seconds,
        "iterations": solution.iterations,
        **({"points": points} if (points := history.kept(solution.points)) else {}),
        "versions": dict(solution.versions),
        "value": _written(certificate.lower) if certificate.exact else None,
        "certificate": {
            "lower": _written(certificate.lower),
            "upper": _written(certificate.upper),
            "proof": certificate.proof,
        },
        "strategies": [
            {position: {move: _written(share) for move, share in odds.items()} for position, odds in table.items()}
            for table in (() if kept else solution.tables)
        ],
        **({} if solution.mistakes is None else {"mistakes": mistakes.fields_of(solution.mistakes)}),
        **({kept: KEPT[kept].fields_of(solution.tables, path)} if kept else {}),
    }


def source_of(game: Game) -> dict[str, Any]:
    """Where a game that is not ruse's own came from, and the digest of that source."""
    if not registry.is_own(game.name):
        return {}
    rules = game.rules if isinstance(game, Own) else game
    return {"source": {"from": origin(game), "digest": sources.digest_of(type(rules))}}


def _written(number: Any) -> str:
    if not isinstance(number, Rational):
        raise TypeError(f"{number!r} is not a fraction")
    return rationals.write(number)


def _solution(
    fields: Mapping[str, Any], given: Any, warn: Callable[[str], object], path: Path | None = None
) -> Solution:
    """Fields that are not known here come from a newer minor version, and are left alone."""
    if fields.get("kind", "solution") != "solution":
        kind = shown(fields["kind"])
        raise OtherKind(f"expected a solution, as ruse solve saves it, got a file of the kind {kind}")
    game = game_in(fields, given)
    _check_identity(game, fields, warn)
    sides = a_list(field(fields, "sides"), "sides")
    if sides != list(game.sides):
        raise StoreError(f"the sides are not those of {game.name}, {game.sides[0]} and {game.sides[1]}")
    bounds = an_object(field(fields, "certificate"), "certificate")
    lower, upper = (a_fraction(field(bounds, name), name) for name in ("lower", "upper"))
    value = field(fields, "value")
    if (None if value is None else a_fraction(value, "value")) != (lower if lower == upper else None):
        expected = bounds["lower"] if lower == upper else "null"
        raise StoreError(f"expected the value {shown(expected)} that the certificate proves, got {shown(value)}")
    tables = a_list(field(fields, "strategies"), "strategies")
    far = next((name for name in KEPT if name in fields), "")
    if len(tables) != (0 if far else 2):
        raise StoreError(f"expected two strategies, got {len(tables)}")
    seconds, iterations = field(fields, "seconds"), field(fields, "iterations")
    if not isinstance(seconds, int | float) or isinstance(seconds, bool) or not 0 <= seconds < 1e15:
        raise StoreError(f"expected a number of at least 0 as seconds, got {shown(seconds)}")
    if not isinstance(iterations, int) or isinstance(iterations, bool) or iterations < 0:
        raise StoreError(f"expected a whole number of at least 0 as iterations, got {shown(iterations)}")
    versions = an_object(field(fields, "versions"), "versions")
    return Solution(
        game,
        a_line(field(fields, "solver"), "solver"),
        KEPT[far].tables_of(game, fields[far], path)
        if far
        else (_table(tables[0], game.sides[0]), _table(tables[1], game.sides[1])),
        Certificate(lower, upper, a_proof(bounds)),
        float(seconds),
        iterations,
        an_object(field(fields, "options"), "options"),
        {a_line(package, "package"): a_line(version, package) for package, version in versions.items()},
        points=_points(fields.get("points", [])),
        mistakes=mistakes.mistakes_of(fields["mistakes"], game.sides) if "mistakes" in fields else None,
    )


def _check_identity(game: Game, fields: Mapping[str, Any], warn: Callable[[str], object]) -> None:
    """Whether the rules here are those that the file says it solved: of a stranger's game a warning, else refused."""
    named, here = fields.get("identity"), identity(game)  # files of 0.4.0 have none
    if named == here:
        return
    if not registry.is_own(game.name):
        if named is not None:
            raise StoreError(
                f"this solution is for other rules or another game: expected the identity {here} of {game.title}, "
                f"got {shown(named)}"
            )
        return
    if not is_walked(here) and not is_walked(str(named)):  # too large to compare by what the rules do
        source = fields.get("source")
        if isinstance(source, dict) and source.get("digest") == source_of(game)["source"]["digest"]:
            adopt(game, str(named))
            return
    warn(
        f"the rules of {game.title} have changed since this file was solved, so it may be wrong: "
        "check it with ruse verify"
    )


def game_in(fields: Mapping[str, Any], given: Any) -> Game:
    """The game that a file says it is about, or the one that is given, where it is not ruse's."""
    name = a_line(field(fields, "game"), "game")
    parameters = an_object(field(fields, "parameters"), "parameters")
    ours = given is None and not registry.is_own(name)
    return _game(name, parameters) if ours else _own(name, parameters, given, fields)


def _points(found: Any) -> tuple[history.Point, ...]:
    """How the bounds came together, which older files and exact solvers do not say."""
    points = []
    for row in a_list(found, "points"):
        numbers = a_list(row, "a point")
        if len(numbers) != len(history.Point._fields) or not all(type(one) in (int, float) for one in numbers):
            raise StoreError(f"expected points of {len(history.Point._fields)} numbers, got {shown(row)}")
        points.append(history.Point(int(numbers[0]), *map(float, numbers[1:])))
    return tuple(points)


def _refuse(sentence: str) -> None:
    raise StoreError(sentence)


def _own(name: str, parameters: Mapping[str, Any], given: Any, fields: Mapping[str, Any]) -> Game:
    """A game that is not ruse's own, as whoever opens the file names it. What the file says of it is only repeated."""
    given_name: str | None = None
    if isinstance(given, str):
        given_name = registry.know(given)
    elif isinstance(given, type | FunctionType):
        given_name = named_games.name(given, registry.taken()).name
    elif given is not None:
        game = as_game(given)
        if (game.name, json.loads(json.dumps(dict(game.parameters)))) != (name, parameters):
            got = f"{name} with {container.cut(json.dumps(parameters))}"
            raise StoreError(f"expected a solution of {game.title}, got one of {got}")
        return game
    elif name in named_games.OWN:
        given_name = name
    source = fields.get("source")
    said = source.get("from") if isinstance(source, dict) else None
    if given_name != name and (given is not None or said is not None):
        raise StoreError(named_games.unnamed(shown(name), "file", said and shown(said), given_name))
    return _game(name, parameters)


def _game(name: str, parameters: Mapping[str, Any]) -> Game:
    """A file may name a game, but must not make the reader open other files."""
    if "file" in parameters:
        raise StoreError("a parameter of this game names another file, and a solution file must hold all of them")
    try:
        return registry.make(name, parameters)
    except (ValueError, TypeError, LookupError, ArithmeticError, RecursionError) as error:
        reason = str(error)
        raise StoreError(reason if len(reason) < 10 * SHOWN else reason[: 10 * SHOWN] + "…") from error


def _table(found: Any, side: str) -> StrategyTable:
    return {
        a_line(position, f"position of {side}"): {
            a_line(move, f"move at {position}"): a_fraction(share, f"odds of {move} at {position}")
            for move, share in an_object(odds, f"odds at {position}").items()
        }
        for position, odds in an_object(found, f"strategy of {side}").items()
    }
