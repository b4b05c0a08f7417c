"""Solutions in files: one that can be saved, reopened, shared and checked on another machine.

    ruse/1.0 sha256:<64 hex digits> bytes:<n>
    <n bytes of gzip: a JSON object in UTF-8>

The first line is ASCII; the checksum covers "ruse/1.0", a newline and the n bytes, and nothing follows them.
So every flipped bit is noticed here, and whoever mends the checksum too has `ruse.verify` to convince.
Files come from strangers: whatever is in one, `load` returns a solution or raises a StoreError in one sentence.
docs/reference/solution-file.md says what the JSON holds.
"""

from __future__ import annotations

import hashlib
import json
import re
import zlib
from collections.abc import Mapping
from fractions import Fraction
from numbers import Rational
from pathlib import Path
from typing import Any, NoReturn

from ruse import digits, files, games
from ruse.certificate import Certificate
from ruse.game import Game, RuseError
from ruse.strategy import Solution, StrategyTable

MAJOR, MINOR = 1, 0  # a change that old readers cannot ignore raises MAJOR
MOST_BYTES = 512 << 20  # of the file, and of the JSON in it
MOST_TEXT = 10_000  # characters of a name, position or move
VERSION = re.compile(rb"ruse/([0-9]{1,6})\.[0-9]{1,6}[ \n]")
HEADER = re.compile(rb"(ruse/1\.(?:0|[1-9][0-9]*)) sha256:([0-9a-f]{64}) bytes:([1-9][0-9]{0,9})\n")
GZIP = 16 + zlib.MAX_WBITS  # what zlib calls a gzip header: no file name, no time
SHOWN = 60


class StoreError(RuseError):
    """A file that is not a solution, or is damaged, or cannot be written."""


def save(solution: Solution, path: Path) -> Path:
    """Write a solution to a file. Whenever the process ends, the path holds the old file or the new one."""
    content = dumps(solution)
    try:
        files.replace(path, content)
    except (OSError, ValueError) as error:
        raise StoreError(f"expected a file to save to, got {files.reason(error)} ({path})") from error
    return path


def load(path: str | Path) -> Solution:
    """The solution in a file."""
    path = Path(path)
    try:
        content = files.read(path, MOST_BYTES)
    except (OSError, ValueError) as error:
        raise StoreError(f"expected a ruse solution file, got {files.reason(error)} ({path})") from error
    return loads(content, str(path))


def dumps(solution: Solution) -> bytes:
    """A solution as the bytes of its file, which `loads` has been seen to read."""
    try:
        text = json.dumps(_fields(solution), sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        text += "\n"
        deflate = zlib.compressobj(9, zlib.DEFLATED, GZIP)
        payload = deflate.compress(text.encode()) + deflate.flush()
    except (TypeError, ValueError, RecursionError) as error:
        raise StoreError(f"expected a solution that JSON can hold, got one where {error}") from error
    version = f"ruse/{MAJOR}.{MINOR}".encode()
    content = b"%b sha256:%b bytes:%d\n%b" % (version, _checksum(version, payload), len(payload), payload)
    again = loads(content, f"the solution of {solution.game.title}, not saved")
    same = again.tables == tuple(solution.tables) and again.certificate == solution.certificate
    if not same or again.game.title != solution.game.title:
        raise StoreError(f"expected a solution that reads as it was written, got another of {again.game.title}")
    return content


def loads(content: bytes, name: str) -> Solution:
    """The solution in the bytes of a file of that name."""
    try:
        return _solution(_parsed(_inflated(_payload(content))))
    except StoreError as error:
        raise StoreError(f"{error} ({name})") from error.__cause__


def _checksum(version: bytes, payload: bytes) -> bytes:
    return hashlib.sha256(version + b"\n" + payload).hexdigest().encode()


# From bytes to JSON


def _payload(content: bytes) -> bytes:
    """What follows the first line, if that is as it should be."""
    if not content:
        raise StoreError("expected a ruse solution file, got an empty one")
    if len(content) > MOST_BYTES:
        raise StoreError(f"expected a ruse solution file of at most {MOST_BYTES:,} bytes, got more")
    version = VERSION.match(content)
    if version is None:
        raise StoreError(f"expected a ruse solution file, got one that begins with {content[:8]!r}")
    if int(version[1]) != MAJOR:
        found = content[5 : version.end() - 1].decode()
        age = "a newer" if int(version[1]) > MAJOR else "no"
        raise StoreError(f"expected a solution file of format {MAJOR}, got format {found}, which {age} ruse reads")
    header = HEADER.match(content)
    if header is None:
        raise StoreError("expected a version, a checksum and a length in the first line, got a damaged one")
    payload = content[header.end() :]
    if len(payload) != int(header[3]):
        raise StoreError(f"expected {int(header[3]):,} bytes after the first line, got {len(payload):,}")
    if header[2] != _checksum(header[1], payload):
        raise StoreError("expected content that fits its checksum, got a file that was changed or damaged")
    return payload


def _inflated(payload: bytes) -> bytes:
    inflate = zlib.decompressobj(GZIP)
    try:
        text = inflate.decompress(payload, MOST_BYTES + 1)
    except zlib.error as error:
        raise StoreError("expected content packed by gzip, got something else") from error
    if len(text) > MOST_BYTES:
        raise StoreError(f"expected at most {MOST_BYTES:,} bytes of JSON, got more")
    if not inflate.eof or inflate.unused_data:
        raise StoreError("expected one whole piece of gzip, got less or more")
    return text


def _parsed(text: bytes) -> Any:
    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            raise StoreError("expected different names in every object, got one twice")
        return found

    def constant(name: str) -> NoReturn:
        raise StoreError(f"expected finite numbers, got {name}")

    try:
        return json.loads(text.decode(), object_pairs_hook=unique, parse_constant=constant)
    except StoreError:
        raise
    except (ValueError, RecursionError) as error:  # not UTF-8, not JSON, digits or brackets without end
        raise StoreError("expected content in JSON, got something that cannot be read as such") from error


# From a solution to JSON and back


def _fields(solution: Solution) -> dict[str, Any]:
    certificate = solution.certificate
    return {
        "game": solution.game.name,
        "parameters": dict(solution.game.parameters),
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
    return digits.write(number)


def _solution(found: Any) -> Solution:
    """Fields that are not known here come from a newer minor version, and are left alone."""
    fields = _object(found, "the content")
    game = _game(_text(_field(fields, "game"), "game"), _object(_field(fields, "parameters"), "parameters"))
    sides = _list(_field(fields, "sides"), "sides")
    if sides != list(game.sides):
        raise StoreError(f"expected the sides {game.sides[0]} and {game.sides[1]} of {game.name}, got others")
    bounds = _object(_field(fields, "certificate"), "certificate")
    lower, upper = (_fraction(_field(bounds, name), name) for name in ("lower", "upper"))
    value = _field(fields, "value")
    if (None if value is None else _fraction(value, "value")) != (lower if lower == upper else None):
        expected = bounds["lower"] if lower == upper else "null"
        raise StoreError(f"expected the value {_shown(expected)} that the certificate proves, got {_shown(value)}")
    tables = _list(_field(fields, "strategies"), "strategies")
    if len(tables) != 2:
        raise StoreError(f"expected two strategies, got {len(tables)}")
    seconds, iterations = _field(fields, "seconds"), _field(fields, "iterations")
    if not isinstance(seconds, int | float) or isinstance(seconds, bool) or not 0 <= seconds < 1e15:
        raise StoreError(f"expected a number of at least 0 as seconds, got {_shown(seconds)}")
    if not isinstance(iterations, int) or isinstance(iterations, bool) or iterations < 0:
        raise StoreError(f"expected a whole number of at least 0 as iterations, got {_shown(iterations)}")
    versions = _object(_field(fields, "versions"), "versions")
    return Solution(
        game,
        _text(_field(fields, "solver"), "solver"),
        (_table(tables[0], game.sides[0]), _table(tables[1], game.sides[1])),
        Certificate(lower, upper),
        float(seconds),
        iterations,
        _object(_field(fields, "options"), "options"),
        {_text(package, "package"): _text(version, package) for package, version in versions.items()},
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
        _text(position, f"position of {side}"): {
            _text(move, f"move at {position}"): _fraction(share, f"odds of {move} at {position}")
            for move, share in _object(odds, f"odds at {position}").items()
        }
        for position, odds in _object(found, f"strategy of {side}").items()
    }


def _field(fields: Mapping[str, Any], name: str) -> Any:
    if name not in fields:
        raise StoreError(f"expected a field {name!r}, got none")
    return fields[name]


def _object(found: Any, what: str) -> dict[str, Any]:
    if not isinstance(found, dict):
        raise StoreError(f"expected an object as {_cut(what)}, got {_shown(found)}")
    return found


def _list(found: Any, what: str) -> list[Any]:
    if not isinstance(found, list):
        raise StoreError(f"expected a list as {what}, got {_shown(found)}")
    return found


def _text(found: Any, what: str) -> str:
    """One line: it will be printed."""
    if not isinstance(found, str) or not found.isprintable() or len(found) > MOST_TEXT:
        raise StoreError(f"expected a line of text as {_cut(what)}, got {_shown(found)}")
    return found


def _fraction(found: Any, what: str) -> Fraction:
    try:
        return digits.read(found)
    except (TypeError, ValueError) as error:
        raise StoreError(f"expected a fraction such as 2/3 as {_cut(what)}, got {_shown(found)}") from error


def _shown(found: Any) -> str:
    """A value as a sentence can hold it."""
    for kind, words in ((dict, "an object"), (list, "a list"), (type(None), "null")):
        if isinstance(found, kind):
            return words
    return _cut(json.dumps(found))


def _cut(text: str) -> str:
    return text if len(text) <= 2 * SHOWN else text[: 2 * SHOWN] + "…"
