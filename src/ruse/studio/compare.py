"""Variants side by side: values and their differences, strategies in words, and positions."""

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

MOST_POSITIONS = 4  # that are compared by default


class CompareError(RuseError):
    """Fewer than two variants, or variants that cannot be compared."""


@dataclass(frozen=True)
class Compared:
    """A variant, compared with the first one."""

    solution: Solution
    difference: Fraction  # in win rates of side 0, or in payoffs; by the middle of bounds where they differ

    def to_json(self) -> dict[str, Any]:
        title = self.solution.game.title
        return {"title": title, "difference": rationals.write(self.difference), **self.solution.to_json()}


@dataclass(frozen=True)
class SharedRule:
    """A rule of a strategy, and which variants have it."""

    text: str
    held: tuple[bool, ...]


@dataclass(frozen=True)
class Comparison:
    """Several variants side by side."""

    variants: list[Compared]
    words: Mapping[str, list[SharedRule]]  # side -> rules, in the order of reading
    positions: Mapping[str, list[PositionInsight | None]]  # steps after the title -> insight into each variant

    @property
    def names(self) -> list[str]:
        return [variant.solution.game.title for variant in self.variants]

    def to_json(self) -> dict[str, Any]:
        """Return what `ruse compare --json` prints."""
        return {
            "variants": [
                {
                    **variant.solution.to_json(),
                    "title": variant.solution.game.title,
                    "difference": rationals.write(variant.difference),
                }
                for variant in self.variants
            ],
            "words": {
                side: [{"rule": line.text, "in": list(line.held)} for line in lines]
                for side, lines in self.words.items()
            },
            "positions": {
                steps: [
                    None if insight is None else insight.to_json(compared.solution.game.sides)
                    for insight, compared in zip(insights, self.variants, strict=True)
                ]
                for steps, insights in self.positions.items()
            },
        }


def measure(solution: Solution) -> Fraction:
    """Return how often side 0 wins, or its payoff in games with draws."""
    middle = (solution.certificate.lower + solution.certificate.upper) / 2
    return (1 + middle) / 2 if len(solution.game.wins) == 2 else middle


def compare(
    solutions: Sequence[Solution], at: Sequence[str] = (), *, look: bool = True, report: Report = lambda *_: None
) -> Comparison:
    """Compare solutions of variants of one game, or of several games with the same kind of result.

    `at` lists positions of the first solution to look up in all of them. Without any, the first few positions that all
    stored strategies share are compared, unless `look` is off. Positions correspond if their steps are equal.
    """
    if len(solutions) < 2:
        raise CompareError(f"expected at least two variants to compare, got {len(solutions)}")
    first = solutions[0]
    for other in solutions[1:]:
        if (len(first.game.wins) == 2) != (len(other.game.wins) == 2):
            raise CompareError(
                f"expected variants with the same kind of result, got {first.game.title} and {other.game.title}"
            )
    compared = [Compared(solution, measure(solution) - measure(first)) for solution in solutions]
    words = {
        name: aligned([_rules(solution, side) for solution in solutions]) for side, name in enumerate(first.game.sides)
    }
    steps = [_steps(first, position) for position in at]
    if not at and look:
        steps = _shared(solutions)
    positions: dict[str, list[PositionInsight | None]] = {}
    for number, solution in enumerate(solutions if steps else ()):
        report(f"comparing all optimal strategies of {solution.game.title}", None, None)
        insight = solution.insight() if solution.certificate.exact else None
        for step in steps:
            at_step: PositionInsight | None = None
            if insight is not None:
                try:
                    at_step = insight.at(f"{solution.game.title}{step}")
                except PositionError:
                    if number == 0 and at:
                        raise
            positions.setdefault(step, []).append(at_step)
    return Comparison(compared, words, positions)


def _rules(solution: Solution, side: int) -> list[str]:
    """Return the rules of a side, without titles before positions, because variants may share the steps."""
    return [line.removeprefix(solution.game.title) for line in rules_of(solution, side)[1]]


def aligned(texts: Sequence[Sequence[str]]) -> list[SharedRule]:
    """Merge several texts: every line once, in an order that agrees with each text as far as possible."""
    merged: list[str] = list(texts[0])
    for text in texts[1:]:
        result: list[str] = []
        for kind, a, b, c, d in SequenceMatcher(None, merged, text, autojunk=False).get_opcodes():
            result += merged[a:b]
            if kind in ("insert", "replace"):
                result += text[c:d]
        merged = result
    sets = [{*text} for text in texts]
    return [SharedRule(line, tuple(line in lines for lines in sets)) for line in dict.fromkeys(merged)]


def _steps(first: Solution, position: str) -> str:
    """Return the steps of a position, without its title."""
    if not position.startswith(first.game.title):
        raise PositionError(f"expected a position of {first.game.title}, the first variant, got {position!r}")
    return position[len(first.game.title) :]


def _shared(solutions: Sequence[Solution]) -> list[str]:
    """Return the first positions that all stored strategies of side 0 cover."""

    def steps(solution: Solution) -> dict[str, None]:
        early = sorted(solution.tables[0], key=lambda position: (position.count("/"), position))
        return dict.fromkeys(position[len(solution.game.title) :] for position in early)

    first, *others = map(steps, solutions)
    return list(islice((step for step in first if all(step in other for other in others)), MOST_POSITIONS))
