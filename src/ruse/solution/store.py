"""Solutions in files: one that can be saved, reopened, shared and checked on another machine.

The container (ruse.solution.container) notices damage; whoever mends the checksum too has `ruse.verify` to convince.
docs/reference/solution-file.md says what the JSON holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Rational
from pathlib import Path
from typing import Any

from ruse import games
from ruse.core import rationals
from ruse.core.game import Game
from ruse.core.identity import identity
from ruse.core.types import StrategyTable
from ruse.forms.certificate import Certificate
from ruse.solution import container
from ruse.solution.container import SHOWN, OtherKind, StoreError, a_fraction, a_line, a_list, an_object, field, shown
from ruse.solution.strategy import Solution

__all__ = ["StoreError", "dumps", "load", "loads", "save"]


def save(solution: Solution, path: Path) -> Path:
    """Write a solution to a file. Whenever the process ends, the path holds the old file or the new one."""
    return container.write(path, dumps(solution))


def load(path: str | Path) -> Solution:
    """The solution in a file."""
    return loads(container.read(Path(path)), str(path))


def dumps(solution: Solution) -> bytes:
    """A solution as the bytes of its file, which `loads` has been seen to read."""
    try:
        content = container.pack(_fields(solution))
    except TypeError as error:
        raise StoreError(f"expected a solution that JSON can hold, got one where {error}") from error
    again = loads(content, f"the solution of {solution.game.title}, not saved")
    same = again.tables == tuple(solution.tables) and again.certificate == solution.certificate
    if not same or identity(again.game) != identity(solution.game):
        raise StoreError(f"expected a solution that reads as it was written, got another of {again.game.title}")
    return content


def loads(content: bytes, name: str) -> Solution:
    """The solution in the bytes of a file of that name."""
    try:
        return _solution(container.unpack(content))
    except StoreError as error:
        raise type(error)(f"{error} ({name})") from error.__cause__


def _fields(solution: Solution) -> dict[str, Any]:
    certificate = solution.certificate
    return {
        "game": solution.game.name,
        "parameters": dict(solution.game.parameters),
        "identity": identity(solution.game),
        "sides": list(solution.game.sides),
        "solver": solution.solver,
        "options": dict(solution.options),
        "seconds": solution.seconds,
        "iterations": solution.iterations,
        "versions": dict(solution.versions),
        "value": _written(certificate.lower) if certificate.exact else None,
        "certificate": {"lower": _written(certificate.lower), "upper": _written(certificate.upper)},
        "strategies": [
            {position: {move: _written(share) for move, share in odds.items()} for position, odds in table.items()}
            for table in solution.tables
        ],
    }


def _written(number: Any) -> str:
    if not isinstance(number, Rational):
        raise TypeError(f"{number!r} is not a fraction")
    return rationals.write(number)


def _solution(fields: Mapping[str, Any]) -> Solution:
    """Fields that are not known here come from a newer minor version, and are left alone."""
    if fields.get("kind", "solution") != "solution":
        kind = shown(fields["kind"])
        raise OtherKind(f"expected a solution, as ruse solve saves it, got a file of the kind {kind}")
    game = _game(a_line(field(fields, "game"), "game"), an_object(field(fields, "parameters"), "parameters"))
    named = fields.get("identity")  # which files of 0.4.0 do not have
    if named is not None and named != identity(game):
        raise StoreError(
            f"expected a solution of {game.title} by its rules here, {identity(game)}, "
            f"got one by other rules or of another game, {shown(named)}"
        )
    sides = a_list(field(fields, "sides"), "sides")
    if sides != list(game.sides):
        raise StoreError(f"expected the sides {game.sides[0]} and {game.sides[1]} of {game.name}, got others")
    bounds = an_object(field(fields, "certificate"), "certificate")
    lower, upper = (a_fraction(field(bounds, name), name) for name in ("lower", "upper"))
    value = field(fields, "value")
    if (None if value is None else a_fraction(value, "value")) != (lower if lower == upper else None):
        expected = bounds["lower"] if lower == upper else "null"
        raise StoreError(f"expected the value {shown(expected)} that the certificate proves, got {shown(value)}")
    tables = a_list(field(fields, "strategies"), "strategies")
    if len(tables) != 2:
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
        (_table(tables[0], game.sides[0]), _table(tables[1], game.sides[1])),
        Certificate(lower, upper),
        float(seconds),
        iterations,
        an_object(field(fields, "options"), "options"),
        {a_line(package, "package"): a_line(version, package) for package, version in versions.items()},
    )


def _game(name: str, parameters: Mapping[str, Any]) -> Game:
    """A file may name a game, but must not make the reader open other files."""
    if "file" in parameters:
        raise StoreError("expected a game whose parameters are all in the file, got another file's name among them")
    try:
        return games.make(name, parameters)
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
