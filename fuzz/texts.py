"""Trees as the text of .efg and .nfg files, and back again, by a reader and a writer of their own."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from fuzz.oracle import Chance, Choice, Leaf, Node

TOKEN = re.compile(r'\s*(?:"(?P<text>(?:[^"\\]|\\.)*)"|(?P<mark>[{},])|(?P<word>[^\s{},"]+))', re.DOTALL)


@dataclass(frozen=True)
class Names:
    """What a file calls the game, the players and an information set, however odd."""

    title: str = "game"
    players: tuple[str, str] = ("first", "second")
    sets: bool = True  # whether information sets have names, or numbers alone


class Unreadable(ValueError):
    """A text that is no such file."""


def efg(root: Node, names: Names) -> str:
    """A tree as the text of an .efg file."""
    numbers: tuple[dict[str, int], dict[str, int]] = ({}, {})
    lines = [f"EFG 2 R {_quoted(names.title)} {{ {' '.join(map(_quoted, names.players))} }}", '""', ""]
    ends = draws = 0
    stack = [root]
    while stack:
        node = stack.pop()
        if isinstance(node, Leaf):
            ends += 1
            lines.append(f't "" {ends} "" {{ {node.payoff} {-node.payoff} }}')
            continue
        if isinstance(node, Chance):
            draws += 1
            listed = " ".join(f"{_quoted(move)} {share}" for move, share in zip(node.moves, node.odds, strict=True))
            lines.append(f'c "" {draws} "" {{ {listed} }} 0')
        else:
            number = numbers[node.side].setdefault(node.known, len(numbers[node.side]) + 1)
            called = _quoted(node.known if names.sets else "")
            lines.append(f'p "" {node.side + 1} {number} {called} {{ {" ".join(map(_quoted, node.moves))} }} 0')
        stack.extend(reversed(node.after))
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '\\"') + '"'


class _Words:
    def __init__(self, text: str) -> None:
        self._found = self._split(text)
        self.kind, self.word = next(self._found)

    @staticmethod
    def _split(text: str) -> Iterator[tuple[str, str]]:
        at = 0
        while (match := TOKEN.match(text, at)) is not None:
            at = match.end()
            kind = match.lastgroup or ""
            yield kind, match[kind]
        if text[at:].strip():
            raise Unreadable(f"no token: {text[at : at + 40]!r}")
        while True:
            yield "end", ""

    def take(self, kind: str, word: str | None = None) -> str:
        found = self.word
        if self.kind != kind or word not in (None, found):
            raise Unreadable(f"expected {word or kind}, got {self.kind} {found!r}")
        self.kind, self.word = next(self._found)
        return found

    def at(self, word: str) -> bool:
        return self.kind == "mark" and self.word == word

    def skip(self, word: str) -> None:
        if self.at(word):
            self.take("mark")

    def until_brace(self) -> Iterator[None]:
        self.take("mark", "{")
        while not self.at("}"):
            yield
            self.skip(",")
        self.take("mark", "}")


def read_efg(text: str) -> Node:
    """The tree of a file whose sets are told in full at every node, as ruse writes them."""
    words = _Words(text)
    words.take("word", "EFG")
    words.take("word", "2")
    words.take("word", "R")
    words.take("text")
    for _ in words.until_brace():
        words.take("text")
    words.take("text")
    tree = _read_node(words)
    words.take("end")
    return tree


def _read_node(words: _Words) -> Node:
    kind = words.take("word")
    words.take("text")
    if kind == "t":
        words.take("word")
        words.take("text")
        payoffs = [Fraction(words.take("word")) for _ in words.until_brace()]
        if payoffs[0] + payoffs[1]:
            raise Unreadable(f"not zero-sum: {payoffs}")
        return Leaf(payoffs[0])
    side = int(words.take("word")) - 1 if kind == "p" else -1
    number = words.take("word")
    words.take("text")
    moves, odds = [], []
    for _ in words.until_brace():
        moves.append(words.take("text"))
        if kind == "c":
            odds.append(Fraction(words.take("word")))
    words.take("word", "0")
    after = tuple(_read_node(words) for _ in moves)
    if kind == "c":
        return Chance(tuple(moves), tuple(odds), after)
    return Choice(side, f"{side}-{number}", tuple(moves), after)


def nfg(payoffs: Sequence[Sequence[Fraction]], rows: Sequence[str], columns: Sequence[str], names: Names) -> str:
    """A table as the text of an .nfg file."""
    first, second = (f"{{ {' '.join(map(_quoted, labels))} }}" for labels in (rows, columns))
    cells = " ".join(f"{payoffs[row][column]} {-payoffs[row][column]}" for column, row in _cells(payoffs))
    players = " ".join(map(_quoted, names.players))
    return f'NFG 1 R {_quoted(names.title)} {{ {players} }} {{ {first} {second} }} ""\n\n{cells}\n'


def _cells(payoffs: Sequence[Sequence[object]]) -> Iterator[tuple[int, int]]:
    return ((column, row) for column in range(len(payoffs[0])) for row in range(len(payoffs)))


def read_nfg(text: str) -> list[list[Fraction]]:
    """The table of a file: what the first player gets, row by row."""
    words = _Words(text)
    words.take("word", "NFG")
    words.take("word", "1")
    words.take("word", "R")
    words.take("text")
    for _ in words.until_brace():
        words.take("text")
    counts = [sum(1 for _ in words.until_brace() if words.take("text") is not None) for _ in words.until_brace()]
    words.take("text")
    height, width = counts
    table = [[Fraction(0)] * width for _ in range(height)]
    for column in range(width):
        for row in range(height):
            first, second = Fraction(words.take("word")), Fraction(words.take("word"))
            if first + second:
                raise Unreadable(f"not zero-sum: {first}, {second}")
            table[row][column] = first
    words.take("end")
    return table


def read_csv(text: str) -> tuple[dict[str, dict[str, Fraction]], dict[str, dict[str, Fraction]]]:
    """Both strategies of an exported CSV file: position, move, odds."""
    tables: tuple[dict[str, dict[str, Fraction]], dict[str, dict[str, Fraction]]] = ({}, {})
    for row in csv.DictReader(io.StringIO(text, newline="")):
        at = tables[int(row["side"])].setdefault(row["position"], {})
        if row["move"] in at:
            raise Unreadable(f"{row['move']!r} twice at {row['position']!r}")
        at[row["move"]] = Fraction(row["odds"])
    return tables


def difference(one: Node, other: Node) -> str | None:
    """Where two trees are not the same game up to names; None if they are."""
    called: tuple[dict[str, str], dict[str, str]] = ({}, {})
    back: tuple[dict[str, str], dict[str, str]] = ({}, {})
    stack = [(one, other, "")]
    while stack:
        mine, theirs, where = stack.pop()
        if type(mine) is not type(theirs):
            return f"at {where or 'the root'}: {type(mine).__name__} became {type(theirs).__name__}"
        if isinstance(mine, Leaf) and isinstance(theirs, Leaf):
            if mine.payoff != theirs.payoff:
                return f"at {where}: {mine.payoff} became {theirs.payoff}"
            continue
        assert not isinstance(mine, Leaf) and not isinstance(theirs, Leaf)
        if len(mine.after) != len(theirs.after):
            return f"at {where or 'the root'}: {len(mine.after)} moves became {len(theirs.after)}"
        if isinstance(mine, Chance) and isinstance(theirs, Chance) and mine.odds != theirs.odds:
            return f"at {where or 'the root'}: odds {mine.odds} became {theirs.odds}"
        if isinstance(mine, Choice) and isinstance(theirs, Choice):
            side = mine.side
            same = called[side].setdefault(mine.known, theirs.known) == theirs.known
            if side != theirs.side or not same or back[side].setdefault(theirs.known, mine.known) != mine.known:
                return f"at {where or 'the root'}: information set {mine.known} became {theirs.known}"
        pairs = zip(mine.after, theirs.after, strict=True)
        stack.extend((one, other, f"{where}/{place}") for place, (one, other) in enumerate(pairs))
    return None
