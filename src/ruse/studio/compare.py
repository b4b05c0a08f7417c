"""Variants side by side: values with their differences, strategies in words with what changed, and positions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from fractions import Fraction
from itertools import islice
from typing import Any

from ruse.core import rationals
from ruse.core.game import PositionError, RuseError
from ruse.core.types import Report
from ruse.insight.model import PositionInsight
from ruse.present.rules import rules_of
from ruse.solution.strategy import Solution

MOST_POSITIONS = 4  # that are looked at unasked


class CompareError(RuseError):
    """Nothing to compare, or things that have nothing in common."""


@dataclass(frozen=True)
class Compared:
    """One variant beside the first."""

    solution: Solution
    difference: Fraction  # in win rates of side 0, or in payoffs; by the middle of bounds where they differ

    def to_json(self) -> dict[str, Any]:
        title = self.solution.game.title
        return {"title": title, "difference": rationals.write(self.difference), **self.solution.to_json()}


@dataclass(frozen=True)
class Line:
    """A rule of a strategy, and which of the variants have it."""

    text: str
    held: tuple[bool, ...]


@dataclass(frozen=True)
class Comparison:
    variants: list[Compared]
    words: Mapping[str, list[Line]]  # side -> rules, in the order of reading
    positions: Mapping[str, list[PositionInsight | None]]  # steps after the title -> insight into each variant

    @property
    def names(self) -> list[str]:
        return [one.solution.game.title for one in self.variants]

    def to_json(self) -> dict[str, Any]:
        """What `ruse compare --json` prints."""
        return {
            "variants": [
                {
                    **one.solution.to_json(),
                    "title": one.solution.game.title,
                    "difference": rationals.write(one.difference),
                }
                for one in self.variants
            ],
            "words": {
                side: [{"rule": line.text, "in": list(line.held)} for line in lines]
                for side, lines in self.words.items()
            },
            "positions": {
                steps: [
                    None if one is None else one.to_json(compared.solution.game.sides)
                    for one, compared in zip(found, self.variants, strict=True)
                ]
                for steps, found in self.positions.items()
            },
        }


def measure(solution: Solution) -> Fraction:
    """How often side 0 wins, or what it gets."""
    middle = (solution.certificate.lower + solution.certificate.upper) / 2
    return (1 + middle) / 2 if len(solution.game.wins) == 2 else middle


def compare(
    solutions: Sequence[Solution], at: Sequence[str] = (), *, look: bool = True, report: Report = lambda *_: None
) -> Comparison:
    """Solutions of variants of one game, or of several that are measured alike.

    `at` are positions of the first to look up in all of them; without any, the first few of a side's strategy that all
    have are, unless `look` is off. A position corresponds to the one with the same steps.
    """
    if len(solutions) < 2:
        raise CompareError(f"expected at least two variants to compare, got {len(solutions)}")
    first = solutions[0]
    for other in solutions[1:]:
        if (len(first.game.wins) == 2) != (len(other.game.wins) == 2):
            raise CompareError(
                f"expected variants with the same kind of result, got {first.game.title} and {other.game.title}"
            )
    compared = [Compared(one, measure(one) - measure(first)) for one in solutions]
    words = {name: aligned([_rules(one, side) for one in solutions]) for side, name in enumerate(first.game.sides)}
    steps = [_steps(first, position) for position in at]
    if not at and look:
        steps = _shared(solutions)
    positions: dict[str, list[PositionInsight | None]] = {}
    for number, one in enumerate(solutions if steps else ()):
        report(f"comparing all optimal strategies of {one.game.title}", None, None)
        insight = one.insight() if one.certificate.exact else None
        for step in steps:
            found: PositionInsight | None = None
            if insight is not None:
                try:
                    found = insight.at(f"{one.game.title}{step}")
                except PositionError:
                    if number == 0 and at:
                        raise
            positions.setdefault(step, []).append(found)
    return Comparison(compared, words, positions)


def _rules(solution: Solution, side: int) -> list[str]:
    """The rules of a side; those that begin with a position have only its steps, which variants may share."""
    return [line.removeprefix(solution.game.title) for line in rules_of(solution, side)[1]]


def aligned(texts: Sequence[Sequence[str]]) -> list[Line]:
    """Every line of several texts once, in an order that keeps that of each as far as they go together."""
    merged: list[str] = list(texts[0])
    for text in texts[1:]:
        result: list[str] = []
        for kind, a, b, c, d in SequenceMatcher(None, merged, text, autojunk=False).get_opcodes():
            result += merged[a:b]
            if kind in ("insert", "replace"):
                result += text[c:d]
        merged = result
    sets = [{*text} for text in texts]
    return [Line(line, tuple(line in one for one in sets)) for line in dict.fromkeys(merged)]


def _steps(first: Solution, position: str) -> str:
    """What follows the title in a position."""
    if not position.startswith(first.game.title):
        raise PositionError(f"expected a position of {first.game.title}, the first variant, got {position!r}")
    return position[len(first.game.title) :]


def _shared(solutions: Sequence[Solution]) -> list[str]:
    """The first positions at which all stored strategies of side 0 say something."""

    def steps(one: Solution) -> dict[str, None]:
        early = sorted(one.tables[0], key=lambda position: (position.count("/"), position))
        return dict.fromkeys(position[len(one.game.title) :] for position in early)

    first, *others = map(steps, solutions)
    return list(islice((step for step in first if all(step in other for other in others)), MOST_POSITIONS))
