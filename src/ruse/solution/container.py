"""The container of all files that ruse saves: one JSON object that can be checked for damage.

    ruse/1.0 sha256:<64 hex digits> bytes:<n>
    <n bytes of gzip: a JSON object in UTF-8>

The first line is ASCII; the checksum covers "ruse/1.0", a newline and the n bytes, and nothing follows them.
So every flipped bit is noticed here. Files come from strangers: whatever is in one, `unpack` returns an object or
raises a StoreError in one sentence, and so do those who read its fields with the functions below.
"""

from __future__ import annotations

import hashlib
import json
import re
import zlib
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, NoReturn

from ruse.core import atomic_files, rationals
from ruse.core.game import RuseError

MAJOR, MINOR = 1, 0  # a change that old readers cannot ignore raises MAJOR
MOST_BYTES = 512 << 20  # of the file, and of the JSON in it
MOST_TEXT = 10_000  # characters of a name, position or move
VERSION = re.compile(rb"ruse/([0-9]{1,6})\.[0-9]{1,6}[ \n]")
HEADER = re.compile(rb"(ruse/1\.(?:0|[1-9][0-9]*)) sha256:([0-9a-f]{64}) bytes:([1-9][0-9]{0,9})\n")
GZIP = 16 + zlib.MAX_WBITS  # what zlib calls a gzip header: no file name, no time
SHOWN = 60


class StoreError(RuseError):
    """A file that is not what it should be, or is damaged, or cannot be written."""


class OtherKind(StoreError):
    """A file of ruse's own that holds something else."""


def write(path: Path, content: bytes) -> Path:
    """Write a file. Whenever the process ends, the path holds the old file or the new one."""
    try:
        atomic_files.replace(path, content)
    except (OSError, ValueError) as error:
        raise StoreError(f"cannot save to {path}: {atomic_files.reason(error)}") from error
    return path


def read(path: Path) -> bytes:
    try:
        return atomic_files.read(path, MOST_BYTES)
    except (OSError, ValueError) as error:
        raise StoreError(f"cannot read the solution file {path}: {atomic_files.reason(error)}") from error


def pack(fields: Mapping[str, Any]) -> bytes:
    """An object as the bytes of a file."""
    try:
        text = json.dumps(fields, sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n"
        deflate = zlib.compressobj(9, zlib.DEFLATED, GZIP)
        encoded = text.encode()
        if len(encoded) > MOST_BYTES:
            raise StoreError(f"expected at most {MOST_BYTES:,} bytes of JSON to save, got {len(encoded):,}")
        payload = deflate.compress(encoded) + deflate.flush()
    except (TypeError, ValueError, RecursionError) as error:
        raise StoreError(f"this solution cannot be written as JSON: {error}") from error
    version = f"ruse/{MAJOR}.{MINOR}".encode()
    return b"%b sha256:%b bytes:%d\n%b" % (version, _checksum(version, payload), len(payload), payload)


def unpack(content: bytes) -> dict[str, Any]:
    """The object in the bytes of a file."""
    return an_object(_parsed(_inflated(_payload(content))), "the content")


def _checksum(version: bytes, payload: bytes) -> bytes:
    return hashlib.sha256(version + b"\n" + payload).hexdigest().encode()


def _payload(content: bytes) -> bytes:
    """What follows the first line, if that is as it should be."""
    if not content:
        raise StoreError("the solution file is empty")
    if len(content) > MOST_BYTES:
        raise StoreError(f"the solution file has more than {MOST_BYTES:,} bytes")
    version = VERSION.match(content)
    if version is None:
        raise StoreError(f"expected a ruse solution file, got one that begins with {content[:8]!r}")
    if int(version[1]) != MAJOR:
        found = content[5 : version.end() - 1].decode()
        age = "a newer" if int(version[1]) > MAJOR else "no"
        raise StoreError(f"expected a solution file of format {MAJOR}, got format {found}, which {age} ruse reads")
    header = HEADER.match(content)
    if header is None:
        raise StoreError("the first line is damaged: it should hold a version, a checksum and a length")
    payload = content[header.end() :]
    if len(payload) != int(header[3]):
        raise StoreError(f"expected {int(header[3]):,} bytes after the first line, got {len(payload):,}")
    if header[2] != _checksum(header[1], payload):
        raise StoreError("the content does not match its checksum: the file was changed or damaged")
    return payload


def _inflated(payload: bytes) -> bytes:
    inflate = zlib.decompressobj(GZIP)
    try:
        text = inflate.decompress(payload, MOST_BYTES + 1)
    except zlib.error as error:
        raise StoreError("the content is not packed by gzip") from error
    if len(text) > MOST_BYTES:
        raise StoreError(f"the content has more than {MOST_BYTES:,} bytes of JSON")
    if not inflate.eof or inflate.unused_data:
        raise StoreError("the content is not one whole piece of gzip")
    return text


def _parsed(text: bytes) -> Any:
    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            raise StoreError("an object has the same name twice")
        return found

    def constant(name: str) -> NoReturn:
        raise StoreError(f"expected finite numbers, got {name}")

    try:
        return json.loads(text.decode(), object_pairs_hook=unique, parse_constant=constant)
    except StoreError:
        raise
    except (ValueError, RecursionError) as error:  # not UTF-8, not JSON, digits or brackets without end
        raise StoreError("the content is not JSON that can be read") from error


def field(fields: Mapping[str, Any], name: str) -> Any:
    if name not in fields:
        raise StoreError(f"expected a field {name!r}, got none")
    return fields[name]


def an_object(found: Any, what: str) -> dict[str, Any]:
    if not isinstance(found, dict):
        raise StoreError(f"expected an object as {cut(what)}, got {shown(found)}")
    return found


def a_list(found: Any, what: str) -> list[Any]:
    if not isinstance(found, list):
        raise StoreError(f"expected a list as {what}, got {shown(found)}")
    return found


def a_line(found: Any, what: str) -> str:
    """One line: it will be printed."""
    if not isinstance(found, str) or not found.isprintable() or len(found) > MOST_TEXT:
        raise StoreError(f"expected a line of text as {cut(what)}, got {shown(found)}")
    return found


def a_fraction(found: Any, what: str) -> Fraction:
    try:
        return rationals.read(found)
    except (TypeError, ValueError) as error:
        raise StoreError(f"expected a fraction such as 2/3 as {cut(what)}, got {shown(found)}") from error


def shown(found: Any) -> str:
    """A value as a sentence can hold it."""
    for kind, words in ((dict, "an object"), (list, "a list"), (type(None), "null")):
        if isinstance(found, kind):
            return words
    return cut(json.dumps(found))


def cut(text: str) -> str:
    return text if len(text) <= 2 * SHOWN else text[: 2 * SHOWN] + "…"
