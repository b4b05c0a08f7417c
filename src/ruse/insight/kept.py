"""Answers kept beside a solution: FILE.insight beside FILE.ruse, which is never rewritten.

It is a container like all files of ruse (ruse.solution.container), of the kind "insight". It names the game, and the
SHA-256 of the file that it belongs to, and it carries a seal under this user's key (ruse.core.seals). One of another
file, damaged, edited or made elsewhere counts for nothing: its answers are found anew, and it is written anew. Besides
the answers it holds their certificates and strategies that prove the value, so `ruse verify FILE.insight` can check all
of it without any solution (check.py). Strategies are lists of entries, a position with its odds each, by number: both
occur often, and are written once.
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
WHICH = {True: "symmetric", False: "all"}  # parts of a file: over symmetric strategies, and over all


def beside(path: Path) -> Path:
    """Where the insight into a solution file is kept."""
    return path.with_suffix(".insight")


def digest(path: Path) -> str:
    return sha256(container.read(path)).hexdigest()


class Beside:
    """What is kept beside a solution file, as long as that is the file that it was."""

    def __init__(self, path: Path, digested: str = "") -> None:
        """`digested`: of the file that the solution was read from, where that is known."""
        self.path, self.digest = path, digested or digest(path)
        self._warned = False

    def load(self, symmetry: bool) -> Memory:
        """The answers that are there, if they belong to the solution and are whole."""
        return _memory(self._fields(), symmetry)

    def save(self, game: Game, symmetry: bool, value: Fraction, proof: Tables, memory: Memory) -> None:
        """Keep answers, with those that others have kept meanwhile; a word on stderr where that cannot be.

        Whoever writes holds the solution file meanwhile, so that of several nobody loses anything.
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
                container.write(beside(self.path), container.pack(fields))
                memory.new = False
        except StoreError as error:
            if not self._warned:
                atomic_files.warn(f"{error}; the answers are not saved")
            self._warned = True

    def _fields(self) -> dict[str, Any]:
        """None where what is there belongs to another file, is damaged, or was not written here."""
        try:
            fields = unpacked(container.read(beside(self.path)))
        except StoreError:
            return {}
        mine = fields.get("digest") == self.digest and seals.holds(
            user_key_if_any(), _sealed(fields), fields.get("seal")
        )
        return fields if mine else {}


def _sealed(fields: Mapping[str, Any]) -> bytes:
    """All of a file but its seal."""
    content = {name: value for name, value in fields.items() if name != "seal"}
    return b"insight " + json.dumps(content, sort_keys=True).encode()


def _memory(fields: Mapping[str, Any], symmetry: bool) -> Memory:
    try:
        return memory_of(an_object(fields[WHICH[symmetry]], WHICH[symmetry])) if WHICH[symmetry] in fields else Memory()
    except StoreError:
        return Memory()


def unpacked(content: bytes) -> dict[str, Any]:
    """The fields of an insight file. Raises StoreError of anything else."""
    fields = container.unpack(content)
    if fields.get("kind") != KIND:
        raise OtherKind(f"expected an insight file, got a file of the kind {fields.get('kind')!r}")
    return fields


class _Writer:
    """A memory as plain values."""

    def __init__(self, value: Fraction, proof: Tables, memory: Memory) -> None:
        self._value, self._proof, self._memory = value, proof, memory
        self._entries: dict[str, int] = {}  # position and odds, as text: where they stand among all
        self._tables: dict[tuple[int, ...], int] = {}
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
            "strategies": [list(entries) for entries in self._tables],
            "entries": [json.loads(text) for text in self._entries],
        }

    def _table(self, table: StrategyTable) -> int:
        if id(table) not in self._known:
            plain = table.plain if isinstance(table, Written) else _plain(table)
            entries = sorted(self._entry(position, odds) for position, odds in plain.items())
            self._known[id(table)] = self._tables.setdefault(tuple(entries), len(self._tables))
        return self._known[id(table)]

    def _entry(self, position: str, odds: Mapping[str, Any]) -> int:
        return self._entries.setdefault(json.dumps([position, odds], sort_keys=True), len(self._entries))

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
            "denominator_at_least": found.denominator_at_least,
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
        side, answer, freedom = _side(field(one, "side")), tables[field(one, "answer")], field(one, "freedom")
        if not isinstance(field(one, "unique"), bool):
            raise StoreError(f"expected true or false as unique, got {one['unique']!r}")
        memory.uniques[side] = Unique(
            side, one["unique"], plans, answer, None if freedom is None else _count(freedom, "freedom")
        )
    for one in a_list(field(fields, "simplest"), "simplest"):
        must = [a_line(position, "position") for position in a_list(field(one, "must_mix"), "must_mix")]
        side, strategy = _side(field(one, "side")), tables[field(one, "strategy")]
        sizes = _count(field(one, "mixed"), "mixed"), len(must), _count(field(one, "denominator"), "denominator")
        least = _count(one.get("denominator_at_least", 1), "denominator_at_least")
        memory.simple[side] = Simplest(side, strategy, *sizes, must, least)
    return memory


def _side(found: Any) -> int:
    if isinstance(found, bool) or found not in (0, 1):
        raise StoreError(f"expected side 0 or 1, got {found!r}")
    return int(found)


def _count(found: Any, name: str) -> int:
    if not isinstance(found, int) or isinstance(found, bool) or found < 0:
        raise StoreError(f"expected a whole number of at least 0 as {name}, got {found!r}")
    return found


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
    entries = [(a_line(position, "position"), odds) for position, odds in a_list(fields.get("entries", []), "entries")]
    found = a_list(field(fields, "strategies"), "strategies")
    return [
        Written(table if isinstance(table, dict) else dict(entries[number] for number in a_list(table, "a strategy")))
        for table in found  # until 0.5 a strategy was written as an object
    ]


def _bound(found: Any, tables: Sequence[StrategyTable]) -> Bound:
    value, attained, weight, answer, witness = found
    return Bound(
        a_fraction(value, "value"),
        None if attained is None else a_fraction(attained, "attained"),
        a_fraction(weight, "weight"),
        tables[answer],
        tables[witness],
    )
