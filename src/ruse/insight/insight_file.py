"""Insight files: answers saved as FILE.insight beside FILE.ruse, which is never rewritten.

An insight file is a container like all files of ruse (ruse.solution.container), of the kind "insight". It holds the
game, the SHA-256 of the solution file, and a seal under this user's key (ruse.core.seals). A file that belongs to
another solution, or was damaged, edited or made elsewhere is ignored and replaced. Besides the answers it holds their
certificates and strategies that prove the value, so `ruse verify FILE.insight` can check all of it without a solution
(check.py). Strategies are lists of numbers of entries, and an entry is a position with its odds: both occur often, and
are written once.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any

from ruse.core import atomic_files, rationals, seals
from ruse.core.game import Game
from ruse.core.identity import identity
from ruse.core.types import Odds, StrategyTable, Tables
from ruse.insight.memory import Key, Memory
from ruse.insight.model import Bound, Guarantee, Range, Simplest, Unique
from ruse.solution import container
from ruse.solution.container import OtherKind, StoreError, a_fraction, a_line, a_list, an_object, field
from ruse.solution.state_folder import user_key, user_key_if_any
from ruse.solution.store import source_of

KIND = "insight"
KINDS = ("move", "always", "belief")
WHICH = {True: "symmetric", False: "all"}  # parts of a file: for symmetric strategies, and for all


def insight_path(path: Path) -> Path:
    """The path of the insight file for a solution file."""
    return path.with_suffix(".insight")


def digest(path: Path) -> str:
    return sha256(container.read(path)).hexdigest()


class InsightFile:
    """The insight file beside a solution file, valid while that file stays unchanged."""

    def __init__(self, path: Path, digested: str = "") -> None:
        """Take the path of the solution file, and its digest if that is known."""
        self.path, self.digest = path, digested or digest(path)
        self._warned = False

    def load(self, symmetry: bool) -> Memory:
        """Load the answers, if the file belongs to the solution and is undamaged."""
        return _memory(self._fields(), symmetry)

    def save(self, game: Game, symmetry: bool, value: Fraction, proof: Tables, memory: Memory) -> None:
        """Save answers together with those that other programs have saved; print a warning to stderr if that fails.

        A lock on the solution file ensures that no program loses answers of another.
        """
        fields: dict[str, Any] = {
            "kind": KIND,
            "game": game.name,
            "parameters": dict(game.parameters),
            "identity": identity(game),
            **source_of(game),
            "digest": self.digest,
        }
        try:
            with atomic_files.held(self.path):
                if digest(self.path) != self.digest:
                    raise StoreError(f"the solution file {self.path} has changed since it was read")
                before = self._fields()
                memory.learn(_memory(before, symmetry))
                if WHICH[not symmetry] in before:
                    fields[WHICH[not symmetry]] = before[WHICH[not symmetry]]
                fields[WHICH[symmetry]] = _Writer(value, proof, memory).fields()
                fields["seal"] = seals.seal(user_key(), _sealed(fields))
                container.write(insight_path(self.path), container.pack(fields))
                memory.new = False
        except StoreError as error:
            if not self._warned:
                atomic_files.warn(f"{error}; the answers are not saved")
            self._warned = True

    def _fields(self) -> dict[str, Any]:
        """The fields of the file; empty if it belongs to another file, is damaged, or was not written here."""
        try:
            fields = unpacked(container.read(insight_path(self.path)))
        except StoreError:
            return {}
        mine = fields.get("digest") == self.digest and seals.holds(
            user_key_if_any(), _sealed(fields), fields.get("seal")
        )
        return fields if mine else {}


def _sealed(fields: Mapping[str, Any]) -> bytes:
    """The content of a file without its seal."""
    content = {name: value for name, value in fields.items() if name != "seal"}
    return b"insight " + json.dumps(content, sort_keys=True).encode()


def _memory(fields: Mapping[str, Any], symmetry: bool) -> Memory:
    try:
        return memory_of(an_object(fields[WHICH[symmetry]], WHICH[symmetry])) if WHICH[symmetry] in fields else Memory()
    except StoreError:
        return Memory()


def unpacked(content: bytes) -> dict[str, Any]:
    """Unpack the fields of an insight file. Raises StoreError for any other content."""
    fields = container.unpack(content)
    if fields.get("kind") != KIND:
        raise OtherKind(f"expected an insight file, got a file of the kind {fields.get('kind')!r}")
    return fields


class _Writer:
    """Writes a memory as plain values."""

    def __init__(self, value: Fraction, proof: Tables, memory: Memory) -> None:
        self._value, self._proof, self._memory = value, proof, memory
        self._entries: dict[str, int] = {}  # numbers of entries, by position and odds as text
        self._tables: dict[tuple[int, ...], int] = {}
        self._known: dict[int, int] = {}  # numbers of tables, by object, because most occur often

    def fields(self) -> dict[str, Any]:
        memory = self._memory
        return {
            "value": rationals.write(self._value),
            "proof": [self._table(table) for table in self._proof],
            "ranges": [[*key, *self._ends(answer)] for key, answer in memory.ranges.items()],
            "guarantees": [[*key, *self._guarantee(answer)] for key, answer in memory.guarantees.items()],
            "unique": [self._unique(answer) for answer in memory.uniques.values()],
            "simplest": [self._simplest(answer) for answer in memory.simple.values()],
            "pair": [self._table(table) for table in memory.pair or ()],
            "strategies": [list(entries) for entries in self._tables],
            "entries": [json.loads(text) for text in self._entries],
        }

    def _table(self, table: StrategyTable) -> int:
        if id(table) not in self._known:
            plain = table.plain if isinstance(table, StoredTable) else _plain(table)
            entries = sorted(self._entry(position, odds) for position, odds in plain.items())
            self._known[id(table)] = self._tables.setdefault(tuple(entries), len(self._tables))
        return self._known[id(table)]

    def _entry(self, position: str, odds: Mapping[str, Any]) -> int:
        return self._entries.setdefault(json.dumps([position, odds], sort_keys=True), len(self._entries))

    def _ends(self, answer: Range | Bound) -> list[Any]:
        return [
            self._bound(end) for end in ((answer,) if isinstance(answer, Bound) else (answer.least, answer.greatest))
        ]

    def _bound(self, bound: Bound) -> list[Any]:
        attained = None if bound.attained is None else rationals.write(bound.attained)
        tables = [self._table(bound.answer), self._table(bound.witness)]
        return [rationals.write(bound.value), attained, rationals.write(bound.weight), *tables]

    def _guarantee(self, guarantee: Guarantee) -> list[Any]:
        tables = [self._table(guarantee.strategy), self._table(guarantee.answer)]
        return [rationals.write(guarantee.value), rationals.write(guarantee.most), *tables]

    def _unique(self, unique: Unique) -> dict[str, Any]:
        plans = [self._table(plan) for plan in unique.plans]
        return {
            "side": unique.side,
            "unique": unique.unique,
            "plans": plans,
            "answer": self._table(unique.answer),
            "freedom": unique.freedom,
        }

    def _simplest(self, simplest: Simplest) -> dict[str, Any]:
        return {
            "side": simplest.side,
            "strategy": self._table(simplest.strategy),
            "mixed": simplest.mixed,
            "denominator": simplest.denominator,
            "must_mix": list(simplest.must_mix),
            "denominator_at_least": simplest.denominator_at_least,
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
    for entry in a_list(field(fields, "unique"), "unique"):
        plans = [tables[number] for number in field(entry, "plans")]
        side, answer, freedom = _side(field(entry, "side")), tables[field(entry, "answer")], field(entry, "freedom")
        if not isinstance(field(entry, "unique"), bool):
            raise StoreError(f"expected true or false as unique, got {entry['unique']!r}")
        memory.uniques[side] = Unique(
            side, entry["unique"], plans, answer, None if freedom is None else _count(freedom, "freedom")
        )
    for entry in a_list(field(fields, "simplest"), "simplest"):
        must = [a_line(position, "position") for position in a_list(field(entry, "must_mix"), "must_mix")]
        side, strategy = _side(field(entry, "side")), tables[field(entry, "strategy")]
        sizes = _count(field(entry, "mixed"), "mixed"), len(must), _count(field(entry, "denominator"), "denominator")
        least = _count(entry.get("denominator_at_least", 1), "denominator_at_least")
        memory.simple[side] = Simplest(side, strategy, *sizes, must, least)
    if pair := a_list(fields.get("pair", []), "pair"):
        first, second = (tables[number] for number in pair)
        memory.pair = first, second
    return memory


def _side(content: Any) -> int:
    if isinstance(content, bool) or content not in (0, 1):
        raise StoreError(f"expected side 0 or 1, got {content!r}")
    return int(content)


def _count(content: Any, name: str) -> int:
    if not isinstance(content, int) or isinstance(content, bool) or content < 0:
        raise StoreError(f"expected a whole number of at least 0 as {name}, got {content!r}")
    return content


def _key(kind: Any, side: Any, position: Any, name: Any) -> Key:
    if side not in (0, 1) or kind not in KINDS:
        raise StoreError(f"expected an answer of a side, got {kind!r} of {side!r}")
    return Key(kind, side, a_line(position, "position"), a_line(name, "move or fact"))


class StoredTable(Mapping[str, Odds]):
    """A strategy in a file, whose odds are parsed only when they are read, because most never are."""

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
    entries = [(a_line(position, "position"), odds) for position, odds in a_list(fields.get("entries", []), "entries")]
    tables = a_list(field(fields, "strategies"), "strategies")
    return [
        StoredTable(
            table if isinstance(table, dict) else dict(entries[number] for number in a_list(table, "a strategy"))
        )
        for table in tables  # until 0.5 a strategy was written as an object
    ]


def _bound(content: Any, tables: Sequence[StrategyTable]) -> Bound:
    value, attained, weight, answer, witness = content
    return Bound(
        a_fraction(value, "value"),
        None if attained is None else a_fraction(attained, "attained"),
        a_fraction(weight, "weight"),
        tables[answer],
        tables[witness],
    )
