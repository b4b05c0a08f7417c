"""Spots and locks in TOML files: all that the command line says, and what it has no room for.

board = "QsJh2h"
oop = "88+,A8s+"
ip = "AA:0.25,99-22"
pot = 180
stack = 910
bets = { oop = "52%,55%,70%", ip = "50%" }
raises = "45%"
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ruse.core import atomic_files
from ruse.core.game import GameError
from ruse.core.parameters import did_you_mean

MOST_BYTES = 10_000_000


def content_of(text: str, label: str) -> str:
    """The content of a file, or the text itself where it holds TOML rather than a name."""
    if "\n" in text or "=" in text:
        return text
    path = Path(text)
    try:
        if (trouble := atomic_files.trouble(path)) is not None:
            raise GameError(f"cannot read the {label} file {text}: {trouble}")
        if path.stat().st_size > MOST_BYTES:
            raise GameError(f"the {label} file {text} is larger than 10 MB")
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise GameError(f"cannot read the {label} file {text}: {atomic_files.reason(error)}") from error


def parsed(text: str, label: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise GameError(f"the {label} file is not TOML: {error}") from error


def given_in_file(text: str, known: Mapping[str, object]) -> dict[str, object]:
    """The parameters in a spot file."""
    said: dict[str, object] = {}
    for key, value in parsed(content_of(text, "spot"), "spot").items():
        name = key.replace("-", "_")
        if name not in known:
            hint = did_you_mean(name, list(known)) or f"; it may have {', '.join(known)}"
            raise GameError(f"the spot file has {key!r}, which ruse does not know{hint}")
        said[name] = _value(name, value)
    return said


def _value(name: str, value: Any) -> object:
    if name in ("bets", "raises", "donks") and isinstance(value, dict):
        if not value.keys() <= {"oop", "ip"} or not all(isinstance(sizes, str) for sizes in value.values()):
            raise GameError(f'expected {name} = {{ oop = "…", ip = "…" }} in the spot file, got {value!r}')
        return ";".join(f"{side}:{sizes}" for side, sizes in value.items())
    if name in ("pot", "stack", "cap"):
        if type(value) is not int:
            raise GameError(f"expected a whole number for {name} in the spot file, got {value!r}")
        return value
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise GameError(f"expected a text for {name} in the spot file, got {value!r}")
    return str(value)
