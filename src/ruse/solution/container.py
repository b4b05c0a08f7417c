"""The container of all files that ruse saves: one JSON object with a checksum.

    ruse/1.0 sha256:<64 hex digits> bytes:<n>
    <n bytes of gzip: a JSON object in UTF-8>

The first line is ASCII; the checksum covers "ruse/1.0", a newline and the n bytes, and nothing follows them. So every
flipped bit is detected. Files may come from strangers: `unpack` either returns an object or raises a StoreError of one
sentence, and so do the functions below that read its fields.
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
GZIP = 16 + zlib.MAX_WBITS  # zlib's code for a gzip header without file name and time
SHOWN = 60


class StoreError(RuseError):
    """A file of another kind, a damaged file, or one that cannot be written."""


class OtherKind(StoreError):
    """A file of ruse of another kind."""


def write(path: Path, content: bytes) -> Path:
    """Write a file. If the process ends at any time, the path holds either the old file or the new one."""
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
    """Pack an object into the bytes of a file."""
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
    """Unpack the object in the bytes of a file."""
    return an_object(_parsed(_inflated(_payload(content))), "the content")


def _checksum(version: bytes, payload: bytes) -> bytes:
    return hashlib.sha256(version + b"\n" + payload).hexdigest().encode()


def _payload(content: bytes) -> bytes:
    """Check the first line, and return what follows it."""
    if not content:
        raise StoreError("the solution file is empty")
    if len(content) > MOST_BYTES:
        raise StoreError(f"the solution file has more than {MOST_BYTES:,} bytes")
    version = VERSION.match(content)
    if version is None:
        raise StoreError(f"this is not a ruse solution file: it begins with {content[:8]!r}")
    if int(version[1]) != MAJOR:
        format_version = content[5 : version.end() - 1].decode()
        age = "a newer" if int(version[1]) > MAJOR else "no"
        raise StoreError(
            f"expected a solution file of format {MAJOR}, got format {format_version}, which {age} ruse reads"
        )
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
        fields = dict(pairs)
        if len(fields) < len(pairs):
            raise StoreError("an object has the same name twice")
        return fields

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


def an_object(value: Any, name: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise StoreError(f"expected an object as {cut(name)}, got {shown(value)}")
    return value


def a_list(value: Any, name: str) -> list[Any]:
    if not isinstance(value, list):
        raise StoreError(f"expected a list as {name}, got {shown(value)}")
    return value


def a_line(value: Any, name: str) -> str:
    """Check that a value is one printable line."""
    if not isinstance(value, str) or not value.isprintable() or len(value) > MOST_TEXT:
        raise StoreError(f"expected a line of text as {cut(name)}, got {shown(value)}")
    return value


def a_fraction(value: Any, name: str) -> Fraction:
    try:
        return rationals.read(value)
    except (TypeError, ValueError) as error:
        raise StoreError(f"expected a fraction such as 2/3 as {cut(name)}, got {shown(value)}") from error


def shown(value: Any) -> str:
    """Write a value briefly, for a message."""
    for kind, words in ((dict, "an object"), (list, "a list"), (type(None), "null")):
        if isinstance(value, kind):
            return words
    return cut(json.dumps(value))


def cut(text: str) -> str:
    return text if len(text) <= 2 * SHOWN else text[: 2 * SHOWN] + "…"
