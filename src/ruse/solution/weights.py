"""Floats of a solution: few in the file itself, many in a file beside it, which is mapped into memory.

"sha256": "...", "weights": "..."      in base 64, or
"sha256": "...", "beside": "NAME"      a file of only these floats, little-endian, next to the solution
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ruse.core import atomic_files
from ruse.core.arrays import Array
from ruse.solution.container import StoreError, a_line, field, shown

MOST_WITHIN = 64 << 20  # bytes in the solution file itself
KINDS = ("<f8", "<f4")


def kept(parts: Iterable[Array], size: int, digest: str, path: Path | None, ending: str) -> dict[str, str]:
    """The fields for weights of so many bytes. If there are many and a path, they are written to a file beside it."""
    if path is None or size <= MOST_WITHIN:
        content = b"".join(part.tobytes() for part in parts)
        return {"sha256": digest, "weights": base64.b64encode(content).decode()}
    beside = path.with_name(f"{path.name}.{digest[:12]}.{ending}")
    try:
        atomic_files.replace_in_parts(beside, (part.data.cast("B") for part in parts))
    except OSError as error:
        raise StoreError(f"cannot save strategies to {beside}: {atomic_files.reason(error)}") from error
    return {"sha256": digest, "beside": beside.name}


def read(said: Mapping[str, Any], kind: str, count: int, path: Path | None, checked: bool) -> Array:
    """Read `count` weights from the fields of a file; with `checked`, compare all of them with their checksum."""
    numbers = _beside(said, kind, count, path) if "beside" in said else _within(said, kind)
    if checked and hashlib.sha256(numbers.data).hexdigest() != field(said, "sha256"):
        raise StoreError("the strategies do not match their checksum: they were changed or damaged")
    if len(numbers) != count:
        raise StoreError(f"expected {count:,} weights, got {len(numbers):,}")
    return numbers


def _within(said: Mapping[str, Any], kind: str) -> Array:
    text = field(said, "weights")
    try:
        content = base64.b64decode(text.encode() if isinstance(text, str) else b"?", validate=True)
        return np.frombuffer(content, dtype=kind)
    except (ValueError, binascii.Error) as error:
        raise StoreError("the weights are not floats in base 64") from error


def _beside(said: Mapping[str, Any], kind: str, count: int, path: Path | None) -> Array:
    name = a_line(field(said, "beside"), "beside")
    if path is None or Path(name).name != name:
        raise StoreError(f"expected strategies in a file beside this one, got {shown(name)}")
    beside, expected = path.with_name(name), count * np.dtype(kind).itemsize
    try:
        if (trouble := atomic_files.trouble(beside)) is not None:
            raise StoreError(f"cannot read the strategies in {beside}: {trouble}")
        if (size := beside.stat().st_size) != expected:
            raise StoreError(f"expected {expected:,} bytes in {beside}, got {size:,}")
        return np.memmap(beside, dtype=kind, mode="r")
    except OSError as error:
        raise StoreError(f"cannot read the strategies in {beside}: {atomic_files.reason(error)}") from error
