"""Save solutions to files and load them again, on any machine.

The container (ruse.solution.container) detects damage, and `ruse.verify` detects forged claims.
docs/reference/solution-file.md describes the JSON.
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
from ruse.solution import bids, container, history, mistakes, part_weights, rows
from ruse.solution.container import SHOWN, OtherKind, StoreError, a_fraction, a_line, a_list, an_object, field, shown
from ruse.solution.strategy import Solution

# Modules for strategies that are not written position by position.
COMPACT = {
    "rows": rows,
    "bids": bids,
    "weights": part_weights,
}
__all__ = ["StoreError", "dumps", "load", "loads", "save"]


def save(solution: Solution, path: Path) -> Path:
    """Write a solution to a file. If the process is killed, the path holds either the old file or the new one."""
    return container.write(path, dumps(solution, path))


def load(path: str | Path, game: Any = None) -> Solution:
    """Load a solution from a file.

    Parameters
    ----------
    path
        A file that `Solution.save` or `ruse solve --out` wrote.
    game
        For your own game: an object with its rules, its class or function, or its name such as "mygame.py:Auction".
        A file never makes ruse run code. If the rules have changed since, a warning is printed to stderr.

    Returns
    -------
    Solution
        The solution as it was saved.

    Raises
    ------
    StoreError
        The file is damaged, or not a solution.

    Examples
    --------
    >>> import ruse
    >>> path = ruse.solve(ruse.games.kuhn()).save("kuhn.ruse")
    >>> ruse.load(path).value
    Fraction(-1, 18)
    """
    return loads(container.read(Path(path)), str(path), game, atomic_files.warn, Path(path))


def dumps(solution: Solution, path: Path | None = None) -> bytes:
    """Pack a solution into the bytes of a file, and check that `loads` reads them.

    Very long strategies are written to a file beside it, if there is a path.
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
    """Load a solution from the bytes of a file, for a game of ruse's, the given game, or one that was named before.

    If the rules of a user's game have changed, `warn` is called; without it the file is refused. The certificate of a
    file is a claim without proof, unless the file is `sealed`: known to be as ruse wrote it here.
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
        **({kept: COMPACT[kept].fields_of(solution.tables, path)} if kept else {}),
    }


def source_of(game: Game) -> dict[str, Any]:
    """The file of a user's own game, and the digest of its source; empty for ruse's games."""
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
    """Read a solution from fields. Unknown fields come from a newer minor version, and are ignored."""
    if fields.get("kind", "solution") != "solution":
        kind = shown(fields["kind"])
        raise OtherKind(f"expected a solution, as ruse solve saves it, got a file of the kind {kind}")
    game = game_in(fields, given)
    check_identity(game, fields, warn)
    sides = a_list(field(fields, "sides"), "sides")
    if sides != list(game.sides):
        raise StoreError(f"the sides are not those of {game.name}, {game.sides[0]} and {game.sides[1]}")
    certificate = _certificate(fields)
    tables = a_list(field(fields, "strategies"), "strategies")
    far = next((name for name in COMPACT if name in fields), "")
    if len(tables) != (0 if far else 2):
        raise StoreError(f"expected two strategies, got {len(tables)}")
    seconds, iterations = _effort(fields)
    versions = an_object(field(fields, "versions"), "versions")
    return Solution(
        game,
        a_line(field(fields, "solver"), "solver"),
        COMPACT[far].tables_of(game, fields[far], path)
        if far
        else (read_table(tables[0], game.sides[0]), read_table(tables[1], game.sides[1])),
        certificate,
        seconds,
        iterations,
        an_object(field(fields, "options"), "options"),
        {a_line(package, "package"): a_line(version, package) for package, version in versions.items()},
        points=_points(fields.get("points", [])),
        mistakes=mistakes.mistakes_of(fields["mistakes"], game.sides) if "mistakes" in fields else None,
    )


def _certificate(fields: Mapping[str, Any]) -> Certificate:
    """The certificate, once the value is known to be what it proves."""
    bounds = an_object(field(fields, "certificate"), "certificate")
    lower, upper = (a_fraction(field(bounds, name), name) for name in ("lower", "upper"))
    value = field(fields, "value")
    if (None if value is None else a_fraction(value, "value")) != (lower if lower == upper else None):
        expected = bounds["lower"] if lower == upper else "null"
        raise StoreError(f"expected the value {shown(expected)} that the certificate proves, got {shown(value)}")
    return Certificate(lower, upper, a_proof(bounds))


def _effort(fields: Mapping[str, Any]) -> tuple[float, int]:
    """The seconds and iterations that the solver took."""
    seconds, iterations = field(fields, "seconds"), field(fields, "iterations")
    if not isinstance(seconds, int | float) or isinstance(seconds, bool) or not 0 <= seconds < 1e15:
        raise StoreError(f"expected a number of at least 0 as seconds, got {shown(seconds)}")
    if not isinstance(iterations, int) or isinstance(iterations, bool) or iterations < 0:
        raise StoreError(f"expected a whole number of at least 0 as iterations, got {shown(iterations)}")
    return float(seconds), iterations


def check_identity(game: Game, fields: Mapping[str, Any], warn: Callable[[str], object]) -> None:
    """Compare the rules here with those of the file: a difference is a warning for a user's game, and else an error."""
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
    """The game that a file names, or the given one if it is not a game of ruse's."""
    name = a_line(field(fields, "game"), "game")
    parameters = an_object(field(fields, "parameters"), "parameters")
    ours = given is None and not registry.is_own(name)
    return _game(name, parameters) if ours else _own(name, parameters, given, fields)


def _points(content: Any) -> tuple[history.Point, ...]:
    """Read how the bounds converged; older files and exact solvers have no points."""
    points = []
    for row in a_list(content, "points"):
        numbers = a_list(row, "a point")
        if len(numbers) != len(history.Point._fields) or not all(type(number) in (int, float) for number in numbers):
            raise StoreError(f"expected points of {len(history.Point._fields)} numbers, got {shown(row)}")
        points.append(history.Point(int(numbers[0]), *map(float, numbers[1:])))
    return tuple(points)


def _refuse(sentence: str) -> None:
    raise StoreError(sentence)


def _own(name: str, parameters: Mapping[str, Any], given: Any, fields: Mapping[str, Any]) -> Game:
    """A user's own game, as the caller names it. What the file says of it appears only in messages."""
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
    """Make the game that a file names, without opening other files."""
    if "file" in parameters:
        raise StoreError("a parameter of this game names another file, and a solution file must hold all of them")
    try:
        return registry.make(name, parameters)
    except (ValueError, TypeError, LookupError, ArithmeticError, RecursionError) as error:
        reason = str(error)
        raise StoreError(reason if len(reason) < 10 * SHOWN else reason[: 10 * SHOWN] + "…") from error


def read_table(content: Any, side: str) -> StrategyTable:
    """Read a strategy of a side from JSON: the odds of each move at each position."""
    return {
        a_line(position, f"position of {side}"): {
            a_line(move, f"move at {position}"): a_fraction(share, f"odds of {move} at {position}")
            for move, share in an_object(odds, f"odds at {position}").items()
        }
        for position, odds in an_object(content, f"strategy of {side}").items()
    }
