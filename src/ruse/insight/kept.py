"""Answers kept beside a solution: FILE.insight beside FILE.ruse, which is never rewritten.

It is a container like all files of ruse (ruse.solution.container), of the kind "insight". It names the game, and the
SHA-256 of the file that it belongs to: of another file, or damaged, it counts for nothing, and is written anew. Besides
the answers it holds their certificates and strategies that prove the value, so `ruse verify FILE.insight` can check all
of it without any solution (check.py). Strategies that occur often are written once, and meant by their number.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any

from ruse.core import atomic_files, rationals
from ruse.core.game import Game
from ruse.core.identity import identity
from ruse.core.types import Odds, StrategyTable, Tables
from ruse.insight.memory import Key, Memory
from ruse.insight.model import Bound, Guarantee, Range, Simplest, Unique
from ruse.solution import container
from ruse.solution.container import OtherKind, StoreError, a_fraction, a_line, a_list, an_object, field
from ruse.solution.store import source_of

KIND = "insight"
KINDS = ("move", "always", "belief")
WHICH = {True: "symmetric", False: "all"}  # parts of a file: over symmetric strategies, and over all


def beside(path: Path) -> Path:
    """Where the insight into a solution file is kept."""
    return path.with_suffix(".insight")


def digest(path: Path) -> str:
    return sha256(container.read(path)).hexdigest()


def load(path: Path, symmetry: bool) -> Memory:
    """What is kept beside a solution file, if it belongs to it and is whole."""
    try:
        fields = unpacked(container.read(beside(path)))
        if fields.get("digest") == digest(path) and WHICH[symmetry] in fields:
            return memory_of(an_object(fields[WHICH[symmetry]], WHICH[symmetry]))
    except StoreError:
        pass
    return Memory()


def save(path: Path, game: Game, symmetry: bool, value: Fraction, proof: Tables, memory: Memory) -> None:
    """Keep answers beside a solution file; a word on stderr where that cannot be."""
    fields: dict[str, Any] = {
        "kind": KIND,
        "game": game.name,
        "parameters": dict(game.parameters),
        "identity": identity(game),
        **source_of(game),
        "digest": digest(path),
    }
    try:
        before = unpacked(container.read(beside(path)))
        if before.get("digest") == fields["digest"] and WHICH[not symmetry] in before:
            fields[WHICH[not symmetry]] = before[WHICH[not symmetry]]
    except StoreError:
        pass
    fields[WHICH[symmetry]] = _Writer(value, proof, memory).fields()
    try:
        container.write(beside(path), container.pack(fields))
        memory.new = False
    except StoreError as error:
        atomic_files.warn(f"{error}; the answers are not kept")


def unpacked(content: bytes) -> dict[str, Any]:
    """The fields of an insight file. Raises StoreError of anything else."""
    fields = container.unpack(content)
    if fields.get("kind") != KIND:
        raise OtherKind(f"expected insight, as ruse insight keeps it, got a file of the kind {fields.get('kind')!r}")
    return fields


class _Writer:
    """A memory as plain values."""

    def __init__(self, value: Fraction, proof: Tables, memory: Memory) -> None:
        self._value, self._proof, self._memory = value, proof, memory
        self._tables: list[Any] = []
        self._numbers: dict[str, int] = {}
        self._known: dict[int, int] = {}  # by the table itself, most of which occur often

    def fields(self) -> dict[str, Any]:
        memory = self._memory
        return {
            "value": rationals.write(self._value),
            "proof": [self._table(table) for table in self._proof],
            "ranges": [[*key, *self._ends(found)] for key, found in memory.ranges.items()],
            "guarantees": [[*key, *self._guarantee(found)] for key, found in memory.guarantees.items()],
            "unique": [self._unique(found) for found in memory.uniques.values()],
            "simplest": [self._simplest(found) for found in memory.simple.values()],
            "strategies": self._tables,
        }

    def _table(self, table: StrategyTable) -> int:
        if id(table) not in self._known:
            self._known[id(table)] = self._number(table.plain if isinstance(table, Written) else _plain(table))
        return self._known[id(table)]

    def _number(self, plain: Mapping[str, Any]) -> int:
        text = json.dumps(plain, sort_keys=True)
        if text not in self._numbers:
            self._numbers[text] = len(self._tables)
            self._tables.append(plain)
        return self._numbers[text]

    def _ends(self, found: Range | Bound) -> list[Any]:
        return [self._bound(end) for end in ((found,) if isinstance(found, Bound) else (found.least, found.greatest))]

    def _bound(self, bound: Bound) -> list[Any]:
        attained = None if bound.attained is None else rationals.write(bound.attained)
        tables = [self._table(bound.answer), self._table(bound.witness)]
        return [rationals.write(bound.value), attained, rationals.write(bound.weight), *tables]

    def _guarantee(self, found: Guarantee) -> list[Any]:
        tables = [self._table(found.strategy), self._table(found.answer)]
        return [rationals.write(found.value), rationals.write(found.most), *tables]

    def _unique(self, found: Unique) -> dict[str, Any]:
        plans = [self._table(plan) for plan in found.plans]
        return {
            "side": found.side,
            "unique": found.unique,
            "plans": plans,
            "answer": self._table(found.answer),
            "freedom": found.freedom,
        }

    def _simplest(self, found: Simplest) -> dict[str, Any]:
        return {
            "side": found.side,
            "strategy": self._table(found.strategy),
            "mixed": found.mixed,
            "denominator": found.denominator,
            "must_mix": list(found.must_mix),
        }


def memory_of(fields: Mapping[str, Any]) -> Memory:
    """What a part of a file says. Raises StoreError."""
    try:
        return _read(fields)
    except (TypeError, IndexError, ValueError, KeyError) as error:
        raise error if isinstance(error, StoreError) else StoreError(f"expected whole answers, got {error}") from error


def _read(fields: Mapping[str, Any]) -> Memory:
    tables = strategies(fields)
    memory = Memory()
    for kind, side, position, name, *ends in a_list(field(fields, "ranges"), "ranges"):
        bounds = [_bound(end, tables) for end in ends]
        memory.ranges[_key(kind, side, position, name)] = bounds[0] if len(bounds) == 1 else Range(*bounds)
    for kind, side, position, name, value, most, strategy, answer in a_list(field(fields, "guarantees"), "guarantees"):
        memory.guarantees[_key(kind, side, position, name)] = Guarantee(
            a_fraction(value, "value"), a_fraction(most, "most"), tables[strategy], tables[answer]
        )
    for one in a_list(field(fields, "unique"), "unique"):
        plans = [tables[number] for number in field(one, "plans")]
        side, answer = field(one, "side"), tables[field(one, "answer")]
        memory.uniques[side] = Unique(side, field(one, "unique"), plans, answer, field(one, "freedom"))
    for one in a_list(field(fields, "simplest"), "simplest"):
        must = field(one, "must_mix")
        side, strategy = field(one, "side"), tables[field(one, "strategy")]
        memory.simple[side] = Simplest(side, strategy, field(one, "mixed"), len(must), field(one, "denominator"), must)
    return memory


def _key(kind: Any, side: Any, position: Any, name: Any) -> Key:
    if side not in (0, 1) or kind not in KINDS:
        raise StoreError(f"expected an answer of a side, got {kind!r} of {side!r}")
    return Key(kind, side, a_line(position, "position"), a_line(name, "move or fact"))


class Written(Mapping[str, Odds]):
    """A strategy as it is written in a file: odds are read where they are asked for, which most never are."""

    def __init__(self, plain: Mapping[str, Any]) -> None:
        self.plain = plain

    def __getitem__(self, position: str) -> Odds:
        odds = an_object(self.plain[position], "odds")
        return {a_line(move, "move"): a_fraction(share, "odds") for move, share in odds.items()}

    def __iter__(self) -> Iterator[str]:
        return iter(self.plain)

    def __len__(self) -> int:
        return len(self.plain)


def _plain(table: StrategyTable) -> dict[str, dict[str, str]]:
    return {
        position: {move: rationals.write(share) for move, share in odds.items() if share}
        for position, odds in table.items()
    }


def strategies(fields: Mapping[str, Any]) -> Sequence[StrategyTable]:
    found = a_list(field(fields, "strategies"), "strategies")
    return [Written(an_object(table, "a strategy")) for table in found]


def _bound(found: Any, tables: Sequence[StrategyTable]) -> Bound:
    value, attained, weight, answer, witness = found
    return Bound(
        a_fraction(value, "value"),
        None if attained is None else a_fraction(attained, "attained"),
        a_fraction(weight, "weight"),
        tables[answer],
        tables[witness],
    )
