"""Solutions to store, and their files packed and changed by hand."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

from ruse import games
from ruse.core.game import Game
from ruse.solution import store
from ruse.solution.strategy import Solution
from ruse.solving.pipeline import solve

ODD_TABLE = (3, 2, (1, 2, 1, 2, 2), (1, 2, 1, 2, 1))
GAMES: dict[str, Callable[[], Game]] = {
    "kuhn": games.kuhn,
    "leduc": games.leduc,
    "tic-tac-toe": games.tic_tac_toe,
    "rock-paper-scissors": lambda: games.rock_paper_scissors("1/2"),
    "matrix": lambda: games.matrix("0 1/3 -1; 2 0 0.5", rows=["up", "down"]),
    "resistance": games.resistance,
    "resistance of three": lambda: games.resistance(*ODD_TABLE),
}
TRUST_TWO = ["ab", "abc", "ab", "abd", "abe"]  # Johansson, Theorem 2.1
Change = Callable[[dict[str, Any]], object]


@cache
def solved(name: str) -> Solution:
    return solve(GAMES[name]())


@cache
def content(name: str) -> bytes:
    return store.dumps(solved(name))


def unpacked(packed: bytes) -> dict[str, Any]:
    fields = json.loads(gzip.decompress(packed.partition(b"\n")[2]))
    assert isinstance(fields, dict)
    return fields


def packed(text: bytes, version: bytes = b"ruse/1.0") -> bytes:
    """The container, as docs/reference/solution-file.md describes it."""
    return sealed(gzip.compress(text), version)


def sealed(payload: bytes, version: bytes = b"ruse/1.0") -> bytes:
    checksum = hashlib.sha256(version + b"\n" + payload).hexdigest().encode()
    return version + b" sha256:" + checksum + b" bytes:" + str(len(payload)).encode() + b"\n" + payload


def tampered(name: str, change: Change, version: bytes = b"ruse/1.0") -> bytes:
    """A file whose content was changed, and its checksum recomputed."""
    fields = unpacked(content(name))
    change(fields)
    return packed(json.dumps(fields).encode(), version)


def set_field(*path: Any) -> Change:
    """`set_field("certificate", "lower", "1/2")` puts "1/2" there."""
    *keys, last, value = path

    def change(fields: dict[str, Any]) -> None:
        place: Any = fields
        for key in keys:
            place = place[key]
        place[last] = value

    return change


def forged(solution: Solution, position: str, odds: Mapping[str, Fraction]) -> Solution:
    return replace(solution, tables=({**solution.tables[0], position: odds}, solution.tables[1]))
