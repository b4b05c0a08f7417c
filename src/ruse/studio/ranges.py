"""Ranges of parameters as people type them: `2..4`, `0..1..1/4` with a step, `2|3|5`, also for each entry of a list.

A parameter's text is cut at blanks, commas and semicolons. Each piece that is a range becomes an axis with its options;
the rest stays as it is. So anything that a game reads, such as a list of sizes or a table of payoffs, can contain
ranges, and the game itself reads every variant.

For a parameter that is a list, `;` stands between alternatives for the whole list: `merlin,assassin; merlin,assassin,
mordred` is one axis of two options. An alternative may contain ranges: it stands for all lists that they describe.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod

from ruse.core import rationals
from ruse.core.game import RuseError

NUMBER = r"[-+]?\d+(?:\.\d+)?(?:/[1-9]\d*)?"
PIECE = re.compile(r"[^\s,;]+")
RANGE = re.compile(rf"({NUMBER})\.\.({NUMBER})(?:\.\.({NUMBER}))?", re.ASCII)
LIKE_A_RANGE = re.compile(rf"{NUMBER}\.\.|\.\.{NUMBER}|\d\.\.", re.ASCII)
BLANKS = re.compile(r"\s*,\s*|\s+")  # between the entries of a list
MOST_OPTIONS = 100_000  # of one axis


class RangeError(RuseError):
    """A malformed or empty range."""


@dataclass(frozen=True)
class ParameterAxis:
    """A parameter that varies, or an entry of one."""

    parameter: str  # with dashes, as on the command line
    entry: int | None  # counted from 1; None where the parameter is one value
    options: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.parameter if self.entry is None else f"{self.parameter} {self.entry}"


@dataclass(frozen=True)
class Space:
    """All variants in some ranges."""

    axes: tuple[ParameterAxis, ...]
    texts: Mapping[str, tuple[str | int, ...]]  # for each parameter, pieces of text and numbers of axes between them

    def __len__(self) -> int:
        return prod(len(axis.options) for axis in self.axes)

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        """Iterate over the options of each variant, one per axis; the last axis varies fastest."""
        return product(*(axis.options for axis in self.axes))

    def within(self, base: Sequence[str | None], changes: int) -> Iterator[tuple[str, ...]]:
        """Yield the options of all variants that differ from a base on at most `changes` axes."""

        def ways(place: int, left: int) -> Iterator[tuple[str, ...]]:
            if place == len(self.axes):
                yield ()
                return
            for option in self.axes[place].options:
                differs = option != base[place]
                if differs <= left:
                    for rest in ways(place + 1, left - differs):
                        yield (option, *rest)

        return ways(0, changes)

    def at(self, choice: Sequence[str]) -> dict[str, str]:
        """Return the texts of all parameters of a variant."""
        return {
            name: "".join(part if isinstance(part, str) else choice[part] for part in parts)
            for name, parts in self.texts.items()
        }


def space(given: Mapping[str, str], lists: Collection[str] = ()) -> Space:
    """Return the space that the texts of some parameters describe; `lists` names those that are lists."""
    axes: list[ParameterAxis] = []
    texts: dict[str, tuple[str | int, ...]] = {}
    for spelled, text in given.items():
        name = spelled.replace("_", "-")
        if name in lists and ";" in text:
            options = _alternatives(name, text)
            texts[name] = (len(axes),) if len(options) > 1 else options
            axes += [ParameterAxis(name, None, options)] * (len(options) > 1)
            continue
        parts: list[str | int] = []
        pieces = list(PIECE.finditer(text))
        end = 0
        for number, piece in enumerate(pieces, 1):
            options = _options(name, piece[0])
            if len(options) > 1:
                parts += [text[end : piece.start()], len(axes)]
                axes.append(ParameterAxis(name, number if len(pieces) > 1 else None, options))
            else:
                parts += [text[end : piece.start()], options[0]]
            end = piece.end()
        texts[name] = (*parts, text[end:])
    return Space(tuple(axes), texts)


def _alternatives(name: str, text: str) -> tuple[str, ...]:
    """Return the lists that a text with `;` between alternatives stands for, each once."""
    options: dict[str, None] = {}
    for alternative in text.split(";"):
        if not alternative.strip():
            raise RangeError(f"expected a list on both sides of each ; for --{name}, got {text!r}")
        lists = space({name: BLANKS.sub(",", alternative.strip())})
        if len(options) + len(lists) > MOST_OPTIONS:
            raise RangeError(f"expected at most {MOST_OPTIONS:,} lists for --{name}, got {rationals.count(len(lists))}")
        options.update(dict.fromkeys(lists.at(choice)[name] for choice in lists))
    return tuple(options)


def _options(name: str, piece: str) -> tuple[str, ...]:
    """Return the options that a piece of text stands for: usually only itself."""
    options: dict[str, None] = {}
    for word in piece.split("|"):
        if not word:
            raise RangeError(f"expected a range such as 2..4 or 2|3 for --{name}, got {piece!r}")
        options.update(dict.fromkeys(_spanned(name, word)))
    return tuple(options)


def _spanned(name: str, word: str) -> Iterator[str]:
    match = RANGE.fullmatch(word)
    if match is None:
        if LIKE_A_RANGE.search(word):
            raise RangeError(f"expected a range such as 2..4, or 0..1..1/4 with a step, for --{name}, got {word!r}")
        yield word
        return
    first, last, step = (_number(text or "1") for text in match.groups())
    if step <= 0:
        raise RangeError(f"expected a step above 0 for --{name}, got {word!r}")
    if first > last:
        raise RangeError(f"expected a range from the lower end to the higher for --{name}, got {word!r}")
    if (last - first) / step >= MOST_OPTIONS:
        many = rationals.count(int((last - first) / step) + 1)
        raise RangeError(f"expected at most {MOST_OPTIONS:,} values of --{name}, got {many} from {word!r}")
    while first <= last:
        yield rationals.write(first)
        first += step


def _number(text: str) -> Fraction:
    whole, slash, below = text.partition("/")
    return Fraction(whole) / int(below) if slash else Fraction(whole)
